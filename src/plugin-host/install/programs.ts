import { spawn } from 'node:child_process'
import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { PassThrough, pipeline, type Readable } from 'node:stream'

/** A program: its absolute path, and the arguments before its own. */
export type Program = { path: string; leading: readonly string[] }

/** The end of its output on both streams, and whether it succeeded. */
export type ProgramResult = { isSuccessful: boolean; output: string }

/** Maximum characters of output that are kept. */
const MAX_OUTPUT_LENGTH = 20_000
/** Environment variables passed to every program, in addition to PATH and its own. */
const PASSED_VARIABLES = /^(LANG|LC_\w+|TZ|SystemRoot|ComSpec|PATHEXT|(HTTPS?|NO)_PROXY|https?_proxy|no_proxy)$/

/**
 * Finds the npm that started this process, otherwise the first one in PATH.
 * @returns undefined if there is none
 */
export function findNpm(environment: NodeJS.ProcessEnv = process.env): Program | undefined {
  const { npm_execpath: npmPath } = environment
  // other package managers set this variable too
  if (npmPath && /(^|[\\/])npm(-cli)?(\.c?js)?$/.test(npmPath) && isFile(npmPath, constants.R_OK)) return toProgram(npmPath)
  const candidates = listFolders(environment).flatMap((folder) => [
    join(folder, 'npm'),
    join(folder, 'node_modules/npm/bin/npm-cli.js'),
  ])
  const file = candidates.find((path) => isFile(path, constants.R_OK))
  return file === undefined ? undefined : toProgram(file)
}

/** Finds the first git in PATH. Relative folders in PATH are ignored: their content depends on the working directory. */
export function findGit(environment: NodeJS.ProcessEnv = process.env): Program | undefined {
  const candidates = listFolders(environment).flatMap((folder) => [join(folder, 'git'), join(folder, 'git.exe')])
  const file = candidates.find((path) => isFile(path, constants.X_OK))
  return file === undefined ? undefined : { path: file, leading: [] }
}

const listFolders = ({ PATH = '' }: NodeJS.ProcessEnv): string[] => PATH.split(delimiter).filter(isAbsolute)

/** Runs a script with the Node of this process, whichever one is in PATH. */
function toProgram(path: string): Program {
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

type RunOptions = {
  /** The working directory. */
  folder: string
  /** Further environment variables, in addition to those that every program gets. */
  environment: Readonly<Record<string, string | undefined>>
  /** Kills it, with all processes that it started. */
  signal: AbortSignal
  /** Reads its standard output, which is not kept then, or destroys the stream. */
  read?: (stdout: Readable) => Promise<void>
}

/**
 * Runs a program without a shell.
 * @throws the reason of the signal once that is aborted, and the errors of `read`
 */
export async function runProgram({ path, leading }: Program, args: readonly string[], run: RunOptions): Promise<ProgramResult> {
  const { folder, signal, read } = run
  signal.throwIfAborted()
  const passed = Object.entries(process.env).filter(([name]) => PASSED_VARIABLES.test(name))
  const folders = [dirname(process.execPath), ...listFolders(process.env), dirname(path)]
  const child = spawn(path, [...leading, ...args], {
    cwd: folder,
    env: { ...Object.fromEntries(passed), ...run.environment, PATH: [...new Set(folders)].join(delimiter) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    windowsHide: true,
  })
  let output = ''
  const appendOutput = (text: string) => {
    output = (output + text).slice(-MAX_OUTPUT_LENGTH)
  }
  // it may start others: all belong to one process group
  const killAll = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      child.kill('SIGKILL')
    }
  }
  child.stderr.setEncoding('utf8').on('data', appendOutput)
  // Node drops output from before the end of the program if nothing listens yet; closing an output that is no longer read ends the program
  const reading = read?.(pipeline(child.stdout, new PassThrough(), () => {})).catch((error: Error) => error)
  if (!reading) child.stdout.setEncoding('utf8').on('data', appendOutput)
  signal.addEventListener('abort', killAll)
  const code = await new Promise<number | null>((resolve) => {
    child.on('error', (error: NodeJS.ErrnoException) => {
      appendOutput(`${path} cannot be started (${error.code}).`)
      resolve(null)
    })
    child.on('close', resolve)
  })
  signal.removeEventListener('abort', killAll)
  signal.throwIfAborted()
  const failure = await reading
  // a program that failed by itself has little output
  if (failure instanceof Error && (code === 0 || code === null)) throw failure
  return { isSuccessful: code === 0, output: output.trim() }
}
