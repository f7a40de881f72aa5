import { minus } from '../../kit/values/exact.ts'
import type { StockItem } from '../stock/stock-details.tsx'

/** Typed text for each stock item, by its key: an empty text means not counted. */
export type Counted = Record<number, string>

/** The count of an item. */
export type CountedRow = {
  item: StockItem
  /** As typed; undefined if nothing was typed, or the text is not a quantity. */
  quantity: string | undefined
  isInvalid: boolean
  /** Counted minus expected quantity. */
  difference: number
}

/** Compares the typed text with the expected quantity of an item. A serialized item counts as 1 or 0. */
export function rowOf(item: StockItem, input: string | undefined): CountedRow {
  const typed = (input ?? '').trim()
  if (typed === '') return { item, quantity: undefined, isInvalid: false, difference: 0 }
  const isQuantity = /^\d*\.?\d+$|^\d+\.$/.test(typed) && !(item.serial && Number(typed) > 1)
  if (!isQuantity) return { item, quantity: undefined, isInvalid: true, difference: 0 }
  return { item, quantity: typed, isInvalid: false, difference: Number(minus(typed, item.quantity)) }
}

/** The counts of all items. */
export const rowsOf = (items: readonly StockItem[], counted: Counted): CountedRow[] =>
  items.map((item) => rowOf(item, counted[item.pk]))

/** Status of a serialized item that is missing. */
export const LOST = 70

/** The requests that post a count: quantities in one request; missing serialized items become lost, as they cannot be counted as 0. */
export function countRequestOf(rows: readonly CountedRow[], expected: (item: StockItem) => object) {
  const counted = rows.filter(({ quantity }) => quantity !== undefined)
  const isMissing = ({ item, quantity }: CountedRow) => Boolean(item.serial) && Number(quantity) === 0
  return {
    items: counted
      .filter((row) => !isMissing(row))
      .map(({ item, quantity }) => ({ pk: item.pk, quantity: quantity as string, ...expected(item) })),
    lost: counted.filter(isMissing).map(({ item }) => item.pk),
  }
}
