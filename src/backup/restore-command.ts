import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { listMissingMigrations } from '../database/migrate.ts'
import { type DatabaseAside, setDatabaseAside } from '../database/set-aside.ts'
import { openDatabase } from '../database/with-database.ts'
import { openFiles } from '../kit/services/open-files.ts'
import { createLog } from '../log.ts'
import { OperatorError } from '../operator-error.ts'
import { Progress } from '../progress.ts'
import { checkBackup, type Manifest, readManifest } from '../resources/web/backup/manifest.ts'
import { restoreBackup } from './restore.ts'

/**
 * Loads a backup into a new DATA_DIR or an empty database, updates that, and prints the result.
 * @param folder the folder of the backup
 * @param replace whether the embedded database of DATA_DIR is set aside first; it is put back if the restore fails
 * @throws OperatorError when the backup is not complete or is of a newer version, or the database not empty; nothing was restored then
 */
export async function restoreCommand(config: Config, folder: string, { replace = false } = {}): Promise<void> {
  const started = performance.now()
  const log = createLog({ ...config, stream: 2 })
  if (replace && config.databaseUrl !== undefined)
    throw new OperatorError(
      '--replace is only for the embedded database; restore into an empty database, and set DATABASE_URL to it',
    )
  const backupFolder = resolve(folder)
  const manifest = await readManifest(backupFolder)
  listMissingMigrations(manifest.migrations, 'backup')
  const progress = new Progress('Restoring')
  await checkBackup(backupFolder, manifest, progress.createReporter('checked files'))
  const aside = replace ? await setDatabaseAside(config.dataDir, log) : undefined
  const { withoutJobs } = await load(config, { folder: backupFolder, manifest, progress, log }).catch(async (error: Error) => {
    await putBack(aside, error)
    throw error
  })
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  console.log(`Restored ${rows} rows and ${manifest.files.length} files, from ${manifest.made}.`)
  if (withoutJobs) console.log('Pending background tasks were not restored: this version stores them differently.')
  if (aside) console.log(`The previous database is in ${aside.folder}: delete that folder when you no longer need it.`)
  if (config.secretKey === undefined && !existsSync(join(config.dataDir, 'secret.key')))
    console.log(
      `Copy secret.key of the previous DATA_DIR to ${config.dataDir} before you start the service. Without it, you have to create all tokens, second factors and stored passwords of plugins again.`,
    )
  console.log(`Done in ${((performance.now() - started) / 1000).toFixed(1)} s.`)
}

type Loading = { folder: string; manifest: Manifest; progress: Progress; log: Logger }

/** Opens the database, loads a backup into it, updates it, and closes it. */
async function load(config: Config, { folder, manifest, progress, log }: Loading): Promise<{ withoutJobs: boolean }> {
  const onProgress = (phase: 'tables' | 'files') => progress.createReporter(phase)
  let withoutJobs = false
  const database = await openDatabase(config, log, {
    statementTimeout: 0,
    fill: async (pool) => {
      const restored = await restoreBackup(pool, { folder, manifest, files: openFiles(config, log), onProgress })
      withoutJobs = restored.withoutJobs
    },
    // no backup before the update: the one that was just restored serves
    onOlderDatabase: async () => {},
  }).finally(() => progress.stop())
  await database.stop()
  return { withoutJobs }
}

/** Puts a database back after a failed restore. */
async function putBack(aside: DatabaseAside | undefined, cause: Error): Promise<void> {
  await aside?.putBack().catch((error: Error) => {
    throw new OperatorError(
      `${cause.message}; the previous database is in ${aside.folder}, and could not be put back: ${error.message}`,
      { cause },
    )
  })
}
