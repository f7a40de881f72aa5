import { allocatedSql } from '../stock/allocated-quantities.ts'

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

/** The quantity of a line's part in production: outputs of open build orders. */
export const quantityInProduction = `coalesce((
  select sum(item.quantity) {from stock_item} item {join build_order} build on build.pk = item.build
  where item.part = {part} and item.is_building and is_active_build(build.status)
), 0)`
