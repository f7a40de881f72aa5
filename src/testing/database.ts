import { randomBytes } from 'node:crypto'
import { after, beforeEach } from 'node:test'
import pg from 'pg'
import { createPool } from '../database/connect.ts'
import { waitUntil } from './until.ts'

export type TestDatabase = {
  name: string
  url: string
  pool: pg.Pool
  /** Closes the pool and deletes the database. */
  drop(): Promise<void>
}

/**
 * Variables in which `run.ts` passes the folder for databases to `global-setup.ts`, and `global-setup.ts` the server's URL and the template
 * database to the test processes.
 */
export const testServer = {
  folderVariable: 'STOCKROOM_TEST_FOLDER',
  urlVariable: 'STOCKROOM_TEST_SERVER',
  templateVariable: 'STOCKROOM_TEST_TEMPLATE',
  /** A folder of the run for the stored files of its templates. */
  filesVariable: 'STOCKROOM_TEST_FILES',
}

/**
 * Creates a database for one test file: a copy of the migrated template for its exclusive use. `drop` it in an `after` hook; remaining
 * databases are dropped at the end of the run.
 */
export async function createTestDatabase(size = 10): Promise<TestDatabase> {
  return await cloneDatabase(readVariable(testServer.templateVariable), size)
}

/**
 * Provides an empty database for each test of a file, without the data of the previous test. Called at the top of the file.
 * @returns a function that returns the pool of the running test
 */
export function databasePerTest(size = 4): () => pg.Pool {
  let database: TestDatabase | undefined
  beforeEach(async () => {
    await database?.drop()
    database = await createTestDatabase(size)
  })
  after(() => database?.drop())
  return () => (database as TestDatabase).pool
}

/**
 * Copies a database of the test server, which must have no connections.
 * @param source the name of the database to copy
 * @param size maximum number of connections of the pool
 */
export async function cloneDatabase(source: string, size = 10): Promise<TestDatabase> {
  const serverUrl = readVariable(testServer.urlVariable)
  // The end of the run drops all databases with the template's prefix.
  const name = readVariable(testServer.templateVariable).replace(/template$/, randomBytes(4).toString('hex'))
  await withServer(serverUrl, (client) => createDatabase(client, name, source))
  const url = buildDatabaseUrl(serverUrl, name)
  const pool = createPool(url, size, { canExitWhileIdle: true })
  const drop = async () => {
    await pool.end()
    await withServer(serverUrl, (client) => client.query(`drop database if exists ${name} with (force)`))
  }
  return { name, url, pool, drop }
}

/** Reads a variable of the test run. @throws Error outside of a run */
export function readVariable(variable: string): string {
  const value = process.env[variable]
  if (value) return value
  throw new Error(
    'run tests with "npm test", or some with "npx node --test-global-setup=src/testing/global-setup.ts --test <files>"',
  )
}

/**
 * Returns the name of a database that test files of this run copy. The first file that needs it fills it, while the others wait.
 * @param name of the template, a word
 * @param fill fills a copy of the migrated template, and leaves no connection open but those of the pool
 */
export async function ensureTemplate(name: string, fill: (database: TestDatabase) => Promise<unknown>): Promise<string> {
  const template = `${readVariable(testServer.templateVariable)}_${name}`
  await withServer(readVariable(testServer.urlVariable), async (client) => {
    // released with the connection
    await client.query('select pg_advisory_lock(hashtext($1))', [template])
    const { rowCount } = await client.query('select from pg_database where datname = $1', [template])
    if (rowCount) return
    const draft = await createTestDatabase()
    try {
      await fill(draft)
    } catch (error) {
      await draft.drop()
      throw error
    }
    await draft.pool.end()
    await waitUntilUnused(client, draft.name)
    await client.query(`alter database ${draft.name} rename to ${template}`)
  })
  return template
}

/** Waits until a database has no connections: closed ones disappear with a delay, and a database in use can be neither renamed nor copied. */
async function waitUntilUnused(client: pg.Client, name: string): Promise<void> {
  const isUnused = async () => (await client.query('select from pg_stat_activity where datname = $1', [name])).rowCount === 0
  await waitUntil(isUnused, `${name} stays in use`)
}

/** Runs statements on the server itself rather than on one of the tests' databases. */
export async function withServer<Result>(serverUrl: string, callback: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    return await callback(client)
  } finally {
    await client.end()
  }
}

async function createDatabase(client: pg.Client, name: string, source: string): Promise<void> {
  const { rows } = await client.query("select current_setting('server_version_num')::int >= 150000 as supports_strategy")
  // Copying the files is faster for a small database on a server without durable writes.
  const strategy = rows[0].supports_strategy ? 'strategy file_copy' : ''
  await client.query(`create database ${name} template ${source} ${strategy}`)
}

/** Returns the URL of another database on the same server. */
export function buildDatabaseUrl(serverUrl: string, name: string): string {
  return serverUrl.replace(/^(\w+:\/\/[^/]*\/)[^?]*/, `$1${name}`)
}
