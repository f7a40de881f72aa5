import type { Client, Pool } from 'pg'
import { PgBoss } from 'pg-boss'
import packageJson from 'pg-boss/package.json' with { type: 'json' }
import { OperatorError } from '../operator-error.ts'
import { withMigrationLock } from './migrate.ts'

/** The version of the tables of background jobs that this program needs. */
const NEEDED_VERSION: number = packageJson.pgboss.schema

/** The version of the tables of background jobs in a database; undefined if it has none. */
export async function readJobTablesVersion(database: Pool | Client): Promise<number | undefined> {
  const { rows } = await database.query(`select to_regclass('pgboss.version') is not null as exists`)
  if (!rows[0].exists) return undefined
  return (await database.query<{ version: number }>('select version from pgboss.version')).rows[0]?.version
}

/**
 * Migrates the tables of background jobs (schema `pgboss`) to the version that this program's pg-boss needs. Programs that start at the
 * same time wait for each other.
 * @param prepare called before existing tables are changed; if it throws, nothing is changed
 * @throws OperatorError when the tables are newer than the program, or the database user may not create the schema
 */
export async function installJobTables(pool: Pool, prepare?: () => Promise<unknown>): Promise<void> {
  await withMigrationLock(pool, async (client) => {
    const version = await readJobTablesVersion(client)
    if (version !== undefined && version > NEEDED_VERSION)
      throw new OperatorError(
        `the database is newer than this program: its tables of background work have version ${version}, and this program needs ${NEEDED_VERSION}; use the newer version, or restore a backup from before its update`,
      )
    if (version !== undefined && version < NEEDED_VERSION) await prepare?.()
    await startBoss(client)
  })
}

async function startBoss(client: Client): Promise<void> {
  try {
    const db = { executeSql: (text: string, values?: unknown[]) => client.query(text, values) }
    const boss = new PgBoss({ db, schedule: false, supervise: false })
    // `start` throws its own errors; the service does the work that is disabled here
    boss.on('error', () => {})
    await boss.start()
    await boss.stop({ graceful: false })
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error
    const reason = (error as Error).message
    throw new OperatorError(`the database user cannot create the schema pgboss (${reason}); grant it CREATE on the database`)
  }
}
