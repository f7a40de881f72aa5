/** The types of orders whose allocations a count can release. */
export const RELEASE_KINDS = {
  sales: {
    /** The column of the stock item with the allocated quantity. */
    sum: 'allocated_to_sales_orders',
    allocations: 'sales_order_allocation',
    /** The table of the orders, followed by the column of `released_allocation` that refers to it. */
    orders: 'sales_order',
    column: 'sales_order',
    /** The name of the order in the history of the item. */
    delta: 'salesorder',
  },
  build: {
    sum: 'allocated_to_build_orders',
    allocations: 'build_allocation',
    orders: 'build_order',
    column: 'build',
    delta: 'buildorder',
  },
  transfer: {
    sum: 'allocated_to_transfer_orders',
    allocations: 'transfer_order_allocation',
    orders: 'transfer_order',
    column: 'transfer_order',
    delta: 'transferorder',
  },
} as const

export type ReleaseKind = keyof typeof RELEASE_KINDS

/** The order of a release under its column; null under those of the other types. */
export const toOrderColumns = (kind: ReleaseKind, order: number) => ({
  sales_order: kind === 'sales' ? order : null,
  build: kind === 'build' ? order : null,
  transfer_order: kind === 'transfer' ? order : null,
})
