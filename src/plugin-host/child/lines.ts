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

/** Limits the log lines of one plugin in number per second and in length, and reports the number of dropped ones. */
export class Lines {
  readonly #log: Log
  readonly #allowance = new Allowance(linesPerSecond, linesAtOnce)
  #leftOut = 0

  constructor(log: Log) {
    this.#log = log
  }

  /** @param log the target, by default the plugin's general log */
  write(level: Level, message: string, details?: Json, log: Log = this.#log): void {
    if (this.#allowance.useOne()) log(level, message.slice(0, mostLine), details)
    else this.#leftOut++
  }

  /** Reports the lines dropped since the last report. To be called periodically. */
  tellLeftOut(): void {
    if (this.#leftOut === 0) return
    this.#log('warn', `${this.#leftOut} lines of this plugin were omitted`)
    this.#leftOut = 0
  }

  /** Logs an output stream of its process. A plugin that writes more than the log accepts has to wait. */
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
