import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import pg from 'pg'
import type { Logger } from 'pino'

/** Milliseconds between heartbeats. */
const HEARTBEAT_INTERVAL_MS = 500
/** Maximum time for a heartbeat to return, and for a connection to start listening, in milliseconds. */
const HEARTBEAT_TIMEOUT_MS = 1_300
const CONNECT_TIMEOUT_MS = 3_000
/** Milliseconds for which the listener counts as up to date after it sent a heartbeat that returned: until the next one is missed. */
const MAX_HEARTBEAT_AGE_MS = HEARTBEAT_INTERVAL_MS + HEARTBEAT_TIMEOUT_MS
/** Milliseconds until a lost connection is reopened, and until one that is closing is cut. */
const RETRY_DELAY_MS = 500
const STOP_TIMEOUT_MS = 500

/** One connection of the listener. */
type Connection = {
  client: pg.Client
  socket: Socket
  /** Time when the last heartbeat was sent, by the clock of `performance.now()`. */
  sentAt: number
  /** Sends the next heartbeat, or stops waiting for the last one. */
  timer?: NodeJS.Timeout
  /** Called when it is listening, or never will be. */
  onSettled: () => void
}

/**
 * Listens to the NOTIFY messages of other connections and other nodes, so that cached data is invalidated as soon as it changes. While the
 * connection is down no cached data may be trusted: `isCurrent` reports the state, and `onNotification` is called with `undefined` when the
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
  #connection: Connection | undefined
  #isListening = false
  /** Time until which the received messages are known to be complete. */
  #currentUntil = 0
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
    return performance.now() < this.#currentUntil
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
    return new Promise((onSettled) => {
      const connection: Connection = { client, socket, sentAt: 0, onSettled }
      this.#connection = connection
      client.on('error', () => this.#drop(connection))
      client.on('end', () => this.#drop(connection))
      client.on('notification', ({ channel, payload = '' }) => {
        if (connection !== this.#connection) return
        if (channel === this.#heartbeat) this.#markCurrent(connection)
        else this.#onNotification(channel, payload)
      })
      this.#startTimeout(connection, CONNECT_TIMEOUT_MS)
      this.#listen(connection).catch((error) => this.#disconnect(connection, error))
    })
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#currentUntil = 0
    clearTimeout(this.#retry)
    const connection = this.#connection
    if (!connection) return
    clearTimeout(connection.timer)
    // a server that hangs does not respond to a termination message
    const destroyTimer = setTimeout(() => connection.socket.destroy(), STOP_TIMEOUT_MS)
    await connection.client.end().catch(() => undefined)
    clearTimeout(destroyTimer)
    connection.onSettled()
  }

  async #listen(connection: Connection): Promise<void> {
    await connection.client.connect()
    for (const channel of [...this.#channels, this.#heartbeat])
      await connection.client.query(`listen ${pg.escapeIdentifier(channel)}`)
    await this.#sendHeartbeat(connection)
  }

  /** Sends a heartbeat over the connection that it tests. It needs no connection of the pool, all of which may be busy. */
  async #sendHeartbeat(connection: Connection): Promise<void> {
    connection.sentAt = performance.now()
    this.#startTimeout(connection, HEARTBEAT_TIMEOUT_MS)
    await connection.client.query(`notify ${pg.escapeIdentifier(this.#heartbeat)}`)
  }

  /** Handles the return of a heartbeat. */
  #markCurrent(connection: Connection): void {
    if (!this.#isListening) {
      this.#isListening = true
      this.#onNotification(undefined, '')
      if (this.#isReported) this.#log.info('listening for changes again')
      this.#isReported = false
      connection.onSettled()
    }
    this.#currentUntil = connection.sentAt + MAX_HEARTBEAT_AGE_MS
    const next = Math.max(0, connection.sentAt + HEARTBEAT_INTERVAL_MS - performance.now())
    clearTimeout(connection.timer)
    connection.timer = setTimeout(
      () => this.#sendHeartbeat(connection).catch((error) => this.#disconnect(connection, error)),
      next,
    ).unref()
  }

  #startTimeout(connection: Connection, timeoutMs: number): void {
    clearTimeout(connection.timer)
    const timer = setTimeout(() => {
      // messages that arrived while this process was busy are read first
      setImmediate(
        () => connection.timer === timer && this.#disconnect(connection, new Error(`no message received for ${timeoutMs} ms`)),
      )
    }, timeoutMs).unref()
    connection.timer = timer
  }

  #disconnect(connection: Connection, error: Error): void {
    if (!this.#isReported && !this.#stopped) this.#log.warn({ err: error }, 'cannot listen for changes; retrying')
    this.#isReported = true
    this.#drop(connection)
  }

  #drop(connection: Connection): void {
    // after a stop nothing more is needed, and the database that `onNotification` would read from may be closing
    if (connection !== this.#connection || this.#stopped) return
    this.#connection = undefined
    this.#currentUntil = 0
    clearTimeout(connection.timer)
    connection.socket.destroy()
    if (this.#isListening) this.#onNotification(undefined, '')
    this.#isListening = false
    connection.onSettled()
    this.#retry = setTimeout(() => this.start(), RETRY_DELAY_MS).unref()
  }
}
