import type { Expression } from '../../kit/sql/sql.ts'

/** Names of a row's fields: its component, and its BOM line. */
type StockScope = {
  /** Name of the reference to the component. */
  component: string
  /** Key of the BOM line. */
  line: Expression
  /** A condition, and the stock location to which stock is restricted, with its sublocations, when the condition holds. */
  within?: { if: Expression; location: Expression }
}

/** Available stock for a line, in units of its component: SQL of numbers, for a field of a resource. */
export type AvailableStock = { ofComponent: Expression; ofSubstitutes: Expression; ofVariants: Expression }

/**
 * Available stock (in stock and not allocated) of a line's component, of its substitutes, and of its other variants, whether they are
 * allowed or not. No stock is in two of them.
 */
export function availableStock({ component, line, within }: StockScope): AvailableStock {
  const available = (column: (name: string) => string) =>
    `${column('in_stock')} - ${column('allocated_to_sales_orders')} - ${column('allocated_to_build_orders')}`
  const totalAvailable = (parts: string) =>
    `coalesce((select sum(${available((name) => `stock.${name}`)}) {from part_quantity} stock where stock.pk in ${parts}), 0)`
  const placed = (parts: string, all: string) =>
    within
      ? `case when ${within.if} then coalesce((
           select sum(item.quantity - item.allocated_to_sales_orders - item.allocated_to_build_orders)
           {from stock_item} item {join stock_location} place on place.pk = item.location
           where item.part in ${parts} and item.in_stock and place.path @> array[${within.location}]
         ), 0) else ${all} end`
      : all
  const substitutes = `(select other.part {from bom_item_substitute} other where other.bom_item = ${line})`
  const variants = `(
    select variant.pk {from part} variant where variant.path @> array[{${component}}] and variant.pk <> {${component}}
      and variant.pk not in ${substitutes}
  )`
  return {
    ofComponent: placed(`({${component}})`, `coalesce(${available((name) => `{${component}.part_quantity.${name}}`)}, 0)`),
    ofSubstitutes: placed(substitutes, totalAvailable(substitutes)),
    // few components have variants: the query for variants runs only for those
    ofVariants: `case when exists (select {from part} variant where variant.variant_of = {${component}}) then ${placed(variants, totalAvailable(variants))} else 0 end`,
  }
}
