import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { FieldError } from '../kit/service/api.ts'
import { inTurn } from '../kit/values/in-turn.ts'

/** What a scan is to do, as `/api/barcode/batch/` has it. */
export type ScanAction = 'scan' | 'link' | 'receive' | 'move' | 'count' | 'remove' | 'allocate' | 'build-allocate'

/** A scan as it is sent: an entry of `/api/barcode/batch/`. What it has besides belongs to its action. */
export type ScanEntry = { id: string; time: string; action: ScanAction; barcode: string } & Record<string, unknown>

/** How an entry was answered. */
export type ScanAnswer = {
  id: string | null
  status: number
  history: number | null
  body: Record<string, unknown>
  /** What is wrong or missing; scans that an older console kept have none. */
  field_errors?: FieldError[]
}

/** A scan that is kept here until the service has it, or until somebody decided what becomes of it. */
export type KeptScan = {
  /** The order in which they were made. */
  place: number
  account: number
  entry: ScanEntry
  /** How it was answered, if not with its being done. */
  refused?: ScanAnswer
}

/** Sends entries, and gives their answers in their order. Fails when they cannot be sent now. */
export type SendScans = (entries: readonly ScanEntry[]) => Promise<readonly ScanAnswer[]>

type Store = DBSchema & {
  scan: { key: number; value: Omit<KeptScan, 'place'> & { place?: number }; indexes: { account: number } }
}

/** The most entries of one batch. */
const MAX_BATCH_ENTRIES = 250

/** A scan that did what it was to do. One that is answered with 200 waits for something that has to be said first. */
export const isDone = ({ status, body }: ScanAnswer): boolean => status < 300 && body.action_required === undefined

/**
 * The scans of an account that the service does not have yet. They are written down before they are sent, survive whatever happens to the
 * page, and are sent again under their id until they are answered, so that each is worked once. Their store is never closed but by the
 * browser, with the page: what is under way when an account goes, such as an answer, is still written down.
 */
export class WaitingScans {
  readonly #store: IDBPDatabase<Store>
  readonly #account: number
  readonly #changed: () => void
  readonly #next = inTurn()

  private constructor(store: IDBPDatabase<Store>, account: number, changed: () => void) {
    this.#store = store
    this.#account = account
    this.#changed = changed
  }

  /** @param changed is called when there are others, or others are refused, than before */
  static async open(account: number, changed: () => void): Promise<WaitingScans> {
    const store = await openDB<Store>('stockroom', 1, {
      upgrade: (database) =>
        database.createObjectStore('scan', { keyPath: 'place', autoIncrement: true }).createIndex('account', 'account'),
    })
    return new WaitingScans(store, account, changed)
  }

  /** All of them, in their order. */
  async all(): Promise<KeptScan[]> {
    return (await this.#store.getAllFromIndex('scan', 'account', this.#account)) as KeptScan[]
  }

  /** Writes one down. */
  async add(entry: ScanEntry): Promise<void> {
    await this.#store.add('scan', { account: this.#account, entry })
    this.#changed()
  }

  /** Somebody decided that a scan is not to be. */
  async forget({ place }: KeptScan): Promise<void> {
    await this.#store.delete('scan', place)
    this.#changed()
  }

  /** Somebody decided that a refused scan is to be tried once more: perhaps with more said, and as another to the service. */
  async tryAgain(kept: KeptScan, id: string, more: Record<string, unknown> = {}): Promise<void> {
    await this.#store.put('scan', { account: kept.account, place: kept.place, entry: { ...kept.entry, ...more, id } })
    this.#changed()
  }

  /**
   * Sends those that were not answered yet, and keeps the refused ones.
   * @returns the answers, in the order of the scans
   * @throws what `send` throws; those that were answered before it are done
   */
  send(send: SendScans): Promise<[KeptScan, ScanAnswer][]> {
    return this.#alone(() => this.#sendAll(send))
  }

  /**
   * Takes one back that was not sent yet.
   * @returns false for one that was sent meanwhile
   */
  takeBack(id: string): Promise<boolean> {
    return this.#alone(async () => {
      const kept = (await this.all()).find(({ entry }) => entry.id === id)
      if (kept) await this.forget(kept)
      return kept !== undefined
    })
  }

  /** Runs something while nothing else is sent, here or in another window. */
  #alone<T>(run: () => Promise<T>): Promise<T> {
    return this.#next(() => onlyHere(`stockroom-scans-${this.#account}`, run))
  }

  async #sendAll(send: SendScans): Promise<[KeptScan, ScanAnswer][]> {
    const answered: [KeptScan, ScanAnswer][] = []
    for (;;) {
      const next = (await this.all()).filter(({ refused }) => !refused).slice(0, MAX_BATCH_ENTRIES)
      if (next.length === 0) return answered
      const answers = await send(next.map(({ entry }) => entry))
      const pairs = next.map((kept, at): [KeptScan, ScanAnswer] => [kept, answers[at] as ScanAnswer])
      await this.#settle(pairs)
      answered.push(...pairs)
    }
  }

  async #settle(pairs: readonly [KeptScan, ScanAnswer][]): Promise<void> {
    const writing = this.#store.transaction('scan', 'readwrite')
    for (const [kept, answer] of pairs)
      if (isDone(answer)) writing.store.delete(kept.place)
      else writing.store.put({ ...kept, refused: answer })
    await writing.done
    this.#changed()
  }
}

/** Runs something in one window of the browser at a time, where the browser can see to that: on https, and on this machine. */
const onlyHere = async <T>(name: string, run: () => Promise<T>): Promise<T> =>
  // without it two windows send the same, which is worked once all the same
  'locks' in navigator ? ((await navigator.locks.request(name, run)) as T) : run()
