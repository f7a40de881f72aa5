import type { Pool } from 'pg'
import { PgBoss } from 'pg-boss'
import { OperatorError } from '../operator-error.ts'
import { withMigrationLock } from './migrate.ts'

/**
 * Migrates the tables of background jobs (schema `pgboss`) to the version that this program's pg-boss needs. Programs that start at the
 * same time wait for each other.
 * @throws OperatorError when the database user may not create the schema
 */
export async function installJobTables(pool: Pool): Promise<void> {
  try {
    await withMigrationLock(pool, async (client) => {
      const db = { executeSql: (text: string, values?: unknown[]) => client.query(text, values) }
      const boss = new PgBoss({ db, schedule: false, supervise: false })
      // `start` throws its own errors; the service does the work that is disabled here
      boss.on('error', () => {})
      await boss.start()
      await boss.stop({ graceful: false })
    })
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error
    const reason = (error as Error).message
    throw new OperatorError(`the database user cannot create the schema pgboss (${reason}); grant it CREATE on the database`)
  }
}
