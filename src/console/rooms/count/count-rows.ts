import type { StockItem } from '../stock/stock-facts.tsx'

/** What was typed for each stock item, by its key: an empty text is nothing. */
export type Counted = Record<number, string>

/** What was counted of an item, by itself. */
export type CountedRow = {
  item: StockItem
  /** Undefined while nothing was counted, or what was typed is no quantity. */
  quantity: number | undefined
  isWrong: boolean
  /** By how much there is more than was expected. */
  difference: number
}

/** What was typed beside what was expected. Of an item with a serial number there is one, or none. */
export function rowsOf(items: readonly StockItem[], counted: Counted): CountedRow[] {
  return items.map((item) => {
    const typed = (counted[item.pk] ?? '').trim().replace(',', '.')
    const quantity = typed === '' || !/^\d*\.?\d+$|^\d+\.$/.test(typed) ? undefined : Number(typed)
    const isWrong = typed !== '' && (quantity === undefined || (item.serial !== null && item.serial !== '' && quantity > 1))
    const rounded = quantity === undefined ? 0 : Number((quantity - item.quantity).toFixed(5))
    return { item, quantity: isWrong ? undefined : quantity, isWrong, difference: isWrong ? 0 : rounded }
  })
}

/** The state of an item with a serial number that is not where it should be. */
export const LOST = 70

/** What is booked: quantities in one request; serial numbers that are not there are lost, as they cannot be counted away. */
export function bookingOf(rows: readonly CountedRow[]): { items: { pk: number; quantity: number }[]; lost: number[] } {
  const counted = rows.filter(({ quantity }) => quantity !== undefined)
  const isMissing = ({ item, quantity }: CountedRow) => Boolean(item.serial) && quantity === 0
  return {
    items: counted.filter((row) => !isMissing(row)).map(({ item, quantity }) => ({ pk: item.pk, quantity: quantity as number })),
    lost: counted.filter(isMissing).map(({ item }) => item.pk),
  }
}
