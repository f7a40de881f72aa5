import { existsSync, realpathSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { stopLeftoverServer } from './data-folder.ts'
import { lockFolder } from './lock.ts'

/** An embedded database that was renamed. */
export type DatabaseAside = {
  /** Its folder. */
  folder: string
  /** Deletes the database that was created in its place, and gives it its name back. No server may run. */
  putBack(): Promise<void>
}

/**
 * Renames the embedded database of a data folder, so that the next start creates an empty one.
 * @returns undefined if there is none
 * @throws OperatorError when a service uses the folder
 */
export async function setDatabaseAside(dataDir: string, log: Logger): Promise<DatabaseAside | undefined> {
  if (!existsSync(join(dataDir, 'postgres'))) return undefined
  const dataFolder = realpathSync(dataDir)
  const current = join(dataFolder, 'postgres')
  const folder = join(dataFolder, `postgres-before-restore-${new Date().toISOString().replaceAll(':', '-')}`)
  await whileLocked(dataFolder, async () => {
    await stopLeftoverServer(current, log)
    await rename(current, folder)
  })
  const putBack = () =>
    whileLocked(dataFolder, async () => {
      await rm(current, { recursive: true, force: true })
      await rename(folder, current)
    })
  return { folder, putBack }
}

async function whileLocked(dataFolder: string, work: () => Promise<void>): Promise<void> {
  const unlock = lockFolder(dataFolder)
  try {
    await work()
  } finally {
    unlock()
  }
}
