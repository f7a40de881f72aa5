import { Problem } from '../request/problem.ts'
import type { ErrorMessage } from '../values/message.ts'

type QueuedWork = { start: () => void; timer: NodeJS.Timeout; size: number }

/** The owner of a piece of work, such as the key of an account; work without a known owner counts as that of one account. */
type Account = number | undefined

/**
 * Limits the number of concurrent pieces of work of one kind in this process. The others wait in a queue for a limited time; accounts take
 * turns in it, so that an account with many requests delays others only by its running work, and not by its waiting work.
 */
export class Semaphore {
  readonly #slots: number
  readonly #timeoutMs: number
  readonly #busy: ErrorMessage
  readonly #maxQueued: number
  readonly #slotsPerAccount: number
  /** The queues of the accounts that have one; the account whose turn is next comes first. */
  readonly #queues = new Map<Account, Set<QueuedWork>>()
  readonly #running = new Map<Account, number>()
  #total = 0

  /**
   * @param slots maximum number of concurrent pieces of work
   * @param timeoutMs milliseconds to wait for a turn
   * @param busy the message for clients whose turn did not come in time
   * @param maxQueued maximum number of waiting pieces of one account; further ones are rejected immediately
   * @param slotsPerAccount maximum number of concurrent pieces of one account; below `slots`, one slot is always left for others
   */
  constructor(
    slots: number,
    timeoutMs: number,
    busy: ErrorMessage,
    maxQueued = Number.POSITIVE_INFINITY,
    slotsPerAccount = slots,
  ) {
    this.#slots = slots
    this.#timeoutMs = timeoutMs
    this.#busy = busy
    this.#maxQueued = maxQueued
    this.#slotsPerAccount = slotsPerAccount
  }

  /**
   * @param options.account owner of the work
   * @param options.size weight in the queue, for work that holds much memory while it waits
   * @param options.signal ends the wait, with its reason; the work itself has to observe it
   * @throws Problem `unavailable` (503) with Retry-After when its turn does not come in time
   */
  async run<T>(
    work: () => Promise<T>,
    { account, size = 1, signal }: { account?: Account; size?: number; signal?: AbortSignal } = {},
  ): Promise<T> {
    signal?.throwIfAborted()
    if (this.#total < this.#slots && this.#canRun(account)) this.#start(account)
    else await this.#enqueue(account, size, signal)
    try {
      return await work()
    } finally {
      this.#release(account)
    }
  }

  #canRun(account: Account): boolean {
    return (this.#running.get(account) ?? 0) < this.#slotsPerAccount
  }

  #start(account: Account): void {
    this.#total++
    this.#running.set(account, (this.#running.get(account) ?? 0) + 1)
  }

  /** Hands the slot over to the next account that may have it. */
  #release(account: Account): void {
    this.#total--
    const remaining = (this.#running.get(account) as number) - 1
    if (remaining === 0) this.#running.delete(account)
    else this.#running.set(account, remaining)
    for (const [next, queue] of this.#queues) {
      if (!this.#canRun(next)) continue
      const first = queue.values().next().value as QueuedWork
      this.#removeWaiting(next, first)
      if (queue.size > 0) {
        this.#queues.delete(next)
        this.#queues.set(next, queue)
      }
      this.#start(next)
      first.start()
      return
    }
  }

  /** Waits for a slot. */
  #enqueue(account: Account, size: number, signal: AbortSignal | undefined): Promise<void> {
    const queue = this.#queues.get(account) ?? new Set<QueuedWork>()
    const queuedSize = [...queue].reduce((sum, queuedWork) => sum + queuedWork.size, 0)
    if (queue.size > 0 && queuedSize + size > this.#maxQueued) return Promise.reject(this.#busyError())
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#removeWaiting(account, queuedWork)
        reject(signal?.reason)
      }
      const queuedWork: QueuedWork = {
        start() {
          signal?.removeEventListener('abort', abort)
          resolve()
        },
        size,
        timer: setTimeout(() => {
          this.#removeWaiting(account, queuedWork)
          reject(this.#busyError())
        }, this.#timeoutMs),
      }
      signal?.addEventListener('abort', abort, { once: true })
      queue.add(queuedWork)
      this.#queues.set(account, queue)
    })
  }

  #removeWaiting(account: Account, queuedWork: QueuedWork): void {
    clearTimeout(queuedWork.timer)
    const queue = this.#queues.get(account)
    queue?.delete(queuedWork)
    if (queue?.size === 0) this.#queues.delete(account)
  }

  #busyError(): Problem {
    return new Problem('unavailable', this.#busy, { 'retry-after': String(Math.ceil(this.#timeoutMs / 1000)) })
  }
}
