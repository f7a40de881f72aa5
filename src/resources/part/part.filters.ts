import { type Filter, readKey } from '../../kit/definition/filter.ts'
import { tagSlug } from '../../kit/definition/tags.ts'
import { readCascade } from '../../kit/definition/tree.ts'
import { partCategory } from './category/part-category.table.ts'
import { part } from './part.table.ts'

const reference = (sql: string, more: { negative?: boolean } = {}): Filter => ({
  kind: 'reference',
  table: () => part,
  sql,
  ...more,
})

/** The part at the top of the tree of the part `{@value}`. */
const root = '(select other.path[1] from part other where other.pk = {@value})'

/** The caller follows the part directly. */
export const followed = 'exists (select from part_star star where star.part = {pk} and star."user" = {@caller})'

/** The filters of the part list that are no plain field's. (The reference description of parts, section 3.) */
export const partFilters: Record<string, Filter> = {
  category: {
    kind: 'custom',
    names: {
      category: 'Parts in the category with this key; `null` for parts without one.',
      cascade: 'Whether parts in the categories below count too; they do unless it is `false`.',
    },
    read(query, { config }) {
      const cascade = readCascade(query, config) ?? true
      if (query.category === 'null') return cascade ? undefined : { sql: '{category} is null', values: [] }
      const pk = readKey(query.category ?? '')
      if (pk === undefined) return undefined
      const sql = cascade
        ? '{category} in (select below.pk from part_category below where below.path @> array[{@value}::integer])'
        : '{category} = {@value}::integer'
      return { name: 'category', table: partCategory, pk, negative: false, ignore: true, condition: { sql, values: [pk] } }
    },
  },
  name_regex: { kind: 'regex', sql: '{name} ~* {@value}' },
  IPN_regex: { kind: 'regex', sql: '{IPN} ~* {@value}' },
  has_ipn: { kind: 'boolean', sql: `{IPN} <> ''` },
  has_units: { kind: 'boolean', sql: `{units} <> ''` },
  has_pricing: { kind: 'boolean', sql: '{part_pricing.overall_min} is not null or {part_pricing.overall_max} is not null' },
  has_stock: { kind: 'boolean', sql: '{part_quantity.in_stock} > 0' },
  unallocated_stock: { kind: 'boolean', sql: '{part_quantity.unallocated_stock} > 0' },
  low_stock: {
    kind: 'boolean',
    sql: '{minimum_stock} > 0 and {part_quantity.total_in_stock} < {minimum_stock}',
    otherwise: '{part_quantity.total_in_stock} >= {minimum_stock}',
  },
  depleted_stock: { kind: 'boolean', sql: '{part_quantity.in_stock} = 0 and {part_quantity.stock_item_count} > 0' },
  stock_to_build: {
    kind: 'boolean',
    sql: '{part_quantity.required_for_build_orders} > {part_quantity.allocated_to_build_orders}',
  },
  ancestor: reference('{path} @> array[{@value}] and {pk} <> {@value}'),
  exclude_tree: reference('not {path} @> array[{@value}]', { negative: true }),
  /** What a stock item of this part could become: the parts of its tree, itself excepted. */
  convert_from: reference(`{path} @> array[${root}] and {pk} <> {@value} and {active} and not {virtual}`),
  /** Bills of materials come with their own kind: until then nothing is used in any. */
  in_bom_for: reference('{@value} is null'),
  bom_valid: { kind: 'boolean', sql: '{active} and {assembly}', otherwise: 'false' },
  /** Related parts come with their own kind. */
  related: {
    kind: 'custom',
    names: { related: 'Parts related to the one with this key.' },
    read: (query) => (readKey(query.related ?? '') === undefined ? undefined : { sql: 'false', values: [] }),
  },
  starred: { kind: 'boolean', sql: followed },
  stocktake: { kind: 'boolean', sql: '{last_stocktake} is not null' },
  /** May be repeated. */
  exclude_id: {
    kind: 'custom',
    names: {
      exclude_id: 'Leaves out the part with this key; may be repeated.',
      'exclude_id[]': 'Leaves out the parts with these keys.',
    },
    read(query) {
      const given = query['exclude_id[]'] ?? query.exclude_id ?? ''
      const pks = given.split(',').flatMap((value) => readKey(value) ?? [])
      return pks.length ? { sql: '{pk} <> all({@value}::integer[])', values: [pks] } : undefined
    },
  },
  tags_name: { kind: 'text', sql: 'exists (select from unnest({tags}) as tag where lower(tag) = lower({@value}))' },
  tags_slug: { kind: 'text', sql: `exists (select from unnest({tags}) as tag where ${tagSlug('tag')} = lower({@value}))` },
  created_before: { kind: 'date', sql: '{creation_date} <= {@value}' },
  created_after: { kind: 'date', sql: '{creation_date} >= {@value}' },
}
