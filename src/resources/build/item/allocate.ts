import type { Statement } from '../../../database/text-query.ts'
import type { Decimal } from '../../../kit/values/decimal.ts'

/** A quantity of a stock item for a line, in units of the part. It is installed in `output`; null if it is for no particular output. */
export type NewAllocation = { build_line: number; stock_item: number; quantity: Decimal; output: number | null }

/**
 * Allocates stock to lines, adding to an existing allocation of the same line, item and output. All build allocations are made here. The
 * build orders and the items are locked and the quantities checked; the check constraint of the table is a second safeguard.
 */
export function allocationWrites(newAllocations: readonly NewAllocation[]): Statement[] {
  if (newAllocations.length === 0) return []
  return [
    {
      text: `insert into build_allocation (build_line, stock_item, install_into, quantity)
     select build_line, stock_item, output, sum(quantity)
     from unnest($1::integer[], $2::integer[], $3::integer[], $4::numeric[]) with ordinality
       entry (build_line, stock_item, output, quantity, ordinal)
     group by build_line, stock_item, output order by min(ordinal)
     on conflict (build_line, stock_item, install_into) do update set quantity = build_allocation.quantity + excluded.quantity`,
      values: [
        newAllocations.map(({ build_line }) => build_line),
        newAllocations.map(({ stock_item }) => stock_item),
        newAllocations.map(({ output }) => output),
        newAllocations.map(({ quantity }) => quantity),
      ],
    },
  ]
}
