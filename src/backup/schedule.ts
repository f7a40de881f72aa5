import type { Pool } from 'pg'
import type { Queue } from '../kit/services/jobs.ts'
import type { Services } from '../kit/services/services.ts'
import {
  BACKUP_QUEUE,
  deleteDiscarded,
  discardBackup,
  getBackupFolder,
  isBackupDue,
  listRegularBackups,
} from '../resources/background-task/backups.ts'
import { type BackupTask, createProgress, createRun, endRun, isUnfinished } from '../resources/web/backup/backup-runs.ts'
import { makeBackup } from './backup.ts'

/** The delay of the first check whether a backup is due, and the interval of later checks. */
const FIRST_CHECK_DELAY_MS = 120_000
const CHECK_INTERVAL_MS = 600_000

/** Makes backups in the background, on whichever node takes the job: those of the schedule, and requested ones. */
export const backupQueue = (services: Services, pool: Pool): Queue<BackupTask> => ({
  name: BACKUP_QUEUE,
  retries: 3,
  retryDelay: 60,
  retryDelayMax: 1_800,
  timeoutSeconds: 14_400,
  // a job whose node has died is retried before its timeout
  heartbeatTimeoutSeconds: 30,
  concurrency: 1,
  async handle(task, { signal }) {
    const { database, log } = services
    const isAutomatic = task.run === undefined
    if (isAutomatic && !(await isBackupDue(services))) return
    const run = task.run ?? (await database.transaction((tx) => createRun(tx, { isAutomatic })))
    if (run === undefined || !(await isUnfinished(database, run))) return
    try {
      const isCompleted = await writeBackup(services, pool, run, signal)
      await endRun(database, run, isCompleted ? null : 'Another backup of this database was being made.')
      if (isCompleted && isAutomatic) await deleteSurplus(services)
    } catch (error) {
      // the service stops: the next process continues the run
      if (signal.aborted) throw error
      await endRun(database, run, (error as Error).message)
      if (isAutomatic) throw error
      // the account that requested it sees the reason, and can retry
      log.warn({ err: error }, 'a requested backup failed')
    }
  },
})

/** Makes the backup of a run. Returns false when another one is being made. */
async function writeBackup(services: Services, pool: Pool, run: number, signal: AbortSignal): Promise<boolean> {
  const { config, files, log, database } = services
  const backup = await makeBackup(pool, {
    parentFolder: getBackupFolder(config),
    files,
    minFreeBytes: config.minFreeDisk,
    signal,
    onProgress: createProgress(database, run),
  })
  if (!backup) return false
  const { folder, manifest } = backup
  if (manifest.missing.length > 0) log.warn({ missing: manifest.missing.slice(0, 10) }, 'files are missing from the backup')
  log.info({ folder, files: manifest.files.length }, 'backup completed')
  return true
}

/** Deletes the oldest backups beyond the number to retain. */
async function deleteSurplus({ config }: Services): Promise<void> {
  const parentFolder = getBackupFolder(config)
  for (const backup of (await listRegularBackups(parentFolder)).slice(0, -config.backupsKept)) await discardBackup(backup)
  await deleteDiscarded(parentFolder)
}

/** Enqueues a backup when the newest one is too old. */
export async function enqueueBackup(services: Services): Promise<void> {
  if (!(await isBackupDue(services))) return
  await services.database.transaction((tx) => services.jobs.send(tx, BACKUP_QUEUE, {}, { owner: BACKUP_QUEUE, name: 'due' }))
}

/** Checks periodically whether a backup is due, while the service runs. Returns a function that stops the checks. */
export function scheduleBackups(services: Services): () => void {
  const check = () => enqueueBackup(services).catch((error) => services.log.warn({ err: error }, 'could not start a backup'))
  let timer = setTimeout(() => {
    check()
    timer = setInterval(check, CHECK_INTERVAL_MS).unref()
  }, FIRST_CHECK_DELAY_MS).unref()
  return () => clearTimeout(timer)
}
