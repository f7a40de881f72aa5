import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import pg from 'pg'
import type { Logger } from 'pino'

/** Milliseconds between heartbeats. */
const HEARTBEAT_INTERVAL_MS = 500
/** Maximum time for a heartbeat to return, and for a connection to start listening, in milliseconds. */
const HEARTBEAT_TIMEOUT_MS = 1_300
const CONNECT_TIMEOUT_MS = 3_000
/** Milliseconds after a heartbeat was sent during which the listener is up to date if it returned: until the next one is missed. */
const TRUST = HEARTBEAT_INTERVAL_MS + HEARTBEAT_TIMEOUT_MS
/** Milliseconds until a lost connection is reopened, and until one that is closing is cut. */
const RETRY = 500
const STOP_TIMEOUT_MS = 500

/** One connection of the listener. */
type Line = {
  client: pg.Client
  socket: Socket
  /** Time when the last heartbeat was sent, by the clock of `performance.now()`. */
  sent: number
  /** Sends the next heartbeat, or stops waiting for the last one. */
  timer?: NodeJS.Timeout
  /** Called when it is listening, or never will be. */
  settled: () => void
}

/**
 * Listens to the NOTIFY messages of other connections and other nodes, so that cached data is invalidated as soon as it changes. While the
 * connection is down no cached data may be trusted: `isCurrent` reports the state, and `heard` is called with `undefined` when the
 * connection is lost and when it is restored.
 *
 * A connection can hang without being closed. Therefore the listener sends heartbeats to itself: PostgreSQL delivers in the order of the
 * commits, and every message sent before a heartbeat that returned was received before it. If one does not return, the connection is
 * discarded and another one is opened (ADR 0006).
 */
export class Listener {
  readonly #url: string
  readonly #channels: readonly string[]
  readonly #onNotification: (channel: string | undefined, payload: string) => void
  readonly #log: Logger
  /** The channel of its own heartbeats, which no other node listens to. */
  readonly #heartbeat = `heartbeat ${randomUUID()}`
  #line: Line | undefined
  #isHearing = false
  /** Time until which the received messages are known to be complete. */
  #trusted = 0
  #stopped = false
  /** Whether the lost connection has been logged; it is logged once, however often a connection is tried. */
  #isReported = false
  #retry: NodeJS.Timeout | undefined

  constructor(
    url: string,
    channels: readonly string[],
    onNotification: (channel: string | undefined, payload: string) => void,
    log: Logger,
  ) {
    this.#url = url
    this.#channels = channels
    this.#onNotification = onNotification
    this.#log = log
  }

  /** Whether all messages have been received except those sent less than two seconds ago. */
  get isCurrent(): boolean {
    return performance.now() < this.#trusted
  }

  /** Connects. Resolves when the first heartbeat returns, or when it has timed out: then it keeps retrying. */
  start(): Promise<void> {
    const socket = new Socket()
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'stockroom listener',
      keepAlive: true,
      stream: () => socket,
    })
    return new Promise((settled) => {
      const line: Line = { client, socket, sent: 0, settled }
      this.#line = line
      client.on('error', () => this.#lose(line))
      client.on('end', () => this.#lose(line))
      client.on('notification', ({ channel, payload = '' }) => {
        if (line !== this.#line) return
        if (channel === this.#heartbeat) this.#markCurrent(line)
        else this.#onNotification(channel, payload)
      })
      this.#expect(line, CONNECT_TIMEOUT_MS)
      this.#listen(line).catch((error) => this.#disconnect(line, error))
    })
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#trusted = 0
    clearTimeout(this.#retry)
    const line = this.#line
    if (!line) return
    clearTimeout(line.timer)
    // a server that hangs does not respond to a termination message
    const cut = setTimeout(() => line.socket.destroy(), STOP_TIMEOUT_MS)
    await line.client.end().catch(() => undefined)
    clearTimeout(cut)
    line.settled()
  }

  async #listen(line: Line): Promise<void> {
    await line.client.connect()
    for (const channel of [...this.#channels, this.#heartbeat]) await line.client.query(`listen ${pg.escapeIdentifier(channel)}`)
    await this.#sendHeartbeat(line)
  }

  /** Sends a heartbeat over the connection itself: it needs none of the pool, all of which may be busy, and tests the connection in question. */
  async #sendHeartbeat(line: Line): Promise<void> {
    line.sent = performance.now()
    this.#expect(line, HEARTBEAT_TIMEOUT_MS)
    await line.client.query(`notify ${pg.escapeIdentifier(this.#heartbeat)}`)
  }

  /** Handles the return of a heartbeat. */
  #markCurrent(line: Line): void {
    if (!this.#isHearing) {
      this.#isHearing = true
      this.#onNotification(undefined, '')
      if (this.#isReported) this.#log.info('listening for changes again')
      this.#isReported = false
      line.settled()
    }
    this.#trusted = line.sent + TRUST
    const next = Math.max(0, line.sent + HEARTBEAT_INTERVAL_MS - performance.now())
    clearTimeout(line.timer)
    line.timer = setTimeout(() => this.#sendHeartbeat(line).catch((error) => this.#disconnect(line, error)), next).unref()
  }

  #expect(line: Line, patience: number): void {
    clearTimeout(line.timer)
    const timer = setTimeout(() => {
      // messages that arrived while this process was busy are read first
      setImmediate(() => line.timer === timer && this.#disconnect(line, new Error(`no message received for ${patience} ms`)))
    }, patience).unref()
    line.timer = timer
  }

  #disconnect(line: Line, error: Error): void {
    if (!this.#isReported && !this.#stopped) this.#log.warn({ err: error }, 'cannot listen for changes; retrying')
    this.#isReported = true
    this.#lose(line)
  }

  #lose(line: Line): void {
    // after a stop nothing more is needed, and the source that `heard` would read from may be closing
    if (line !== this.#line || this.#stopped) return
    this.#line = undefined
    this.#trusted = 0
    clearTimeout(line.timer)
    line.socket.destroy()
    if (this.#isHearing) this.#onNotification(undefined, '')
    this.#isHearing = false
    line.settled()
    this.#retry = setTimeout(() => this.start(), RETRY).unref()
  }
}
