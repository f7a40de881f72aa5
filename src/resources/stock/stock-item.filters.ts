import type { Config } from '../../config.ts'
import { type Filter, type Query, readBoolean, readFilter, readKey, unknownReference } from '../../kit/definition/filter.ts'
import { tagFilters } from '../../kit/definition/tags.ts'
import { company } from '../company/company.table.ts'
import { partCategory } from '../part/category/part-category.table.ts'
import { part } from '../part/part.table.ts'
import { stockLocation } from './location/stock-location.table.ts'
import { stockItem } from './stock-item.table.ts'

const contains = (text: string) => `position(lower({@value}) in lower(${text})) > 0`
const of = (table: () => typeof company, sql: string): Filter => ({ kind: 'reference', table, sql })
const flag = (sql: string, otherwise?: string): Filter => ({ kind: 'boolean', sql, otherwise })

/** An item and all that was split from it. `union` ends at an item that was met before. */
const splitTree = `select pk from (with recursive split (pk) as (select {@value}::integer union select item.pk from stock_item item join split on item.parent = split.pk) select pk from split) whole`

const supplier = '{supplier_part.supplier} = {@value}'
const manufacturer = '{supplier_part.manufacturer_part.manufacturer} = {@value}'

/** In stock, and past its date. */
export const EXPIRED = '{in_stock} and {expiry_date} < current_date'
/** In stock, and past its date in STOCK_STALE_DAYS; with `{@stale_days}`. */
export const STALE = '{in_stock} and {expiry_date} < current_date + {@stale_days}::integer'

/** Has an effect only while STOCK_ENABLE_EXPIRY is on. */
const whileExpiring = (name: string, sql: string, help: string): Filter => ({
  kind: 'custom',
  names: { [name]: help },
  read(query, { setting, config }) {
    const read = readFilter(name, { kind: 'boolean', sql }, query[name] ?? '', config.wireForm === 'inventree')
    return setting('STOCK_ENABLE_EXPIRY') ? read : undefined
  },
})

/** Whether a parameter that is on by default is switched off. */
function isOff(name: string, query: Query, config: Config): boolean {
  const value = query[name] ?? ''
  readFilter(name, { kind: 'boolean', sql: '' }, value, config.wireForm === 'inventree')
  return readBoolean(value) === false
}

/** Filters of the list of stock items that are not one field's own. (The reference description, section 6.) */
export const stockItemFilters: Record<string, Filter> = {
  ...tagFilters,
  part: {
    kind: 'custom',
    names: { part: 'Stock of the part with this key and, unless `include_variants` is `false`, of its variants.' },
    read(query, { config }) {
      const pk = readKey(query.part ?? '')
      const refusal = 'Invalid Part ID specified'
      if (pk === undefined) throw unknownReference('part', refusal)
      const sql = isOff('include_variants', query, config)
        ? '{part} = {@value}::integer'
        : '{part} in (select pk from part where path @> array[{@value}::integer])'
      return { name: 'part', table: part, pk, negative: false, ignore: false, refusal, condition: { sql, values: [pk] } }
    },
  },
  location: {
    kind: 'custom',
    names: {
      location: 'Stock in the location with this key and, unless `cascade` is `false`, below it; `null` for stock in none.',
    },
    read(query, { config }) {
      const alone = isOff('cascade', query, config)
      if (query.location === 'null') return alone ? { sql: '{location} is null', values: [] } : undefined
      const pk = readKey(query.location ?? '')
      if (pk === undefined) throw unknownReference('location')
      const sql = alone
        ? '{location} = {@value}::integer'
        : '{location} in (select pk from stock_location where path @> array[{@value}::integer])'
      return { name: 'location', table: stockLocation, pk, negative: false, ignore: false, condition: { sql, values: [pk] } }
    },
  },
  category: {
    kind: 'reference',
    table: () => partCategory,
    sql: '{part} in (select pk from part where category in (select pk from part_category where path @> array[{@value}]))',
  },
  part_tree: {
    kind: 'reference',
    table: () => part,
    sql: '{part} in (select pk from part where path && array(select path[1] from part where pk = {@value}))',
  },
  /** No bill of materials is kept yet. */
  bom_item: {
    kind: 'custom',
    names: { bom_item: 'Stock that the line of a bill of materials with this key can use.' },
    read() {
      throw unknownReference('bom_item')
    },
  },
  ancestor: { kind: 'reference', table: () => stockItem, sql: `{pk} in (${splitTree}) and {pk} <> {@value}` },
  exclude_tree: { kind: 'reference', table: () => stockItem, sql: `{pk} not in (${splitTree})`, unknown: 'ignore' },
  supplier: of(() => company, supplier),
  manufacturer: of(() => company, manufacturer),
  company: of(() => company, `${supplier} or ${manufacturer}`),
  name: { kind: 'text', sql: 'lower({part.name}) = lower({@value})' },
  name_contains: { kind: 'text', sql: contains('{part.name}') },
  name_regex: { kind: 'regex', sql: '{part.name} ~* {@value}' },
  IPN: { kind: 'text', sql: 'lower({part.IPN}) = lower({@value})' },
  IPN_contains: { kind: 'text', sql: contains('{part.IPN}') },
  IPN_regex: { kind: 'regex', sql: '{part.IPN} ~* {@value}' },
  assembly: flag('{part.assembly}'),
  active: flag('{part.active}'),
  salable: flag('{part.salable}'),
  min_stock: { kind: 'number', sql: '{quantity} >= {@value}' },
  max_stock: { kind: 'number', sql: '{quantity} <= {@value}' },
  batch_regex: { kind: 'regex', sql: '{batch} ~* {@value}' },
  serial_gte: { kind: 'number', sql: '{serial_int} >= {@value}' },
  serial_lte: { kind: 'number', sql: '{serial_int} <= {@value}' },
  serialized: flag(`{serial} <> ''`),
  has_batch: flag(`{batch} <> ''`),
  tracked: flag(`{serial} <> '' or {batch} <> ''`),
  in_stock: flag('{in_stock}'),
  /** Nothing is allocated yet: sales and builds do that. */
  allocated: flag('false', 'true'),
  available: flag('{quantity} > 0'),
  depleted: flag('{quantity} <= 0'),
  expired: whileExpiring('expired', EXPIRED, 'In stock and past its date, while STOCK_ENABLE_EXPIRY is on.'),
  stale: whileExpiring('stale', STALE, 'In stock and soon past its date (STOCK_STALE_DAYS), while STOCK_ENABLE_EXPIRY is on.'),
  external: flag('{location.external}'),
  installed: flag('{belongs_to} is not null'),
  has_installed_items: flag('exists (select from stock_item inside where inside.belongs_to = {pk})'),
  has_child_items: flag('exists (select from stock_item split where split.parent = {pk})'),
  sent_to_customer: flag('{customer} is not null'),
  has_purchase_price: flag('{purchase_price} is not null'),
  updated_before: { kind: 'date', sql: '{updated} <= {@value}' },
  updated_after: { kind: 'date', sql: '{updated} >= {@value}' },
  expiry_date_lte: { kind: 'date', sql: '{expiry_date} <= {@value}' },
  expiry_date_gte: { kind: 'date', sql: '{expiry_date} >= {@value}' },
}
