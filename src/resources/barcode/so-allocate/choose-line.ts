import type { Tx } from '../../../kit/sql/tx.ts'

/** Returns the lines of a locked order to which a part can be allocated: lines with a shortage of the part or of a template above it. */
export async function findShortLines(tx: Tx, order: number, part: number): Promise<number[]> {
  const lines = await tx.query<{ pk: number }>(
    `select line.pk from sales_order_line line
     where line."order" = $1 and line.part = any(array(select unnest(path) from part where pk = $2))
       and line.quantity - line.shipped
         > coalesce((select sum(quantity) from sales_order_allocation allocation where allocation.line = line.pk and is_open), 0)
     order by line.pk`,
    [order, part],
  )
  return lines.map(({ pk }) => pk)
}

/** Returns the shipments of a locked order that are not shipped yet. */
export async function listOpenShipments(tx: Tx, order: number): Promise<number[]> {
  const shipments = await tx.query<{ pk: number }>(
    // existing clients also set a delivery date on its own
    `select pk from sales_order_shipment where "order" = $1 and shipment_date is null and delivery_date is null order by pk`,
    [order],
  )
  return shipments.map(({ pk }) => pk)
}
