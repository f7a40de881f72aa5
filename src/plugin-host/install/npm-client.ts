import { spawn } from 'node:child_process'
import { accessSync, constants, realpathSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, join } from 'node:path'

/** How npm is started: a program, and what stands before its own arguments. */
export type NpmCommand = { program: string; leading: readonly string[] }

/** What it said, shortened to its end, and whether it went well. */
export type NpmResult = { isDone: boolean; output: string }

/** Characters of the output that are kept. */
const MOST_OUTPUT = 20_000
/** Variables that npm and git get, besides those they are told. */
const PASSED =
  /^(PATH|Path|LANG|LC_\w+|TZ|SystemRoot|ComSpec|PATHEXT|(HTTPS?|NO)_PROXY|https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS)$/

/**
 * The npm that started this process, else the first one of PATH.
 * @returns undefined where there is none
 */
export function findNpm(environment: NodeJS.ProcessEnv = process.env): NpmCommand | undefined {
  const { npm_execpath: starter, PATH = '' } = environment
  // other package managers name themselves here too
  if (starter && /(^|[\\/])npm(-cli)?(\.c?js)?$/.test(starter) && isReadable(starter)) return commandOf(starter)
  const folders = PATH.split(delimiter).filter(isAbsolute)
  const candidates = folders.flatMap((folder) => [join(folder, 'npm'), join(folder, 'node_modules/npm/bin/npm-cli.js')])
  const found = candidates.find(isReadable)
  return found === undefined ? undefined : commandOf(found)
}

/** A script runs in the Node of this process, whichever one PATH knows. */
function commandOf(path: string): NpmCommand {
  const real = realpathSync(path)
  return /\.c?js$/.test(real) ? { program: process.execPath, leading: [real] } : { program: real, leading: [] }
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}

type Run = {
  /** The folder it works in. */
  folder: string
  /** Variables of its environment, besides the few it gets in any case. */
  environment: Readonly<Record<string, string>>
  seconds: number
  /** Ends it before its time. */
  signal?: AbortSignal
}

/** Runs npm. Whatever it has started ends with it, when its time is up at the latest. */
export function runNpm({ program, leading }: NpmCommand, args: readonly string[], run: Run): Promise<NpmResult> {
  const { folder, seconds, signal } = run
  const passed = Object.entries(process.env).filter(([name]) => PASSED.test(name))
  const env = { ...Object.fromEntries(passed), ...run.environment, PATH: pathOf(program) }
  const child = spawn(program, [...leading, ...args], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    windowsHide: true,
  })
  let output = ''
  let reason = ''
  const take = (text: string) => {
    output = (output + text).slice(-MOST_OUTPUT)
  }
  child.stdout.setEncoding('utf8').on('data', take)
  child.stderr.setEncoding('utf8').on('data', take)
  // npm starts git, which starts others: all are one group
  const end = (why: string) => {
    reason ||= why
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      child.kill('SIGKILL')
    }
  }
  const timer = setTimeout(() => end(`npm did not end within ${seconds} seconds.`), seconds * 1000)
  const aborted = () => end('The installation was broken off.')
  signal?.addEventListener('abort', aborted)
  return new Promise((resolve) => {
    const done = (isDone: boolean) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', aborted)
      resolve({ isDone, output: [output.trim(), reason].filter((text) => text !== '').join('\n') })
    }
    child.on('error', (error) => {
      reason ||= `npm cannot be started (${(error as NodeJS.ErrnoException).code}).`
      done(false)
    })
    child.on('close', (code) => done(code === 0 && reason === ''))
    if (signal?.aborted) aborted()
  })
}

/** npm and what it starts find the Node of this process first. */
const pathOf = (program: string): string =>
  [...new Set([dirname(process.execPath), dirname(program), ...(process.env.PATH ?? '').split(delimiter)])].join(delimiter)
