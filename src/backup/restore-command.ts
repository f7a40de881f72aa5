import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Config } from '../config.ts'
import { openDatabase } from '../database/with-database.ts'
import { openFiles } from '../kit/services/open-files.ts'
import { createLog } from '../log.ts'
import { Progress } from '../progress.ts'
import { checkBackup, readManifest } from './manifest.ts'
import { restoreBackup } from './restore.ts'

/**
 * Loads a backup into a new DATA_DIR or an empty database, migrates that, and prints the result.
 * @param folder the folder of the backup
 * @throws OperatorError when the backup is not complete, or the database not empty; nothing was restored then
 */
export async function restoreCommand(config: Config, folder: string): Promise<void> {
  const started = performance.now()
  const log = createLog({ ...config, stream: 2 })
  const progress = new Progress('Restoring')
  const backupFolder = resolve(folder)
  const manifest = await readManifest(backupFolder)
  await checkBackup(backupFolder, manifest, progress.createReporter('checked files'))
  const onProgress = (phase: 'tables' | 'files') => progress.createReporter(phase)
  let withoutJobs = false
  const database = await openDatabase(config, log, {
    statementTimeout: 0,
    fill: async (pool) => {
      const restored = await restoreBackup(pool, { folder: backupFolder, manifest, files: openFiles(config, log), onProgress })
      withoutJobs = restored.withoutJobs
    },
  }).finally(() => progress.stop())
  await database.stop()
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  console.log(`Restored ${rows} rows and ${manifest.files.length} files, from ${manifest.made}.`)
  if (withoutJobs) console.log('Pending background tasks were not restored: this program stores them in another way.')
  if (config.secretKey === undefined && !existsSync(join(config.dataDir, 'secret.key')))
    console.log(
      `Copy secret.key of the previous DATA_DIR to ${config.dataDir} before you start the service. Without it, you have to create all tokens, second factors and stored passwords of plugins again.`,
    )
  console.log(`Done in ${((performance.now() - started) / 1000).toFixed(1)} s.`)
}
