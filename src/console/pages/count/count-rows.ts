import { minus } from '../../kit/values/exact.ts'
import type { StockItem } from '../stock/stock-details.tsx'

/** What was typed for each stock item, by its key: an empty text is nothing. */
export type Counted = Record<number, string>

/** What was counted of an item, by itself. */
export type CountedRow = {
  item: StockItem
  /** As it was typed; undefined while nothing was counted, or what was typed is no quantity. */
  quantity: string | undefined
  isWrong: boolean
  /** By how much there is more than was expected. */
  difference: number
}

/** What was typed beside what was expected of an item. Of one with a serial number there is one, or none. */
export function rowOf(item: StockItem, given: string | undefined): CountedRow {
  const typed = (given ?? '').trim()
  if (typed === '') return { item, quantity: undefined, isWrong: false, difference: 0 }
  const isQuantity = /^\d*\.?\d+$|^\d+\.$/.test(typed) && !(item.serial && Number(typed) > 1)
  if (!isQuantity) return { item, quantity: undefined, isWrong: true, difference: 0 }
  return { item, quantity: typed, isWrong: false, difference: Number(minus(typed, item.quantity)) }
}

/** All lines. */
export const rowsOf = (items: readonly StockItem[], counted: Counted): CountedRow[] =>
  items.map((item) => rowOf(item, counted[item.pk]))

/** The state of an item with a serial number that is not where it should be. */
export const LOST = 70

/** What is booked: quantities in one request; serial numbers that are not there are lost, as they cannot be counted away. */
export function bookingOf(rows: readonly CountedRow[], expected: (item: StockItem) => object) {
  const counted = rows.filter(({ quantity }) => quantity !== undefined)
  const isMissing = ({ item, quantity }: CountedRow) => Boolean(item.serial) && Number(quantity) === 0
  return {
    items: counted
      .filter((row) => !isMissing(row))
      .map(({ item, quantity }) => ({ pk: item.pk, quantity: quantity as string, ...expected(item) })),
    lost: counted.filter(isMissing).map(({ item }) => item.pk),
  }
}
