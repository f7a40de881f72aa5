// Over 400 lines: how events are numbered, and how they reach their readers in that order, stands here in one place.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Statement } from '../../database/text-query.ts'
import { within } from '../sql/run-query.ts'
import type { Database, Tx } from '../sql/tx.ts'
import type { Maintenance } from './maintenance.ts'

/** The channel on which nodes hear that there are events to be read. */
export const EVENTS_CHANNEL = 'events'

/** Something that happened to an object, and was committed. Never what was written. */
export type OutboxEvent = {
  /** Its place in the order in which all readers see events. */
  position: number
  /** The table of the object, such as `purchase_order`, and its key there. */
  model: string
  key: number
  /** `created`, `saved`, `deleted`; or the name of what was done, such as `purchaseorder.placed`. */
  kind: string
  /** The account that did it, where anyone is known; it may be gone since. */
  account: number | null
  created: Date
}

type Named = {
  /** What it is known by in the database, for ever. A new reader begins with what happens from then on. */
  name: string
  /** Whether it wants this event; by default every one. */
  wants?(event: OutboxEvent): boolean
}

/** Reads inside the database: what it writes and that it had the events is one transaction, so that it has each exactly once. */
export type Taker = Named & { take(events: readonly OutboxEvent[], tx: Tx): Promise<void> }

/**
 * Reads outside of it: it has each event at least once. It is called again for the last ones when its node died before the database
 * knew that it had them.
 */
export type Receiver = Named & {
  /** @param signal fires when the service ends, or after DELIVERY_TIMEOUT_MS milliseconds: it failed then */
  deliver(event: OutboxEvent, signal: AbortSignal): Promise<void>
}

/**
 * Who reads events: in the order of their positions, never on two nodes at once. One that throws gets the same event again after a
 * pause that grows with each failure, and nothing else until then. Other readers go on.
 */
export type EventReader = Taker | Receiver

/** Milliseconds that one delivery may take. */
export const DELIVERY_TIMEOUT_MS = 10_000
/** Milliseconds that a node has a reader without saying anew that it has it: no delivery is begun that could outlast it. */
const LEASE = 15_000
/** Milliseconds of deliveries after which the database is told how far the reader has come. */
const TELL = 1_000
/** Milliseconds from one look that nothing caused to the next. */
const POLLING = 1_000
/** The shortest time between two rounds of numbering, in milliseconds; it rests at least as long as the last one took. */
const REST = 20
/** The same while nobody reads here: it costs less for many events at once. */
const LONG_REST = 1_000
/** How many events are numbered in one statement, and how many are read at once. */
const NUMBERED = 5_000
const BATCH = 200
/** The longest pause after a failure, in seconds. */
const LONGEST_PAUSE = 600
/** How long deliveries in progress may take to end when the service stops, in milliseconds. */
const PATIENCE_AT_STOP = 4_000

/** Stores an event of objects of a table, which are locked. @param kind its name, such as `purchaseorder.placed` */
export const eventWrite = (model: string, keys: readonly number[], kind: string): Statement => ({
  text: 'select say_event($1, key, $3) from unnest($2::integer[]) key',
  values: [model, keys, kind],
})

type Options = {
  database: Database
  maintenance: Pick<Maintenance, 'pass'>
  log: Logger
}

/** Numbers committed events and brings them to their readers (ADR 0029). Every node that works does both. */
export class Events {
  readonly #options: Options
  readonly #node = randomUUID()
  readonly #stopping = new AbortController()
  #readers: readonly EventReader[] = []
  /** The rounds of the readers that are at work here, by name. */
  readonly #rounds = new Map<string, Promise<void>>()
  #timer: NodeJS.Timeout | undefined
  #numbering: Promise<void> | undefined
  #looking: Promise<void> | undefined
  /** Something happened while it was being looked. */
  #isToNumber = false
  #isToLook = false

  constructor(options: Options) {
    this.#options = options
  }

  /** Begins to work. */
  start(): void {
    this.#timer = setInterval(() => {
      this.committed()
      this.wake()
    }, POLLING).unref()
    this.committed()
    this.wake()
  }

  /** Says who reads on this node from now on. What a reader has had stays known when it is left out. */
  async serve(readers: readonly EventReader[]): Promise<void> {
    this.#readers = readers
    const { database } = this.#options
    const names = readers.map(({ name }) => name)
    const begin = `from unnest($1::text[]) name where not exists (select from event_reader reader where reader.name = name.name)`
    const isNew = (await database.read({ text: `select ${begin} limit 1`, values: [names] })).length > 0
    if (isNew) {
      // what happened before a reader was there has its place then
      while ((await numberEvents(database)) === NUMBERED);
      await database.read({
        text: `insert into event_reader (name, position)
          select name, coalesce((select max(position) from event where position is not null), 0) ${begin} on conflict do nothing`,
        values: [names],
      })
    }
    this.wake()
  }

  /** A transaction was committed on this node: perhaps it left events. */
  committed(): void {
    if (!this.#timer) return
    this.#isToNumber = true
    this.#numbering ??= this.#number().finally(() => {
      this.#numbering = undefined
    })
  }

  /** There are events to be read, perhaps. */
  wake(): void {
    if (!this.#timer || this.#readers.length === 0) return
    this.#isToLook = true
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
  }

  /** Ends the work: a delivery in progress may end in a few seconds. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#stopping.abort()
    const over = new AbortController()
    const all = Promise.all([this.#numbering, this.#looking, ...this.#rounds.values()])
    await Promise.race([all, pause(PATIENCE_AT_STOP, undefined, { signal: over.signal }).catch(() => {})])
    over.abort()
  }

  get #isOver(): boolean {
    return this.#stopping.signal.aborted
  }

  async #number(): Promise<void> {
    while (this.#isToNumber && !this.#isOver) {
      this.#isToNumber = false
      const began = performance.now()
      try {
        const text = 'select number_events($1) as count'
        const [numbered] = await this.#options.database.read<{ count: number }>({
          text,
          values: [NUMBERED],
          name: 'number_events',
        })
        if (numbered?.count === NUMBERED) this.#isToNumber = true
      } catch (error) {
        this.#failed(error, 'could not number events')
      }
      const rest = this.#readers.length > 0 ? REST : LONG_REST
      await pause(Math.max(rest, performance.now() - began), undefined, { signal: this.#stopping.signal }).catch(() => {})
    }
  }

  /** Begins a round of every reader that has something to read, and is at work nowhere. */
  async #look(): Promise<void> {
    while (this.#isToLook && !this.#isOver) {
      this.#isToLook = false
      try {
        const names = this.#readers.map(({ name }) => name).filter((name) => !this.#rounds.has(name))
        const due = await this.#options.database.read<{ name: string }>({
          text: `select name from event_reader reader where name = any($1) and ${IS_DUE}
            and exists (select from event where event.position > reader.position)`,
          values: [names],
          name: 'due_readers',
        })
        for (const { name } of due) {
          const reader = this.#readers.find((one) => one.name === name)
          if (reader) this.#begin(reader)
        }
      } catch (error) {
        this.#failed(error, 'could not look for event listeners')
      }
    }
  }

  #begin(reader: EventReader): void {
    if (this.#rounds.has(reader.name)) return
    const round = ('take' in reader ? this.#give(reader) : this.#deliver(reader))
      .catch((error) => {
        this.#failed(error, 'could not read events')
        return false
      })
      .then((hadIt) => {
        this.#rounds.delete(reader.name)
        // what came when it had read to the end; who is at work elsewhere will see to it there
        if (hadIt) this.wake()
      })
    this.#rounds.set(reader.name, round)
  }

  #failed(error: unknown, what: string): void {
    if (!this.#isOver) this.#options.log.warn({ err: error }, what)
  }

  /** A round of a reader inside the database. False when it is at work elsewhere. */
  async #give(reader: Taker): Promise<boolean> {
    const { database, maintenance } = this.#options
    let hadIt = false
    for (let more = true; more && !this.#isOver; ) {
      await maintenance.pass()
      try {
        const given = await database.transaction((tx) => giveBatch(reader, tx))
        hadIt ||= given !== undefined
        more = given !== undefined && given > 0
      } catch (error) {
        await this.#noteFailure(reader, error)
        return true
      }
    }
    return hadIt
  }

  /** A round of a reader outside of the database. False when it is at work elsewhere. */
  async #deliver(reader: Receiver): Promise<boolean> {
    const { database, maintenance } = this.#options
    await maintenance.pass()
    const hold = await Hold.take(database, reader.name, this.#node)
    if (!hold) return false
    try {
      for (;;) {
        const events = await readEvents(
          (text, values) => database.read({ text, values, name: 'read_events' }),
          hold.position,
          BATCH,
        )
        for (const event of events) {
          if (this.#isOver || (hold.age > TELL && !(await hold.tell()))) break
          if (reader.wants?.(event) ?? true) await this.#deliverOne(reader, event)
          hold.position = event.position
        }
        if (events.length === 0 || this.#isOver || !(await hold.tell())) break
        await maintenance.pass()
      }
    } catch (error) {
      if (this.#isOver) return true
      await hold.tell()
      await this.#noteFailure(reader, error)
    } finally {
      await hold.release()
    }
    return true
  }

  /** @throws Error when it fails, is late, or the service ends */
  async #deliverOne(reader: Receiver, event: OutboxEvent): Promise<void> {
    const over = new AbortController()
    const end = () => over.abort()
    const late = Promise.withResolvers<never>()
    over.signal.addEventListener('abort', () =>
      late.reject(new Error(`it did not complete within ${DELIVERY_TIMEOUT_MS / 1000} seconds`)),
    )
    const timer = setTimeout(end, DELIVERY_TIMEOUT_MS)
    this.#stopping.signal.addEventListener('abort', end, { once: true })
    try {
      await Promise.race([reader.deliver(event, over.signal), late.promise])
    } finally {
      clearTimeout(timer)
      this.#stopping.signal.removeEventListener('abort', end)
    }
  }

  async #noteFailure({ name }: EventReader, error: unknown): Promise<void> {
    const problem = (error as Error).message.slice(0, 500)
    const [noted] = await this.#options.database.read<{ failures: number }>({
      text: `update event_reader set failures = failures + 1, problem = $2,
          retry_at = now() + make_interval(secs => least(power(2, least(failures, 20)), $3))
        where name = $1 returning failures`,
      values: [name, problem, LONGEST_PAUSE],
    })
    this.#options.log.warn(
      { reader: name, failures: noted?.failures, err: error },
      'an event listener failed and will be retried',
    )
  }
}

/** Gives committed events their positions, at most NUMBERED. Gives how many they were. */
async function numberEvents(database: Database): Promise<number> {
  const statement = { text: 'select number_events($1) as count', values: [NUMBERED], name: 'number_events' }
  const [numbered] = await database.read<{ count: number }>(statement)
  return numbered?.count ?? 0
}

/** Whether nobody is at work for a reader, and it is not to wait after a failure. */
const IS_DUE = '(held_until is null or held_until < now()) and (retry_at is null or retry_at <= now())'

/** How far it has come: who had something more fails no more. */
const HAD = 'position = $2, failures = case when position < $2 then 0 else failures end, problem = null, retry_at = null'

type Read = (text: string, values: unknown[]) => Promise<Record<string, any>[]>

/** The events that follow a position, in their order. */
async function readEvents(read: Read, position: number, most: number): Promise<OutboxEvent[]> {
  const rows = await read(
    `select position, model, key, kind, account, extract(epoch from created) * 1000 as created
     from event where position > $1 order by position limit $2`,
    [position, most],
  )
  return rows.map((row) => ({ ...row, position: Number(row.position), created: new Date(Number(row.created)) }) as OutboxEvent)
}

/**
 * Gives a reader what comes next, in the transaction in which it had it; after a failure one event alone, so that those before the one at
 * which it fails are had. Gives how many there were; undefined when the reader is at work elsewhere, or waits.
 */
async function giveBatch(reader: Taker, tx: Tx): Promise<number | undefined> {
  const row = await tx.first<{ position: string; failures: number }>(
    `select position, failures from event_reader where name = $1 and ${IS_DUE} for update skip locked`,
    [reader.name],
  )
  if (!row) return undefined
  const events = await readEvents(within(tx), Number(row.position), row.failures > 0 ? 1 : BATCH)
  const last = events.at(-1)
  if (!last) return 0
  const wanted = reader.wants ? events.filter((event) => reader.wants?.(event)) : events
  if (wanted.length > 0) await reader.take(wanted, tx)
  await tx.query(`update event_reader set ${HAD} where name = $1`, [reader.name, last.position])
  return events.length
}

/** That a node, and no other, is at work for a reader: a lease in the database, which ends by itself when the node dies. */
class Hold {
  readonly #database: Database
  readonly #name: string
  readonly #node: string
  /** The last event that it had. */
  position: number
  /** When the lease was asked for or told anew, by the clock of `performance.now()`. */
  #since: number

  private constructor(database: Database, name: string, node: string, position: number, since: number) {
    this.#database = database
    this.#name = name
    this.#node = node
    this.position = position
    this.#since = since
  }

  /** Undefined when another node has it, or it waits after a failure. */
  static async take(database: Database, name: string, node: string): Promise<Hold | undefined> {
    const since = performance.now()
    const [row] = await database.read<{ position: string }>({
      text: `update event_reader set holder = $2, held_until = now() + make_interval(secs => $3)
        where name = $1 and ${IS_DUE} returning position`,
      values: [name, node, LEASE / 1000],
    })
    return row && new Hold(database, name, node, Number(row.position), since)
  }

  /** Milliseconds since the lease was last taken or told. */
  get age(): number {
    return performance.now() - this.#since
  }

  /** Tells how far the reader has come, and keeps the lease. False when it was lost: another node is at work. */
  async tell(): Promise<boolean> {
    const since = performance.now()
    const kept = await this.#database.read({
      text: `update event_reader set ${HAD}, held_until = now() + make_interval(secs => $4)
        where name = $1 and holder = $3 and held_until > now() returning 1`,
      values: [this.#name, this.position, this.#node, LEASE / 1000],
    })
    this.#since = since
    return kept.length > 0
  }

  async release(): Promise<void> {
    await this.#database.read({
      text: `update event_reader set position = $2, holder = null, held_until = null
        where name = $1 and holder = $3 and held_until > now()`,
      values: [this.#name, this.position, this.#node],
    })
  }
}
