import { Problem } from '../request/problem.ts'

type Waiting = { begin: () => void; timer: NodeJS.Timeout }

/** Lets only so many pieces of work of one kind run at once in this process. The others wait in line for a while. */
export class Semaphore {
  readonly #places: number
  readonly #patience: number
  readonly #busy: string
  readonly #longest: number
  readonly #line = new Set<Waiting>()
  #running = 0

  /**
   * @param places how many may run at once
   * @param patience milliseconds that one may wait for its turn
   * @param busy what whoever waited in vain is told
   * @param longest how many may wait; who comes when so many do is refused at once
   */
  constructor(places: number, patience: number, busy: string, longest = Number.POSITIVE_INFINITY) {
    this.#places = places
    this.#patience = patience
    this.#busy = busy
    this.#longest = longest
  }

  /** @throws Problem `unavailable` (503) with Retry-After when its turn does not come in time */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#places) this.#running++
    else await this.#turn()
    try {
      return await work()
    } finally {
      const [next] = this.#line
      if (next) next.begin()
      else this.#running--
    }
  }

  /** Waits until one that ends hands over its place. */
  #turn(): Promise<void> {
    if (this.#line.size >= this.#longest) return Promise.reject(this.#refusal())
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        begin: () => {
          this.#leave(waiting)
          resolve()
        },
        timer: setTimeout(() => {
          this.#leave(waiting)
          reject(this.#refusal())
        }, this.#patience),
      }
      this.#line.add(waiting)
    })
  }

  #refusal(): Problem {
    return new Problem('unavailable', this.#busy, { 'retry-after': String(Math.ceil(this.#patience / 1000)) })
  }

  #leave(waiting: Waiting): void {
    clearTimeout(waiting.timer)
    this.#line.delete(waiting)
  }
}
