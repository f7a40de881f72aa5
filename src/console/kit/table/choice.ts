import { type ReadonlySignal, signal } from '@preact/signals'
import { count } from '../language/language.ts'
import type { IconName } from '../page/icon.tsx'
import { attempt, warn } from '../page/toast.tsx'
import type { Rows } from './table-rows.ts'

/** An action on rows of a table: on the selected ones, otherwise on the current one. */
export type RowAction<Row> = {
  /** Its label. A function, as the language may change. */
  label: () => string
  icon?: IconName
  keys?: string
  /** Whether the action applies to a row; by default to any. Other selected rows are left out. */
  isFor?: (row: Row) => boolean
  /** @param done to be called after success: it clears the selection and reloads the rows */
  run: (rows: readonly Row[], done: () => void) => void
}

/** Maximum number of selected rows: the limit of the service's bulk actions. */
export const MAX_SELECTED = 1_000

/** The selected rows of a table, in the order of their selection. */
export class RowSelection<Row extends { pk: number }> {
  readonly #chosen = signal<ReadonlyMap<number, Row>>(new Map())
  /** The last selected range: its first and last row, its list, and the selection before it. */
  #range: { rows: Rows<Row>; start: number; end: number; before: ReadonlyMap<number, Row> } | undefined
  /** Counts selections, as rows of a range may arrive late. */
  #generation = 0
  #pending: Promise<boolean> | undefined

  /** The selected rows, by key. */
  get chosen(): ReadonlySignal<ReadonlyMap<number, Row>> {
    return this.#chosen
  }

  /** Resolves once pending rows of the selection have loaded, with whether they were selected. Undefined when no rows are pending. */
  get pending(): Promise<boolean> | undefined {
    return this.#pending
  }

  /** The selected rows, as last loaded. */
  rows(list: Rows<Row>): Row[] {
    const rowsByKey = new Map(list.loadedRows().map((row) => [row.pk, row]))
    return [...this.#chosen.value.values()].map((row) => rowsByKey.get(row.pk) ?? row)
  }

  /** Selects or deselects a row. */
  toggle(rows: Rows<Row>, index: number): void {
    const row = rows.row(index)
    if (!row) return
    const next = new Map(this.#chosen.value)
    if (!next.delete(row.pk)) next.set(row.pk, row)
    if (!this.#set(next)) return
    this.#range = { rows, start: index, end: index, before: next }
  }

  /** Selects all rows from one to another. If a range ended at the first row, extends or shrinks that range instead. */
  async extend(rows: Rows<Row>, fromIndex: number, toIndex: number): Promise<void> {
    const continuesRange = this.#range?.rows === rows && this.#range.end === fromIndex
    const { start, before } = continuesRange && this.#range ? this.#range : { start: fromIndex, before: this.#chosen.value }
    this.#range = { rows, start, end: toIndex, before }
    const [first, last] = [Math.min(start, toIndex), Math.max(start, toIndex)]
    if (last - first >= MAX_SELECTED) return warnTooMany()
    const loadedRows = Array.from({ length: last - first + 1 }, (_, offset) => rows.row(first + offset))
    await this.#add(before, loadedRows.every((row) => row !== undefined) ? loadedRows : rows.fetchRows(first, last + 1))
  }

  /** Selects all matching rows. */
  async all(rows: Rows<Row>): Promise<void> {
    const total = rows.count.value ?? 0
    if (total > MAX_SELECTED) return warnTooMany()
    this.#range = undefined
    await this.#add(new Map(), rows.fetchRows(0, total))
  }

  clear(): void {
    this.#range = undefined
    this.#set(new Map())
  }

  async #add(before: ReadonlyMap<number, Row>, added: readonly Row[] | Promise<readonly Row[]>): Promise<void> {
    const generation = ++this.#generation
    const pending = attempt(async () => {
      const rows = added instanceof Promise ? await added : added
      // the selection has not changed in the meantime
      if (generation === this.#generation) this.#set(new Map([...before, ...rows.map((row) => [row.pk, row] as const)]))
    })
    if (added instanceof Promise) this.#pending = pending
    await pending
    if (this.#pending === pending) this.#pending = undefined
  }

  /** @returns whether they are selected */
  #set(next: ReadonlyMap<number, Row>): boolean {
    if (next.size > MAX_SELECTED) {
      warnTooMany()
      return false
    }
    this.#generation++
    this.#chosen.value = next
    return true
  }
}

const warnTooMany = (): void => warn(count('choice.maximum', MAX_SELECTED))
