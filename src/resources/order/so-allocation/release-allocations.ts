import type { Tx } from '../../../kit/sql/tx.ts'

/** Gives back what is put by for an order, which is locked. What has left with it stays written down. */
export const releaseAllocations = (tx: Tx, order: number): Promise<unknown> =>
  tx.query(
    `delete from sales_order_allocation
     where is_open and line in (select pk from sales_order_line where "order" = $1)`,
    [order],
  )
