import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { Json } from '../../plugin-api/index.ts'
import { Allowance, readWithin } from './allowance.ts'
import { mostLine } from './messages.ts'

type Level = 'info' | 'warn' | 'error'
type Log = (level: Level, message: string, details?: Json) => void

const linesPerSecond = 20
const linesAtOnce = 200
const bytesPerSecond = 256 * 1024
const bytesAtOnce = 1024 * 1024

/** The lines of one plugin on their way into the log: so many a second, and of each so much. Of others it is said how many there were. */
export class Lines {
  readonly #log: Log
  readonly #allowance = new Allowance(linesPerSecond, linesAtOnce)
  #leftOut = 0

  constructor(log: Log) {
    this.#log = log
  }

  /** @param log where to, if not the log of the plugin at large */
  write(level: Level, message: string, details?: Json, log: Log = this.#log): void {
    if (this.#allowance.useOne()) log(level, message.slice(0, mostLine), details)
    else this.#leftOut++
  }

  /** Tells what was left out since it did so last. To be called now and then. */
  tellLeftOut(): void {
    if (this.#leftOut === 0) return
    this.#log('warn', `${this.#leftOut} lines of this plugin were omitted`)
    this.#leftOut = 0
  }

  /** Takes what is written to an output of its process. Whoever writes more than the log takes has to wait. */
  readFrom(stream: Readable, level: Level, seen: (line: string) => void = () => {}): void {
    const decoder = new StringDecoder()
    let rest = ''
    readWithin(stream, new Allowance(bytesPerSecond, bytesAtOnce), (chunk) => {
      const lines = (rest + decoder.write(chunk)).split('\n')
      rest = lines.pop() as string
      if (rest.length > mostLine) {
        lines.push(rest)
        rest = ''
      }
      for (const line of lines) {
        seen(line)
        if (line.trim()) this.write(level, line)
      }
      return chunk.length
    })
  }
}
