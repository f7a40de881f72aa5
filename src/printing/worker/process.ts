import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { entryPath } from '../../paths.ts'
import { buildFrame, FrameReader } from '../../plugin-host/child/frames.ts'
import { killWithParent, raiseOomScore } from '../../plugin-host/child/spawn.ts'
import { readMemory } from '../../processes.ts'
import type { TemplateSchema } from '../context/render-context.ts'
import {
  CHANNEL_FD,
  type DataRequest,
  type DataResponse,
  type FromWorker,
  type Job,
  MAX_FRAME_BYTES,
  packTexts,
  unpackTexts,
} from './messages.ts'

/** The program of a worker, an entry of the bundle. */
const WORKER_PATH = entryPath('printing/worker/template-worker')

/** Megabytes that a worker may use, including those that Node itself needs: the maximum number of objects of a print takes half of them. */
export const MAX_MEMORY_MEGABYTES = 768
/** Milliseconds between checks of its memory: in a tenth of a second a process allocates some 150 MB. */
const MEMORY_CHECK_INTERVAL_MS = 100
/** Milliseconds that a worker gets beyond the time limit of its job, to report itself which part took too long. */
const GRACE_PERIOD_MS = 2_000
/** Maximum data requests of a job. Templates send one for each path from the printed objects, some dozens at most. */
const MAX_DATA_REQUESTS = 1_000
/** Maximum stored characters of a worker's stderr. */
const MAX_OUTPUT_LENGTH = 2_000
const MEGABYTE = 1024 * 1024

/** A job exceeded a limit. Its message is human-readable. */
export class WorkerLimitExceeded extends Error {}

/** The worker ended, for any reason. */
export class WorkerEnded extends Error {}

/** Responds to a data request of a job. The texts of the response are the objects of `owners`. */
export type DataRequestHandler = (request: DataRequest) => Promise<DataResponse & { texts?: readonly string[] }>

/** The template failed. */
type Rejection = Extract<FromWorker, { type: 'rejected' }>

type Outcome = { result: unknown; texts: string[] } | Rejection

type ActiveJob = { answer: DataRequestHandler; requestCount: number; resolve(outcome: Outcome): void; reject(error: Error): void }

/**
 * A process that runs users' templates, one job after another. It cannot write files or start processes, and has no environment. It is not
 * a thread: the memory of a thread is not bounded, and one long text in it can end the whole service (ADR 0053).
 */
export class TemplateWorker {
  readonly #child: ChildProcess
  readonly #socket: Socket
  #running: ActiveJob | undefined
  #hasEnded = false
  #output = ''
  /** Jobs done. */
  jobs = 0

  constructor(schema: TemplateSchema) {
    const flags = [
      '--permission',
      '--allow-fs-read=*',
      '--disable-sigusr1',
      '--disable-proto=delete',
      `--max-old-space-size=${MAX_MEMORY_MEGABYTES}`,
      // each worker would fill a larger one before it is collected
      '--max-semi-space-size=8',
    ]
    const child = spawn(process.execPath, [...flags, WORKER_PATH], {
      cwd: '/',
      env: {},
      // Not detached: in a session of its own it would get as much of the processors as the whole service.
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    this.#socket = child.stdio[CHANNEL_FD] as Socket
    child.once('error', ({ message }) => this.#handleEnd(new WorkerEnded(message)))
    child.once('exit', (code, signal) => this.#handleEnd(createEndError(code, signal)))
    if (child.pid !== undefined) {
      killWithParent(child, child.pid)
      raiseOomScore(child.pid)
    }
    const reader = new FrameReader(MAX_FRAME_BYTES, (text, bytes) => {
      const message = JSON.parse(text) as FromWorker & { lengths?: number[] }
      this.#handleMessage(message, unpackTexts(message.lengths ?? [], bytes))
    })
    this.#socket.on('data', (chunk: Buffer) => {
      try {
        if (!this.#hasEnded) reader.push(chunk)
      } catch (error) {
        this.#kill(error as Error)
      }
    })
    this.#socket.on('error', () => {})
    const errors = child.stderr as Readable
    errors.on('data', (data) => {
      this.#output = (this.#output + data).slice(-MAX_OUTPUT_LENGTH)
    })
    this.#send({ type: 'schema', schema })
    // an idle worker does not keep the process alive
    child.unref()
    ;(errors as Socket).unref()
    this.#socket.unref()
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Its stderr output, such as why it ended. */
  get output(): string {
    return this.#output
  }

  /** Returns the bytes of memory that it uses; undefined if unknown. */
  async memory(): Promise<number | undefined> {
    return this.#child.pid === undefined ? undefined : readMemory(this.#child.pid)
  }

  /**
   * Runs a job; only one at a time.
   * @param texts follow the job in the frame
   * @throws WorkerLimitExceeded, WorkerEnded, and errors of data requests; the worker has ended then
   */
  async run(job: Job, texts: readonly string[], milliseconds: number, answer: DataRequestHandler): Promise<Outcome> {
    this.jobs++
    const timer = setTimeout(
      () => this.#kill(new WorkerLimitExceeded(`The template takes longer than ${milliseconds / 1000} seconds.`)),
      milliseconds + GRACE_PERIOD_MS,
    )
    const watch = setInterval(async () => {
      if (((await this.memory()) ?? 0) > MAX_MEMORY_MEGABYTES * MEGABYTE) this.#kill(createMemoryError())
    }, MEMORY_CHECK_INTERVAL_MS)
    this.#socket.ref()
    try {
      return await new Promise<Outcome>((resolve, reject) => {
        this.#running = { answer, requestCount: 0, resolve, reject }
        if (this.#hasEnded) reject(new WorkerEnded(this.#output))
        else this.#send(job, texts)
      })
    } finally {
      this.#running = undefined
      this.#socket.unref()
      clearTimeout(timer)
      clearInterval(watch)
    }
  }

  end(): void {
    this.#kill(new WorkerEnded('it was ended'))
  }

  #send(message: object, texts: readonly string[] = []): void {
    const { lengths, bytes } = packTexts(texts)
    this.#socket.write(buildFrame(JSON.stringify(texts.length ? { ...message, lengths } : message), bytes))
  }

  #handleMessage(message: FromWorker, texts: string[]): void {
    if (message.type === 'request') void this.#respond(message)
    else if (message.type === 'rejected') this.#running?.resolve(message)
    else this.#running?.resolve({ result: message.result, texts })
  }

  async #respond(request: DataRequest): Promise<void> {
    const running = this.#running
    if (!running) return
    try {
      if (++running.requestCount > MAX_DATA_REQUESTS)
        throw new WorkerLimitExceeded(`The template reads data more than ${MAX_DATA_REQUESTS} times.`)
      const { texts, ...response } = await running.answer(request)
      // it may have ended by now, or have been given another job
      if (!this.#hasEnded && this.#running === running) this.#send(response, texts)
    } catch (error) {
      running.reject(error as Error)
      if (this.#running === running) this.#kill(error as Error)
    }
  }

  #kill(reason: Error): void {
    this.#handleEnd(reason)
    this.#child.kill('SIGKILL')
  }

  #handleEnd(reason: Error): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#socket.destroy()
    this.#running?.reject(reason)
  }
}

const createMemoryError = (): WorkerLimitExceeded =>
  new WorkerLimitExceeded(`The template uses more than ${MAX_MEMORY_MEGABYTES} MB of memory.`)

/** V8 aborts when its heap is full. */
const createEndError = (code: number | null, signal: string | null): Error =>
  signal === 'SIGABRT' || code === 134 ? createMemoryError() : new WorkerEnded(signal ?? `exit code ${code}`)
