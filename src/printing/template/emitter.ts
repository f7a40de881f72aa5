import type { Emitter } from 'liquidjs'
import type { Bounds } from './bounds.ts'
import { toText } from './output.ts'

/** Emits output text and counts it. */
export class BoundedEmitter implements Emitter {
  buffer = ''
  readonly #bounds: Bounds

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  write(value: unknown): void {
    const text = toText(value)
    this.#bounds.write(text.length)
    this.buffer += text
  }
}
