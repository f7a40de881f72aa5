import type { PgTable } from 'drizzle-orm/pg-core'
import type { Config } from '../../config.ts'
import { SPECIFICATION_WIRE } from '../../wire.ts'
import type { Expression } from '../sql/sql.ts'
import { foldSql } from '../values/fold-text.ts'
import { type Field, writeOnly } from './field.ts'
import { type Filter, type Query, readBoolean, readFilter, readKey, unknownReference } from './filter.ts'
import { text } from './input.ts'

/**
 * The filters of a list of nodes in a tree, over the columns that its triggers maintain (`path`, `level`):
 * - `parent`: its direct children; with `cascade` all descendants. `null` selects rows without a parent.
 * - `cascade=false` without a parent: the top level.
 * - `depth`: at most that many levels below the parent; without one, the highest level counted from 0.
 * - `exclude_tree`: neither the node nor its descendants.
 * - `pathstring`: nodes with all of these words in their name or in those of their ancestors.
 */
export function treeFilters(table: () => PgTable): Record<string, Filter> {
  return {
    parent: {
      kind: 'custom',
      names: {
        parent: 'Objects directly below the one with this key; `null` for the top level.',
        cascade: 'With `true`, all objects below `parent` at any depth; `false` without `parent`: the top level.',
        depth: 'The maximum number of levels below `parent`, or below the top.',
      },
      read(query, { config }) {
        const cascade = readCascade(query, config)
        const depth = readDepth(query.depth ?? '')
        if (!query.parent || query.parent === 'null') {
          const isTopLevel = query.parent ? cascade !== true : cascade === false
          const conditions = [
            ...(isTopLevel ? ['{parent} is null'] : []),
            ...(depth === undefined ? [] : ['{level} <= {@value}::numeric']),
          ]
          return conditions.length ? { sql: conditions.join(' and '), values: depth === undefined ? [] : [depth] } : undefined
        }
        const pk = readKey(query.parent)
        if (pk === undefined) throw unknownReference('parent')
        const scopeCondition = cascade
          ? '{path} @> array[{@value}::integer] and {pk} <> {@value}'
          : '{parent} = {@value}::integer'
        const depthCondition =
          depth === undefined ? '' : ' and cardinality({path}) - array_position({path}, {@value}) <= {@value1}::numeric'
        const condition = { sql: scopeCondition + depthCondition, values: depth === undefined ? [pk] : [pk, depth] }
        return { name: 'parent', table: table(), pk, negative: false, ignore: false, condition }
      },
    },
    top_level: {
      kind: 'custom',
      names: { top_level: 'Whether they are at the top. For clients of API 530 `false` has no effect.' },
      read({ top_level: value = '' }, { config }) {
        const whenFalse = config.wire.topLevelOnly ? 'true' : undefined
        return readFilter('top_level', { kind: 'boolean', sql: '{parent} is null', whenFalse }, value, config.wire)
      },
    },
    exclude_tree: {
      kind: 'reference',
      table,
      negative: true,
      sql: 'not {path} @> array[{@value}]',
      help: 'Excludes the object with this key and all below it.',
    },
    pathstring: {
      kind: 'text',
      // columns sort by code point, but "Ä" finds "ä"
      sql: `not exists (select from regexp_split_to_table({@value}, '[\\s/]+') word
        where strpos(lower(array_to_string({name_path}, '/') collate "default"), lower(word collate "default")) = 0)`,
      help: 'Each of these words, separated by spaces or slashes, must occur in its path: in its name, or in one above it.',
    },
  }
}

/** Whether descendants are included; undefined if the query does not specify it. */
export function readCascade({ cascade = '' }: Query, config: Config): boolean | undefined {
  readFilter('cascade', { kind: 'boolean', sql: '' }, cascade, config.wire)
  return readBoolean(cascade)
}

function readDepth(value: string): string | undefined {
  const read = readFilter('depth', { kind: 'number', sql: '' }, value, SPECIFICATION_WIRE)
  return read && 'values' in read ? String(read.values[0]) : undefined
}

/** The names from the root down to a node, from its column `pathstring`. Clients send it back: it is checked, and not written. */
export const pathString = (): Field => ({
  ...writeOnly(text({ max: 250 }), {
    constant: '{pathstring}',
    label: 'Path',
    api530: { metadata: { read_only: true } },
    help: 'The names from the top down to it, joined by slashes, shortened in the middle beyond 250 characters. It is derived from the names and cannot be set.',
  }),
  order: ['{pathstring}'],
})

/** Searches a tree by name and description: finds the nodes and those above them, so that the result is a tree. */
export const treeSearch = (table: string): Expression =>
  `{pk} in (select unnest(found.path) {from ${table}} found where ${foldSql('found.name')} ilike {@value} or ${foldSql('found.description')} ilike {@value})`

/**
 * Keys and names from the root down to a node, by its `path`: a list of objects; empty without a node.
 * @param icon the icon of `above`, to add it to each
 */
export const pathDetail = (table: string, path: Expression, icon?: Expression): Expression =>
  `coalesce((select json_agg(json_build_object('pk', above.pk, 'name', above.name${icon ? `, 'icon', ${icon}` : ''}) order by above.level) {from ${table}} above where above.pk = any(${path})), '[]')`

/**
 * The number of a table's rows in a node or its descendants, from the counts per node (`holding`).
 * @param treeTable the table of the tree
 * @param countedTable the table whose rows are counted, for which a migration called `hold_by`
 */
export const subtreeCount = (treeTable: string, countedTable: string): Expression =>
  `(select coalesce(sum(counts.rows), 0)::bigint {from ${treeTable}} below {join holding} counts on counts."of" = '${countedTable}' and counts.place = below.pk where below.path @> array[{pk}])`
