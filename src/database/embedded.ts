import { type ChildProcess, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { makeFolder } from '../make-folder.ts'
import { OperatorError } from '../operator-error.ts'
import { type Binaries, prepareBinaries, type ServerUser, serverEnvironment } from './binaries.ts'
import {
  chooseServerUser,
  databaseName,
  getFolderArgument,
  prepareFolder,
  readLockFile,
  socketFolderPrefix,
  stopLeftoverServer,
  terminateProcess,
} from './data-folder.ts'
import { lockFolder } from './lock.ts'

export type EmbeddedServer = {
  /** The URL of the database, for `createPool`. It stays the same when the server has to be restarted. */
  readonly url: string
  /** The current process of the server. */
  readonly pid: number
  /** Ends the server and releases the data folder. */
  stop(): Promise<void>
}

export type EmbeddedOptions = {
  /** Whether every commit is on disk before it is acknowledged; only tests disable that. True by default. */
  durable?: boolean
  /** Called when the server ended by itself and could not be restarted. */
  onLost?: (error: Error) => void
  /** Frees some space on a full disk, and returns whether there was any to free. */
  freeDiskSpace?: () => boolean
}

type ServerOptions = {
  binaries: Binaries
  user: ServerUser | undefined
  folder: string
  socketFolder: string
  durable: boolean
  log: Logger
  freeDiskSpace: () => boolean
}

/** The server cannot run, as the disk is full. */
class DiskFullError extends OperatorError {}

/**
 * Starts the PostgreSQL that comes with Stockroom, in `postgres` below the data folder; creates missing folders. It listens on a socket in
 * a private folder only, and is restarted if it ends by itself.
 * @param dataDir may be moved or copied while no server runs in it
 * @throws OperatorError when another Stockroom uses the folder, or the server cannot be started
 */
export async function startEmbedded(dataDir: string, log: Logger, options: EmbeddedOptions = {}): Promise<EmbeddedServer> {
  const { durable = true, onLost, freeDiskSpace = () => false } = options
  const dataFolder = makeDataFolder(dataDir)
  const unlock = lockFolder(dataFolder)
  let socketFolder: string | undefined
  const release = () => {
    if (socketFolder) rmSync(socketFolder, { recursive: true, force: true })
    unlock()
  }
  try {
    const folder = join(dataFolder, 'postgres')
    const user = chooseServerUser(folder)
    const binaries = prepareBinaries(user, dataFolder)
    await prepareFolder(folder, binaries, user, durable, log)
    await stopLeftoverServer(folder, log)
    socketFolder = makeSocketFolder(user)
    return await supervise({ binaries, user, folder, socketFolder, durable, log, freeDiskSpace }, release, onLost)
  } catch (error) {
    release()
    throw error
  }
}

/** The URL of the database that another Stockroom has opened in a data folder; undefined if there is none. */
export function findRunningServer(dataDir: string): string | undefined {
  if (!existsSync(join(dataDir, 'lock'))) return undefined
  try {
    lockFolder(realpathSync(dataDir))()
    return undefined
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
  }
  const socketFolder = readLockFile(join(dataDir, 'postgres'))[4]
  return socketFolder ? buildUrl(socketFolder) : undefined
}

// The port is part of the socket's name, and would otherwise depend on the environment.
const buildUrl = (socketFolder: string): string => `postgres://${databaseName}@/${databaseName}?host=${socketFolder}&port=5432`

function makeDataFolder(dataDir: string): string {
  try {
    makeFolder(resolve(dataDir), 0o700)
    return realpathSync(dataDir)
  } catch (error) {
    throw new OperatorError(`the data folder ${resolve(dataDir)} cannot be created: ${(error as Error).message}`)
  }
}

/** The path of a socket is limited to some 100 characters, so that it cannot be in the data folder. */
function makeSocketFolder(user: ServerUser | undefined): string {
  const folder = mkdtempSync(`/tmp/${socketFolderPrefix}`)
  if (user) chownSync(folder, user.uid, user.gid)
  return folder
}

async function supervise(
  serverOptions: ServerOptions,
  release: () => void,
  onLost?: (error: Error) => void,
): Promise<EmbeddedServer> {
  const { log, socketFolder } = serverOptions
  const stopping = new AbortController()
  let server = await startServer(serverOptions)
  let restart: Promise<void> | undefined

  const watch = () => {
    server.process.once('exit', (code, signal) => {
      if (stopping.signal.aborted) return
      log.error({ code, signal }, 'PostgreSQL ended unexpectedly and is being restarted')
      restart = restartServer(serverOptions, stopping.signal).then(
        (next) => {
          server = next
          watch()
        },
        (error: Error) => {
          if (stopping.signal.aborted) return
          log.fatal({ err: error }, 'could not restart PostgreSQL')
          onLost?.(error)
        },
      )
    })
  }
  watch()

  return {
    url: buildUrl(socketFolder),
    get pid() {
      return server.process.pid as number
    },
    async stop() {
      if (stopping.signal.aborted) return
      stopping.abort()
      await restart
      await server.stop()
      release()
    },
  }
}

type Server = { process: ChildProcess; stop(): Promise<void> }

/** Milliseconds between two attempts to start a server that needs disk space. */
const RETRY_INTERVAL_MS = 3_000

/** Restarts a server that ended by itself. Without enough disk space it retries until there is some. */
async function restartServer(serverOptions: ServerOptions, stopping: AbortSignal): Promise<Server> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startServer(serverOptions)
    } catch (error) {
      if (!(error instanceof DiskFullError) || stopping.aborted) throw error
      if (attempt === 1) serverOptions.log.error({ err: error }, 'PostgreSQL needs free disk space to restart')
      await pause(RETRY_INTERVAL_MS, undefined, { signal: stopping })
    }
  }
}

/** Starts a server and waits until it accepts connections, however long its recovery takes. */
async function startServer(serverOptions: ServerOptions): Promise<Server> {
  // The processes of a killed server end after their current statement, and a new server does not start before that. The deadline is longer
  // than any statement of a request may take.
  for (const deadline = Date.now() + 60_000; ; await pause(100)) {
    const { child, lastLines, closed } = spawnServer(serverOptions)
    if (await isReady(child, serverOptions)) return { process: child, stop: () => terminateServer(child) }
    // its last output may arrive after it has ended
    await Promise.race([closed, pause(1_000)])
    const text = lastLines.join('; ')
    const isFull = /No space left on device|Disk quota exceeded/.test(text)
    if (isFull && serverOptions.freeDiskSpace()) continue
    const isBusy = /shared memory block|lock file .* already exists/.test(text)
    if (isBusy && Date.now() < deadline) continue
    const cause = lastLines.findLast((line) => /^(FATAL|PANIC)/.test(line)) ?? text
    const reason = `PostgreSQL did not start: ${cause || 'no output'}`
    throw isFull ? new DiskFullError(reason) : new OperatorError(reason)
  }
}

async function isReady(child: ChildProcess, { folder, log }: ServerOptions): Promise<boolean> {
  let nextWarningTime = Date.now() + 10_000
  while (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    const lines = readLockFile(folder)
    if (Number(lines[0]) === child.pid && lines[7]?.startsWith('ready')) return true
    if (Date.now() > nextWarningTime) {
      log.warn('PostgreSQL is still recovering')
      nextWarningTime = Date.now() + 10_000
    }
    await pause(10)
  }
  return false
}

function spawnServer(serverOptions: ServerOptions): { child: ChildProcess; lastLines: string[]; closed: Promise<void> } {
  const { binaries, user, folder, log } = serverOptions
  const settings = Object.entries(listServerSettings(serverOptions)).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(binaries.postgres, ['-D', getFolderArgument(folder), ...settings], {
    ...user,
    cwd: folder,
    env: serverEnvironment,
    stdio: ['ignore', 'ignore', 'pipe'],
    // In its own session, so that Ctrl-C reaches only the service, which ends the server last.
    detached: true,
  })
  const lastLines: string[] = []
  child.once('error', (error) => lastLines.push(error.message))
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  createInterface({ input: child.stderr }).on('line', (line) => {
    lastLines.push(line.trim())
    if (lastLines.length > 10) lastLines.shift()
    log.debug({ postgres: line })
  })
  if (child.pid !== undefined) stopWithParent(child, child.pid, serverOptions)
  return { child, lastLines, closed }
}

/**
 * Ends the server if this process is killed: a shell waits for the end of a pipe that only this process holds, then tells the server to end,
 * and removes the folder of the socket once it is empty.
 */
function stopWithParent(server: ChildProcess, pid: number, { user, socketFolder }: ServerOptions): void {
  const removeSocketFolder = `for attempt in 1 2 3 4 5 6 7 8 9; do rmdir ${socketFolder} 2>/dev/null && exit; sleep 1; done`
  const script = `read -r nothing; kill -INT ${pid}; ${removeSocketFolder}`
  const watcher = spawn('/bin/sh', ['-c', script], { ...user, cwd: '/', stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  // Without a shell the server keeps running, and the next start of the service stops it.
  watcher.on('error', () => {})
  watcher.unref()
  server.once('exit', () => watcher.kill('SIGKILL'))
}

async function terminateServer(child: ChildProcess): Promise<void> {
  const isAlive = () => child.exitCode === null && child.signalCode === null
  if (isAlive()) await terminateProcess(child.pid as number, isAlive)
}

/** Settings for a machine with little memory that runs other programs, too. */
function listServerSettings({ socketFolder, durable }: ServerOptions): Record<string, string | number> {
  return {
    listen_addresses: '',
    unix_socket_directories: socketFolder,
    unix_socket_permissions: '0700',
    port: 5432,
    max_connections: 100,
    shared_buffers: '192MB',
    effective_cache_size: '1GB',
    random_page_cost: 1.1,
    wal_compression: 'on',
    // Many small requests share the processors: compiling a statement or running it in parallel costs more than it saves.
    jit: 'off',
    max_parallel_workers_per_gather: 0,
    timezone: 'UTC',
    log_timezone: 'UTC',
    // The service logs errors in statements: the server's messages would contain user data.
    log_min_messages: 'log',
    log_line_prefix: '',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
}
