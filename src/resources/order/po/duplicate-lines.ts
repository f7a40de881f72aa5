import type { Tx } from '../../../kit/sql/tx.ts'

/**
 * Copies the lines, the extra lines or both of one order to another. Nothing of the copies has been received; everything
 * else of a line is kept. (The reference description of orders and stock, section 7.)
 */
export async function duplicateLines(
  tx: Tx,
  from: number,
  to: number,
  { lines, extraLines }: { lines: boolean; extraLines: boolean },
): Promise<void> {
  if (lines)
    await tx.query(
      `insert into purchase_order_line
         ("order", part, reference, quantity, purchase_price, purchase_price_currency, destination, target_date, notes, link, metadata)
       select $2, part, reference, quantity, purchase_price, purchase_price_currency, destination, target_date, notes, link, metadata
       from purchase_order_line where "order" = $1 order by pk`,
      [from, to],
    )
  if (extraLines)
    await tx.query(
      `insert into purchase_order_extra_line
         ("order", reference, description, quantity, price, price_currency, target_date, context, notes, link, metadata)
       select $2, reference, description, quantity, price, price_currency, target_date, context, notes, link, metadata
       from purchase_order_extra_line where "order" = $1 order by pk`,
      [from, to],
    )
}
