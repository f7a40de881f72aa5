import { readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Config } from '../../config.ts'
import type { Services } from '../../kit/services/services.ts'
import { setting } from '../../settings/live.ts'

export const BACKUP_QUEUE = 'backup'
const DAY_MINUTES = 24 * 60

type BackupServices = Pick<Services, 'config' | 'settings'>

/** A complete backup: its folder, the time of its snapshot, and whether it was made before an update of the database. */
export type Backup = { folder: string; createdAt: Date; isBeforeUpdate: boolean }

/** Returns the folder of backups. */
export const getBackupFolder = ({ backupDir, dataDir }: Pick<Config, 'backupDir' | 'dataDir'>): string =>
  backupDir ?? join(dataDir, 'backups')

/** Returns the name of the folder of a backup: the time of its snapshot in UTC (ISO 8601), so that sorting by name sorts by time. */
export const getBackupName = (createdAt: string, isBeforeUpdate = false): string =>
  `stockroom-${createdAt.replaceAll(':', '-')}${isBeforeUpdate ? '-before-update' : ''}`

const FOLDER_NAME = /^stockroom-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3})Z(-before-update)?$/

/** Lists the complete backups in a folder, oldest first. */
export async function listBackups(folder: string): Promise<Backup[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
    throw error
  })
  return names.sort().flatMap((name) => {
    const [, day, hour, minute, second, suffix] = FOLDER_NAME.exec(name) ?? []
    if (day === undefined) return []
    const createdAt = new Date(`${day}T${hour}:${minute}:${second}Z`)
    return [{ folder: join(folder, name), createdAt, isBeforeUpdate: suffix !== undefined }]
  })
}

/** Lists the complete backups in a folder that were made by schedule or by command, oldest first. */
export const listRegularBackups = async (folder: string): Promise<Backup[]> =>
  (await listBackups(folder)).filter(({ isBeforeUpdate }) => !isBeforeUpdate)

/** Beginning of the name of a backup that is being deleted: it is no longer listed. */
const DISCARDED_PREFIX = '.deleted-'

/** Takes a backup out of the list immediately, so that none is ever listed of which a part is deleted. */
export const discardBackup = ({ folder }: Backup): Promise<void> =>
  rename(folder, join(dirname(folder), `${DISCARDED_PREFIX}${basename(folder)}`))

/** Deletes the discarded backups of a folder, also those that a process left behind when it ended. */
export async function deleteDiscarded(parentFolder: string): Promise<void> {
  const names = (await readdir(parentFolder)).filter((name) => name.startsWith(DISCARDED_PREFIX))
  for (const name of names) await rm(join(parentFolder, name), { recursive: true, force: true })
}

/** Returns the schedule of backups with the times of the last and the next one; empty if they are disabled. */
export async function getBackupSchedule(services: BackupServices) {
  const days = getIntervalDays(services)
  if (days === 0) return []
  const last = await getLastBackupTime(services)
  const times = last === undefined ? {} : { last, next: getNextBackupTime(services, last) }
  return [{ name: 'Backup', func: BACKUP_QUEUE, minutes: days * DAY_MINUTES, ...times }]
}

/** Whether backups are scheduled, and the newest one in the folder, scheduled or not, is too old. */
export async function isBackupDue(services: BackupServices): Promise<boolean> {
  if (getIntervalDays(services) === 0) return false
  const last = await getLastBackupTime(services)
  return last === undefined || getNextBackupTime(services, last) < Date.now()
}

/**
 * Returns when the next backup is due: after the interval, or at the hour of the settings, in the time zone of the process. With an hour,
 * a day of the interval ends there, so that a backup made by hand in the meantime does not move it.
 */
function getNextBackupTime(services: BackupServices, last: number): number {
  const days = getIntervalDays(services)
  const hour = setting(services, 'INVENTREE_BACKUP_HOUR')
  if (hour === null) return last + days * DAY_MINUTES * 60_000
  const next = new Date(last)
  next.setHours(hour, 0, 0, 0)
  next.setDate(next.getDate() + (next.getTime() > last ? days - 1 : days))
  return next.getTime()
}

const getIntervalDays = (services: BackupServices): number =>
  setting(services, 'INVENTREE_BACKUP_ENABLE') ? setting(services, 'INVENTREE_BACKUP_DAYS') : 0

const getLastBackupTime = async ({ config }: Pick<BackupServices, 'config'>): Promise<number | undefined> =>
  (await listRegularBackups(getBackupFolder(config))).at(-1)?.createdAt.getTime()
