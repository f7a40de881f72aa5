import { SingleBar } from 'cli-progress'

/** Progress of a command, as a bar on a terminal; elsewhere nothing. */
export class Progress {
  readonly #bar: SingleBar

  /** @param doing the activity, as in `Importing` */
  constructor(doing: string) {
    this.#bar = new SingleBar({ format: `${doing} {bar} {value} of {total} {what}`, hideCursor: true })
  }

  /** Returns a function that reports how many of these are done. */
  of(unit: string): (done: number, total: number) => void {
    return (done, total) => {
      if (!process.stdout.isTTY) return
      if (!this.#bar.isActive || this.#bar.getTotal() !== total) this.#bar.start(total, 0, { what: unit })
      this.#bar.update(done, { what: unit })
    }
  }

  stop(): void {
    this.#bar.stop()
  }
}
