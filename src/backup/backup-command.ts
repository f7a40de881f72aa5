import { resolve } from 'node:path'
import type { Config } from '../config.ts'
import { withRunningDatabase } from '../database/with-database.ts'
import { openFiles } from '../kit/services/open-files.ts'
import { createLog } from '../log.ts'
import { OperatorError } from '../operator-error.ts'
import { Progress } from '../progress.ts'
import { getBackupFolder } from '../resources/background-task/backups.ts'
import { makeBackup } from './backup.ts'

/**
 * Makes a backup and prints its folder: of the database of the running service, which continues to run, or of one that is opened for it. The
 * database may be of an older version, and is not updated.
 * @param parentFolder the folder in which the backup gets its own folder; BACKUP_DIR by default
 * @throws OperatorError when there is too little disk space, or another backup is being made
 */
export async function backupCommand(config: Config, parentFolder?: string): Promise<void> {
  const started = performance.now()
  const progress = new Progress('Writing')
  const files = openFiles(config, createLog({ ...config, stream: 2 }))
  const backup = await withRunningDatabase(
    config,
    (pool) =>
      makeBackup(pool, {
        parentFolder: parentFolder === undefined ? getBackupFolder(config) : resolve(parentFolder),
        files,
        minFreeBytes: config.minFreeDisk,
        onProgress: (phase) => progress.createReporter(phase),
      }).finally(() => progress.stop()),
    'keep',
  )
  if (!backup) throw new OperatorError('another backup of this database is in progress')
  const { folder, manifest } = backup
  for (const path of manifest.missing) console.log(`missing: ${path}`)
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  console.log(`${rows} rows and ${manifest.files.length} files are in ${folder}, ${manifest.missing.length} files are missing.`)
  console.log(`Done in ${((performance.now() - started) / 1000).toFixed(1)} s.`)
}
