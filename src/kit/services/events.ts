// Over 400 lines: the numbering of events and their delivery to readers in that order are kept in one place.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Statement } from '../../database/text-query.ts'
import { queryWithin } from '../sql/run-query.ts'
import type { Database, Tx } from '../sql/tx.ts'
import type { Maintenance } from './maintenance.ts'

/** The channel that notifies nodes of new events. */
export const EVENTS_CHANNEL = 'events'

/** A committed change of an object. Never contains the new values. */
export type OutboxEvent = {
  /** Its position in the order that all readers see. */
  position: number
  /** The table of the object, such as `purchase_order`, and its key there. */
  model: string
  key: number
  /** `created`, `saved`, `deleted`; or the name of the action, such as `purchaseorder.placed`. */
  kind: string
  /** The account that made the change, if known; it may have been deleted since. */
  account: number | null
  created: Date
}

type NamedReader = {
  /** Its permanent name in the database. A new reader begins with the events after its registration. */
  name: string
  /** Whether it subscribes to this event; by default to every one. */
  accepts?(event: OutboxEvent): boolean
}

/** A reader inside the database: its writes and its position are one transaction, so that it receives each event exactly once. */
export type BatchReader = NamedReader & { handleBatch(events: readonly OutboxEvent[], tx: Tx): Promise<void> }

/**
 * A reader outside the database: it receives each event at least once. The last ones are delivered a second time if its node died before
 * its position was stored.
 */
export type Receiver = NamedReader & {
  /** @param signal fires when the service stops, or after DELIVERY_TIMEOUT_MS milliseconds: the delivery then counts as failed */
  deliver(event: OutboxEvent, signal: AbortSignal): Promise<void>
}

/**
 * A reader of events. It receives them in the order of their positions, on one node at a time. If it throws, it receives the same event again
 * after a backoff, and nothing else until then. Other readers continue.
 */
export type EventReader = BatchReader | Receiver

/** Maximum time of one delivery, in milliseconds. */
export const DELIVERY_TIMEOUT_MS = 10_000
/** Milliseconds that a node holds a reader without renewing its lease: no delivery is started that could outlast it. */
const LEASE_MS = 15_000
/** Milliseconds of deliveries after which the reader's position is stored. */
const RENEW_INTERVAL_MS = 1_000
/** Milliseconds between polls without a notification. */
const POLL_INTERVAL_MS = 1_000
/** The minimum time between two rounds of numbering, in milliseconds; the pause is at least as long as the last round. */
const NUMBERING_PAUSE_MS = 20
/** The same while there are no readers here: numbering many events together costs less. */
const IDLE_NUMBERING_PAUSE_MS = 1_000
/** Maximum number of events numbered in one statement, and read in one batch. */
const NUMBERING_BATCH_SIZE = 5_000
const READ_BATCH_SIZE = 200
/** The maximum backoff after a failure, in seconds. */
const MAX_RETRY_DELAY_SECONDS = 600
/** Milliseconds that deliveries in progress have to end when the service stops. */
const STOP_TIMEOUT_MS = 4_000

/** Stores an event for objects of a table, which are locked. @param kind its name, such as `purchaseorder.placed` */
export const buildEventStatement = (model: string, keys: readonly number[], kind: string): Statement => ({
  text: 'select emit_event($1, key, $3) from unnest($2::integer[]) key',
  values: [model, keys, kind],
})

type Options = {
  database: Database
  maintenance: Pick<Maintenance, 'requireAvailable'>
  log: Logger
}

/** Numbers committed events and delivers them to their readers (ADR 0029). Every node that runs background work does both. */
export class Events {
  readonly #options: Options
  readonly #node = randomUUID()
  readonly #stopping = new AbortController()
  #readers: readonly EventReader[] = []
  /** The running rounds of the readers on this node, by name. */
  readonly #rounds = new Map<string, Promise<void>>()
  #timer: NodeJS.Timeout | undefined
  #numbering: Promise<void> | undefined
  #polling: Promise<void> | undefined
  /** Whether another transaction committed while events were being numbered. */
  #shouldNumber = false
  #shouldPoll = false

  constructor(options: Options) {
    this.#options = options
  }

  /** Starts the work. */
  start(): void {
    this.#timer = setInterval(() => {
      this.handleCommit()
      this.wake()
    }, POLL_INTERVAL_MS).unref()
    this.handleCommit()
    this.wake()
  }

  /** Sets the readers on this node from now on. The position of a reader stays stored when it is left out. */
  async setReaders(readers: readonly EventReader[]): Promise<void> {
    this.#readers = readers
    const { database } = this.#options
    const names = readers.map(({ name }) => name)
    const fromNewNames = `from unnest($1::text[]) name where not exists (select from event_reader reader where reader.name = name.name)`
    const isNew = (await database.read({ text: `select ${fromNewNames} limit 1`, values: [names] })).length > 0
    if (isNew) {
      // numbers the existing events first, so that a new reader begins after them
      while ((await numberEvents(database)) === NUMBERING_BATCH_SIZE);
      await database.read({
        text: `insert into event_reader (name, position)
          select name, coalesce((select max(position) from event where position is not null), 0) ${fromNewNames} on conflict do nothing`,
        values: [names],
      })
    }
    this.wake()
  }

  /** Called after a commit on this node, which may have stored events. */
  handleCommit(): void {
    if (!this.#timer) return
    this.#shouldNumber = true
    this.#numbering ??= this.#number().finally(() => {
      this.#numbering = undefined
    })
  }

  /** Checks for events to be read. */
  wake(): void {
    if (!this.#timer || this.#readers.length === 0) return
    this.#shouldPoll = true
    this.#polling ??= this.#poll().finally(() => {
      this.#polling = undefined
    })
  }

  /** Stops the work: a delivery in progress has a few seconds to end. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#stopping.abort()
    const abortController = new AbortController()
    const all = Promise.all([this.#numbering, this.#polling, ...this.#rounds.values()])
    await Promise.race([all, pause(STOP_TIMEOUT_MS, undefined, { signal: abortController.signal }).catch(() => {})])
    abortController.abort()
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted
  }

  async #number(): Promise<void> {
    while (this.#shouldNumber && !this.#isStopped) {
      this.#shouldNumber = false
      const startTime = performance.now()
      try {
        const text = 'select number_events($1) as count'
        const [numbered] = await this.#options.database.read<{ count: number }>({
          text,
          values: [NUMBERING_BATCH_SIZE],
          name: 'number_events',
        })
        if (numbered?.count === NUMBERING_BATCH_SIZE) this.#shouldNumber = true
      } catch (error) {
        this.#logFailure(error, 'could not number events')
      }
      const pauseMs = this.#readers.length > 0 ? NUMBERING_PAUSE_MS : IDLE_NUMBERING_PAUSE_MS
      await pause(Math.max(pauseMs, performance.now() - startTime), undefined, { signal: this.#stopping.signal }).catch(() => {})
    }
  }

  /** Starts a round of every reader that has events to read, and is not served elsewhere. */
  async #poll(): Promise<void> {
    while (this.#shouldPoll && !this.#isStopped) {
      this.#shouldPoll = false
      try {
        const names = this.#readers.map(({ name }) => name).filter((name) => !this.#rounds.has(name))
        const due = await this.#options.database.read<{ name: string }>({
          text: `select name from event_reader reader where name = any($1) and ${IS_DUE_SQL}
            and exists (select from event where event.position > reader.position)`,
          values: [names],
          name: 'due_readers',
        })
        for (const { name } of due) {
          const reader = this.#readers.find((candidate) => candidate.name === name)
          if (reader) this.#startReader(reader)
        }
      } catch (error) {
        this.#logFailure(error, 'could not look for event listeners')
      }
    }
  }

  #startReader(reader: EventReader): void {
    if (this.#rounds.has(reader.name)) return
    const round = ('handleBatch' in reader ? this.#deliverBatch(reader) : this.#deliver(reader))
      .catch((error) => {
        this.#logFailure(error, 'could not read events')
        return false
      })
      .then((isServedHere) => {
        this.#rounds.delete(reader.name)
        // for events that arrived after it had read to the end; a reader served elsewhere is handled there
        if (isServedHere) this.wake()
      })
    this.#rounds.set(reader.name, round)
  }

  #logFailure(error: unknown, failedAction: string): void {
    if (!this.#isStopped) this.#options.log.warn({ err: error }, failedAction)
  }

  /** Runs a round of a reader inside the database. Returns false if it is served elsewhere. */
  async #deliverBatch(reader: BatchReader): Promise<boolean> {
    const { database, maintenance } = this.#options
    let isServedHere = false
    for (let more = true; more && !this.#isStopped; ) {
      await maintenance.requireAvailable()
      try {
        const deliveredCount = await database.transaction((tx) => deliverBatch(reader, tx))
        isServedHere ||= deliveredCount !== undefined
        more = deliveredCount !== undefined && deliveredCount > 0
      } catch (error) {
        await this.#recordFailure(reader, error)
        return true
      }
    }
    return isServedHere
  }

  /** Runs a round of a reader outside the database. Returns false if it is served elsewhere. */
  async #deliver(reader: Receiver): Promise<boolean> {
    const { database, maintenance } = this.#options
    await maintenance.requireAvailable()
    const lease = await ReaderLease.acquire(database, reader.name, this.#node)
    if (!lease) return false
    try {
      for (;;) {
        const events = await readEvents(
          (text, values) => database.read({ text, values, name: 'read_events' }),
          lease.position,
          READ_BATCH_SIZE,
        )
        for (const event of events) {
          if (this.#isStopped || (lease.age > RENEW_INTERVAL_MS && !(await lease.renew()))) break
          if (reader.accepts?.(event) ?? true) await this.#deliverOne(reader, event)
          lease.position = event.position
        }
        if (events.length === 0 || this.#isStopped || !(await lease.renew())) break
        await maintenance.requireAvailable()
      }
    } catch (error) {
      if (this.#isStopped) return true
      await lease.renew()
      await this.#recordFailure(reader, error)
    } finally {
      await lease.release()
    }
    return true
  }

  /** @throws Error when it fails, times out, or the service stops */
  async #deliverOne(reader: Receiver, event: OutboxEvent): Promise<void> {
    const abortController = new AbortController()
    const abortDelivery = () => abortController.abort()
    const failure = Promise.withResolvers<never>()
    abortController.signal.addEventListener('abort', () =>
      failure.reject(new Error(`it did not complete within ${DELIVERY_TIMEOUT_MS / 1000} seconds`)),
    )
    const timer = setTimeout(abortDelivery, DELIVERY_TIMEOUT_MS)
    this.#stopping.signal.addEventListener('abort', abortDelivery, { once: true })
    try {
      await Promise.race([reader.deliver(event, abortController.signal), failure.promise])
    } finally {
      clearTimeout(timer)
      this.#stopping.signal.removeEventListener('abort', abortDelivery)
    }
  }

  async #recordFailure({ name }: EventReader, error: unknown): Promise<void> {
    const problem = (error as Error).message.slice(0, 500)
    const [updated] = await this.#options.database.read<{ failures: number }>({
      text: `update event_reader set failures = failures + 1, problem = $2,
          retry_at = now() + make_interval(secs => least(power(2, least(failures, 20)), $3))
        where name = $1 returning failures`,
      values: [name, problem, MAX_RETRY_DELAY_SECONDS],
    })
    this.#options.log.warn(
      { reader: name, failures: updated?.failures, err: error },
      'an event listener failed and will be retried',
    )
  }
}

/** Assigns positions to one batch of committed events. Returns their number. */
async function numberEvents(database: Database): Promise<number> {
  const statement = { text: 'select number_events($1) as count', values: [NUMBERING_BATCH_SIZE], name: 'number_events' }
  const [numbered] = await database.read<{ count: number }>(statement)
  return numbered?.count ?? 0
}

/** Whether no node serves a reader, and it is not waiting after a failure. */
const IS_DUE_SQL = '(held_until is null or held_until < now()) and (retry_at is null or retry_at <= now())'

/** Sets its position: a reader that received further events has no failures any more. */
const ADVANCE_SQL = 'position = $2, failures = case when position < $2 then 0 else failures end, problem = null, retry_at = null'

type Read = (text: string, values: unknown[]) => Promise<Record<string, any>[]>

/** The events after a position, in order. */
async function readEvents(read: Read, position: number, limit: number): Promise<OutboxEvent[]> {
  const rows = await read(
    `select position, model, key, kind, account, extract(epoch from created) * 1000 as created
     from event where position > $1 order by position limit $2`,
    [position, limit],
  )
  return rows.map((row) => ({ ...row, position: Number(row.position), created: new Date(Number(row.created)) }) as OutboxEvent)
}

/**
 * Delivers the next events to a reader, in the transaction that stores its position; after a failure only one event, so that those before
 * the failing one are delivered. Returns their number; undefined if the reader is served elsewhere, or waits.
 */
async function deliverBatch(reader: BatchReader, tx: Tx): Promise<number | undefined> {
  const row = await tx.first<{ position: string; failures: number }>(
    `select position, failures from event_reader where name = $1 and ${IS_DUE_SQL} for update skip locked`,
    [reader.name],
  )
  if (!row) return undefined
  const events = await readEvents(queryWithin(tx), Number(row.position), row.failures > 0 ? 1 : READ_BATCH_SIZE)
  const last = events.at(-1)
  if (!last) return 0
  const acceptedEvents = reader.accepts ? events.filter((event) => reader.accepts?.(event)) : events
  if (acceptedEvents.length > 0) await reader.handleBatch(acceptedEvents, tx)
  await tx.query(`update event_reader set ${ADVANCE_SQL} where name = $1`, [reader.name, last.position])
  return events.length
}

/** The exclusive hold of a node on a reader: a lease in the database, which expires by itself if the node dies. */
class ReaderLease {
  readonly #database: Database
  readonly #name: string
  readonly #node: string
  /** The last event that it received. */
  position: number
  /** The time when the lease was requested or renewed, by the clock of `performance.now()`. */
  #since: number

  private constructor(database: Database, name: string, node: string, position: number, since: number) {
    this.#database = database
    this.#name = name
    this.#node = node
    this.position = position
    this.#since = since
  }

  /** Returns undefined if another node has the reader, or it waits after a failure. */
  static async acquire(database: Database, name: string, node: string): Promise<ReaderLease | undefined> {
    const since = performance.now()
    const [row] = await database.read<{ position: string }>({
      text: `update event_reader set holder = $2, held_until = now() + make_interval(secs => $3)
        where name = $1 and ${IS_DUE_SQL} returning position`,
      values: [name, node, LEASE_MS / 1000],
    })
    return row && new ReaderLease(database, name, node, Number(row.position), since)
  }

  /** Milliseconds since the lease was last taken or renewed. */
  get age(): number {
    return performance.now() - this.#since
  }

  /** Stores the reader's position, and renews the lease. Returns false if the lease was lost: another node serves the reader. */
  async renew(): Promise<boolean> {
    const since = performance.now()
    const renewedRows = await this.#database.read({
      text: `update event_reader set ${ADVANCE_SQL}, held_until = now() + make_interval(secs => $4)
        where name = $1 and holder = $3 and held_until > now() returning 1`,
      values: [this.#name, this.position, this.#node, LEASE_MS / 1000],
    })
    this.#since = since
    return renewedRows.length > 0
  }

  async release(): Promise<void> {
    await this.#database.read({
      text: `update event_reader set position = $2, holder = null, held_until = null
        where name = $1 and holder = $3 and held_until > now()`,
      values: [this.#name, this.position, this.#node],
    })
  }
}
