import type { Expression } from '../../../kit/sql/sql.ts'

/**
 * Where the goods of a line go, as SQL over the line: to the first stock that came with the order for the same supplier
 * part; else where the line says; else where the part lies by default. Null when none of them says.
 * (The reference description of orders and stock, section 3.2.)
 */
export const computedDestination: Expression = `coalesce(
  (select received.location {from stock_item} received
   where received.purchase_order = {order} and received.supplier_part = {part} and received.location is not null
   order by received.pk limit 1),
  {destination}, {part.part.default_location})`
