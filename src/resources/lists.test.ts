import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Statement } from '../database/text-query.ts'
import type { Resource } from '../kit/definition/resource.ts'
import { findConditions, listFilters, listOrderings, readListRequest, runList } from '../kit/reading/list.ts'
import { listSearchConditions } from '../kit/reading/search.ts'
import { MIN_SKIP_OFFSET } from '../kit/reading/skip-objects.ts'
import type { Services } from '../kit/services/services.ts'
import { Database } from '../kit/sql/tx.ts'
import { testService } from '../testing/service.ts'
import { createSampleCaller } from './callers.ts'
import { resources } from './index.ts'

const service = await testService()
const services = {
  config: service.app.routes.services.config,
  database: new Database(service.pool),
  plugins: service.app.routes.services.plugins,
  settings: service.app.routes.services.settings,
  log: service.app.log,
} as Services
const caller = createSampleCaller({ isStaff: true, isSuperuser: true, groups: [1] })
const samples = {
  boolean: ['true', 'false'],
  number: ['1', '1.5'],
  date: ['2024-01-31'],
  text: ['x'],
  regex: ['x'],
  reference: ['1'],
  custom: ['true', '1', 'null', '2024-01-31'],
  found: ['1'],
}

const watchedTables = new Set(
  (await service.rows(`select tgrelid::regclass::text as name from pg_trigger where tgname = 'count_change_update'`)).map(
    ({ name }) => name,
  ),
)

/** Lists queries that use each filter, order, flag and search of a list at least once. */
function listQueries(resource: Resource): Record<string, string>[] {
  const flags = [...new Set(Object.values(resource.fields).flatMap((field) => (field.flag ? [field.flag.name] : [])))]
  return [
    {},
    { etag: 'true' },
    { ordering: '' },
    ...Object.keys(listOrderings(resource)).flatMap((name) => [{ ordering: name }, { ordering: `-${name}` }]),
    ...flags.flatMap((flag) => [{ [flag]: 'true' }, { [flag]: 'false' }]),
    Object.fromEntries(flags.map((flag) => [flag, 'true'])),
    ...(listSearchConditions(resource).length ? [{ search: 'a b' }, { search: 'a.*', search_regex: 'true' }] : []),
    ...Object.entries(listFilters(resource)).flatMap(([name, filter]) =>
      samples[filter.kind].flatMap((value) =>
        'names' in filter ? Object.keys(filter.names).map((entry) => ({ [entry]: value })) : [{ [name]: value }],
      ),
    ),
  ]
}

/** A database that records the statements that lists run. */
class RecordingDatabase extends Database {
  readonly statements: Statement[] = []
  override queryAsText(statement: Statement) {
    this.statements.push(statement)
    return super.queryAsText(statement)
  }
}

/** Runs all queries of a list, and returns their statements. */
async function recordStatements(resource: Resource): Promise<Statement[]> {
  const database = new RecordingDatabase(service.pool)
  const recordingServices = { ...services, database }
  for (const query of listQueries(resource)) {
    try {
      const conditions = await findConditions(resource, query, recordingServices)
      // deep pages of an order may be read through other tables
      for (const offset of 'ordering' in query ? [0, 1, MIN_SKIP_OFFSET] : [0])
        await runList(
          resource,
          readListRequest(resource, query, caller, { limit: 2, offset }, recordingServices, conditions),
          caller,
          recordingServices,
        )
    } catch (error) {
      // a missing object, or a value that a filter rejects
      if ((error as { status?: number }).status !== 400)
        throw new Error(`${resource.path} ${JSON.stringify(query)}: ${(error as Error).message}`)
    }
  }
  return [...new Map(database.statements.map((statement) => [statement.text, statement])).values()]
}

/** Tables that a statement reads by its plan, including those behind inlined views and functions. */
function findRelations(plan: unknown): string[] {
  if (typeof plan !== 'object' || plan === null) return []
  const own = 'Relation Name' in plan ? [plan['Relation Name'] as string] : []
  return [...own, ...Object.values(plan).flatMap(findRelations)]
}

/** Lists the tables that a statement reads, including duplicates. */
async function listReadTables(text: string, values: readonly unknown[] = []): Promise<string[]> {
  const parameterCount = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map((match) => Number(match[1])))
  const [plan] = await service.rows(`explain (format json) ${text}`, values.slice(0, parameterCount))
  return findRelations(plan).filter((name) => name !== 'change_counter' && name !== 'pg_database')
}

/** The tables whose change counters a statement sums up, per sum. */
const parseVersionTables = (text: string) =>
  [...text.matchAll(/sum\(value\) filter \(where table_name in \(([^)]*)\)/g)].map(
    (match) => new Set((match[1] as string).split(', ').map((name) => name.slice(1, -1))),
  )

/** The tables that the two cache versions of a list statement cover, and the SQL of its count; undefined if it is not a list statement. */
function parseListStatement(text: string) {
  const [page, count] = parseVersionTables(text)
  const hits = /^with (?:few|hit) as materialized .*?(?=, page as materialized)/s.exec(text)?.[0]
  const counted =
    (hits && `${hits} select count(*) from hit`) ??
    / then null else (?:coalesce\(k\.total, \((select .*?)\)\)|(?:case when [^?]*? else )?\((select (?!count\(\*\) from page\)).*?)\)(?: end)?) end,\s+case when k\.page/s
      .exec(text)
      ?.slice(1)
      .find(Boolean)
  return page && count && counted ? { page, count, counted } : undefined
}

/** Functions whose results depend only on their arguments and the connection's settings, although PostgreSQL does not declare that. */
const STABLE_FUNCTIONS = [
  'array_to_string',
  'coalesce',
  'concat',
  'concat_ws',
  'current_database',
  'extract',
  'json_agg',
  'json_build_array',
  'json_build_object',
  'json_object_agg',
  'row_to_json',
  'to_char',
]
/** Functions read with the version itself, or detected when the statement is built (`dependsOnNow`). */
const OTHER_FUNCTIONS = ['now', 'pg_postmaster_start_time', 'to_regclass']
/** Words for the current time that are not detected when the statement is built. */
const UNDETECTED_TIMES = /\b(current_time|current_timestamp|localtime|localtimestamp)\b|'(now|today|tomorrow|yesterday)'/

describe('every list', () => {
  for (const resource of resources) {
    it(`GET ${resource.path}: each filter, order, flag and search depends on its values and on tables with change counters`, async () => {
      let lists = 0
      for (const { text, values } of await recordStatements(resource)) {
        const parts = parseListStatement(text)
        if (!parts) continue
        lists++
        for (const name of await listReadTables(text, values)) {
          assert.ok(parts.page.has(name), `the version of a page does not cover ${name}`)
          assert.ok(watchedTables.has(name), `${name} has no change counter`)
        }
        for (const name of await listReadTables(parts.counted, values))
          assert.ok(parts.count.has(name), `the version of a count does not cover ${name}`)
        const called = [...text.matchAll(/\b([a-z_]\w*)\(/g)].map((match) => match[1] as string)
        const mutableFunctions = await service.rows(
          `select distinct proname as name from pg_proc where proname = any($1) and provolatile <> 'i' order by 1`,
          [called.filter((name) => ![...STABLE_FUNCTIONS, ...OTHER_FUNCTIONS].includes(name))],
        )
        assert.deepEqual(mutableFunctions, [])
        assert.doesNotMatch(text, UNDETECTED_TIMES)
      }
      assert.notEqual(lists, 0)
    })
  }
})

describe('a page of an unusual length', () => {
  /** Number of rows that PostgreSQL plans for, whatever the values. */
  const readPlannedRows = async (text: string): Promise<number> => {
    const [row] = await service.rows(`explain (generic_plan, format json) ${text}`)
    const plans: Plan[] = [row['QUERY PLAN'][0].Plan]
    for (const plan of plans) plans.push(...(plan.Plans ?? []))
    return plans.find((plan) => plan['Subplan Name'] === 'CTE page')?.['Plan Rows'] as number
  }
  type Plan = { 'Subplan Name'?: string; 'Plan Rows': number; Plans?: Plan[] }

  it('is planned for at most the rows of the next usual length', async () => {
    await service.rows(`insert into project_code (code) select 'Code ' || i from generate_series(1, 5000) i`)
    await service.rows('analyze project_code')
    const resource = resources.find(({ path }) => path === '/api/project-code/') as Resource
    for (const limit of [7, 101, 999]) {
      const database = new RecordingDatabase(service.pool)
      const recordingServices = { ...services, database }
      const request = readListRequest(resource, { ordering: 'code' }, caller, { limit, offset: 3 }, recordingServices, [])
      assert.equal(JSON.parse((await runList(resource, request, caller, recordingServices)).rows).length, limit)
      assert.ok((await readPlannedRows(database.statements[0]?.text as string)) <= 200, `${limit} rows`)
    }
  })
})

describe('the row count of a filtered list', () => {
  it('is the same wherever its page begins and ends', async () => {
    await service.rows(
      `insert into company (name, currency, is_customer) select 'Company ' || i, 'EUR', i <= 7 from generate_series(1, 12) i`,
    )
    for (const limit of [1, 2, 3, 6, 7, 8, 2000])
      for (const offset of [0, 1, 5, 6, 7, 8]) {
        // ensures that nothing of this list is cached
        await service.rows('update company set name = name')
        const { body } = await service.viewer.get(`/api/company/?is_customer=true&limit=${limit}&offset=${offset}`)
        const rows = Math.max(0, Math.min(limit, 7 - offset))
        assert.deepEqual([body.count, body.results.length], [7, rows], `${limit} from ${offset}`)
      }
  })
})
