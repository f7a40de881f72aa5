import { after } from 'node:test'
import { pino } from 'pino'
import { type App, buildApp } from '../app.ts'
import type { Services } from '../kit/services/services.ts'
import type { TestService } from './service.ts'

/**
 * Starts another node of the same service for a test: a separate application on the same database.
 * @param notificationUrl the URL where it receives notifications; by default that of the database itself
 * @param services the service whose settings it uses; by default the given one
 */
export async function startSecondNode(
  { app, pool, databaseUrl }: TestService,
  notificationUrl = databaseUrl,
  { config }: Pick<Services, 'config'> = app.routes.services,
): Promise<App> {
  const node = await buildApp({
    config,
    pool,
    databaseUrl: notificationUrl,
    log: pino({ level: 'silent' }),
    runsBackgroundWork: false,
  })
  await node.ready()
  after(() => node.close())
  return node
}
