import type { Expression } from '../../kit/sql/sql.ts'
import { allocatedSql } from '../stock/allocated-quantities.ts'

/** Names of a row's fields: its component, and its BOM line. */
type StockScope = {
  /** Name of the reference to the component. */
  component: string
  /** Key of the BOM line. */
  line: Expression
  /** When the condition holds, only stock at this location or below it counts. */
  within?: { if: Expression; location: Expression }
}

/** Available stock for a line, in units of its component: SQL of numbers, for a field of a resource. */
export type AvailableStock = { ofComponent: Expression; ofSubstitutes: Expression; ofVariants: Expression }

/**
 * Available stock (in stock and not allocated) of a line's component, of its substitutes, and of its other variants, whether they are
 * allowed or not. No stock is in two of them.
 */
export function getAvailableStockSql({ component, line, within }: StockScope): AvailableStock {
  const subtractAllocations = (column: (name: string) => string) => `${column('in_stock')} - ${allocatedSql(column)}`
  const sumAvailable = (parts: string) =>
    `coalesce((select sum(${subtractAllocations((name) => `stock.${name}`)}) {from part_quantity} stock where stock.pk in ${parts}), 0)`
  const restrictToLocation = (parts: string, all: string) =>
    within
      ? `case when ${within.if} then coalesce((
           select sum(item.quantity - ${allocatedSql((name) => `item.${name}`)})
           {from stock_item} item {join stock_location} location on location.pk = item.location
           where item.part in ${parts} and item.in_stock and location.path @> array[${within.location}]
         ), 0) else ${all} end`
      : all
  const substitutes = `(select substitute.part {from bom_item_substitute} substitute where substitute.bom_item = ${line})`
  const variants = `(
    select variant.pk {from part} variant where variant.path @> array[{${component}}] and variant.pk <> {${component}}
      and variant.pk not in ${substitutes}
  )`
  return {
    ofComponent: restrictToLocation(
      `({${component}})`,
      `coalesce(${subtractAllocations((name) => `{${component}.part_quantity.${name}}`)}, 0)`,
    ),
    ofSubstitutes: restrictToLocation(substitutes, sumAvailable(substitutes)),
    // few components have variants: the query for variants runs only for those
    ofVariants: `case when exists (select {from part} variant where variant.variant_of = {${component}}) then ${restrictToLocation(variants, sumAvailable(variants))} else 0 end`,
  }
}
