import type { Element } from './elements.ts'
import { Numbers } from './numbers.ts'

/** Position of a record in the file. */
export type Position = Omit<Element, 'source'> & { pk: number }

/**
 * Index of the records of one model: their positions in the file, and their references to each other; a few dozen bytes for each record,
 * whatever its size. A record is identified by its index among them.
 */
export class RecordIndex {
  private readonly pks = new Numbers()
  private readonly lines = new Numbers()
  private readonly starts = new Numbers()
  private readonly ends = new Numbers()
  private readonly inexactNumbers = new Numbers()
  /** For each column that refers to records of the same model, the keys in the records; 0 for none. */
  private readonly above: { column: string; keys: Numbers }[]

  /** @param above the columns that refer to records of the same model */
  constructor(above: readonly string[]) {
    this.above = above.map((column) => ({ column, keys: new Numbers() }))
  }

  add({ line, start, end, hasInexactNumbers: hasOddNumbers }: Element, pk: number, fields: Record<string, unknown>): void {
    this.pks.push(pk)
    this.lines.push(line)
    this.starts.push(start)
    this.ends.push(end)
    this.inexactNumbers.push(Number(hasOddNumbers))
    for (const { column, keys } of this.above) keys.push(typeof fields[column] === 'number' ? fields[column] : 0)
  }

  at(ordinal: number): Position {
    return {
      pk: this.pks.at(ordinal),
      line: this.lines.at(ordinal),
      start: this.starts.at(ordinal),
      end: this.ends.at(ordinal),
      hasInexactNumbers: this.inexactNumbers.at(ordinal) === 1,
    }
  }

  /** Number of records. */
  get size(): number {
    return this.pks.length
  }

  /** The highest key; 0 if there are no records. */
  get highestKey(): number {
    let highest = 0
    for (let ordinal = 0; ordinal < this.pks.length; ordinal++) highest = Math.max(highest, this.pks.at(ordinal))
    return highest
  }

  /** All positions, in the order of the file. */
  ordinals(): number[] {
    return Array.from({ length: this.pks.length }, (_, ordinal) => ordinal)
  }

  /** The positions in groups, so that referenced records are in an earlier group; and the positions of records in a cycle. */
  generations(): { generations: number[][]; onCircle: number[] } {
    if (this.above.length === 0) return { generations: [this.ordinals()], onCircle: [] }
    const generations: number[][] = []
    let waiting = this.ordinals()
    while (waiting.length > 0) {
      const keys = new Set(waiting.map((ordinal) => this.pks.at(ordinal)))
      const waits = (ordinal: number) => this.above.some((above) => keys.has(above.keys.at(ordinal)))
      const bound = waiting.filter(waits)
      if (bound.length === waiting.length) return { generations, onCircle: bound }
      generations.push(bound.length === 0 ? waiting : waiting.filter((ordinal) => !waits(ordinal)))
      waiting = bound
    }
    return { generations, onCircle: [] }
  }
}
