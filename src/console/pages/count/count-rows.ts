import { subtract } from '../../kit/values/exact.ts'
import type { StockItem } from '../stock/stock-details.tsx'

/** Typed text by key of the stock item; an empty string means not counted. */
export type TypedCounts = Record<number, string>

/** The count of an item. */
export type CountRow = {
  item: StockItem
  /** As typed; undefined if nothing was typed, or the text is not a quantity. */
  quantity: string | undefined
  isInvalid: boolean
  /** Counted minus expected quantity. */
  difference: number
}

/** Compares the typed text with the expected quantity of an item. A serialized item counts as 1 or 0. */
export function compareCount(item: StockItem, input: string | undefined): CountRow {
  const typedText = (input ?? '').trim()
  if (typedText === '') return { item, quantity: undefined, isInvalid: false, difference: 0 }
  const isQuantity = /^\d*\.?\d+$|^\d+\.$/.test(typedText) && !(item.serial && Number(typedText) > 1)
  if (!isQuantity) return { item, quantity: undefined, isInvalid: true, difference: 0 }
  return { item, quantity: typedText, isInvalid: false, difference: Number(subtract(typedText, item.quantity)) }
}

/** The counts of all items. */
export const compareCounts = (items: readonly StockItem[], counted: TypedCounts): CountRow[] =>
  items.map((item) => compareCount(item, counted[item.pk]))

/** Status of a serialized item that is missing. */
export const LOST_STATUS = 70

/** The entries of a count: quantities for one request, and the keys of missing serialized items, which become lost, as they cannot be counted as 0. */
export function buildCountRequest(rows: readonly CountRow[], expected: (item: StockItem) => object) {
  const counted = rows.filter(({ quantity }) => quantity !== undefined)
  const isMissing = ({ item, quantity }: CountRow) => Boolean(item.serial) && Number(quantity) === 0
  return {
    items: counted
      .filter((row) => !isMissing(row))
      .map(({ item, quantity }) => ({ pk: item.pk, quantity: quantity as string, ...expected(item) })),
    lost: counted.filter(isMissing).map(({ item }) => item.pk),
  }
}
