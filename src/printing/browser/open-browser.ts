import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { getPriority, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type { Logger } from 'pino'
import type { Browser, ConnectionTransport } from 'puppeteer-core'
import { isAlive } from '../../processes.ts'
import { createPipeTransport } from './pipe.ts'
import type { Chromium } from './unpack.ts'

/** The browser cannot be opened here. Its message is human-readable. */
export class BrowserLaunchError extends Error {}

type StartedBrowser<Connection> = {
  browser: Connection
  pid: number
  /** Resolves when its process has ended. */
  ended: Promise<void>
  /** Kills it immediately, whatever it does. */
  kill(): void
}

export type OpenBrowser = StartedBrowser<Browser>

/** Waits until a new browser responds. */
type Connect<Connection> = (transport: ConnectionTransport) => Promise<Connection>

/** Prefix of the name of a profile, followed by the process id of its service. */
const PROFILE_PREFIX = 'stockroom-browser-'

/** The way to start a browser on this machine, determined by trial. */
type LaunchMode = { sandbox: boolean; libraries: boolean }

/** Time limit for a browser to respond, in milliseconds. */
const BROWSER_TIMEOUT_MS = 20_000
/** Added to the niceness of the service, so that the browser gets less of a busy processor: see `nice`. */
const NICENESS = 10
/** Maximum characters kept of its error output. */
const MAX_OUTPUT_LENGTH = 4_000

/** The command line of a browser. docs/adr/0022-printing-browser-sandbox.md says why. */
const FLAGS = [
  '--headless',
  '--remote-debugging-pipe',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-extensions',
  '--disable-component-update',
  '--disable-background-networking',
  '--disable-domain-reliability',
  '--disable-sync',
  '--disable-breakpad',
  '--no-pings',
  '--mute-audio',
  '--hide-scrollbars',
  '--lang=en-US',
  // the same letter positions on every machine
  '--font-render-hinting=none',
  '--force-color-profile=srgb',
  // there is no display
  '--disable-gpu',
  '--disable-software-rasterizer',
  // containers have 64 MB there
  '--disable-dev-shm-usage',
  // a second barrier behind the interception of requests: no host name resolves, and everything uses a proxy that has no address
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--proxy-server=stockroom.invalid:1',
  '--proxy-bypass-list=<-loopback>',
  '--disable-features=NetworkPrediction,Translate,OptimizationHints,MediaRouter,DnsOverHttps,InterestFeedContentSuggestions',
]

/** Starts browsers, each in a process that ends with this one. */
export class BrowserStarter {
  readonly #chromium: Chromium
  readonly #log: Logger
  readonly #stopping: AbortSignal
  readonly #mode: LaunchMode

  /** @param stopping ends all browsers */
  constructor(chromium: Chromium, log: Logger, stopping: AbortSignal) {
    this.#chromium = chromium
    this.#log = log
    this.#stopping = stopping
    removeStaleProfiles()
    // not available for root
    this.#mode = { sandbox: process.getuid?.() !== 0, libraries: false }
    if (!this.#mode.sandbox) this.#log.warn('the printing browser runs without its sandbox, because this service runs as root')
  }

  /** @throws BrowserLaunchError */
  open(): Promise<OpenBrowser> {
    return this.#start(async (transport) => {
      // loaded for the first print only, because it is expensive
      const { connect } = await import('puppeteer-core')
      return connect({ transport, defaultViewport: null, protocolTimeout: 0 })
    })
  }

  async #start<Connection>(connect: Connect<Connection>): Promise<StartedBrowser<Connection>> {
    for (;;) {
      const { started, output } = await this.#try(connect)
      if (started) return started
      if (!this.#mode.libraries && this.#chromium.libraries && output.includes('error while loading shared libraries')) {
        this.#mode.libraries = true
      } else if (this.#mode.sandbox && /sandbox|namespace|credentials\.cc/i.test(output)) {
        this.#mode.sandbox = false
        this.#log.warn({ output }, 'the printing browser runs without its sandbox, which this machine does not allow')
      } else {
        throw new BrowserLaunchError(`the printing browser does not run here: ${output.trim().split('\n').at(-1) || 'no output'}`)
      }
    }
  }

  /**
   * Tests whether a browser opens here at all.
   * @throws BrowserLaunchError
   */
  async tryOut(): Promise<void> {
    const { kill, ended } = await this.#start(waitForVersion)
    kill()
    await ended
  }

  async #try<Connection>(connect: Connect<Connection>): Promise<{ started?: StartedBrowser<Connection>; output: string }> {
    const profile = mkdtempSync(join(tmpdir(), `${PROFILE_PREFIX}${process.pid}-`))
    const child = this.#spawn(profile)
    let output = ''
    child.stderr?.on('data', (data) => {
      output = (output + data).slice(-MAX_OUTPUT_LENGTH)
    })
    const { pid } = child
    const ended = new Promise<void>((resolve) => {
      child.on('error', (error) => {
        output = error.message
        if (pid === undefined) resolve()
      })
      child.once('close', () => resolve())
    }).then(() => rmSync(profile, { recursive: true, force: true, maxRetries: 5 }))
    const kill = () => void child.kill('SIGKILL')
    if (pid === undefined) {
      await ended
      return { output }
    }
    // a higher priority would slow down requests that print nothing
    setPriority(pid, Math.min(getPriority() + NICENESS, 19))
    const [, , , toBrowser, fromBrowser] = child.stdio
    const transport = createPipeTransport(toBrowser as Writable, fromBrowser as Readable, kill)
    const timer = setTimeout(kill, BROWSER_TIMEOUT_MS)
    try {
      const browser = await Promise.race([connect(transport), rejectWhenEnded(ended)])
      return { started: { browser, pid, ended, kill }, output }
    } catch {
      kill()
      await ended
      return { output }
    } finally {
      clearTimeout(timer)
    }
  }

  #spawn(profile: string): ChildProcess {
    const { executable, libraries, fonts } = this.#chromium
    const flags = [...FLAGS, `--user-data-dir=${profile}`, ...(this.#mode.sandbox ? [] : ['--no-sandbox'])]
    return spawn(executable, flags, {
      cwd: '/',
      signal: this.#stopping,
      killSignal: 'SIGKILL',
      // without the environment of the service, which contains secrets
      env: {
        HOME: profile,
        TMPDIR: profile,
        XDG_CACHE_HOME: profile,
        LC_ALL: 'C.UTF-8',
        TZ: process.env.TZ,
        ...(fonts ? { FONTCONFIG_FILE: fonts } : {}),
        ...(libraries && this.#mode.libraries ? { LD_LIBRARY_PATH: libraries } : {}),
      },
      // Not detached: in its own session, it would get as much processor time as the whole service.
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    })
  }
}

/** Requests the version of a browser, and waits for the response. */
const waitForVersion = (transport: ConnectionTransport): Promise<void> =>
  new Promise((resolve) => {
    transport.onmessage = () => resolve()
    transport.send(JSON.stringify({ id: 1, method: 'Browser.getVersion' }))
  })

/** Rejects when a browser has ended. */
const rejectWhenEnded = async (ended: Promise<void>): Promise<never> => {
  await ended
  throw new Error('it ended')
}

/** Deletes profiles of browsers whose service was killed. */
function removeStaleProfiles(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(PROFILE_PREFIX) ? Number.parseInt(name.slice(PROFILE_PREFIX.length), 10) : Number.NaN
    if (Number.isNaN(pid) || isAlive(pid)) continue
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true })
    } catch {
      // it belongs to another account
    }
  }
}
