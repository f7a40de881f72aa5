import { Problem } from '../request/problem.ts'
import type { ErrorMessage } from '../values/message.ts'

type Waiting = { begin: () => void; timer: NodeJS.Timeout; size: number }

/** The owner of a piece of work, such as the key of an account; work without a known owner counts as that of one account. */
type Account = number | undefined

/**
 * Limits the number of concurrent pieces of work of one kind in this process. The others wait in a queue for a limited time; accounts take
 * turns in it, so that an account with many requests delays others only by its running work, and not by its waiting work.
 */
export class Semaphore {
  readonly #places: number
  readonly #patience: number
  readonly #busy: ErrorMessage
  readonly #longest: number
  readonly #ofOne: number
  /** The queues of the accounts that have one; the account whose turn is next comes first. */
  readonly #queues = new Map<Account, Set<Waiting>>()
  readonly #running = new Map<Account, number>()
  #total = 0

  /**
   * @param slots maximum number of concurrent pieces of work
   * @param timeoutMs milliseconds to wait for a turn
   * @param busy the text for clients whose turn did not come
   * @param maxQueued maximum number of waiting pieces of one account; further ones are rejected immediately
   * @param slotsPerAccount maximum number of concurrent pieces of one account; below `places`, one is always left for others
   */
  constructor(
    slots: number,
    timeoutMs: number,
    busy: ErrorMessage,
    maxQueued = Number.POSITIVE_INFINITY,
    slotsPerAccount = slots,
  ) {
    this.#places = slots
    this.#patience = timeoutMs
    this.#busy = busy
    this.#longest = maxQueued
    this.#ofOne = slotsPerAccount
  }

  /**
   * @param options.account owner of the work
   * @param options.size weight in the queue, for work that holds much memory while it waits
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

  /** Hands the slot over to the next account that may have it. */
  #end(account: Account): void {
    this.#total--
    const remaining = (this.#running.get(account) as number) - 1
    if (remaining === 0) this.#running.delete(account)
    else this.#running.set(account, remaining)
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

  /** Waits for a slot. */
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
