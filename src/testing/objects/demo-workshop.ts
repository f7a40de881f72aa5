import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { after } from 'node:test'
import { pino } from 'pino'
import { buildApp } from '../../app.ts'
import { loadConfig } from '../../config.ts'
import { fillDemo } from '../../demo-command.ts'
import { cloneDatabase, ensureTemplate, readVariable, testServer } from '../database.ts'
import { preparePrinting } from '../printing.ts'

/**
 * Starts the service with the demo workshop, on a database of its own. Call it at the top of a test file: it ends with the file.
 * @param runsBackgroundWork whether background jobs run
 */
export async function startDemoWorkshop(runsBackgroundWork = true) {
  const config = loadConfig({ SECRET_KEY: 'a test secret of thirty-two bytes or more', ...(await preparePrinting()) })
  const log = pino({ level: 'silent' })
  const [media, templateMedia] = [join(config.dataDir, 'media'), join(readVariable(testServer.filesVariable), 'demo')]
  const template = await ensureTemplate('demo', async ({ pool, url }) => {
    await fillDemo({ config, pool, databaseUrl: url, log })
    await cp(media, templateMedia, { recursive: true })
  })
  await cp(templateMedia, media, { recursive: true })
  const database = await cloneDatabase(template)
  const options = { config, pool: database.pool, databaseUrl: database.url, log }
  const app = await buildApp({ ...options, runsBackgroundWork })
  after(async () => {
    await app.close()
    await database.drop()
  })
  return { app, config, pool: database.pool, databaseUrl: database.url }
}
