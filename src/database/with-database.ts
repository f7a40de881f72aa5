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
import { holdsData } from './holds-data.ts'
import { installJobTables } from './job-tables.ts'
import { listMissingMigrations, migrate, readAppliedMigrations } from './migrate.ts'
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

/** Called before an older database is updated, while other programs that start wait. If it throws, nothing is changed. */
export type PrepareUpdate = (pool: Pool, log: Logger) => Promise<unknown>

export type OpenOptions = PoolOptions & {
  /** Runs before everything else. */
  fill?: (pool: Pool, log: Logger) => Promise<void>
  /**
   * What to do with an older database: `keep` leaves it as it is, `reject` rejects it, and a function is called before it is updated. By
   * default one that holds data is rejected, and another is updated.
   */
  onOlderDatabase?: 'keep' | 'reject' | PrepareUpdate
}

/**
 * Opens the database of the configuration, and updates it to the version of this program.
 * @param onLost called when the embedded server ended by itself and could not be restarted
 * @throws OperatorError when it cannot be used: a newer one, one that is to be rejected, or one whose update failed
 */
export async function openDatabase(
  config: Config,
  log: Logger,
  { fill, onOlderDatabase = rejectData, ...options }: OpenOptions = {},
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
    if (typeof onOlderDatabase === 'string') await requireOpenable(pool, onOlderDatabase)
    else await update(pool, onOlderDatabase, log)
    return { pool, url, location: embedded ? config.dataDir : formatAddress(url), disk, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Updates a database: its migrations, then the tables of background jobs. */
async function update(pool: Pool, prepare: PrepareUpdate, log: Logger): Promise<void> {
  let prepared: Promise<unknown> | undefined
  const prepareOnce = () => {
    prepared ??= prepare(pool, log)
    return prepared
  }
  try {
    const applied = await migrate(pool, { prepare: prepareOnce })
    await installJobTables(pool, prepareOnce)
    if (applied.length > 0) log.info({ migrations: applied }, 'database updated')
  } catch (error) {
    // for someone who looks for the cause: the message is for the operator
    log.debug({ err: (error as Error).cause }, 'database not updated')
    throw error
  }
}

/** Rejects an older database that holds data: only commands that make a backup of it first may update it. */
async function rejectData(pool: Pool): Promise<void> {
  if (await holdsData(pool)) throw createOutdatedError()
}

const createOutdatedError = () =>
  new OperatorError(
    'the database is older than this program: update it first, by starting the service or by "npx stockroom migrate", which make a backup before that; nothing was changed',
  )

/**
 * Checks the version of a database without updating it.
 * @throws OperatorError when it is newer than this program, and when it is older and to be rejected
 */
async function requireOpenable(pool: Pool, onOlderDatabase: 'keep' | 'reject'): Promise<void> {
  const missing = listMissingMigrations(await readAppliedMigrations(pool))
  if (missing.length > 0 && onOlderDatabase === 'reject') throw createOutdatedError()
}

/**
 * Opens the database for a command that runs without the service, and closes it afterwards. Statements have no timeout.
 * @param options.older what to do with an older database, as in `openDatabase`
 */
export async function withDatabase<Result>(
  config: Config,
  use: (pool: Pool, log: Logger) => Promise<Result>,
  options: Pick<OpenOptions, 'fill' | 'onOlderDatabase'> = {},
): Promise<Result> {
  // A command writes its result to standard output, and its log to standard error.
  const log = createLog({ ...config, stream: 2 })
  const database = await openDatabase(config, log, { statementTimeout: 0, ...options })
  try {
    return await use(database.pool, log)
  } finally {
    await database.stop()
  }
}

/**
 * The same for a command on existing data that may run alongside the service: uses the database that a running service has opened, if
 * there is one. It never updates the database.
 * @param use `isRunning` says whether another process may be using the database
 * @param onOlderDatabase whether to leave an older database as it is or to reject it
 * @throws OperatorError when there is no database yet, or one that this program cannot use
 */
export async function withRunningDatabase<Result>(
  config: Config,
  use: (pool: Pool, isRunning: boolean) => Promise<Result>,
  onOlderDatabase: 'keep' | 'reject' = 'reject',
): Promise<Result> {
  const url = config.databaseUrl === undefined ? findRunningServer(config.dataDir) : undefined
  if (url === undefined) {
    if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'postgres')))
      throw new OperatorError(`there is no database in ${config.dataDir}: set DATA_DIR to the data folder of the service`)
    // other users of an external database are unknown
    return await withDatabase(config, (pool) => use(pool, config.databaseUrl !== undefined), {
      fill: requireTables,
      onOlderDatabase,
    })
  }
  const pool = createPool(url, config.databasePoolSize, { statementTimeout: 0 })
  try {
    await requireOpenable(pool, onOlderDatabase)
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
