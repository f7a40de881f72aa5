/**
 * The columns with the quantities allocated to each type of order, of a stock item and of a part: all that counts as allocated. Each is the
 * sum of the open allocations, maintained by triggers.
 */
export const ALLOCATED_COLUMNS = [
  'allocated_to_sales_orders',
  'allocated_to_build_orders',
  'allocated_to_transfer_orders',
] as const

/** SQL of the quantity allocated to orders of all types. @param toColumn writes a column, such as `item.<column>` */
export const allocatedSql = (toColumn: (column: string) => string = (column) => column): string =>
  `(${ALLOCATED_COLUMNS.map(toColumn).join(' + ')})`
