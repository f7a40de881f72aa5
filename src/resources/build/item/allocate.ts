import type { Statement } from '../../../database/text-query.ts'
import type { Decimal } from '../../../kit/values/decimal.ts'

/** Some quantity of a stock item for a line, in units of the part; `output` is where it goes, null for no output in particular. */
export type Wanted = { build_line: number; stock_item: number; quantity: Decimal; output: number | null }

/**
 * Puts stock by for lines: what is there already for the same line, item and output becomes more. The only way in which allocations come
 * to be. The build orders and the items are locked, and what is wanted was checked; the check of the table stands behind it.
 */
export function allocationWrites(wanted: readonly Wanted[]): Statement[] {
  if (wanted.length === 0) return []
  return [
    {
      text: `insert into build_allocation (build_line, stock_item, install_into, quantity)
     select build_line, stock_item, output, sum(quantity)
     from unnest($1::integer[], $2::integer[], $3::integer[], $4::numeric[]) with ordinality
       wanted (build_line, stock_item, output, quantity, place)
     group by build_line, stock_item, output order by min(place)
     on conflict (build_line, stock_item, install_into) do update set quantity = build_allocation.quantity + excluded.quantity`,
      values: [
        wanted.map(({ build_line }) => build_line),
        wanted.map(({ stock_item }) => stock_item),
        wanted.map(({ output }) => output),
        wanted.map(({ quantity }) => quantity),
      ],
    },
  ]
}
