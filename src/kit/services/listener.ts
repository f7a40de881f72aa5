import pg from 'pg'
import type { Logger } from 'pino'

/**
 * Hears what other connections and other nodes announce with NOTIFY, so that what is kept in memory is dropped the
 * moment it changes. While the connection is down nothing may be trusted: `heard` is called with `undefined` when it is
 * lost and when it is back, and `connected` says how it stands.
 */
export class Listener {
  connected = false
  readonly #url: string
  readonly #channels: readonly string[]
  readonly #heard: (channel: string | undefined, payload: string) => void
  readonly #log: Logger
  #client: pg.Client | undefined
  #stopped = false
  /** The log knows that the connection is down; it is told once, however often it is tried. */
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

  async start(): Promise<void> {
    const client = new pg.Client({ connectionString: this.#url, application_name: 'stockroom listener', keepAlive: true })
    this.#client = client
    client.on('error', () => this.#lost(client))
    client.on('end', () => this.#lost(client))
    client.on('notification', ({ channel, payload }) => this.#heard(channel, payload ?? ''))
    try {
      await client.connect()
      for (const channel of this.#channels) await client.query(`listen ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      if (!this.#isReported) this.#log.warn({ err: error }, 'cannot listen for changes; trying again')
      this.#isReported = true
      this.#lost(client)
      return
    }
    if (this.#isReported) this.#log.info('listening for changes again')
    this.#isReported = false
    this.connected = true
    this.#heard(undefined, '')
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#retry)
    this.connected = false
    await this.#client?.end().catch(() => undefined)
  }

  #lost(client: pg.Client): void {
    // whoever stops it asks for no more, and may be closing what `heard` would read from
    if (client !== this.#client || this.#stopped) return
    this.#client = undefined
    if (this.connected) {
      this.connected = false
      this.#heard(undefined, '')
    }
    client.end().catch(() => undefined)
    this.#retry = setTimeout(() => this.start(), 500).unref()
  }
}
