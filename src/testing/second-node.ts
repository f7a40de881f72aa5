import { after } from 'node:test'
import { pino } from 'pino'
import { type App, buildApp } from '../app.ts'
import type { Services } from '../kit/services/services.ts'
import type { TestService } from './service.ts'

/**
 * Another process of the same service, as far as a test can tell: an application of its own on the same database.
 * @param listensAt where it hears of changes; by default at the database itself
 * @param services whose settings it has; by default those of the service
 */
export async function secondNode(
  { app, pool, databaseUrl }: TestService,
  listensAt = databaseUrl,
  { config }: Pick<Services, 'config'> = app.routes.services,
): Promise<App> {
  const node = await buildApp({ config, pool, databaseUrl: listensAt, log: pino({ level: 'silent' }), works: false })
  await node.ready()
  after(() => node.close())
  return node
}
