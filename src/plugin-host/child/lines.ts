import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { Json } from '../../plugin-api/index.ts'
import { Allowance, readThrottled } from './allowance.ts'
import { maxLogLineLength } from './messages.ts'

type Level = 'info' | 'warn' | 'error'
type Log = (level: Level, message: string, details?: Json) => void

const linesPerSecond = 20
const maxLineBurst = 200
const bytesPerSecond = 256 * 1024
const maxByteBurst = 1024 * 1024

/** Limits the log lines of one plugin in number per second and in length, and reports the number of dropped ones. */
export class Lines {
  readonly #log: Log
  readonly #allowance = new Allowance(linesPerSecond, maxLineBurst)
  #droppedCount = 0

  constructor(log: Log) {
    this.#log = log
  }

  /** @param log the target, by default the plugin's general log */
  write(level: Level, message: string, details?: Json, log: Log = this.#log): void {
    if (this.#allowance.useOne()) log(level, message.slice(0, maxLogLineLength), details)
    else this.#droppedCount++
  }

  /** Reports the lines dropped since the last report. To be called periodically. */
  reportDropped(): void {
    if (this.#droppedCount === 0) return
    this.#log('warn', `${this.#droppedCount} lines of this plugin were omitted`)
    this.#droppedCount = 0
  }

  /** Logs an output stream of its process. A plugin that writes more than the log accepts has to wait. */
  readFrom(stream: Readable, level: Level, onLine: (line: string) => void = () => {}): void {
    const decoder = new StringDecoder()
    let rest = ''
    readThrottled(stream, new Allowance(bytesPerSecond, maxByteBurst), (chunk) => {
      const lines = (rest + decoder.write(chunk)).split('\n')
      rest = lines.pop() as string
      if (rest.length > maxLogLineLength) {
        lines.push(rest)
        rest = ''
      }
      for (const line of lines) {
        onLine(line)
        if (line.trim()) this.write(level, line)
      }
      return chunk.length
    })
  }
}
