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
 * The path of its folder as passed to PostgreSQL. A parent folder may be accessible to root only, so that PostgreSQL's user could not open
 * it by its path; but a process keeps its working directory, which is set while it is still root.
 */
export function folderArgument(folder: string): string {
  return process.platform === 'linux' ? '/proc/self/cwd' : folder
}

/**
 * The account to run PostgreSQL under: that of this process, unless it is root, which PostgreSQL rejects. Root uses the owner of the
 * folder, or `nobody` if the folder is new or owned by root.
 */
export function serverUser(folder: string): ServerUser | undefined {
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
    log.info(`creating a database in ${folder}`)
    return await initialise(folder, binaries, user, durable)
  }
  const owner = statSync(folder).uid
  const own = process.getuid?.()
  if (!user && owner !== own) throw new OperatorError(`${folder} belongs to user ${owner}, but Stockroom runs as user ${own}`)
  if (!existsSync(join(folder, 'PG_VERSION')))
    throw new OperatorError(`${folder} contains no database; move it away to create a new one`)
  if (user) takeOwnership(folder, user)
  const result = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim()
  if (result === binaries.major) return
  throw new OperatorError(
    `${folder} was created by PostgreSQL ${result}, but this program includes ${binaries.major}: dump it with the program that created it`,
  )
}

/** Initializes the new folder atomically: the remains of an interrupted attempt are deleted. */
async function initialise(folder: string, binaries: Binaries, user: ServerUser | undefined, durable: boolean): Promise<void> {
  const draft = `${folder}.new`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o700 })
  if (user) chownSync(draft, user.uid, user.gid)
  const options = { ...user, cwd: draft, env: serverEnvironment }
  const encoding = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  // The server listens only on a socket in a private folder, so that access to it needs no password.
  const access = [`--username=${databaseName}`, '--auth-local=trust', '--auth-host=reject']
  const place = ['-D', folderArgument(draft), '--no-instructions', ...(durable ? [] : ['--no-sync'])]
  try {
    await run(binaries.initdb, [...place, ...encoding, ...access], options)
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    throw new OperatorError(
      `PostgreSQL cannot create its folder ${folder}: ${(stderr || message).trim().replaceAll(/\s*\n\s*/g, ' ')}`,
    )
  }
  const alone = ['--single', '-D', folderArgument(draft), ...(durable ? [] : ['-c', 'fsync=off']), 'postgres']
  const result = spawnSync(binaries.postgres, alone, { ...options, input: `create database ${databaseName}\n`, encoding: 'utf8' })
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
export async function stopLeftover(folder: string, log: Logger): Promise<void> {
  const lines = lockFileLines(folder)
  if (lines.length === 0) return
  const pid = Number(lines[0])
  if (isServingFolder(pid, folder)) {
    log.warn({ pid }, 'stopping the PostgreSQL of a previous service')
    await terminateProcess(pid, () => isServingFolder(pid, folder))
  } else if (isAlive(pid)) {
    // The process number now belongs to another process, which PostgreSQL would take for a server. It may be the server of the folder that
    // this one was copied from, so its socket is left alone.
    rmSync(lockFile(folder), { force: true })
    return
  }
  const socketFolder = lines[4] ?? ''
  if (basename(socketFolder).startsWith(socketFolderPrefix)) rmSync(socketFolder, { recursive: true, force: true })
}

const lockFile = (folder: string): string => join(folder, 'postmaster.pid')

/** The lines of PostgreSQL's own lock file; empty if there is none. A server that starts or ends may delete it at any time. */
export function lockFileLines(folder: string): string[] {
  try {
    return readFileSync(lockFile(folder), 'utf8').split('\n')
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
    for (const until = Date.now() + seconds * 1_000; Date.now() < until; await pause(10)) if (!isAlive()) return
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

/** Undefined for a process that is just ending, and for one of another user, which cannot be inspected. */
function workingFolder(pid: number): BigIntStats | undefined {
  try {
    return statSync(`/proc/${pid}/cwd`, { bigint: true })
  } catch {
    return undefined
  }
}

/** Whether a process is a PostgreSQL server in this folder, and not one that reuses the number of an earlier server. */
function isServingFolder(pid: number, folder: string): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 1) return false
  if (process.platform === 'linux') {
    const here = statSync(folder, { bigint: true })
    const place = workingFolder(pid)
    return place !== undefined && place.dev === here.dev && place.ino === here.ino
  }
  const { stdout } = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout.includes('postgres') && stdout.includes(folder)
}
