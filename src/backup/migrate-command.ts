import type { Config } from '../config.ts'
import { readAppliedMigrations } from '../database/migrate.ts'
import { withDatabase } from '../database/with-database.ts'
import { backUpBeforeUpdate } from './before-update.ts'

/**
 * Updates the database to the version of this program without starting the service, and prints its last migration. A database that holds
 * data is backed up before that.
 * @throws OperatorError when the database is newer, or the backup or the update failed; it is unchanged then
 */
export async function migrateCommand(config: Config): Promise<void> {
  const applied = await withDatabase(config, (pool) => readAppliedMigrations(pool), {
    onOlderDatabase: backUpBeforeUpdate(config),
  })
  console.log(`The database is at migration ${applied.at(-1)?.tag}`)
}
