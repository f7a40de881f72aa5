import { type ReadonlySignal, signal } from '@preact/signals'
import { count } from '../language/language.ts'
import type { IconName } from '../page/icon.tsx'
import { attempt, warn } from '../page/toast.tsx'
import type { Rows } from './table-rows.ts'

/** Something that is done with rows of a table: with those that are chosen, else with the one that keys are at. */
export type RowAction<Row> = {
  /** What it does. A function, as the language may change. */
  label: () => string
  icon?: IconName
  keys?: string
  /** The rows that it can be done with; by default any. What is chosen beside them is left out. */
  isFor?: (row: Row) => boolean
  /** @param done to be called when it was done: then no row is chosen any more, and all are read anew */
  run: (rows: readonly Row[], done: () => void) => void
}

/** The most rows that are chosen at once: what the service does with several takes as many. */
export const MOST_CHOSEN = 1_000

/** The rows of a table that are chosen at once, in the order in which they were. */
export class Choice<Row extends { pk: number }> {
  readonly #chosen = signal<ReadonlyMap<number, Row>>(new Map())
  /** The range that was chosen last: the row where it began, the one where it ended, in which list, and what was chosen before it. */
  #range: { rows: Rows<Row>; start: number; end: number; before: ReadonlyMap<number, Row> } | undefined
  /** Counts what was chosen, as rows of a range may come late. */
  #turn = 0
  #coming: Promise<boolean> | undefined

  /** By their keys. */
  get chosen(): ReadonlySignal<ReadonlyMap<number, Row>> {
    return this.#chosen
  }

  /** Rows that were chosen and have not come: whether they have been, in the end. Undefined where all are here. */
  get coming(): Promise<boolean> | undefined {
    return this.#coming
  }

  /** They as they were read last. */
  rows(list: Rows<Row>): Row[] {
    const now = new Map(list.here().map((row) => [row.pk, row]))
    return [...this.#chosen.value.values()].map((row) => now.get(row.pk) ?? row)
  }

  /** Chooses a row, or no longer. */
  toggle(rows: Rows<Row>, index: number): void {
    const row = rows.row(index)
    if (!row) return
    const next = new Map(this.#chosen.value)
    if (!next.delete(row.pk)) next.set(row.pk, row)
    if (!this.#set(next)) return
    this.#range = { rows, start: index, end: index, before: next }
  }

  /** Chooses all from one row to another; the range that ended at the first goes on, and may become smaller. */
  async extend(rows: Rows<Row>, from: number, to: number): Promise<void> {
    const goesOn = this.#range?.rows === rows && this.#range.end === from
    const { start, before } = goesOn && this.#range ? this.#range : { start: from, before: this.#chosen.value }
    this.#range = { rows, start, end: to, before }
    const [first, last] = [Math.min(start, to), Math.max(start, to)]
    if (last - first >= MOST_CHOSEN) return tooMany()
    const here = Array.from({ length: last - first + 1 }, (_, at) => rows.row(first + at))
    await this.#add(before, here.every((row) => row !== undefined) ? here : rows.take(first, last + 1))
  }

  /** Chooses all that are found. */
  async all(rows: Rows<Row>): Promise<void> {
    const total = rows.count.value ?? 0
    if (total > MOST_CHOSEN) return tooMany()
    this.#range = undefined
    await this.#add(new Map(), rows.take(0, total))
  }

  clear(): void {
    this.#range = undefined
    this.#set(new Map())
  }

  async #add(before: ReadonlyMap<number, Row>, added: readonly Row[] | Promise<readonly Row[]>): Promise<void> {
    const turn = ++this.#turn
    const coming = attempt(async () => {
      const rows = added instanceof Promise ? await added : added
      // something else was chosen meanwhile
      if (turn === this.#turn) this.#set(new Map([...before, ...rows.map((row) => [row.pk, row] as const)]))
    })
    if (added instanceof Promise) this.#coming = coming
    await coming
    if (this.#coming === coming) this.#coming = undefined
  }

  /** @returns whether they are chosen */
  #set(next: ReadonlyMap<number, Row>): boolean {
    if (next.size > MOST_CHOSEN) {
      tooMany()
      return false
    }
    this.#turn++
    this.#chosen.value = next
    return true
  }
}

const tooMany = (): void => warn(count('choice.most', MOST_CHOSEN))
