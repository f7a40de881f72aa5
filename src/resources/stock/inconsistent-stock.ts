import { Type } from 'typebox'
import { computed, type Field } from '../../kit/definition/field.ts'
import type { Expression } from '../../kit/sql/sql.ts'
import { allocatedSql } from './allocated-quantities.ts'

type StockScope = {
  /** SQL of the parts with the stock: a list, or a statement, in parentheses. */
  parts: Expression
  /** A condition, and the stock location that stock must be in or below where the condition holds. */
  within?: { if: Expression; location: Expression }
}

const schema = Type.Array(
  Type.Object({
    status: Type.Integer({ description: 'The key of the status, as in `/api/stock/status/`.' }),
    quantity: Type.Number({ description: 'The quantity with this status, in units of the part.' }),
  }),
)

/** Available quantity of an item. */
const AVAILABLE_QUANTITY = `item.quantity - ${allocatedSql((column) => `item.${column}`)}`

/**
 * Available stock with a status other than OK, by status. Damaged stock counts as in stock, so the available quantity does not reveal it.
 * Included only on request, as it is summed from the items.
 */
export const flawedStock = ({ parts, within }: StockScope): Field =>
  computed(
    schema,
    `(select coalesce(json_agg(json_build_object('status', flawed.status, 'quantity', trim_scale(flawed.total)) order by flawed.status), '[]'::json)
     from (
       select item.status, sum(${AVAILABLE_QUANTITY}) as total {from stock_item} item
       where item.part in ${parts} and item.in_stock and item.status <> 10 ${
         within
           ? `and (not (${within.if}) or item.location in (select location.pk {from stock_location} location where location.path @> array[${within.location}]))`
           : ''
       }
       group by item.status having sum(${AVAILABLE_QUANTITY}) > 0
     ) flawed)`,
    {
      flag: { name: 'flawed_stock', afterWrites: false },
      help: 'The quantity of unallocated stock with a status other than OK, by status. It counts as in stock.',
    },
  )
