import type { Socket } from 'node:net'
import { basename } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { formatFailure } from '../failure-text.ts'
import { readManifest } from '../manifest.ts'
import { type ContextCalls, type Manifest, PluginFailure, type PluginPaths, type Runner, type RunningPlugin } from '../running.ts'
import { Allowance, readThrottled } from './allowance.ts'
import { Calls } from './calls.ts'
import { FrameReader, FrameTooLong } from './frames.ts'
import { Lines } from './lines.ts'
import { type Watch, watch } from './memory-limit.ts'
import { type FromPlugin, maxBytesFromPlugin } from './messages.ts'
import { readMessage } from './read-message.ts'
import { type PluginProcess, resolvePluginPaths, startProcess } from './spawn.ts'

type Options = {
  /** Memory limit of a plugin. */
  memoryMegabytes: number
  /** Receives the console output of plugins, under their names. */
  log: Logger
  /** Time limit for loading a plugin, in milliseconds. */
  loadTimeoutMs?: number
}

/** Processor time of this process that a plugin may use with its messages: milliseconds per second, and the maximum at a time. */
const readingMsPerSecond = 100
const readBurstMs = 500
/**
 * Cost of a message in addition to the time to read it: a factor for its follow-up work such as garbage collection, and the milliseconds to
 * respond to a context call.
 */
const overheadFactor = 2
const requestCostMs = 0.03
/** Maximum characters of a log line with its details; above it, the details are left out. */
const maxDetailsLength = 4_000
/** Milliseconds that a process may take to end after a stop, and until the reason for its end is known. */
const exitTimeoutMs = 1_000

/** Runs each plugin in its own process, which may read only its own folder and is monitored. */
export const createChildRunner =
  (options: Options): Runner =>
  async (location, onEnd) => {
    const realPaths = resolvePluginPaths(location)
    const child = new Child(realPaths, await startProcess(realPaths, options.memoryMegabytes), options, onEnd)
    await child.waitUntilLoaded(options.loadTimeoutMs ?? 10_000)
    return child
  }

class Child implements RunningPlugin {
  readonly #location: PluginPaths
  readonly #process: PluginProcess
  readonly #calls: Calls
  readonly #lines: Lines
  readonly #watch: Watch
  readonly #onEnd: (failure: PluginFailure) => void
  /** Its description of itself, once it is loaded. */
  readonly #ready = Promise.withResolvers<unknown>()
  /** Resolves when the process has ended. */
  readonly #exited: Promise<void>
  readonly #serviceLog: Logger
  #log: Logger
  #manifest: Manifest | undefined
  /** The reason why it ends or has ended. */
  #failure: PluginFailure | undefined
  #isStopped = false
  /** Number of context calls since the last count. */
  #requestCount = 0
  #heapIsFull = false

  constructor(
    location: PluginPaths,
    started: PluginProcess,
    { memoryMegabytes, log }: Options,
    onEnd: (failure: PluginFailure) => void,
  ) {
    this.#location = location
    this.#onEnd = onEnd
    this.#serviceLog = log
    this.#log = log.child({ plugin: basename(location.folder) })
    this.#lines = new Lines((level, message, details) => this.#log[level](details === undefined ? {} : { details }, message))
    this.#process = started
    this.#calls = new Calls(started.channel, location.folder)
    this.#watch = watch({
      pid: started.pid,
      memoryMegabytes,
      ping: () => this.#calls.ping(),
      onCheck: () => this.#checkHealth(),
      end: (reason) => this.#terminate(reason),
    })
    this.#exited = this.#handleOutput()
  }

  get manifest(): Manifest {
    return this.#manifest as Manifest
  }

  get #isLoaded(): boolean {
    return this.#manifest !== undefined
  }

  /**
   * Waits until it is loaded.
   * @throws PluginFailure if it does not load
   */
  async waitUntilLoaded(milliseconds: number): Promise<void> {
    const timeout = new PluginFailure('load', `it did not load within ${milliseconds} milliseconds`, 'late')
    const timer = setTimeout(() => this.#ready.reject(timeout), milliseconds)
    try {
      const manifest = readManifest(await this.#ready.promise)
      this.#log = this.#serviceLog.child({ plugin: manifest.slug })
      this.#manifest = manifest
    } catch (error) {
      this.#isStopped = true
      this.#kill(new PluginFailure('load', 'it was not loaded', 'ended'))
      await this.#exitsWithin(exitTimeoutMs)
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  call(hook: string, args: readonly unknown[], calls: ContextCalls, milliseconds: number): Promise<unknown> {
    return this.#calls.call(this.manifest, hook, args, calls, milliseconds)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#fail(new PluginFailure('call', 'it was stopped', 'ended'))
    // closing the channel tells the process to end
    this.#process.channel.destroy()
    if (await this.#exitsWithin(exitTimeoutMs)) return
    this.#process.child.kill('SIGKILL')
    await this.#exitsWithin(exitTimeoutMs)
  }

  async #exitsWithin(milliseconds: number): Promise<boolean> {
    const abort = new AbortController()
    const timeout = pause(milliseconds, false, { signal: abort.signal }).catch(() => false)
    const isGone = await Promise.race([this.#exited.then(() => true), timeout])
    abort.abort()
    return isGone
  }

  /** Handles the output of the process until it has ended. */
  async #handleOutput(): Promise<void> {
    const { child, channel, output, errors } = this.#process
    this.#lines.readFrom(output, 'info')
    this.#lines.readFrom(errors, 'warn', (line) => {
      if (line.includes('JavaScript heap out of memory')) this.#heapIsFull = true
    })
    this.#listen(channel)
    const closed = new Promise((resolve) => child.once('close', resolve))
    const exitReason = await new Promise((resolve) =>
      child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`)),
    )
    // the last output may arrive after the process has ended
    await Promise.race([closed, pause(exitTimeoutMs, undefined, { ref: false })])
    const cause = this.#heapIsFull ? ', because it used more memory than is allowed' : ` unexpectedly (${exitReason})`
    this.#fail(this.#createFailure(`its process ended${cause}`))
    this.#lines.reportDropped()
    if (this.#isLoaded && !this.#isStopped) this.#onEnd(this.#failure as PluginFailure)
  }

  #listen(channel: Socket): void {
    const reader = new FrameReader(maxBytesFromPlugin, (text) => this.#handleMessage(text))
    channel.on('error', () => {})
    // A process that has ended reports a better reason. One that only closed its channel can no longer be reached.
    channel.once('close', () => setTimeout(() => this.#terminate('it closed the channel to the service'), exitTimeoutMs).unref())
    readThrottled(channel, new Allowance(readingMsPerSecond, readBurstMs), (chunk) => {
      const before = process.threadCpuUsage()
      try {
        if (!this.#failure) reader.push(chunk)
      } catch (error) {
        if (!(error instanceof FrameTooLong)) this.#log.error({ err: error }, 'could not process a message of a plugin')
        this.#terminate(
          error instanceof FrameTooLong ? 'it sent more than is allowed at once' : 'it sent a message that cannot be processed',
        )
      }
      const { user, system } = process.threadCpuUsage(before)
      const requestCount = this.#requestCount
      this.#requestCount = 0
      return (overheadFactor * (user + system)) / 1000 + requestCostMs * requestCount
    })
  }

  #handleMessage(text: string): void {
    if (this.#failure) return
    const message = readMessage(text)
    switch (message?.type) {
      case 'ready':
        this.#ready.resolve(message.manifest)
        break
      case 'pong':
        this.#watch.reportActivity()
        break
      case 'done':
        this.#calls.handleResult(message)
        break
      case 'failed':
        this.#calls.handleResult(message)
        if (message.stack) this.#lines.write('warn', 'a call failed', { stack: message.stack })
        break
      case 'ask':
        this.#requestCount++
        if (!this.#calls.handleRequest(message)) this.#terminate('it made too many requests at once')
        break
      case 'log': {
        const details = text.length > maxDetailsLength ? undefined : message.details
        this.#lines.write(message.level, message.message, details, this.#calls.getContextCalls(message.call)?.log)
        break
      }
      case 'broken':
        this.#handleUncaughtError(message)
        break
      default:
        this.#terminate('it sent an invalid message')
    }
  }

  #handleUncaughtError({ message, stack }: FromPlugin & { type: 'broken' }): void {
    if (stack) this.#lines.write('warn', 'uncaught error', { stack })
    const text = formatFailure(message, this.#location.folder)
    if (this.#isLoaded) this.#kill(this.#createFailure(`its process ended because of an uncaught error: ${text}`))
    else this.#kill(new PluginFailure('load', text))
  }

  #terminate(reason: string): void {
    this.#kill(this.#createFailure(`its process was ended because ${reason}`))
  }

  #kill(failure: PluginFailure): void {
    this.#fail(failure)
    this.#process.child.kill('SIGKILL')
  }

  #createFailure(cause: string): PluginFailure {
    return new PluginFailure(this.#isLoaded ? 'call' : 'load', cause, 'ended')
  }

  /** Stops all calls and messages from now on. The first failure is the reason. */
  #fail(failure: PluginFailure): void {
    this.#failure ??= failure
    this.#watch.stop()
    this.#calls.fail(this.#failure)
    this.#ready.reject(this.#failure)
  }

  /** Runs at each check of the monitored process. */
  #checkHealth(): void {
    this.#lines.reportDropped()
    // loading has its own time limit
    if (!this.#isLoaded) this.#watch.reportActivity()
    if (this.#calls.isFull) this.#terminate('it does not read its input')
  }
}
