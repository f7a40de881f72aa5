import type { Element } from './elements.ts'
import { NumberList } from './numbers.ts'

/** Position of a record in the file. */
export type Position = Omit<Element, 'source'> & { pk: number }

/**
 * Index of the records of one model: their positions in the file, and their references to each other. It takes a few dozen bytes for each
 * record, whatever its size. A record is identified by its ordinal among the records of the model.
 */
export class RecordIndex {
  private readonly pks = new NumberList()
  private readonly lines = new NumberList()
  private readonly starts = new NumberList()
  private readonly ends = new NumberList()
  private readonly inexactNumbers = new NumberList()
  /** For each column that refers to records of the same model, the keys in the records; 0 for none. */
  private readonly parents: { column: string; keys: NumberList }[]

  /** @param parentColumns the columns that refer to records of the same model */
  constructor(parentColumns: readonly string[]) {
    this.parents = parentColumns.map((column) => ({ column, keys: new NumberList() }))
  }

  add({ line, start, end, hasInexactNumbers }: Element, pk: number, fields: Record<string, unknown>): void {
    this.pks.push(pk)
    this.lines.push(line)
    this.starts.push(start)
    this.ends.push(end)
    this.inexactNumbers.push(Number(hasInexactNumbers))
    for (const { column, keys } of this.parents) keys.push(typeof fields[column] === 'number' ? fields[column] : 0)
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

  /**
   * The positions in groups, so that referenced records are in an earlier group, and the positions of records in a cycle. Records below a
   * cycle are in the last groups.
   */
  groupIntoGenerations(): { generations: number[][]; inCycle: number[] } {
    if (this.parents.length === 0) return { generations: [this.ordinals()], inCycle: [] }
    const generations: number[][] = []
    let remaining = this.ordinals()
    while (remaining.length > 0) {
      const keys = new Set(remaining.map((ordinal) => this.pks.at(ordinal)))
      const isBlocked = (ordinal: number) => this.parents.some((parent) => keys.has(parent.keys.at(ordinal)))
      const blocked = remaining.filter(isBlocked)
      if (blocked.length === remaining.length) {
        const { inCycle, below } = this.separateCycles(blocked)
        return { generations: [...generations, ...below], inCycle }
      }
      generations.push(blocked.length === 0 ? remaining : remaining.filter((ordinal) => !isBlocked(ordinal)))
      remaining = blocked
    }
    return { generations, inCycle: [] }
  }

  /** Separates records that refer to each other in a circle from those that only refer to them, which are in groups as above. */
  private separateCycles(ordinals: readonly number[]): { inCycle: number[]; below: number[][] } {
    const below: number[][] = []
    let inCycle = [...ordinals]
    while (true) {
      const referenced = new Set(inCycle.flatMap((ordinal) => this.parents.map(({ keys }) => keys.at(ordinal))))
      const leaves = inCycle.filter((ordinal) => !referenced.has(this.pks.at(ordinal)))
      if (leaves.length === 0) return { inCycle, below: below.reverse() }
      below.push(leaves)
      inCycle = inCycle.filter((ordinal) => referenced.has(this.pks.at(ordinal)))
    }
  }
}
