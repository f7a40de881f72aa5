import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Problem } from '../request/problem.ts'
import { requestErrors } from '../request/request-errors.ts'
import type { Database, Tx } from '../sql/tx.ts'

/** The channel that notifies nodes; the payload is the number of milliseconds for which they reject requests. */
export const MAINTENANCE_CHANNEL = 'maintenance'

/** Milliseconds that a lease outlives its holder, and the interval at which its holder renews it. */
const LEASE_MS = 10_000
const RENEW_INTERVAL_MS = 2_000
/** Seconds after which clients may retry. */
const RETRY_AFTER = '2'

/** The exclusive lease during which other requests are rejected. */
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
  requireAvailable(): Promise<void> | undefined {
    if (!this.#isListening()) return this.reload().then(() => this.#rejectIfBusy())
    this.#rejectIfBusy()
    return undefined
  }

  #rejectIfBusy(): void {
    if (performance.now() < this.#until) throw busyError()
  }

  /** Handles a notification that maintenance begins, continues or ends, on any node. */
  handleNotification(payload: string): void {
    this.#rejectFor(Number(payload) || 0)
  }

  #rejectFor(milliseconds: number): void {
    this.#until = performance.now() + milliseconds
  }

  /** Reads the current state. */
  async reload(): Promise<void> {
    const text = 'select ceil(extract(epoch from until - clock_timestamp()) * 1000)::int as left from maintenance'
    const [row] = await this.#database.read<{ left: number }>({ text, values: [] })
    this.#rejectFor(Math.max(0, row?.left ?? 0))
  }

  /**
   * Runs work while all other requests are rejected.
   * @throws Problem 503 when other maintenance is in progress
   */
  async hold<T>(work: (lease: Lease) => Promise<T>): Promise<T> {
    const holder = randomUUID()
    if (!(await this.#acquire(holder))) throw busyError()
    const lost = new AbortController()
    const ended = new AbortController()
    const renewing = this.#keepRenewing(holder, lost, ended.signal)
    try {
      return await work({ signal: lost.signal, requireIn: (tx) => requireLease(tx, holder) })
    } finally {
      ended.abort()
      await renewing
      await this.#release(holder)
    }
  }

  async #acquire(holder: string): Promise<boolean> {
    const isAcquired = await this.#changeAndNotify(
      `insert into maintenance (pk, holder, until) values (1, $1, clock_timestamp() + $2 * interval '1 ms')
       on conflict (pk) do update set holder = excluded.holder, until = excluded.until
       where maintenance.until <= clock_timestamp() returning 1`,
      holder,
    )
    if (isAcquired) this.#rejectFor(LEASE_MS)
    return isAcquired
  }

  async #keepRenewing(holder: string, lost: AbortController, ended: AbortSignal): Promise<void> {
    for (let renewedAt = performance.now(); ; ) {
      await pause(RENEW_INTERVAL_MS, undefined, { signal: ended, ref: false }).catch(() => undefined)
      if (ended.aborted) return
      const startTime = performance.now()
      // a short loss of the database does no harm while the lease lasts
      const isHeld = await this.#renew(holder).catch(() => undefined)
      if (isHeld) renewedAt = startTime
      if (isHeld === false || performance.now() - renewedAt > LEASE_MS - RENEW_INTERVAL_MS) return lost.abort()
    }
  }

  #renew(holder: string): Promise<boolean> {
    return this.#changeAndNotify(
      `update maintenance set until = clock_timestamp() + $2 * interval '1 ms'
       where holder = $1 and until > clock_timestamp() returning 1`,
      holder,
    )
  }

  /** Changes the lease, and notifies all nodes. */
  async #changeAndNotify(change: string, holder: string): Promise<boolean> {
    const text = `with changed as (${change}) select pg_notify('${MAINTENANCE_CHANNEL}', $2::int::text) from changed`
    return (await this.#database.execute(text, [holder, LEASE_MS])).rows.length > 0
  }

  /** Releases the lease; if that fails it expires by itself. */
  async #release(holder: string): Promise<void> {
    const text = `with deleted as (delete from maintenance where holder = $1 returning 1) select pg_notify('${MAINTENANCE_CHANNEL}', '0') from deleted`
    const { rows } = await this.#database.execute(text, [holder]).catch(() => ({ rows: [] }))
    if (rows.length > 0) this.#rejectFor(0)
  }
}

async function requireLease(tx: Tx, holder: string): Promise<void> {
  const leaseRow = await tx.first('select 1 from maintenance where holder = $1 and until > clock_timestamp() for no key update', [
    holder,
  ])
  if (!leaseRow) throw busyError()
}

const busyError = () => new Problem('unavailable', requestErrors.service_changing, { 'retry-after': RETRY_AFTER })
