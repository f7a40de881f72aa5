import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { standIn } from '../callers.ts'
import type { Query } from '../kit/definition/filter.ts'
import type { Resource } from '../kit/definition/resource.ts'
import { KnownOrder } from '../kit/reading/known-order.ts'
import { orderings, readListRequest, runList, statementOf } from '../kit/reading/list.ts'
import { type Changes, keysIn } from '../kit/reading/order-statement.ts'
import type { Services } from '../kit/services/services.ts'
import { Database } from '../kit/sql/tx.ts'
import { makeAlike } from '../testing/objects/alike.ts'
import { testService } from '../testing/service.ts'
import { resources } from './index.ts'

const service = await testService()
const services = { ...service.app.routes.services, database: new Database(service.pool) } as Services
const caller = standIn({ isStaff: true, isSuperuser: true, groups: [1] })
await makeAlike(service)

type Asked = { query: Query; condition: string | undefined }

/** Each list in each of its orders, whole and narrowed by each condition that many rows fulfil. */
const askedOf = (resource: Resource): Asked[] =>
  [{}, ...Object.keys(orderings(resource)).flatMap((name) => [{ ordering: name }, { ordering: `-${name}` }])].flatMap((query) =>
    [undefined, ...Object.keys(resource.tallied ?? {})].map((condition) => ({ query, condition })),
  )

function requestOf(resource: Resource, { query, condition }: Asked, limit: number, offset: number) {
  const request = readListRequest(resource, query, caller, { limit, offset }, services)
  return { ...request, conditions: condition ? [{ sql: condition, values: [] }] : [] }
}

const given = ({ names }: { names: readonly string[] }, values: Record<string, unknown>) => names.map((name) => values[name])

/** Lists whose rows speak of this very moment, so that nothing of them is ever remembered. */
const OF_THE_MOMENT = ['/api/user/session/', '/api/notifications/']

describe('a page of a list whose order is known', () => {
  for (const resource of resources) {
    it(`GET ${resource.path}: is that which is found without, whichever rows changed since`, async () => {
      let known = 0
      for (const asked of askedOf(resource)) {
        const { statement, values } = statementOf(resource, requestOf(resource, asked, 1, 0), caller, services)
        if (!statement.known) continue
        const { order } = statement.known
        const read = await Promise.all(
          order.keys.map((asking) => services.database.texts({ text: asking.text, values: given(asking, values) })),
        )
        const [keys, all] = read.map(([row]) => [...keysIn(row?.[1] as string | null)]) as [number[], number[]]
        assert.deepEqual(all, keys, 'the first rows and all rows are in the same order')
        const changes = JSON.parse(read[0]?.[0]?.[0] as string) as Changes
        known++
        for (const [limit, offset, most, changed] of [
          [1, 0, 12_000, 0],
          [25, 1, 12_000, 1],
          [5, 11, 30, 5],
          [7, Math.floor(keys.length / 3), 12_000, 9],
          [25, Math.floor(keys.length / 2), 12_000, 3],
          [10, Math.max(0, keys.length - 4), 12_000, 20],
          [25, keys.length, 12_000, 2],
          [25, keys.length + 30, 12_000, 7],
        ] as const) {
          const first = keys.slice(0, most)
          const order = new KnownOrder(Int32Array.from(first), first.length === keys.length, changes)
          // any rows at all may be looked at as if they had changed: those that did not are found where they were
          const some = keys.filter((_, at) => (at * 7) % Math.max(1, keys.length) < changed)
          const others = [...some, 1_000_000 + limit]
          assert.ok(order.catchUp({ ...changes, slots: [['any slot', others.length, others, []]] }))
          const place = order.placeOf(offset, limit)
          if (!place) {
            assert.ok(first.length < keys.length)
            continue
          }
          const request = requestOf(resource, asked, limit, offset)
          const { statement, values } = statementOf(resource, request, caller, services)
          const page = statement.known?.page()
          assert.ok(page)
          const all = { ...values, ...place, standing: order.standing, knownPage: null, knownCount: null }
          const [answer] = await services.database.texts({ text: page.text, values: given(page, all) })
          const expected = await runList(resource, request, caller, services)
          const what = `${JSON.stringify(asked)} ${limit} ${offset}`
          assert.deepEqual([Number(answer?.[2]), answer?.[3]], [expected.count, expected.rows], what)
        }
      }
      assert.equal(known > 0, !OF_THE_MOMENT.includes(resource.path))
    })
  }
})
