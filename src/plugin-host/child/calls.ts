import type { Socket } from 'node:net'
import { CALL_ENDED } from '../context.ts'
import { formatFailure } from '../failure-text.ts'
import { type ContextCalls, type Manifest, PluginFailure } from '../running.ts'
import { buildFrame } from './frames.ts'
import { type FromPlugin, maxBytesToPlugin, maxOpenRequests, type ToPlugin } from './messages.ts'
import { runPluginRequest } from './requests.ts'

type Call = {
  hook: string
  calls: ContextCalls
  /** The number of its open context calls. */
  requestCount: number
  timer: NodeJS.Timeout
  resolve: (value: unknown) => void
  reject: (failure: PluginFailure) => void
}

/** Maximum number of concurrent calls of a plugin. */
const maxConcurrentCalls = 1_000

/** The calls in progress of a plugin in its own process. */
export class Calls {
  readonly #socket: Socket
  readonly #folder: string
  readonly #inProgress = new Map<number, Call>()
  #lastId = 0
  #failure: PluginFailure | undefined

  constructor(socket: Socket, folder: string) {
    this.#socket = socket
    this.#folder = folder
  }

  /** Implements `Running.call`. */
  call(manifest: Manifest, hook: string, args: readonly unknown[], calls: ContextCalls, milliseconds: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const rejection = this.#findRejection(manifest, hook)
      if (rejection) return reject(rejection)
      const id = ++this.#lastId
      const frame = callFrame(id, hook, args)
      if (frame.length > maxBytesToPlugin) return reject(createFailure(hook, 'is given more than a plugin can be sent'))
      const expire = () => {
        if (this.#inProgress.delete(id))
          reject(createFailure(hook, `did not respond within ${milliseconds} milliseconds`, 'late'))
      }
      // A response that has already arrived is read first: it is not the plugin's fault if the service was blocked.
      const timer = setTimeout(() => setImmediate(expire), milliseconds)
      this.#inProgress.set(id, { hook, calls, requestCount: 0, timer, resolve, reject })
      this.#write(frame)
    })
  }

  #findRejection({ hooks }: Manifest, hook: string): PluginFailure | undefined {
    if (this.#failure) return this.#failure
    if (!hooks.includes(hook)) return new PluginFailure('call', `it has no ${hook}`)
    if (this.#inProgress.size >= maxConcurrentCalls)
      return createFailure(hook, `cannot be called: ${maxConcurrentCalls} calls are in progress`, 'late')
    if (this.isFull) return createFailure(hook, 'cannot be called: the plugin does not read its input', 'late')
    return undefined
  }

  /** Whether more than one message of maximum size is queued for the plugin. */
  get isFull(): boolean {
    return this.#socket.writableLength > maxBytesToPlugin
  }

  /** Sends a ping. */
  ping(): void {
    this.#send({ type: 'ping' })
  }

  /** Handles a response. One to a call that has timed out is ignored. */
  handleResult(message: FromPlugin & { type: 'done' | 'failed' }): void {
    const call = this.#inProgress.get(message.id)
    if (!call) return
    this.#inProgress.delete(message.id)
    clearTimeout(call.timer)
    if (message.type === 'done') call.resolve(message.value)
    else call.reject(createFailure(call.hook, `failed: ${formatFailure(message.message, this.#folder)}`))
  }

  /** The context of a call in progress. */
  getContextCalls(id: number): ContextCalls | undefined {
    return this.#inProgress.get(id)?.calls
  }

  /**
   * Responds to a context call.
   * @returns false if more of them are open than the plugin's side permits
   */
  handleRequest(message: FromPlugin & { type: 'ask' }): boolean {
    const { id } = message
    const call = this.#inProgress.get(message.call)
    if (!call) {
      this.#send({ type: 'answer', id, refused: CALL_ENDED })
      return true
    }
    if (call.requestCount === maxOpenRequests) return false
    call.requestCount++
    this.#respond(message, call)
    return true
  }

  async #respond(message: FromPlugin & { type: 'ask' }, call: Call): Promise<void> {
    const { id } = message
    try {
      this.#send({ type: 'answer', id, value: await runPluginRequest(message, call.calls) })
    } catch (error) {
      this.#send({ type: 'answer', id, refused: formatFailure(error, this.#folder) })
    } finally {
      call.requestCount--
    }
  }

  /** Ends all calls in progress, and rejects all later ones. */
  fail(failure: PluginFailure): void {
    this.#failure ??= failure
    for (const { hook, timer, reject } of this.#inProgress.values()) {
      clearTimeout(timer)
      reject(createFailure(hook, `did not respond: ${failure.message}`, failure.reason))
    }
    this.#inProgress.clear()
  }

  #send(message: ToPlugin): void {
    const frame = buildFrame(JSON.stringify(message))
    if (frame.length > maxBytesToPlugin) throw new Error('the response is larger than a plugin can be sent')
    this.#write(frame)
  }

  /** Corks the socket, so that consecutive writes are sent together. */
  #write(frame: Buffer): void {
    if (this.#failure) return
    if (this.#socket.writableCorked === 0) {
      this.#socket.cork()
      process.nextTick(() => this.#socket.uncork())
    }
    this.#socket.write(frame)
  }
}

const createFailure = (hook: string, description: string, reason: PluginFailure['reason'] = 'thrown') =>
  new PluginFailure(hook === 'start' ? 'init' : 'call', `${hook} ${description}`, reason)

/** Builds the frame of a call: binary arguments follow the JSON text as raw bytes. */
function callFrame(id: number, hook: string, args: readonly unknown[]): Buffer {
  const parts: Uint8Array[] = []
  const bytes: [number, string, number][] = []
  const absent: number[] = []
  const plain = args.map((argument, index) => {
    if (argument === undefined) absent.push(index)
    if (typeof argument !== 'object' || argument === null) return argument
    const binaries = Object.entries(argument).filter(([, value]) => value instanceof Uint8Array) as [string, Uint8Array][]
    if (binaries.length === 0) return argument
    for (const [property, value] of binaries) {
      parts.push(value)
      bytes.push([index, property, value.byteLength])
    }
    return { ...argument, ...Object.fromEntries(binaries.map(([property]) => [property, null])) }
  })
  const message: ToPlugin = {
    type: 'call',
    id,
    hook,
    args: plain,
    absent: absent.length ? absent : undefined,
    bytes: parts.length ? bytes : undefined,
  }
  return buildFrame(JSON.stringify(message), parts)
}
