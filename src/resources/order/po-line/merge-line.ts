import type { Write } from '../../../kit/definition/resource.ts'
import type { Decimal } from '../../../kit/values/decimal.ts'

/** The order line that a new line is merged into. Quantity in packs. */
export type MergeTarget = { pk: number; quantity: Decimal; purchase_price_currency: string }

/**
 * Finds the first line of the order with the same supplier part, target date, destination, discount, project code and build order, where null equals null. The order must be
 * locked, so that two concurrent new lines of the same kind are merged.
 */
export const findMergeTarget = ({ tx, values }: Write): Promise<MergeTarget | undefined> =>
  tx.first<MergeTarget>(
    `select pk, quantity::text, purchase_price_currency from purchase_order_line
     where "order" = $1 and part = $2 and target_date is not distinct from $3 and destination is not distinct from $4
       and discount = $5 and project_code is not distinct from $6 and build_order is not distinct from $7
     order by pk limit 1 for no key update`,
    [
      values.order,
      values.part,
      values.target_date ?? null,
      values.destination ?? null,
      values.discount ?? '0',
      values.project_code ?? null,
      values.build_order ?? null,
    ],
  )

/** Stores the merged quantity, and the price when there is a new one; the rest of the line is unchanged. */
export const storeMergedLine = ({ tx }: Write, line: MergeTarget, quantity: Decimal, price: Decimal | null) =>
  tx.query('update purchase_order_line set quantity = $2, purchase_price = coalesce($3, purchase_price) where pk = $1', [
    line.pk,
    quantity,
    price,
  ])
