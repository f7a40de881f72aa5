import { after } from 'node:test'
import { pino } from 'pino'
import { buildApp } from '../../app.ts'
import { loadConfig } from '../../config.ts'
import { fillDemo } from '../../demo/demo.ts'
import { testDatabase } from '../database.ts'
import { printing } from '../printing.ts'

/**
 * The service with the demo workshop in it, on a database of its own. Call it at the top of a test file: it ends with the file.
 * @param works whether background work is done
 */
export async function demoWorkshop(works = true) {
  const config = loadConfig({ SECRET_KEY: 'a secret of the tests that is thirty-two long', ...(await printing()) })
  const database = await testDatabase()
  const options = { config, pool: database.pool, databaseUrl: database.url, log: pino({ level: 'silent' }) }
  await fillDemo(options)
  const app = await buildApp({ ...options, works })
  after(async () => {
    await app.close()
    await database.drop()
  })
  return { app, config, pool: database.pool, databaseUrl: database.url }
}
