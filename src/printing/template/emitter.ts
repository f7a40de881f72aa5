import type { Emitter } from 'liquidjs'
import type { Bounds } from './bounds.ts'
import { textOf } from './output.ts'

/** Emits output text and counts it. */
export class BoundedEmitter implements Emitter {
  buffer = ''
  readonly #bounds: Bounds

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  write(value: unknown): void {
    const text = textOf(value)
    this.#bounds.write(text.length)
    this.buffer += text
  }
}
