import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import pg from 'pg'
import type { Logger } from 'pino'

/** Milliseconds from one heartbeat to the next. */
const BEAT = 500
/** How long a heartbeat may take to come back, and how long a connection to listen, in milliseconds. */
const HEARTBEAT_TIMEOUT_MS = 1_300
const PATIENCE_AT_START = 3_000
/** How long what is heard may be trusted after a heartbeat was sent that came back: until the next one is missed. */
const TRUST = BEAT + HEARTBEAT_TIMEOUT_MS
/** Milliseconds until a lost connection is made anew, and until one that is to end is cut. */
const RETRY = 500
const PATIENCE_AT_STOP = 500

/** One connection of the listener. */
type Line = {
  client: pg.Client
  socket: Socket
  /** When the last heartbeat was sent, by the clock of `performance.now()`. */
  sent: number
  /** Sends the next heartbeat, or gives up waiting for the last one. */
  timer?: NodeJS.Timeout
  /** Is called when it hears, or never will. */
  settled: () => void
}

/**
 * Hears what other connections and other nodes announce with NOTIFY, so that what is kept in memory is dropped the moment it
 * changes. While nothing is heard nothing may be trusted: `isCurrent` says how it stands, and `heard` is called with `undefined`
 * when the connection is lost and when there is one again.
 *
 * A connection can hang without being closed. So it announces heartbeats to itself: PostgreSQL delivers in the order of the commits,
 * and whatever was announced before a heartbeat that came back was heard before it. When one does not come back the connection is
 * thrown away, and another is made (ADR 0006).
 */
export class Listener {
  readonly #url: string
  readonly #channels: readonly string[]
  readonly #heard: (channel: string | undefined, payload: string) => void
  readonly #log: Logger
  /** Where its own heartbeats are announced, which no other node listens to. */
  readonly #heartbeat = `heartbeat ${randomUUID()}`
  #line: Line | undefined
  #isHearing = false
  /** Until when what is heard may be trusted. */
  #trusted = 0
  #stopped = false
  /** The log knows that nothing is heard; it is told once, however often a connection is tried. */
  #isReported = false
  #retry: NodeJS.Timeout | undefined

  constructor(
    url: string,
    channels: readonly string[],
    heard: (channel: string | undefined, payload: string) => void,
    log: Logger,
  ) {
    this.#url = url
    this.#channels = channels
    this.#heard = heard
    this.#log = log
  }

  /** Whether everything has been heard but what was announced less than two seconds ago. */
  get isCurrent(): boolean {
    return performance.now() < this.#trusted
  }

  /** Connects. Done when the first heartbeat came back; or when it did not in time: then it is tried again and again. */
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
        if (channel === this.#heartbeat) this.#hearsAgain(line)
        else this.#heard(channel, payload)
      })
      this.#expect(line, PATIENCE_AT_START)
      this.#listen(line).catch((error) => this.#giveUp(line, error))
    })
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#trusted = 0
    clearTimeout(this.#retry)
    const line = this.#line
    if (!line) return
    clearTimeout(line.timer)
    // a server that hangs does not answer to a farewell
    const cut = setTimeout(() => line.socket.destroy(), PATIENCE_AT_STOP)
    await line.client.end().catch(() => undefined)
    clearTimeout(cut)
    line.settled()
  }

  async #listen(line: Line): Promise<void> {
    await line.client.connect()
    for (const channel of [...this.#channels, this.#heartbeat]) await line.client.query(`listen ${pg.escapeIdentifier(channel)}`)
    await this.#beat(line)
  }

  /** Over the connection itself: it needs none of the pool, all of which may be busy, and goes the way that is in question. */
  async #beat(line: Line): Promise<void> {
    line.sent = performance.now()
    this.#expect(line, HEARTBEAT_TIMEOUT_MS)
    await line.client.query(`notify ${pg.escapeIdentifier(this.#heartbeat)}`)
  }

  /** A heartbeat came back. */
  #hearsAgain(line: Line): void {
    if (!this.#isHearing) {
      this.#isHearing = true
      this.#heard(undefined, '')
      if (this.#isReported) this.#log.info('listening for changes again')
      this.#isReported = false
      line.settled()
    }
    this.#trusted = line.sent + TRUST
    const next = Math.max(0, line.sent + BEAT - performance.now())
    clearTimeout(line.timer)
    line.timer = setTimeout(() => this.#beat(line).catch((error) => this.#giveUp(line, error)), next).unref()
  }

  #expect(line: Line, patience: number): void {
    clearTimeout(line.timer)
    const timer = setTimeout(() => {
      // what came while this process was busy itself is read first
      setImmediate(() => line.timer === timer && this.#giveUp(line, new Error(`no message received for ${patience} ms`)))
    }, patience).unref()
    line.timer = timer
  }

  #giveUp(line: Line, error: Error): void {
    if (!this.#isReported && !this.#stopped) this.#log.warn({ err: error }, 'cannot listen for changes; retrying')
    this.#isReported = true
    this.#lose(line)
  }

  #lose(line: Line): void {
    // whoever stops it asks for no more, and may be closing what `heard` would read from
    if (line !== this.#line || this.#stopped) return
    this.#line = undefined
    this.#trusted = 0
    clearTimeout(line.timer)
    line.socket.destroy()
    if (this.#isHearing) this.#heard(undefined, '')
    this.#isHearing = false
    line.settled()
    this.#retry = setTimeout(() => this.start(), RETRY).unref()
  }
}
