import { rm } from 'node:fs/promises'
import type { Pool } from 'pg'
import type { Queue } from '../kit/services/jobs.ts'
import type { Services } from '../kit/services/services.ts'
import { BACKUP_QUEUE, getBackupFolder, isBackupDue, listRegularBackups } from '../resources/background-task/backups.ts'
import { makeBackup } from './backup.ts'

/** The delay of the first check whether a backup is due, and the interval of later checks. */
const FIRST_CHECK_DELAY_MS = 120_000
const CHECK_INTERVAL_MS = 600_000

/** Makes backups in the background, on whichever node takes the job, and deletes surplus ones. */
export const backupQueue = (services: Services, pool: Pool): Queue => ({
  name: BACKUP_QUEUE,
  retries: 3,
  retryDelay: 60,
  retryDelayMax: 1_800,
  timeoutSeconds: 14_400,
  // a job whose node has died is retried before its timeout
  heartbeatTimeoutSeconds: 30,
  concurrency: 1,
  handle: async (_data, { signal }) => {
    if (!(await isBackupDue(services))) return
    const { config, files, log } = services
    const parentFolder = getBackupFolder(config)
    const backup = await makeBackup(pool, { parentFolder, files, minFreeBytes: config.minFreeDisk, signal })
    if (!backup) return
    const { folder, manifest } = backup
    if (manifest.missing.length > 0) log.warn({ missing: manifest.missing.slice(0, 10) }, 'files of the backup are missing')
    log.info({ folder, files: manifest.files.length }, 'backup completed')
    for (const old of (await listRegularBackups(parentFolder)).slice(0, -config.backupsKept))
      await rm(old.folder, { recursive: true })
  },
})

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
