import { rm } from 'node:fs/promises'
import type { Config } from '../config.ts'
import { holdsData } from '../database/holds-data.ts'
import type { PrepareUpdate } from '../database/with-database.ts'
import { getMediaFolder, MediaFolder } from '../kit/services/files.ts'
import { OperatorError } from '../operator-error.ts'
import { getBackupFolder, listBackups } from '../resources/background-task/backups.ts'
import { readManifest } from '../resources/web/backup/manifest.ts'
import { makeBackup } from './backup.ts'

/** Number of previous versions whose newest pre-update backup is retained. */
const MAX_FORMER_VERSIONS = 3

/**
 * Makes a backup of an older database that holds data, before its update, and deletes those of earlier updates. Files in a bucket are left
 * out: an update does not change them, and downloading them all could take hours.
 * @throws OperatorError when no backup could be made: the database must not be updated then
 */
export const backUpBeforeUpdate =
  (config: Config): PrepareUpdate =>
  async (pool, log) => {
    if (!(await holdsData(pool))) return
    if (!config.backupBeforeUpdate) {
      log.warn('updating the database without a backup, because BACKUP_BEFORE_UPDATE is false')
      return
    }
    const parentFolder = getBackupFolder(config)
    log.info(`backing up the database to ${parentFolder} before its update`)
    const started = performance.now()
    const files = config.s3Bucket === undefined ? new MediaFolder(getMediaFolder(config)) : undefined
    const options = { parentFolder, files, minFreeBytes: config.minFreeDisk, isBeforeUpdate: true }
    const backup = await makeBackup(pool, options).catch((error: Error) => {
      throw createBackupError(error)
    })
    if (!backup) throw new Error('makeBackup returned no backup, although a pre-update backup waits for the lock')
    const { folder, manifest } = backup
    if (manifest.missing.length > 0) log.warn({ missing: manifest.missing.slice(0, 10) }, 'files of the backup are missing')
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    log.info(
      { folder, seconds },
      `backup completed in ${seconds} s; to return to it, restore ${folder} with the previous version`,
    )
    await deleteSurplus(parentFolder).catch((err) => log.warn({ err }, 'could not delete backups of earlier updates'))
  }

const createBackupError = (error: Error) =>
  new OperatorError(
    `the database was not updated, because its backup failed: ${error.message.replaceAll('\n', ' ')}; start again with enough free disk space, or with a BACKUP_DIR that has it; or make a backup by other means, and set BACKUP_BEFORE_UPDATE=false`,
    { cause: error },
  )

/**
 * Deletes pre-update backups, except for the newest of each of the latest previous versions. An update that is killed and retried repeatedly
 * leaves one backup.
 */
async function deleteSurplus(parentFolder: string): Promise<void> {
  const versions = new Set<string>()
  for (const { folder, isBeforeUpdate } of (await listBackups(parentFolder)).reverse()) {
    if (!isBeforeUpdate) continue
    const { migrations, jobs } = await readManifest(folder)
    const version = JSON.stringify([migrations, jobs])
    if (versions.has(version) || versions.size === MAX_FORMER_VERSIONS) await rm(folder, { recursive: true })
    else versions.add(version)
  }
}
