import pg from 'pg'
import type { Config } from '../config.ts'
import { findRunningServer } from '../database/embedded.ts'

/** Timeout of the connection and of each statement, in milliseconds. */
const TIMEOUT_MS = 10_000

/** `stopped`: it is the embedded one, and no service runs. */
export type DatabaseAccess =
  | { state: 'open'; client: pg.Client; url: string }
  | { state: 'stopped' }
  | { state: 'failed'; error: Error & { code?: string } }

/** Opens the database for the checks, in a session that cannot change anything: that of DATABASE_URL, or of the running service. */
export async function openForChecks({ databaseUrl, dataDir }: Config): Promise<DatabaseAccess> {
  const url = databaseUrl ?? findRunningServer(dataDir)
  if (url === undefined) return { state: 'stopped' }
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
    application_name: 'stockroom doctor',
  })
  // each statement reports its own error
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('set session characteristics as transaction read only')
    return { state: 'open', client, url }
  } catch (error) {
    await client.end().catch(() => undefined)
    return { state: 'failed', error: error as Error }
  }
}
