import { allocatedSql } from '../stock/allocated-quantities.ts'
import { sumInProduction } from '../stock/quantity-in-production.ts'

/** Available quantity of a line's part: in stock, and not allocated to orders. */
export const availableOfPart = `coalesce({part.part_quantity.in_stock} - ${allocatedSql((column) => `{part.part_quantity.${column}}`)}, 0)`

/**
 * Available quantity of the variants of a line's part. Only read if there is variant stock, which few parts have.
 * @param condition which variants count, on `variant`
 */
export const selectAvailableVariants = (condition: string): string => `case when {part.part_quantity.variant_stock} > 0 then (
  select coalesce(sum(stock.in_stock - ${allocatedSql((column) => `stock.${column}`)}), 0)
  {from part} variant {join part_quantity} stock on stock.pk = variant.pk
  where variant.path @> array[{part}] and variant.pk <> {part} and ${condition}
) else 0 end`

/** The quantity of a line's part in production. */
export const quantityInProduction = sumInProduction('{part}')
