import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { FieldError } from '../kit/service/api.ts'
import { createSerialQueue } from '../kit/values/sequential-tasks.ts'

/** The action of a scan, as in `/api/barcode/batch/`. */
export type ScanAction = 'scan' | 'link' | 'receive' | 'move' | 'count' | 'remove' | 'allocate' | 'build-allocate'

/** A scan as sent: an entry of `/api/barcode/batch/`. Further fields belong to its action. */
export type ScanEntry = { id: string; time: string; action: ScanAction; barcode: string } & Record<string, unknown>

/** The response to an entry. */
export type ScanResponse = {
  id: string | null
  status: number
  history: number | null
  body: Record<string, unknown>
  /** Errors and missing fields; scans stored by an older console have none. */
  field_errors?: FieldError[]
}

/** A scan stored in the browser until the service has processed it, or the user has retried or discarded it. */
export type PendingScan = {
  /** Its position in the order of scans. */
  place: number
  account: number
  entry: ScanEntry
  /** The response, if it was not processed. */
  refused?: ScanResponse
}

/** Sends entries, and returns the responses in their order. Throws if they cannot be sent now. */
export type SendScans = (entries: readonly ScanEntry[]) => Promise<readonly ScanResponse[]>

type Store = DBSchema & {
  scan: { key: number; value: Omit<PendingScan, 'place'> & { place?: number }; indexes: { account: number } }
}

/** Maximum number of entries in one batch. */
const MAX_BATCH_ENTRIES = 250

/** Whether a scan was processed. A 200 response with `action_required` needs a decision of the user first. */
export const isDone = ({ status, body }: ScanResponse): boolean => status < 300 && body.action_required === undefined

/**
 * The scans of an account that the service has not received yet. They are stored before they are sent, survive a reload, and are retried
 * under their ID until they get a response, so that each is processed once. The store stays open until the browser closes the page, so that
 * a response that arrives after the account has signed out is still stored.
 */
export class WaitingScans {
  readonly #store: IDBPDatabase<Store>
  readonly #account: number
  readonly #onChange: () => void
  readonly #enqueue = createSerialQueue()

  private constructor(store: IDBPDatabase<Store>, account: number, onChange: () => void) {
    this.#store = store
    this.#account = account
    this.#onChange = onChange
  }

  /** @param onChange called when the scans, or the rejected ones among them, change */
  static async open(account: number, onChange: () => void): Promise<WaitingScans> {
    const store = await openDB<Store>('stockroom', 1, {
      upgrade: (database) =>
        database.createObjectStore('scan', { keyPath: 'place', autoIncrement: true }).createIndex('account', 'account'),
    })
    return new WaitingScans(store, account, onChange)
  }

  /** All of them, in order. */
  async list(): Promise<PendingScan[]> {
    return (await this.#store.getAllFromIndex('scan', 'account', this.#account)) as PendingScan[]
  }

  /** Stores a scan. */
  async add(entry: ScanEntry): Promise<void> {
    await this.#store.add('scan', { account: this.#account, entry })
    this.#onChange()
  }

  /** Deletes a scan that the user discarded. */
  async remove({ place }: PendingScan): Promise<void> {
    await this.#store.delete('scan', place)
    this.#onChange()
  }

  /** Prepares a rejected scan for a retry, under another ID and possibly with additional fields. */
  async retry(pendingScan: PendingScan, id: string, more: Record<string, unknown> = {}): Promise<void> {
    await this.#store.put('scan', {
      account: pendingScan.account,
      place: pendingScan.place,
      entry: { ...pendingScan.entry, ...more, id },
    })
    this.#onChange()
  }

  /**
   * Sends the scans without a response, and keeps those that the service rejects.
   * @returns the responses, in the order of the scans
   * @throws what `send` throws; scans whose response arrived before that are done
   */
  send(send: SendScans): Promise<[PendingScan, ScanResponse][]> {
    return this.#runExclusively(() => this.#sendAll(send))
  }

  /**
   * Deletes a scan that was not sent yet.
   * @returns false for one that was sent in the meantime
   */
  undo(id: string): Promise<boolean> {
    return this.#runExclusively(async () => {
      const pendingScan = (await this.list()).find(({ entry }) => entry.id === id)
      if (pendingScan) await this.remove(pendingScan)
      return pendingScan !== undefined
    })
  }

  /** Runs a task while no other sends, here or in another window. */
  #runExclusively<T>(run: () => Promise<T>): Promise<T> {
    return this.#enqueue(() => withExclusiveLock(`stockroom-scans-${this.#account}`, run))
  }

  async #sendAll(send: SendScans): Promise<[PendingScan, ScanResponse][]> {
    const results: [PendingScan, ScanResponse][] = []
    for (;;) {
      const next = (await this.list()).filter(({ refused }) => !refused).slice(0, MAX_BATCH_ENTRIES)
      if (next.length === 0) return results
      const responses = await send(next.map(({ entry }) => entry))
      const pairs = next.map((pendingScan, index): [PendingScan, ScanResponse] => [pendingScan, responses[index] as ScanResponse])
      await this.#storeOutcomes(pairs)
      results.push(...pairs)
    }
  }

  async #storeOutcomes(pairs: readonly [PendingScan, ScanResponse][]): Promise<void> {
    const transaction = this.#store.transaction('scan', 'readwrite')
    for (const [pendingScan, response] of pairs)
      if (isDone(response)) transaction.store.delete(pendingScan.place)
      else transaction.store.put({ ...pendingScan, refused: response })
    await transaction.done
    this.#onChange()
  }
}

/** Runs a task in one window of the browser at a time, if the browser has locks: over HTTPS, and on localhost. */
const withExclusiveLock = async <T>(name: string, run: () => Promise<T>): Promise<T> =>
  // without locks two windows may send the same scan, which is still processed once
  'locks' in navigator ? ((await navigator.locks.request(name, run)) as T) : run()
