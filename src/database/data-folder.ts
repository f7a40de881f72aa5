import { execFile, spawnSync } from 'node:child_process'
import {
  type BigIntStats,
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  lchownSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Logger } from 'pino'
import { OperatorError } from '../operator-error.ts'
import { isAlive } from '../processes.ts'
import { type Binaries, type ServerUser, serverEnvironment } from './binaries.ts'

const run = promisify(execFile)

/** The name of the embedded server's superuser, and of its database. */
export const databaseName = 'stockroom'

/**
 * The path of its folder as passed to PostgreSQL: the working directory of the process, which is set while it is still root. PostgreSQL's
 * user could not open the folder by its path if only root may access a parent folder.
 */
export function getFolderArgument(folder: string): string {
  return process.platform === 'linux' ? '/proc/self/cwd' : folder
}

/**
 * The account to run PostgreSQL under: that of this process, unless it is root, which PostgreSQL rejects. Root uses the owner of the
 * folder, or `nobody` if the folder is new or owned by root.
 */
export function chooseServerUser(folder: string): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined
  const owner = existsSync(folder) ? statSync(folder) : undefined
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const nobody = readFileSync('/etc/passwd', 'utf8').match(/^nobody:[^:]*:(-?\d+):(-?\d+):/m)
  // Some systems number this account -2, which is the second highest number.
  return { uid: Number(nobody?.[1] ?? 65_534) >>> 0, gid: Number(nobody?.[2] ?? 65_534) >>> 0 }
}

/**
 * Creates PostgreSQL's folder if there is none, and checks it if there is.
 * @throws OperatorError when it belongs to another user or to another version
 */
export async function prepareFolder(
  folder: string,
  binaries: Binaries,
  user: ServerUser | undefined,
  durable: boolean,
  log: Logger,
): Promise<void> {
  if (!existsSync(folder)) {
    log.info(`creating a database in ${folder}; this start takes some seconds longer than others`)
    return await initializeFolder(folder, binaries, user, durable)
  }
  const owner = statSync(folder).uid
  const ownUid = process.getuid?.()
  if (!user && owner !== ownUid)
    throw new OperatorError(`${folder} belongs to user ${owner}, but Stockroom runs as user ${ownUid}`)
  if (!existsSync(join(folder, 'PG_VERSION')))
    throw new OperatorError(`${folder} contains no database; move it away to create a new one`)
  if (user) takeOwnership(folder, user)
  const version = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim()
  if (version === binaries.major) return
  throw new OperatorError(
    `${folder} was created by PostgreSQL ${version}, but this program includes ${binaries.major}: dump it with the program that created it`,
  )
}

/** Initializes the new folder atomically: the remains of an interrupted attempt are deleted. */
async function initializeFolder(
  folder: string,
  binaries: Binaries,
  user: ServerUser | undefined,
  durable: boolean,
): Promise<void> {
  const draft = `${folder}.new`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o700 })
  if (user) chownSync(draft, user.uid, user.gid)
  const options = { ...user, cwd: draft, env: serverEnvironment }
  const encoding = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  // The server listens only on a socket in a private folder, so that access to it needs no password.
  const access = [`--username=${databaseName}`, '--auth-local=trust', '--auth-host=reject']
  const baseArguments = ['-D', getFolderArgument(draft), '--no-instructions', ...(durable ? [] : ['--no-sync'])]
  try {
    await run(binaries.initdb, [...baseArguments, ...encoding, ...access], options)
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    throw new OperatorError(
      `PostgreSQL cannot create its folder ${folder}: ${(stderr || message).trim().replaceAll(/\s*\n\s*/g, ' ')}`,
    )
  }
  const singleUserArguments = ['--single', '-D', getFolderArgument(draft), ...(durable ? [] : ['-c', 'fsync=off']), 'postgres']
  const result = spawnSync(binaries.postgres, singleUserArguments, {
    ...options,
    input: `create database ${databaseName}\n`,
    encoding: 'utf8',
  })
  if (result.status !== 0)
    throw new OperatorError(`PostgreSQL cannot create its database: ${result.stderr.trim().split('\n').at(-1)}`)
  renameSync(draft, folder)
  const parent = openSync(dirname(folder), 'r')
  fsyncSync(parent)
  closeSync(parent)
}

/** Changes the owner of a folder that was copied by root, and may belong to root or, in part, to its earlier owner. */
function takeOwnership(folder: string, user: ServerUser): void {
  const samples = [folder, join(folder, 'PG_VERSION'), join(folder, 'global', 'pg_control')]
  if (samples.every((path) => statSync(path).uid === user.uid)) return
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(folder, path), user.uid, user.gid)
  chownSync(folder, user.uid, user.gid)
  chmodSync(folder, 0o700)
}

/**
 * Stops the server that a killed service left running in a folder. The caller must hold the lock on the folder.
 * @throws OperatorError when it does not end
 */
export async function stopLeftoverServer(folder: string, log: Logger): Promise<void> {
  const lines = readLockFile(folder)
  if (lines.length === 0) return
  const pid = Number(lines[0])
  if (isServingFolder(pid, folder)) {
    log.warn({ pid }, 'stopping the PostgreSQL of a previous service')
    await terminateProcess(pid, () => isServingFolder(pid, folder))
  } else if (isAlive(pid)) {
    // Another process has this ID now, and PostgreSQL would take it for a server. It may be the server of the folder that this one was
    // copied from, so its socket is left alone.
    rmSync(getLockFilePath(folder), { force: true })
    return
  }
  const socketFolder = lines[4] ?? ''
  if (basename(socketFolder).startsWith(socketFolderPrefix)) rmSync(socketFolder, { recursive: true, force: true })
}

const getLockFilePath = (folder: string): string => join(folder, 'postmaster.pid')

/** The lines of PostgreSQL's own lock file; empty if there is none. A server that starts or ends may delete it at any time. */
export function readLockFile(folder: string): string[] {
  try {
    return readFileSync(getLockFilePath(folder), 'utf8').split('\n')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return []
  }
}

/** Prefix of the names of folders with a server's socket. */
export const socketFolderPrefix = 'stockroom-socket-'

/** Asks a server to end, and escalates if it does not. */
export async function terminateProcess(pid: number, isAlive: () => boolean): Promise<void> {
  // SIGINT disconnects the sessions and writes everything to disk; SIGQUIT leaves the writing to the recovery at the next start.
  for (const [signal, seconds] of [
    ['SIGINT', 30],
    ['SIGQUIT', 10],
    ['SIGKILL', 5],
  ] as const) {
    signalProcess(pid, signal)
    for (const deadline = Date.now() + seconds * 1_000; Date.now() < deadline; await pause(10)) if (!isAlive()) return
  }
  throw new OperatorError(`PostgreSQL (process ${pid}) does not stop`)
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** The working folder of a process; undefined for one that is just ending, or that belongs to another user and cannot be inspected. */
function statWorkingFolder(pid: number): BigIntStats | undefined {
  try {
    return statSync(`/proc/${pid}/cwd`, { bigint: true })
  } catch {
    return undefined
  }
}

/** Whether a process is a PostgreSQL server in this folder, and not another process that reuses the ID of an earlier server. */
function isServingFolder(pid: number, folder: string): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 1) return false
  if (process.platform === 'linux') {
    const folderStats = statSync(folder, { bigint: true })
    const processStats = statWorkingFolder(pid)
    return processStats !== undefined && processStats.dev === folderStats.dev && processStats.ino === folderStats.ino
  }
  const { stdout } = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout.includes('postgres') && stdout.includes(folder)
}
