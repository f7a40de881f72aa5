import { Problem } from '../request/problem.ts'
import type { ErrorMessage } from '../values/message.ts'

type Waiting = { begin: () => void; timer: NodeJS.Timeout; size: number }

/** Whose a piece of work is, such as the key of an account; work of which that is not known counts as that of one. */
type Account = number | undefined

/**
 * Limits how many pieces of work of one kind run at once in this process. The others wait in a queue for a while; accounts take turns in
 * it, so that whoever asks for a lot delays others by the work that runs, and not by the work that waits.
 */
export class Semaphore {
  readonly #places: number
  readonly #patience: number
  readonly #busy: ErrorMessage
  readonly #longest: number
  readonly #ofOne: number
  /** The queues of the accounts that have one; the account whose turn it is comes first. */
  readonly #queues = new Map<Account, Set<Waiting>>()
  readonly #running = new Map<Account, number>()
  #total = 0

  /**
   * @param places how many may run at once
   * @param patience milliseconds that one may wait for its turn
   * @param busy the text for clients whose turn did not come
   * @param longest how many of one account may wait; further ones are rejected at once
   * @param ofOne how many of one account may run at once; with fewer than all places, one is always left for others
   */
  constructor(places: number, patience: number, busy: ErrorMessage, longest = Number.POSITIVE_INFINITY, ofOne = places) {
    this.#places = places
    this.#patience = patience
    this.#busy = busy
    this.#longest = longest
    this.#ofOne = ofOne
  }

  /**
   * @param options.account whose work it is
   * @param options.size how many it counts for while it waits, for work that holds much memory meanwhile
   * @throws Problem `unavailable` (503) with Retry-After when its turn does not come in time
   */
  async run<T>(work: () => Promise<T>, { account, size = 1 }: { account?: Account; size?: number } = {}): Promise<T> {
    if (this.#total < this.#places && this.#mayRun(account)) this.#begin(account)
    else await this.#turn(account, size)
    try {
      return await work()
    } finally {
      this.#end(account)
    }
  }

  #mayRun(account: Account): boolean {
    return (this.#running.get(account) ?? 0) < this.#ofOne
  }

  #begin(account: Account): void {
    this.#total++
    this.#running.set(account, (this.#running.get(account) ?? 0) + 1)
  }

  /** Hands the place over to the next account that may have it. */
  #end(account: Account): void {
    this.#total--
    const left = (this.#running.get(account) as number) - 1
    if (left === 0) this.#running.delete(account)
    else this.#running.set(account, left)
    for (const [next, queue] of this.#queues) {
      if (!this.#mayRun(next)) continue
      const first = queue.values().next().value as Waiting
      this.#leave(next, first)
      if (queue.size > 0) {
        this.#queues.delete(next)
        this.#queues.set(next, queue)
      }
      this.#begin(next)
      first.begin()
      return
    }
  }

  /** Waits until a place is handed over. */
  #turn(account: Account, size: number): Promise<void> {
    const queue = this.#queues.get(account) ?? new Set<Waiting>()
    const waits = [...queue].reduce((sum, waiting) => sum + waiting.size, 0)
    if (queue.size > 0 && waits + size > this.#longest) return Promise.reject(this.#refusal())
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        begin: resolve,
        size,
        timer: setTimeout(() => {
          this.#leave(account, waiting)
          reject(this.#refusal())
        }, this.#patience),
      }
      queue.add(waiting)
      this.#queues.set(account, queue)
    })
  }

  #leave(account: Account, waiting: Waiting): void {
    clearTimeout(waiting.timer)
    const queue = this.#queues.get(account)
    queue?.delete(waiting)
    if (queue?.size === 0) this.#queues.delete(account)
  }

  #refusal(): Problem {
    return new Problem('unavailable', this.#busy, { 'retry-after': String(Math.ceil(this.#patience / 1000)) })
  }
}
