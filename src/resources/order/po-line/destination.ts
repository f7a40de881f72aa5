import type { Expression } from '../../../kit/sql/sql.ts'

/**
 * Destination of a line's goods, as SQL over the line: the location of the first stock received with the order for the same supplier part,
 * else the line's destination, otherwise that of the order, otherwise the part's default location. Null without any of them. (docs/interface/orders.md#receiving)
 */
export const DESTINATION_SQL: Expression = `coalesce(
  (select item.location {from stock_item} item
   where item.purchase_order = {order} and item.supplier_part = {part} and item.location is not null
   order by item.pk limit 1),
  {destination}, {order.destination}, {part.part.default_location})`

/** The same for clients of API 530: only what the line and its order say. */
export const PLANNED_DESTINATION_SQL: Expression = 'coalesce({destination}, {order.destination})'
