import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import type { Services } from '../../kit/services/services.ts'
import { setting } from '../../settings/live.ts'

export const BACKUP_QUEUE = 'backup'
const DAY_MINUTES = 24 * 60

type BackupServices = Pick<Services, 'config' | 'settings'>

/** A complete backup: its folder, and the time of its snapshot. */
export type Backup = { folder: string; createdAt: Date }

/** The folder of backups. */
export const backupFolder = ({ backupDir, dataDir }: Pick<Config, 'backupDir' | 'dataDir'>): string =>
  backupDir ?? join(dataDir, 'backups')

/** Name of the folder of a backup: the time of its snapshot in UTC (ISO 8601), so that sorting by name sorts by time. */
export const backupName = (createdAt: string): string => `stockroom-${createdAt.replaceAll(':', '-')}`

const NAME = /^stockroom-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3})Z$/

/** The complete backups in a folder, oldest first. */
export async function backupsIn(folder: string): Promise<Backup[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names.sort().flatMap((name) => {
    const [, day, hour, minute, second] = NAME.exec(name) ?? []
    return day === undefined ? [] : [{ folder: join(folder, name), createdAt: new Date(`${day}T${hour}:${minute}:${second}Z`) }]
  })
}

/** Interval of scheduled backups, if they are enabled, and the time of the last one. */
export async function backupSchedule(services: BackupServices) {
  const days = daysBetween(services)
  if (days === 0) return []
  return [{ name: 'Backup', func: BACKUP_QUEUE, minutes: days * DAY_MINUTES, last: await lastBackupTime(services) }]
}

/** Whether backups are scheduled, and the newest one in the folder, whoever made it, is too old. */
export async function isDue(services: BackupServices): Promise<boolean> {
  const days = daysBetween(services)
  if (days === 0) return false
  const last = await lastBackupTime(services)
  return last === undefined || last < Date.now() - days * DAY_MINUTES * 60_000
}

const daysBetween = (services: BackupServices): number =>
  setting(services, 'INVENTREE_BACKUP_ENABLE') ? setting(services, 'INVENTREE_BACKUP_DAYS') : 0

const lastBackupTime = async ({ config }: Pick<BackupServices, 'config'>): Promise<number | undefined> =>
  (await backupsIn(backupFolder(config))).at(-1)?.createdAt.getTime()
