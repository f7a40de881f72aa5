import { spawn } from 'node:child_process'
import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { PassThrough, pipeline, type Readable } from 'node:stream'

/** How a program is started: its absolute path, and what stands before its own arguments. */
export type Program = { path: string; leading: readonly string[] }

/** The end of what it said on both streams, and whether it succeeded. */
export type ProgramResult = { isDone: boolean; output: string }

/** Characters of the output that are kept. */
const MAX_OUTPUT = 20_000
/** Variables that every program gets, besides PATH and those that it is given. */
const PASSED = /^(LANG|LC_\w+|TZ|SystemRoot|ComSpec|PATHEXT|(HTTPS?|NO)_PROXY|https?_proxy|no_proxy)$/

/**
 * The npm that started this process, else the first one of PATH.
 * @returns undefined where there is none
 */
export function findNpm(environment: NodeJS.ProcessEnv = process.env): Program | undefined {
  const { npm_execpath: starter } = environment
  // other package managers name themselves here too
  if (starter && /(^|[\\/])npm(-cli)?(\.c?js)?$/.test(starter) && isFile(starter, constants.R_OK)) return programOf(starter)
  const candidates = foldersOf(environment).flatMap((folder) => [
    join(folder, 'npm'),
    join(folder, 'node_modules/npm/bin/npm-cli.js'),
  ])
  const found = candidates.find((path) => isFile(path, constants.R_OK))
  return found === undefined ? undefined : programOf(found)
}

/** The first git of PATH. Folders that PATH names relatively are passed over: what they hold depends on where a program runs. */
export function findGit(environment: NodeJS.ProcessEnv = process.env): Program | undefined {
  const candidates = foldersOf(environment).flatMap((folder) => [join(folder, 'git'), join(folder, 'git.exe')])
  const found = candidates.find((path) => isFile(path, constants.X_OK))
  return found === undefined ? undefined : { path: found, leading: [] }
}

const foldersOf = ({ PATH = '' }: NodeJS.ProcessEnv): string[] => PATH.split(delimiter).filter(isAbsolute)

/** A script runs in the Node of this process, whichever one PATH knows. */
function programOf(path: string): Program {
  const real = realpathSync(path)
  return /\.c?js$/.test(real) ? { path: process.execPath, leading: [real] } : { path: real, leading: [] }
}

function isFile(path: string, access: number): boolean {
  try {
    accessSync(path, access)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

type Run = {
  /** The folder it works in. */
  folder: string
  /** Variables of its environment, besides the few it gets in any case. */
  environment: Readonly<Record<string, string | undefined>>
  /** Ends it, with whatever it started. */
  signal: AbortSignal
  /** Reads its standard output, which is not kept then, or destroys the stream. */
  read?: (stdout: Readable) => Promise<void>
}

/**
 * Runs a program without a shell.
 * @throws the reason of the signal once that is aborted, and what `read` throws
 */
export async function runProgram({ path, leading }: Program, args: readonly string[], run: Run): Promise<ProgramResult> {
  const { folder, signal, read } = run
  signal.throwIfAborted()
  const passed = Object.entries(process.env).filter(([name]) => PASSED.test(name))
  const folders = [dirname(process.execPath), ...foldersOf(process.env), dirname(path)]
  const child = spawn(path, [...leading, ...args], {
    cwd: folder,
    env: { ...Object.fromEntries(passed), ...run.environment, PATH: [...new Set(folders)].join(delimiter) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    windowsHide: true,
  })
  let output = ''
  const keep = (text: string) => {
    output = (output + text).slice(-MAX_OUTPUT)
  }
  // it may start others: all are one group
  const end = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      child.kill('SIGKILL')
    }
  }
  child.stderr.setEncoding('utf8').on('data', keep)
  // Node drops what a program wrote before it ended where nothing listens yet; one that is no longer read is closed, which ends it
  const reading = read?.(pipeline(child.stdout, new PassThrough(), () => {})).catch((error: Error) => error)
  if (!reading) child.stdout.setEncoding('utf8').on('data', keep)
  signal.addEventListener('abort', end)
  const code = await new Promise<number | null>((resolve) => {
    child.on('error', (error: NodeJS.ErrnoException) => {
      keep(`${path} cannot be started (${error.code}).`)
      resolve(null)
    })
    child.on('close', resolve)
  })
  signal.removeEventListener('abort', end)
  signal.throwIfAborted()
  const failure = await reading
  // a program that failed by itself has left little to read
  if (failure instanceof Error && (code === 0 || code === null)) throw failure
  return { isDone: code === 0, output: output.trim() }
}
