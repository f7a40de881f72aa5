import type { PgTable } from 'drizzle-orm/pg-core'
import type { Config } from '../../config.ts'
import {
  type Filter,
  isNullWord,
  type Query,
  readBoolean,
  readFilter,
  readKey,
  unknownReference,
} from '../../kit/definition/filter.ts'
import { tagFilters } from '../../kit/definition/tags.ts'
import { selectRowsLeadingTo } from '../../kit/sql/chains.ts'
import { bomItem } from '../bom/bom-item.table.ts'
import { selectBomLines, selectUsableParts } from '../bom/bom-lines.ts'
import { company } from '../company/company.table.ts'
import { manufacturerPart } from '../company/part/manufacturer/manufacturer-part.table.ts'
import { salesOrder } from '../order/so/so.table.ts'
import { createParameterFilter } from '../parameter/parameter-filter.ts'
import { partCategory } from '../part/category/part-category.table.ts'
import { part } from '../part/part.table.ts'
import { allocatedSql } from './allocated-quantities.ts'
import { stockLocation } from './location/stock-location.table.ts'
import { stockErrors } from './stock-errors.ts'
import { stockItem } from './stock-item.table.ts'

const containsCondition = (text: string) => `position(lower({@value}) in lower(${text})) > 0`
const keyFilter = (table: () => PgTable, sql: string, help: string, unknown?: 'ignore'): Filter => ({
  kind: 'reference',
  table,
  sql,
  help,
  unknown,
})
const booleanFilter = (sql: string, help: string, whenFalse?: string): Filter => ({
  kind: 'boolean',
  sql,
  help,
  whenFalse,
})
const plainFilter = (kind: 'text' | 'number' | 'date' | 'regex', sql: string, help: string): Filter => ({ kind, sql, help })

/** An item and all items that were split from it. */
const splitTree = selectRowsLeadingTo('stock_item', 'parent')

const supplier = '{supplier_part.supplier} = {@value}'
const manufacturer = '{supplier_part.manufacturer_part.manufacturer} = {@value}'

/** Definition of the number by which serial numbers are compared (`serial_int`). */
const SERIAL_INTEGER = 'the number at its start, otherwise the number at its end.'

/** Quantity of an item that is allocated to orders; for a shipped item, the quantity shipped with its sales order. */
export const ALLOCATED = `case when {sales_order} is null then ${allocatedSql((column) => `{${column}}`)}
  else coalesce((select sum(allocation.quantity) {from sales_order_allocation} allocation where allocation.item = {pk}), 0) end`

/** The same text as in the filter, so that PostgreSQL uses its partial index, and the list its cached count. */
export const IN_STOCK = '{in_stock}'
export const NOT_IN_STOCK = 'not {in_stock}'

/** In stock, and past its expiry date. */
export const EXPIRED = '{in_stock} and {expiry_date} < current_date'
/** In stock, and past its expiry date within STOCK_STALE_DAYS; with `{@stale_days}`. */
export const STALE = '{in_stock} and {expiry_date} < current_date + {@stale_days}::integer'

/** Creates a filter that has an effect only while STOCK_ENABLE_EXPIRY is on. */
const expiryFilter = (name: string, sql: string, help: string): Filter => ({
  kind: 'custom',
  names: { [name]: help },
  read(query, { setting, config }) {
    const read = readFilter(name, { kind: 'boolean', sql }, query[name] ?? '', config.wire)
    return setting('STOCK_ENABLE_EXPIRY') ? read : undefined
  },
})

/** Whether a parameter that is on by default is turned off. */
function isDisabled(name: string, query: Query, config: Config): boolean {
  const value = query[name] ?? ''
  readFilter(name, { kind: 'boolean', sql: '' }, value, config.wire)
  return readBoolean(value) === false
}

/** Filters of the list of stock items that do not belong to a single field. */
export const stockItemFilters: Record<string, Filter> = {
  ...tagFilters,
  /** By the parameters of their parts. */
  parameter: createParameterFilter('part', '{part}'),
  part: {
    kind: 'custom',
    names: {
      part: 'Stock of the part with this key and, unless `include_variants` is `false`, of its variants.',
      include_variants: 'With `part`: `false` excludes stock of its variants.',
    },
    read(query, { config }) {
      if (!query.part) return undefined
      const pk = readKey(query.part)
      const error = stockErrors.unknown_filter_part
      if (pk === undefined) throw unknownReference('part', error)
      const sql = isDisabled('include_variants', query, config)
        ? '{part} = {@value}::integer'
        : '{part} in (select pk {from part} where path @> array[{@value}::integer])'
      return { name: 'part', table: part, pk, negative: false, ignore: false, error, condition: { sql, values: [pk] } }
    },
  },
  location: {
    kind: 'custom',
    names: {
      location:
        'Stock in the location with this key and, unless `cascade` is `false`, below it; `null` for stock without a location.',
      cascade: 'With `location`: `false` excludes stock in the locations below it.',
    },
    read(query, { config }) {
      if (!query.location) return undefined
      const isExact = isDisabled('cascade', query, config)
      if (isNullWord(query.location)) return isExact ? { sql: '{location} is null', values: [] } : undefined
      const pk = readKey(query.location)
      if (pk === undefined) throw unknownReference('location')
      const sql = isExact
        ? '{location} = {@value}::integer'
        : '{location} in (select pk {from stock_location} where path @> array[{@value}::integer])'
      return { name: 'location', table: stockLocation, pk, negative: false, ignore: false, condition: { sql, values: [pk] } }
    },
  },
  category: keyFilter(
    () => partCategory,
    '{part} in (select pk {from part} where category in (select pk {from part_category} where path @> array[{@value}]))',
    'Stock of parts in the category with this key, or below it.',
  ),
  part_tree: keyFilter(
    () => part,
    '{part} in (select pk {from part} where path && array(select path[1] {from part} where pk = {@value}))',
    'Stock of the part with this key, its template and all variants of that.',
  ),
  bom_item: keyFilter(
    () => bomItem,
    `{part} in ${selectUsableParts('(select * {from bom_item} where pk = {@value})')}`,
    'Stock that can be used for the BOM line with this key.',
  ),
  installable_in: {
    kind: 'custom',
    names: {
      installable_in:
        'Stock that can be installed in the item with this key: in stock, and, while STOCK_ENFORCE_BOM_INSTALLATION is on, of a part that its BOM allows.',
    },
    read(query, { setting }) {
      const pk = readKey(query.installable_in ?? '')
      if (pk === undefined) throw unknownReference('installable_in')
      const isEnforced = Boolean(setting('STOCK_ENFORCE_BOM_INSTALLATION'))
      const component = `{part} in ${selectUsableParts(selectBomLines('(select host.part {from stock_item} host where host.pk = {@value}::integer)'))}`
      const sql = `{in_stock} and {pk} <> {@value}::integer${isEnforced ? ` and ${component}` : ''}`
      const condition = { sql, values: [pk] }
      return { name: 'installable_in', table: stockItem, pk, negative: !isEnforced, ignore: false, condition }
    },
  },
  ancestor: keyFilter(
    () => stockItem,
    `{pk} in (${splitTree}) and {pk} <> {@value}`,
    'Items that were split from the one with this key, directly or indirectly.',
  ),
  exclude_tree: keyFilter(
    () => stockItem,
    `{pk} not in (${splitTree})`,
    'Excludes the item with this key, and all items split from it.',
    'ignore',
  ),
  supplier: keyFilter(() => company, supplier, 'Stock purchased from the supplier with this key.'),
  manufacturer: keyFilter(() => company, manufacturer, 'Stock purchased as a product of the manufacturer with this key.'),
  company: keyFilter(
    () => company,
    `${supplier} or ${manufacturer}`,
    'Stock purchased from the company with this key, or made by it.',
  ),
  name: plainFilter('text', 'lower({part.name}) = lower({@value})', 'Stock of parts with this name, case-insensitive.'),
  name_contains: plainFilter(
    'text',
    containsCondition('{part.name}'),
    'Stock of parts whose name contains this, case-insensitive.',
  ),
  name_regex: plainFilter('regex', '{part.name} ~* {@value}', 'Stock of parts whose name matches this regular expression.'),
  IPN: plainFilter('text', 'lower({part.IPN}) = lower({@value})', 'Stock of parts with this IPN, case-insensitive.'),
  IPN_contains: plainFilter('text', containsCondition('{part.IPN}'), 'Stock of parts whose IPN contains this, case-insensitive.'),
  IPN_regex: plainFilter('regex', '{part.IPN} ~* {@value}', 'Stock of parts whose IPN matches this regular expression.'),
  assembly: booleanFilter('{part.assembly}', 'Whether their part is an assembly.'),
  active: booleanFilter('{part.active}', 'Whether their part is active.'),
  salable: booleanFilter('{part.salable}', 'Whether their part is salable.'),
  min_stock: plainFilter('number', '{quantity} >= {@value}', 'Items with at least this quantity.'),
  max_stock: plainFilter('number', '{quantity} <= {@value}', 'Items with at most this quantity.'),
  batch_regex: plainFilter(
    'regex',
    '{batch} ~* {@value}',
    'Items whose batch code matches this regular expression, case-insensitive.',
  ),
  serial_gte: plainFilter('number', '{serial_int} >= {@value}', `Items whose serial number is at least this: ${SERIAL_INTEGER}`),
  serial_lte: plainFilter('number', '{serial_int} <= {@value}', `Items whose serial number is at most this: ${SERIAL_INTEGER}`),
  serialized: booleanFilter(`{serial} <> ''`, 'Whether they have a serial number.'),
  has_batch: booleanFilter(`{batch} <> ''`, 'Whether they have a batch code.'),
  tracked: booleanFilter(`{serial} <> '' or {batch} <> ''`, 'Whether they have a serial number or a batch code.'),
  in_stock: booleanFilter(
    IN_STOCK,
    'Whether they are in stock: with a quantity and a usable status, and not sold, installed, consumed or in production.',
    NOT_IN_STOCK,
  ),
  allocated: booleanFilter(`${ALLOCATED} > 0`, 'Whether any quantity is allocated to orders, or was shipped with a sales order.'),
  available: booleanFilter(
    `{in_stock} and {quantity} > ${ALLOCATED}`,
    'Whether they are in stock with a quantity above the allocated quantity; `false`: whether all of their stock is allocated.',
    `{quantity} <= ${ALLOCATED}`,
  ),
  exclude_so_allocation: keyFilter(
    () => salesOrder,
    `{pk} not in (select allocation.item {from sales_order_allocation} allocation {join sales_order_line} line on line.pk = allocation.line where line."order" = {@value})`,
    'Excludes stock that is allocated to the sales order with this key. An unknown key has no effect.',
    'ignore',
  ),
  depleted: booleanFilter('{quantity} <= 0', 'Whether their quantity is zero.'),
  expired: expiryFilter(
    'expired',
    EXPIRED,
    'Whether they are in stock after their expiry date. No effect while STOCK_ENABLE_EXPIRY is off.',
  ),
  stale: expiryFilter(
    'stale',
    STALE,
    'Whether they are in stock after their expiry date, or will expire within STOCK_STALE_DAYS days. No effect while STOCK_ENABLE_EXPIRY is off.',
  ),
  external: booleanFilter('{location.external}', 'Whether they are in an external location.'),
  installed: booleanFilter('{belongs_to} is not null', 'Whether they are installed in another item.'),
  has_installed_items: booleanFilter(
    'exists (select {from stock_item} installed where installed.belongs_to = {pk})',
    'Whether they contain installed items.',
  ),
  has_child_items: booleanFilter(
    'exists (select {from stock_item} split where split.parent = {pk})',
    'Whether other items were split from them.',
  ),
  sent_to_customer: booleanFilter('{customer} is not null', 'Whether a customer has them.'),
  has_purchase_price: booleanFilter('{purchase_price} is not null', 'Whether their purchase price is known.'),
  consumed: booleanFilter('{consumed_by} is not null', 'Whether a build order has consumed them.'),
  has_stocktake: booleanFilter('{stocktake_date} is not null', 'Whether they were ever counted.'),
  manufacturer_part: keyFilter(
    () => manufacturerPart,
    '{supplier_part.manufacturer_part} = {@value}',
    'Stock purchased as the manufacturer part with this key.',
  ),
  parent: keyFilter(() => stockItem, '{parent} = {@value}', 'Items that were split from the one with this key.'),
  stocktake_before: plainFilter('date', '{stocktake_date} <= {@value}', 'Items last counted on or before this day.'),
  stocktake_after: plainFilter('date', '{stocktake_date} >= {@value}', 'Items last counted on or after this day.'),
  expiry_before: plainFilter('date', '{expiry_date} <= {@value}', 'Items with an expiry date on or before this day.'),
  expiry_after: plainFilter('date', '{expiry_date} >= {@value}', 'Items with an expiry date on or after this day.'),
  created_before: plainFilter('date', '{creation_date} <= {@value}', 'Items created before the start of this day, in UTC.'),
  created_after: plainFilter('date', '{creation_date} >= {@value}', 'Items created on or after this day, in UTC.'),
  updated_before: plainFilter('date', '{updated} <= {@value}', 'Items last changed before the start of this day, in UTC.'),
  updated_after: plainFilter('date', '{updated} >= {@value}', 'Items last changed on or after this day, in UTC.'),
  expiry_date_lte: plainFilter('date', '{expiry_date} <= {@value}', 'Items with an expiry date on or before this day.'),
  expiry_date_gte: plainFilter('date', '{expiry_date} >= {@value}', 'Items with an expiry date on or after this day.'),
}
