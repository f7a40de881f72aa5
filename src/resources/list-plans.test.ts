import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { getTableName } from 'drizzle-orm'
import type { Filter, Query } from '../kit/definition/filter.ts'
import type { Resource } from '../kit/definition/resource.ts'
import { findConditions, listFilters, listOrderings, readListRequest } from '../kit/reading/list.ts'
import { getListStatement } from '../kit/reading/list-statement.ts'
import { readSearch } from '../kit/reading/search.ts'
import { MIN_SKIP_OFFSET } from '../kit/reading/skip-objects.ts'
import { toPlainSql } from '../kit/sql/sql.ts'
import { startDemoWorkshop } from '../testing/objects/demo-workshop.ts'
import { createSampleCaller } from './callers.ts'
import { resources } from './index.ts'

/** Number of rows that PostgreSQL assumes for each table. */
const ROWS = 1_000_000
/** Tables that have at most thousands of rows, even where others have millions. */
const SMALL = new Set([
  'company',
  'custom_unit',
  'invitation',
  'label_template',
  'manufacturer_part',
  'owner',
  'parameter_template',
  'part_category',
  'part_test_template',
  'plugin_config',
  'project_code',
  'report_snippet',
  'report_template',
  'rule_set',
  'selection_list',
  'selection_list_entry',
  'stock_location',
  'stock_location_type',
  'tag',
  'user_account',
])
const SMALL_ROWS = 5_000
/** Maximum rows that may be sorted or scanned: that takes about 10 ms. */
const MAX_ROWS_READ = 20_000

const { app, pool } = await startDemoWorkshop()
// the planner uses the number of rows and pages stored for each table; its statistics of values are those of the demo data
await pool.query('vacuum analyze')
await pool.query(
  `
  update pg_class set reltuples = case when relname = any($1) then ${SMALL_ROWS} else ${ROWS} end, relpages = greatest(1, pg_relation_size(oid) / 8192)
  where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  [[...SMALL]],
)
const caller = createSampleCaller({ isStaff: true, isSuperuser: true, groups: [1] })

type Node = { 'Node Type': string; 'Plan Rows': number; 'Relation Name'?: string; 'Subplan Name'?: string; Plans?: Node[] }
const listNodes = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(listNodes)]

/** Returns the scans and sorts of whole tables in the plan of a list page. */
async function findFullScans(resource: Resource, query: Query, offset: number): Promise<string[]> {
  const { services } = app.routes
  const results = await findConditions(resource, query, services)
  const request = readListRequest(resource, query, caller, { limit: 25, offset }, services, results)
  const { rows } = await pool.query(`explain (generic_plan, format json) ${getListStatement(resource, request).text}`)
  const nodes = listNodes(rows[0]['QUERY PLAN'][0].Plan)
  const page = nodes.find((node) => node['Subplan Name'] === 'CTE page')
  assert.ok(page)
  const skipped = nodes.find((node) => node['Subplan Name'] === 'CTE skipped')
  return [...listNodes(page), ...(skipped ? listNodes(skipped) : [])]
    .filter((node) => ['Seq Scan', 'Sort'].includes(node['Node Type']) && node['Plan Rows'] > MAX_ROWS_READ)
    .map((node) => `${node['Node Type']} ${node['Relation Name'] ?? ''}`.trim())
}

const COMPUTED = 'It is computed from several columns or rows.'
const SUMS = 'Every stock movement updates it in place, which an index on it would prevent.'
const MOVED = 'Few clients sort by it, and every stock movement would have to update its index.'
const UNBOUNDED = 'It may be too long for an index.'
const WITHIN_ONE = 'Clients sort by it within one assembly or order, which has few rows.'
const STATES = 'An installation has a few of them.'
const SCANS = 'A row is written with each scan, and deleted after 90 days.'

/** Orders for which all rows are read and sorted, with reasons. A million rows take up to half a second (ADR 0035). */
const allowed: Record<string, Record<string, string>> = {
  '/api/barcode/history/': { action: SCANS, endpoint: SCANS, result: SCANS, status: SCANS, scanned: SCANS },
  '/api/bom/': {
    pricing_min_total: COMPUTED,
    pricing_max_total: COMPUTED,
    available_stock: COMPUTED,
    can_build: COMPUTED,
    setup_quantity: WITHIN_ONE,
    attrition: WITHIN_ONE,
    rounding_multiple: WITHIN_ONE,
    reference: WITHIN_ONE,
    validated: COMPUTED,
  },
  '/api/build/': { level: COMPUTED },
  '/api/build/item/': { quantity: WITHIN_ONE },
  '/api/build/line/': { allocated: COMPUTED, available_stock: COMPUTED, on_order: COMPUTED, scheduled_to_build: COMPUTED },
  '/api/company/part/': { MPN: COMPUTED, in_stock: COMPUTED, primary: COMPUTED },
  '/api/generic/status/custom/': { name: STATES, label: STATES, color: STATES, logical_key: STATES },
  '/api/order/po-line/': { total_price: COMPUTED },
  '/api/order/so-line/': { allocated: COMPUTED, shipped: SUMS },
  '/api/order/so-allocation/': { quantity: WITHIN_ONE },
  '/api/order/so/shipment/': {
    reference: WITHIN_ONE,
    delivery_date: WITHIN_ONE,
    shipment_date: WITHIN_ONE,
    allocated_items: COMPUTED,
  },
  '/api/order/transfer-order-line/': { allocated: COMPUTED },
  '/api/order/po-extra-line/': { note: UNBOUNDED, notes: UNBOUNDED },
  '/api/order/so-extra-line/': { note: UNBOUNDED, notes: UNBOUNDED },
  '/api/order/ro-extra-line/': { note: UNBOUNDED, notes: UNBOUNDED },
  '/api/part/': {
    allocated_to_build_orders: SUMS,
    allocated_to_sales_orders: SUMS,
    allocated_to_transfer_orders: SUMS,
    building: SUMS,
    in_stock: SUMS,
    ordering: SUMS,
    required_for_build_orders: SUMS,
    required_for_sales_orders: SUMS,
    total_in_stock: SUMS,
    external_stock: SUMS,
    unallocated_stock: SUMS,
    variant_stock: SUMS,
  },
  '/api/stock/': { packaging: MOVED, purchase_price: MOVED },
}

/** Describes what to do if a page in a newly added order reads all rows. */
function describeFix({ path, table, fields }: Resource, name: string, fullScans: string): string {
  const place = name in fields ? `of the field ${name}` : 'of the resource'
  return `GET ${path}?ordering=${name} reads or sorts all rows (${fullScans}). The order is defined in \`order\` ${place}. Either give the table ${getTableName(table)} an index, with table.${name} in its createOrderIndexes(...), and npm run migrations; or write ${name} under '${path}' in \`allowed\` of list-plans.test.ts, with the reason.`
}

/** Values to try for a filter. */
const samples: Record<Filter['kind'], string[]> = {
  boolean: ['true', 'false'],
  number: ['1'],
  date: ['2024-01-31'],
  text: ['x'],
  regex: ['x'],
  reference: ['1'],
  custom: ['true', 'false', '1', 'null', '2024-01-31'],
  found: ['1'],
}
/** Representatives of a family of parameters whose names contain a key: of a template with units, and of one without. */
const families = [
  'parameter_1',
  'parameter_1_ne',
  'parameter_1_gt',
  'parameter_1_in',
  'parameter_3',
  'parameter_3_lte',
  'parameter_3_in',
]

const listParameterNames = (name: string, filter: Filter): string[] => {
  const family = filter.kind === 'found' ? filter.family : undefined
  const familyParameters = family ? families.filter((parameter) => family.test(parameter)) : []
  assert.ok(!family || familyParameters.length > 0, `${name}: no sample parameter belongs to its family`)
  return [...('names' in filter ? Object.keys(filter.names) : [name]), ...familyParameters]
}

const listParameters = (resource: Resource): [string, string][] =>
  Object.entries(listFilters(resource)).flatMap(([name, filter]) =>
    listParameterNames(name, filter).flatMap((parameter) =>
      samples[filter.kind].map((value): [string, string] => [parameter, value]),
    ),
  )

/** Lists the orders of a list that begin with a column of its own table: no index covers an order by another table's column, which is sorted (ADR 0049). */
const listOwnOrderings = (resource: Resource): string[] =>
  Object.entries(listOrderings(resource)).flatMap(([name, [first = '']]) => (/^\{\w+\./.test(first) ? [] : [name]))

describe('reading one page among a million rows without scanning or sorting them all', () => {
  const large = resources.filter(({ table }) => !SMALL.has(getTableName(table)))

  for (const resource of large) {
    const { path } = resource
    it(`GET ${path} in each of its orders, forwards and backwards, its first page and later ones`, async () => {
      for (const offset of [0, MIN_SKIP_OFFSET])
        assert.deepEqual(
          await findFullScans(resource, {}, offset),
          [],
          `GET ${path} in its default order (defaultOrder) needs an index (createOrderIndexes), or kept counts (rowsOf)`,
        )
      for (const name of listOwnOrderings(resource)) {
        const results = await Promise.all([
          findFullScans(resource, { ordering: name }, 0),
          findFullScans(resource, { ordering: `-${name}` }, 100),
        ])
        const fullScans = [...new Set(results.flat())].join(', ')
        if (allowed[path]?.[name])
          assert.ok(fullScans, `${path} needs no exception for ordering=${name}: remove it from \`allowed\``)
        else assert.equal(fullScans, '', describeFix(resource, name, fullScans))
      }
    })

    it(`GET ${path} with each of its filters`, async () => {
      for (const [name, value] of listParameters(resource)) {
        try {
          assert.deepEqual(await findFullScans(resource, { [name]: value }, 0), [], `${name}=${value}`)
        } catch (error) {
          // a value that the filter does not accept
          if ((error as { status?: number }).status !== 400 || families.includes(name)) throw error
        }
      }
    })
  }

  it('finds search matches of the most searched lists by text indexes', async () => {
    const lists = ['bom', 'build', 'company/part', 'order/po', 'order/ro', 'order/so', 'part', 'stock']
    for (const path of lists.map((name) => `/api/${name}/`)) {
      const resource = large.find((one) => one.path === path) as Resource
      const [word] = readSearch(resource, { search: 'word' })
      const { rows } = await pool.query(
        `explain (generic_plan, format json) ${toPlainSql(word?.search?.keys ?? '').replaceAll('{@value}', '$1')}`,
      )
      const read = listNodes(rows[0]['QUERY PLAN'][0].Plan).flatMap((node) =>
        node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] as string] : [],
      )
      const fullScans = read.filter((name) => !SMALL.has(name))
      assert.deepEqual(fullScans, [], path)
    }
  })

  it('has no exceptions for unknown orders', () => {
    for (const [path, names] of Object.entries(allowed)) {
      const resource = large.find((one) => one.path === path)
      assert.ok(resource, path)
      for (const name of Object.keys(names)) assert.ok(listOwnOrderings(resource).includes(name), `${path} ${name}`)
    }
  })
})

describe('indexes for list orders', () => {
  it('are vacuumed soon after changes, so that pages are read from the index alone', async () => {
    const { rows } = await pool.query(`
      select distinct t.relname from pg_index i join pg_class t on t.oid = i.indrelid join pg_class x on x.oid = i.indexrelid
      where t.relnamespace = 'public'::regnamespace and starts_with(x.relname, t.relname || '_by_')
        and not coalesce(t.reloptions, '{}') @> '{autovacuum_vacuum_scale_factor=0.0005,autovacuum_vacuum_insert_scale_factor=0.01}'`)
    assert.deepEqual(rows, [], 'as in the migration vacuum_often')
  })
})
