import { after } from 'node:test'
import { pino } from 'pino'
import { type App, buildApp } from '../app.ts'
import type { Services } from '../kit/services/services.ts'
import type { TestService } from './service.ts'

/**
 * Starts another node of the same service for a test: a separate application on the same database.
 * @param listensAt the URL where it receives notifications; by default that of the database itself
 * @param services the service whose settings it uses; by default the given one
 */
export async function secondNode(
  { app, pool, databaseUrl }: TestService,
  listensAt = databaseUrl,
  { config }: Pick<Services, 'config'> = app.routes.services,
): Promise<App> {
  const node = await buildApp({ config, pool, databaseUrl: listensAt, log: pino({ level: 'silent' }), runsBackgroundWork: false })
  await node.ready()
  after(() => node.close())
  return node
}
