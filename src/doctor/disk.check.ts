import { statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { getBackupFolder } from '../resources/background-task/backups.ts'
import { type Check, error, type Finding, formatBytes, ok, warning } from './check.ts'
import { findExisting } from './storage.check.ts'

/** Free space in bytes below which a backup or an update may not fit. */
const LITTLE_SPACE_BYTES = 2_000_000_000
/** Free space in bytes that documents and uploads need in the folder of temporary files. */
const TEMPORARY_BYTES = 100_000_000

export const diskCheck: Check = {
  name: 'disk',
  title: 'Disk space',
  async run({ config }) {
    const dataDisk = findExisting(config.dataDir)
    const others = [getBackupFolder(config), tmpdir()].map(findExisting)
    const isOnOtherDisk = (folder: string) => statSync(folder).dev !== statSync(dataDisk).dev
    return [
      await checkSpace(config.dataDir, dataDisk, config.minFreeDisk, LITTLE_SPACE_BYTES),
      ...(await Promise.all(
        others.filter(isOnOtherDisk).map((folder) => checkSpace(folder, folder, TEMPORARY_BYTES, TEMPORARY_BYTES * 2)),
      )),
    ]
  },
}

/**
 * @param requiredBytes below that it is an error
 * @param comfortableBytes below that it is a warning
 */
async function checkSpace(name: string, existing: string, requiredBytes: number, comfortableBytes: number): Promise<Finding> {
  const { bavail, bsize, files, ffree } = await statfs(existing)
  const free = bavail * bsize
  const message = `${formatBytes(free)} are free for ${name}`
  const advice = 'Delete files that are not needed, enlarge the disk, or move the folder to another one.'
  // some file systems have no fixed number of files
  if (files > 0 && ffree === 0) return error(`No further file can be created in ${name}`, advice)
  if (free < requiredBytes) return error(`${message}, less than the required ${formatBytes(requiredBytes)}`, advice)
  return free < comfortableBytes ? warning(message, advice) : ok(message)
}
