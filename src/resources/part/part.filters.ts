import { type Filter, isNullWord, readKey } from '../../kit/definition/filter.ts'
import { tagFilters, tagSlug } from '../../kit/definition/tags.ts'
import { readCascade } from '../../kit/definition/tree.ts'
import { selectBomDigest, selectBomLines, selectUsableParts } from '../bom/bom-lines.ts'
import { createParameterFilter } from '../parameter/parameter-filter.ts'
import { stockItem } from '../stock/stock-item.table.ts'
import { partCategory } from './category/part-category.table.ts'
import { convertibleCondition } from './convertible.ts'
import { part } from './part.table.ts'

const reference = (sql: string, help: string, more: { negative?: boolean } = {}): Filter => ({
  kind: 'reference',
  table: () => part,
  sql,
  help,
  ...more,
})

const flag = (sql: string, help: string, whenFalse?: string): Filter => ({ kind: 'boolean', sql, help, whenFalse })
const regex = (sql: string, help: string): Filter => ({ kind: 'regex', sql, help })

/** Whether the caller is subscribed to the part directly. */
export const isSubscribed = 'exists (select {from part_star} star where star.part = {pk} and star."user" = {@caller})'

/** Whether the BOM was validated, and is unchanged since. */
export const IS_BOM_VALIDATED = `({bom_checksum} <> '' and {bom_checksum} = ${selectBomDigest('{pk}')})`

/** Whether the BOM is unchanged since it was last validated. A BOM without lines is valid. */
const isBomValid = `case when {bom_checksum} = '' then not exists ${selectBomLines('{pk}')}
  else {bom_checksum} = ${selectBomDigest('{pk}')} or not exists ${selectBomLines('{pk}')} end`

/** Filters the parts related to the part in a parameter, or all others; an unknown key filters nothing. */
const related = (isRelated: boolean, help: string): Filter => ({
  kind: 'reference',
  table: () => part,
  unknown: 'ignore',
  negative: true,
  sql: `{pk} ${isRelated ? 'in' : 'not in'} (
    select related.part_2 {from part_related} related where related.part_1 = {@value}
    union all select related.part_1 {from part_related} related where related.part_2 = {@value})`,
  help,
})

/** Filters of the part list that do not belong to a single field. */
export const partFilters: Record<string, Filter> = {
  category: {
    kind: 'custom',
    names: {
      category: 'Parts in the category with this key; `null` for parts without one.',
      cascade: 'Whether to include parts in the categories below; `true` by default.',
    },
    read(query, { config }) {
      const cascade = readCascade(query, config) ?? true
      if (isNullWord(query.category)) return cascade ? undefined : { sql: '{category} is null', values: [] }
      const pk = readKey(query.category ?? '')
      if (pk === undefined) return undefined
      const sql = cascade
        ? '{category} in (select below.pk {from part_category} below where below.path @> array[{@value}::integer])'
        : '{category} = {@value}::integer'
      return { name: 'category', table: partCategory, pk, negative: false, ignore: true, condition: { sql, values: [pk] } }
    },
  },
  name_regex: regex('{name} ~* {@value}', 'Parts whose name matches this regular expression, case-insensitive.'),
  IPN_regex: regex('{IPN} ~* {@value}', 'Parts whose IPN matches this regular expression, case-insensitive.'),
  has_ipn: flag(`{IPN} <> ''`, 'Whether they have an IPN.'),
  has_units: flag(`{units} <> ''`, 'Whether they have a unit other than pieces.'),
  has_pricing: flag(
    '{part_pricing.overall_min} is not null or {part_pricing.overall_max} is not null',
    'Whether they have a known price.',
  ),
  has_stock: flag('{part_quantity.in_stock} > 0', 'Whether the parts themselves, without variants, are in stock.'),
  unallocated_stock: flag(
    '{part_quantity.unallocated_stock} > 0',
    'Whether any stock, variants included, is not allocated to orders.',
  ),
  low_stock: flag(
    '{minimum_stock} > 0 and {part_quantity.total_in_stock} < {minimum_stock}',
    'Whether their stock, variants included, is below their `minimum_stock`.',
    '{part_quantity.total_in_stock} >= {minimum_stock}',
  ),
  high_stock: flag(
    '{maximum_stock} > 0 and {part_quantity.total_in_stock} > {maximum_stock}',
    'Whether their stock, variants included, is above their `maximum_stock`.',
    '{maximum_stock} = 0 or {part_quantity.total_in_stock} <= {maximum_stock}',
  ),
  on_order: flag('{part_quantity.ordering} > 0', 'Whether the parts themselves, without variants, are on order.'),
  is_variant: flag('{variant_of} is not null', 'Whether they are variants of a template.'),
  is_revision: flag('{revision_of} is not null', 'Whether they are revisions of another part.'),
  has_revisions: flag('exists (select {from part} revised where revised.revision_of = {pk})', 'Whether they have revisions.'),
  depleted_stock: flag(
    '{part_quantity.in_stock} = 0 and {part_quantity.stock_item_count} > 0',
    'Whether they have stock items, but none in stock.',
  ),
  stock_to_build: flag(
    '{part_quantity.required_for_build_orders} > {part_quantity.allocated_to_build_orders}',
    'Whether build orders need more than is allocated.',
  ),
  ancestor: reference('{path} @> array[{@value}] and {pk} <> {@value}', 'All variants below the part with this key.'),
  exclude_tree: reference('not {path} @> array[{@value}]', 'Excludes the part with this key and all variants below it.', {
    negative: true,
  }),
  convert_from: reference(
    `{pk} in (
      select target.pk {from part} own {join part} target on target.path @> array[own.path[1]]
      where own.pk = {@value} and ${convertibleCondition((column) => `target.${column}`, 'own')})`,
    'Parts that stock of the part with this key can be converted to: its variants at any depth, the template directly above, and the other variants of that; active and not virtual.',
  ),
  convert_item: {
    kind: 'reference',
    table: () => stockItem,
    sql: `{pk} in (
      select target.pk {from stock_item} item {join part} own on own.pk = item.part {join part} target on target.path @> array[own.path[1]]
      where item.pk = {@value} and ${convertibleCondition((column) => `target.${column}`, 'own')})`,
    help: 'Parts that the stock item with this key can be converted to.',
  },
  in_bom_for: reference(
    `{pk} in ${selectUsableParts(selectBomLines('{@value}'))}`,
    'Parts that can be used in the BOM of the part with this key: components, their allowed variants, and substitutes.',
  ),
  bom_valid: flag(
    `{active} and {assembly} and (${isBomValid})`,
    'Whether the BOM of active assemblies is validated and unchanged since then, or has no lines.',
    `{active} and {assembly} and not (${isBomValid})`,
  ),
  related: related(true, 'Parts related to the one with this key.'),
  exclude_related: related(false, 'Excludes parts related to the one with this key.'),
  parameter: createParameterFilter('part'),
  starred: flag(isSubscribed, 'Whether the caller is subscribed to them directly, not to a template or category.'),
  stocktake: flag('{last_stocktake} is not null', 'Whether they have a stocktake.'),
  /** Can be repeated. */
  exclude_id: {
    kind: 'custom',
    names: {
      exclude_id: 'Excludes the part with this key; can be repeated.',
      'exclude_id[]': 'Excludes the parts with these keys.',
    },
    read(query) {
      const exclusions = [query.exclude_id, query['exclude_id[]']].flatMap((values) => values?.split(',') ?? [])
      const pks = exclusions.flatMap((value) => readKey(value) ?? [])
      return pks.length ? { sql: '{pk} <> all({@value}::integer[])', values: [pks] } : undefined
    },
  },
  ...(tagFilters.tags && { tags: tagFilters.tags }),
  tags_name: {
    kind: 'text',
    sql: 'exists (select from unnest({tags}) as tag where lower(tag) = lower({@value}))',
    help: 'Parts with the tag of this name, case-insensitive.',
  },
  tags_slug: {
    kind: 'text',
    sql: `exists (select from unnest({tags}) as tag where ${tagSlug('tag')} = lower({@value}))`,
    help: 'Parts with the tag of this slug: its name in lower case, with dashes for spaces.',
  },
  created_before: { kind: 'date', sql: '{creation_date} <= {@value}', help: 'Parts created on or before this day.' },
  created_after: { kind: 'date', sql: '{creation_date} >= {@value}', help: 'Parts created on or after this day.' },
}
