import { SingleBar } from 'cli-progress'

/** Shows the progress of a command as a bar, if the output is a terminal. */
export class Progress {
  readonly #bar: SingleBar

  /** @param activity such as `Importing` */
  constructor(activity: string) {
    this.#bar = new SingleBar({ format: `${activity} {bar} {value} of {total} {what}`, hideCursor: true })
  }

  /** Creates a function that reports how many of these units are done. */
  createReporter(unit: string): (done: number, total: number) => void {
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
