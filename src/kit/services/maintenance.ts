import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Problem } from '../request/problem.ts'
import { requestErrors } from '../request/request-errors.ts'
import type { Database, Tx } from '../sql/tx.ts'

/** Channel that tells nodes for how many more milliseconds to reject requests. */
export const MAINTENANCE_CHANNEL = 'maintenance'

/** Milliseconds that a lease outlives its holder, and the interval at which its holder renews it. */
const LEASE_MS = 10_000
const RENEW = 2_000
/** Seconds after which clients may retry. */
const RETRY_AFTER = '2'

/** The exclusive right to have other requests rejected. */
export type Lease = {
  /** Fires when it is lost: its holder must stop. */
  signal: AbortSignal
  /**
   * Called in a transaction that requires the lease.
   * @throws Problem 503 when it is lost
   */
  requireIn(tx: Tx): Promise<void>
}

/**
 * Rejects all requests with 503, on every node, during work whose intermediate state they must not see. It is a lease in the database,
 * which its holder renews, and which expires soon after its holder dies. Nodes are notified of it; they query it only while they receive no
 * notifications.
 */
export class Maintenance {
  readonly #database: Database
  /** Whether notifications are being received. */
  readonly #isListening: () => boolean
  /** Time until which requests are rejected, by the clock of `performance.now()`. */
  #until = 0

  constructor(database: Database, isListening: () => boolean) {
    this.#database = database
    this.#isListening = isListening
  }

  /**
   * Called before every request. Returns a promise if the database has to be queried.
   * @throws Problem 503
   */
  pass(): Promise<void> | undefined {
    if (!this.#isListening()) return this.reload().then(() => this.#rejectIfBusy())
    this.#rejectIfBusy()
    return undefined
  }

  #rejectIfBusy(): void {
    if (performance.now() < this.#until) throw busy()
  }

  /** Handles a notification that maintenance begins, continues or ends, on any node. */
  handleNotification(payload: string): void {
    this.#wait(Number(payload) || 0)
  }

  #wait(milliseconds: number): void {
    this.#until = performance.now() + milliseconds
  }

  /** Reads the current state. */
  async reload(): Promise<void> {
    const text = 'select ceil(extract(epoch from until - clock_timestamp()) * 1000)::int as left from maintenance'
    const [row] = await this.#database.read<{ left: number }>({ text, values: [] })
    this.#wait(Math.max(0, row?.left ?? 0))
  }

  /**
   * Runs work while all other requests are rejected.
   * @throws Problem 503 when other maintenance is in progress
   */
  async hold<T>(work: (lease: Lease) => Promise<T>): Promise<T> {
    const holder = randomUUID()
    if (!(await this.#acquire(holder))) throw busy()
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

  async #acquire(holder: string): Promise<boolean> {
    const isAcquired = await this.#announcing(
      `insert into maintenance (pk, holder, until) values (1, $1, clock_timestamp() + $2 * interval '1 ms')
       on conflict (pk) do update set holder = excluded.holder, until = excluded.until
       where maintenance.until <= clock_timestamp() returning 1`,
      holder,
    )
    if (isAcquired) this.#wait(LEASE_MS)
    return isAcquired
  }

  async #keepRenewing(holder: string, lost: AbortController, over: AbortSignal): Promise<void> {
    for (let renewed = performance.now(); ; ) {
      await pause(RENEW, undefined, { signal: over, ref: false }).catch(() => undefined)
      if (over.aborted) return
      const began = performance.now()
      // a short loss of the database does no harm while the lease lasts
      const isHeld = await this.#renew(holder).catch(() => undefined)
      if (isHeld) renewed = began
      if (isHeld === false || performance.now() - renewed > LEASE_MS - RENEW) return lost.abort()
    }
  }

  #renew(holder: string): Promise<boolean> {
    return this.#announcing(
      `update maintenance set until = clock_timestamp() + $2 * interval '1 ms'
       where holder = $1 and until > clock_timestamp() returning 1`,
      holder,
    )
  }

  /** Changes the lease, and notifies all nodes. */
  async #announcing(change: string, holder: string): Promise<boolean> {
    const text = `with changed as (${change}) select pg_notify('${MAINTENANCE_CHANNEL}', $2::int::text) from changed`
    return (await this.#database.execute(text, [holder, LEASE_MS])).rows.length > 0
  }

  /** Releases the lease; if that fails it expires by itself. */
  async #release(holder: string): Promise<void> {
    const text = `with ended as (delete from maintenance where holder = $1 returning 1) select pg_notify('${MAINTENANCE_CHANNEL}', '0') from ended`
    const { rows } = await this.#database.execute(text, [holder]).catch(() => ({ rows: [] }))
    if (rows.length > 0) this.#wait(0)
  }
}

async function requireLease(tx: Tx, holder: string): Promise<void> {
  const leaseRow = await tx.first('select 1 from maintenance where holder = $1 and until > clock_timestamp() for no key update', [
    holder,
  ])
  if (!leaseRow) throw busy()
}

const busy = () => new Problem('unavailable', requestErrors.service_changing, { 'retry-after': RETRY_AFTER })
