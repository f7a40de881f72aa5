import { Type } from 'typebox'
import { computed, type Field } from '../../kit/definition/field.ts'
import type { Expression } from '../../kit/sql/sql.ts'

type Stock = {
  /** SQL of the parts whose stock it is: a list, or a statement, in brackets. */
  parts: Expression
  /** A condition, and the stock location whose stock alone counts where it holds, with what is below it. */
  within?: { if: Expression; location: Expression }
}

const schema = Type.Array(
  Type.Object({
    status: Type.Integer({ description: 'The key of the status, as in `/api/stock/status/`.' }),
    quantity: Type.Number({ description: 'The quantity with this status, in units of the part.' }),
  }),
)

/** What is free of an item. */
const free = 'item.quantity - item.allocated_to_sales_orders - item.allocated_to_build_orders'

/**
 * What of the stock that is free is not as it should be. Damaged stock is in stock as any other, so that a figure of what is free says nothing
 * of it. Shown when it is asked for: it is flush from the items.
 */
export const flawedStock = ({ parts, within }: Stock): Field =>
  computed(
    schema,
    `(select coalesce(json_agg(json_build_object('status', flawed.status, 'quantity', trim_scale(flawed.total)) order by flawed.status), '[]'::json)
     from (
       select item.status, sum(${free}) as total {from stock_item} item
       where item.part in ${parts} and item.in_stock and item.status <> 10 ${
         within
           ? `and (not (${within.if}) or item.location in (select place.pk {from stock_location} place where place.path @> array[${within.location}]))`
           : ''
       }
       group by item.status having sum(${free}) > 0
     ) flawed)`,
    {
      flag: { name: 'flawed_stock' },
      help: 'The quantity of unallocated stock with a status other than OK, by status. It counts as in stock.',
    },
  )
