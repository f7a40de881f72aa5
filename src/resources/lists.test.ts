import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Statement } from '../database/text-query.ts'
import { filters, orderings, readListRequest, runList } from '../kit/list.ts'
import type { Resource } from '../kit/resource.ts'
import { searched } from '../kit/search.ts'
import type { Services } from '../kit/services.ts'
import { Database } from '../kit/tx.ts'
import { testService } from '../testing/service.ts'
import { resources } from './index.ts'

const service = await testService()
const services = {
  config: service.app.routes.services.config,
  database: new Database(service.pool),
  settings: service.app.routes.services.settings,
  log: service.app.log,
} as Services
const caller = {
  pk: 1,
  username: 'x',
  isStaff: true,
  isSuperuser: true,
  roles: new Map(),
  groups: [1],
  hasSecondFactor: false,
  passedSecondFactor: false,
}
const samples = {
  boolean: ['true', 'false'],
  number: ['1', '1.5'],
  date: ['2024-01-31'],
  text: ['x'],
  regex: ['x'],
  reference: ['1'],
  custom: ['true', '1', 'null', '2024-01-31'],
}

const watched = new Set(
  (await service.rows(`select tgrelid::regclass::text as name from pg_trigger where tgname = 'count_change_update'`)).map(
    ({ name }) => name,
  ),
)

/** Queries that use each filter, order, flag and search of a list at least once. */
function queriesOf(resource: Resource): Record<string, string>[] {
  const flags = [...new Set(Object.values(resource.fields).flatMap((field) => (field.flag ? [field.flag.name] : [])))]
  return [
    {},
    ...Object.keys(orderings(resource)).flatMap((name) => [{ ordering: name }, { ordering: `-${name}` }]),
    ...flags.flatMap((flag) => [{ [flag]: 'true' }, { [flag]: 'false' }]),
    Object.fromEntries(flags.map((flag) => [flag, 'true'])),
    ...(searched(resource).length ? [{ search: 'a b' }, { search: 'a.*', search_regex: 'true' }] : []),
    ...Object.entries(filters(resource)).flatMap(([name, filter]) =>
      samples[filter.kind].flatMap((value) =>
        filter.kind === 'custom' ? filter.names.map((entry) => ({ [entry]: value })) : [{ [name]: value }],
      ),
    ),
  ]
}
/** The statements that lists run, as they come by. */
const heard: Statement[] = []
class Overheard extends Database {
  override texts(statement: Statement) {
    heard.push(statement)
    return super.texts(statement)
  }
}

/** Reads a page of two rows in the way of every list. */
async function read(resource: Resource, query: Record<string, string>, database: Database) {
  const through = { ...services, database }
  const request = readListRequest(resource, query, caller, { limit: 2, offset: 0 }, through)
  return await runList(resource, request, caller, through)
}

/** What a statement reads by its plan: also what stands behind views and functions that were inlined. */
function relationsOf(plan: unknown): string[] {
  if (typeof plan !== 'object' || plan === null) return []
  const own = 'Relation Name' in plan ? [plan['Relation Name'] as string] : []
  return [...own, ...Object.values(plan).flatMap(relationsOf)]
}

/** Functions whose answer depends on nothing but their arguments and how a connection is set up, although PostgreSQL does not say so. */
const STEADY = new Set([
  'array_to_string',
  'coalesce',
  'concat_ws',
  'json_agg',
  'json_build_object',
  'json_object_agg',
  'row_to_json',
  'to_char',
])
/** Read with the stamp itself, or seen by the statement's maker (`isOfTheMoment`). */
const SEEN = new Set(['now', 'pg_postmaster_start_time'])

describe('every list', () => {
  for (const resource of resources) {
    describe(`GET ${resource.path}`, () => {
      it('each filter, order, flag and search is a statement that PostgreSQL accepts', async () => {
        for (const query of queriesOf(resource)) {
          try {
            await read(resource, query, new Overheard(service.pool))
          } catch (error) {
            // an object that is not there, or a value that a filter refuses
            if ((error as { status?: number }).status !== 400)
              throw new Error(`${resource.path} ${JSON.stringify(query)}: ${(error as Error).message}`)
          }
        }
      })

      it('depends on nothing but its values and on tables that tell of their changes', async () => {
        const statements = new Map(heard.splice(0).map((statement) => [statement.text, statement]))
        assert.notEqual(statements.size, 0)
        for (const { text, values } of statements.values()) {
          const told = /from change_counter where table_name in \(([^)]*)\)\) k$/.exec(text)?.[1]
          if (told === undefined) continue
          const known = new Set(told.split(', ').map((name) => name.slice(1, -1)))
          const [plan] = await service.rows(`explain (format json) ${text}`, values as unknown[])
          for (const name of relationsOf(plan)) {
            if (name === 'change_counter') continue
            assert.ok(known.has(name), `a page forgets to look at ${name}: ${text}`)
            assert.ok(watched.has(name), `${name} does not tell of its changes: ${text}`)
          }
          const called = new Set([...text.matchAll(/\b([a-z_]\w*)\(/g)].map((match) => match[1] as string))
          const unsteady = await service.rows(
            `select distinct proname as name from pg_proc where proname = any($1) and provolatile <> 'i' order by 1`,
            [[...called]],
          )
          for (const { name } of unsteady) assert.ok(STEADY.has(name) || SEEN.has(name), `${name}() in ${text}`)
        }
      })
    })
  }
})
