import type { GridColumn } from '../../kit/grid/grid.tsx'
import { formatNumber, formatTotal } from '../../kit/language/language.ts'
import { type Amount, multiply, subtract } from '../../kit/values/exact.ts'

/** The number of a line within its order. */
export const lineNumberColumn: GridColumn<{ pk: number; line: string }> = {
  name: 'line',
  flag: 'extended',
  width: '4rem',
  isDesk: true,
  cell: ({ line }) => line,
  isEmpty: ({ line }) => line === '',
  edit: true,
}

/** The discount of a line, in percent. */
export const discountColumn: GridColumn<{ pk: number; discount: number }> = {
  name: 'discount',
  flag: 'extended',
  width: '5rem',
  align: 'end',
  isDesk: true,
  cell: ({ discount }) => (discount === 0 ? '' : `${formatNumber(discount)} %`),
  isEmpty: ({ discount }) => discount === 0,
  edit: true,
}

/** Quantity times price, less the discount in percent; empty without a price. */
export const formatLineTotal = (price: Amount | null, quantity: Amount, discount: number, currency: string): string =>
  price === null ? '' : formatTotal(multiply(multiply(price, quantity), multiply(subtract(100, discount), '0.01')), currency)
