import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Problem } from '../request/problem.ts'
import { requestErrors } from '../request/request-errors.ts'
import type { Database, Tx } from '../sql/tx.ts'

/** Channel on which nodes hear for how many milliseconds they have to wait still. */
export const MAINTENANCE_CHANNEL = 'maintenance'

/** Milliseconds that a lease outlives its holder, and after which its holder renews it. */
const LEASE = 10_000
const RENEW = 2_000
/** Seconds after which clients may ask again. */
const RETRY_AFTER = '2'

/** The right to keep other requests waiting, while somebody has it. */
export type Lease = {
  /** Fires when it is lost: whoever has it must not go on. */
  signal: AbortSignal
  /**
   * To be called in a transaction that must not be made without it.
   * @throws Problem 503 when it is lost
   */
  requireIn(tx: Tx): Promise<void>
}

/**
 * Keeps all requests waiting, on every node, while something is done that they must not see half done. It is a lease in the database,
 * which its holder renews, and which ends soon after its holder died. Nodes hear of it; they ask only while they hear nothing.
 */
export class Maintenance {
  readonly #database: Database
  /** Whether changes are being heard. */
  readonly #hears: () => boolean
  /** Until when requests wait, by the clock of `performance.now()`. */
  #until = 0

  constructor(database: Database, hears: () => boolean) {
    this.#database = database
    this.#hears = hears
  }

  /**
   * Stands before every request. Gives a promise where it has to be looked for.
   * @throws Problem 503
   */
  pass(): Promise<void> | undefined {
    if (!this.#hears()) return this.reload().then(() => this.#refuse())
    this.#refuse()
    return undefined
  }

  #refuse(): void {
    if (performance.now() < this.#until) throw busy()
  }

  /** Another node, or this one, begins, goes on or ends. */
  heard(payload: string): void {
    this.#wait(Number(payload) || 0)
  }

  #wait(milliseconds: number): void {
    this.#until = performance.now() + milliseconds
  }

  /** Reads how it stands. */
  async reload(): Promise<void> {
    const text = 'select ceil(extract(epoch from until - clock_timestamp()) * 1000)::int as left from maintenance'
    const [row] = await this.#database.read<{ left: number }>({ text, values: [] })
    this.#wait(Math.max(0, row?.left ?? 0))
  }

  /**
   * Does something while all other requests wait.
   * @throws Problem 503 when something else is being done already
   */
  async hold<T>(work: (lease: Lease) => Promise<T>): Promise<T> {
    const holder = randomUUID()
    if (!(await this.#take(holder))) throw busy()
    const lost = new AbortController()
    const over = new AbortController()
    const renewing = this.#keepRenewing(holder, lost, over.signal)
    try {
      return await work({ signal: lost.signal, requireIn: (tx) => requireLease(tx, holder) })
    } finally {
      over.abort()
      await renewing
      await this.#release(holder)
    }
  }

  async #take(holder: string): Promise<boolean> {
    const taken = await this.#announcing(
      `insert into maintenance (pk, holder, until) values (1, $1, clock_timestamp() + $2 * interval '1 ms')
       on conflict (pk) do update set holder = excluded.holder, until = excluded.until
       where maintenance.until <= clock_timestamp() returning 1`,
      holder,
    )
    if (taken) this.#wait(LEASE)
    return taken
  }

  async #keepRenewing(holder: string, lost: AbortController, over: AbortSignal): Promise<void> {
    for (let renewed = performance.now(); ; ) {
      await pause(RENEW, undefined, { signal: over, ref: false }).catch(() => undefined)
      if (over.aborted) return
      const began = performance.now()
      // a database that cannot be reached for a moment costs nothing, as long as the lease lasts
      const isHeld = await this.#renew(holder).catch(() => undefined)
      if (isHeld) renewed = began
      if (isHeld === false || performance.now() - renewed > LEASE - RENEW) return lost.abort()
    }
  }

  #renew(holder: string): Promise<boolean> {
    return this.#announcing(
      `update maintenance set until = clock_timestamp() + $2 * interval '1 ms'
       where holder = $1 and until > clock_timestamp() returning 1`,
      holder,
    )
  }

  /** Changes the lease, and tells all nodes when it is so. */
  async #announcing(change: string, holder: string): Promise<boolean> {
    const text = `with changed as (${change}) select pg_notify('${MAINTENANCE_CHANNEL}', $2::int::text) from changed`
    return (await this.#database.execute(text, [holder, LEASE])).rows.length > 0
  }

  /** What cannot be released ends by itself. */
  async #release(holder: string): Promise<void> {
    const text = `with ended as (delete from maintenance where holder = $1 returning 1) select pg_notify('${MAINTENANCE_CHANNEL}', '0') from ended`
    const { rows } = await this.#database.execute(text, [holder]).catch(() => ({ rows: [] }))
    if (rows.length > 0) this.#wait(0)
  }
}

async function requireLease(tx: Tx, holder: string): Promise<void> {
  const held = await tx.first('select 1 from maintenance where holder = $1 and until > clock_timestamp() for no key update', [
    holder,
  ])
  if (!held) throw busy()
}

const busy = () => new Problem('unavailable', requestErrors.service_changing, { 'retry-after': RETRY_AFTER })
