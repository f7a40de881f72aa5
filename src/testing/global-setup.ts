import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { bundleConsole } from '../console-bundle/bundled.ts'
import { createPool } from '../database/connect.ts'
import { stopLeftoverServer } from '../database/data-folder.ts'
import { type EmbeddedServer, startEmbedded } from '../database/embedded.ts'
import { installJobTables } from '../database/job-tables.ts'
import { migrate } from '../database/migrate.ts'
import { bundleDocs } from '../docs-bundle/bundled.ts'
import { ROOT } from '../paths.ts'
import { isAlive } from '../processes.ts'
import { buildDatabaseUrl, testServer, withServer } from './database.ts'

/** Prefix of all databases of this run, which separates runs on the same external server. */
const prefix = `stockroom_test_${process.pid}`

let server: EmbeddedServer | undefined
let folder: string | undefined
let serverUrl: string
let files: string | undefined

/**
 * Starts one server and creates one migrated template for all test files of a run. `TEST_DATABASE_URL` is the URL of an external server to
 * use; its user must be allowed to create databases.
 */
export async function globalSetup(): Promise<void> {
  if (process.env.TEST_DATABASE_URL) {
    serverUrl = process.env.TEST_DATABASE_URL
  } else {
    const parent = process.env[testServer.folderVariable] ?? tmpdir()
    await clearLeftovers(parent)
    folder = mkdtempSync(join(parent, `stockroom-test-${process.pid}-`))
    // Test data need not be durable.
    server = await startEmbedded(folder, pino({ level: 'warn' }), { durable: false })
    serverUrl = server.url
  }
  const template = `${prefix}_template`
  try {
    await withServer(serverUrl, (client) => client.query(`create database ${template} template template0 encoding 'UTF8'`))
    const pool = createPool(buildDatabaseUrl(serverUrl, template), 1)
    await migrate(pool)
      .then(() => installJobTables(pool))
      .finally(() => pool.end())
  } catch (error) {
    await globalTeardown()
    throw error
  }
  await bundleConsole()
  await bundleDocs()
  // code compiled by one test process is reused by all others, and by the next run
  process.env.NODE_COMPILE_CACHE ??= join(ROOT, 'node_modules/.cache/compiled')
  process.env[testServer.urlVariable] = serverUrl
  process.env[testServer.templateVariable] = template
  files = mkdtempSync(join(tmpdir(), 'stockroom-test-files-'))
  process.env[testServer.filesVariable] = files
}

/** Ends processes that killed runs left behind, and deletes their databases, which may occupy memory. */
async function clearLeftovers(parent: string): Promise<void> {
  for (const name of readdirSync(parent)) {
    const pid = /^stockroom-test-(\d+)-/.exec(name)?.[1]
    if (pid === undefined || isAlive(Number(pid))) continue
    const leftover = join(parent, name)
    try {
      await stopLeftoverServer(join(leftover, 'postgres'), pino({ level: 'silent' }))
      rmSync(leftover, { recursive: true, force: true })
    } catch {
      // the folder belongs to another user
    }
  }
}

export async function globalTeardown(): Promise<void> {
  if (server) {
    await server.stop()
  } else {
    await withServer(serverUrl, async (client) => {
      const { rows } = await client.query<{ datname: string }>('select datname from pg_database where datname like $1', [
        `${prefix}\\_%`,
      ])
      for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`)
    })
  }
  for (const directory of [folder, files]) if (directory) rmSync(directory, { recursive: true })
}
