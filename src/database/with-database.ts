import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { createLog } from '../log.ts'
import { OperatorError } from '../operator-error.ts'
import { checkDatabase, createPool, type PoolOptions } from './connect.ts'
import { Disk } from './disk.ts'
import { findRunningServer, startEmbedded } from './embedded.ts'
import { installJobTables } from './job-tables.ts'
import { migrate, readAppliedMigrations } from './migrate.ts'
import { requireSessions } from './require-sessions.ts'

export type OpenDatabase = {
  pool: Pool
  url: string
  /** The location of the data, for messages. */
  location: string
  /** The disk of the embedded server. */
  disk: Disk | undefined
  /** Closes the connections, and ends the server if it is the embedded one. Running statements are canceled. */
  stop(): Promise<void>
}

/**
 * Opens the database of the configuration, and applies every migration.
 * @param options.fill runs before the migrations
 * @param onLost called when the embedded server ended by itself and could not be restarted
 * @throws OperatorError when it cannot be used
 */
export async function openDatabase(
  config: Config,
  log: Logger,
  { fill, ...options }: PoolOptions & { fill?: (pool: Pool, log: Logger) => Promise<void> } = {},
  onLost?: (error: Error) => void,
): Promise<OpenDatabase> {
  const disk = config.databaseUrl === undefined ? new Disk(config.dataDir, config.minFreeDisk, log) : undefined
  const embedded = disk && (await startEmbedded(config.dataDir, log, { onLost, freeDiskSpace: () => disk.releaseReserve() }))
  const url = embedded?.url ?? (config.databaseUrl as string)
  let isStopping = false
  const onError = (error: Error) => isStopping || log.warn({ err: error }, 'an idle connection to the database broke')
  const pool = createPool(url, config.databasePoolSize, { onError, ...options })
  const stop = async () => {
    isStopping = true
    disk?.stop()
    await Promise.race([pool.end(), pause(1_000)])
    await embedded?.stop()
  }
  try {
    await disk?.start()
    if (!embedded) await requireSessions(url)
    const warning = await checkDatabase(pool)
    if (warning) log.warn(warning)
    await fill?.(pool, log)
    const applied = await migrate(pool)
    await installJobTables(pool)
    if (applied.length > 0) log.info({ migrations: applied }, 'database updated')
    return { pool, url, location: embedded ? config.dataDir : formatAddress(url), disk, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * Opens the database for a command that runs without the service, and closes it afterwards. Statements have no timeout.
 * @param fill runs before the migrations
 */
export async function withDatabase<Result>(
  config: Config,
  use: (pool: Pool, log: Logger) => Promise<Result>,
  fill?: (pool: Pool) => Promise<void>,
): Promise<Result> {
  // A command writes its result to standard output, and its log to standard error.
  const log = createLog({ ...config, stream: 2 })
  const database = await openDatabase(config, log, { statementTimeout: 0, fill })
  try {
    return await use(database.pool, log)
  } finally {
    await database.stop()
  }
}

/**
 * The same for a command on existing data that may run alongside the service: uses the database that a running service has opened, if
 * there is one.
 * @param use `isRunning` says whether another process may be using the database
 * @throws OperatorError when there is no database yet
 */
export async function withRunningDatabase<Result>(
  config: Config,
  use: (pool: Pool, isRunning: boolean) => Promise<Result>,
): Promise<Result> {
  const url = config.databaseUrl === undefined ? findRunningServer(config.dataDir) : undefined
  if (url === undefined) {
    if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'postgres')))
      throw new OperatorError(`there is no database in ${config.dataDir}: set DATA_DIR to the data folder of the service`)
    // other users of an external database are unknown
    return await withDatabase(config, (pool) => use(pool, config.databaseUrl !== undefined), requireTables)
  }
  const pool = createPool(url, config.databasePoolSize, { statementTimeout: 0 })
  try {
    return await use(pool, true)
  } finally {
    await pool.end()
  }
}

/** Throws OperatorError for a database that Stockroom has never used. */
async function requireTables(pool: Pool): Promise<void> {
  if ((await readAppliedMigrations(pool)).length === 0)
    throw new OperatorError('the database of DATABASE_URL is empty: it is not that of the service')
}

/** A database URL without its password. */
function formatAddress(url: string): string {
  const { hostname, port, pathname } = new URL(url.replace('@/', '@localhost/'))
  return `PostgreSQL at ${hostname}${port && `:${port}`}${pathname}`
}
