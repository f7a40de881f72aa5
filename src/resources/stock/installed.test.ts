import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { testService } from '../../testing/service.ts'
import { allowAnyInstallation, fillStock, insertItem, parts } from './fixture.ts'

const service = await testService()
const { member } = service
before(() => allowAnyInstallation(service))
beforeEach(() => fillStock(service))

/** Creates individual units of two parts, as changes of one part's items wait for each other anyway. */
const createItems = async (count: number) => {
  const pks: number[] = []
  for (let index = 0; index < count; index++)
    pks.push(await insertItem(service, { part: index % 3 ? parts.screw : parts.lamp, quantity: 1 }))
  return pks
}
const installByPatch = (item: number, host: number) => member.patch(`/api/stock/${item}/`, { belongs_to: host })
const install = (item: number, host: number) => member.post(`/api/stock/${host}/install/`, { stock_item: item, quantity: 1 })

/** Counts the items whose chain of installations ends. */
const countReachableItems = async () =>
  (
    await service.rows(
      `with recursive reachable as (
         select pk from stock_item where belongs_to is null
         union all select item.pk from stock_item item join reachable on item.belongs_to = reachable.pk
       ) select count(*)::integer from reachable`,
    )
  )[0].count

describe('PATCH /api/stock/{id}/ with belongs_to', () => {
  test('rejects an item that is installed in this one, at any depth', async () => {
    const [one, two, three] = (await createItems(3)) as [number, number, number]
    assert.equal((await installByPatch(one, two)).status, 200)
    assert.equal((await installByPatch(two, three)).status, 200)
    const rejection = await installByPatch(three, one)
    assert.deepEqual([rejection.status, rejection.body], [400, { belongs_to: ['An item cannot be installed in itself.'] }])
    assert.equal(await countReachableItems(), 3)
  })
})

for (const [name, send] of [
  ['PATCH /api/stock/{id}/ with belongs_to', installByPatch],
  ['POST /api/stock/{id}/install/', install],
] as const)
  describe(`${name}, by concurrent clients`, () => {
    test('never creates a loop', async () => {
      for (let round = 0; round < 20; round++) {
        const [one, two, three, four] = (await createItems(4)) as [number, number, number, number]
        await Promise.all([send(one, two), send(three, four)])
        // together these two would close a loop, though neither names an item of the other
        const responses = await Promise.all([send(two, three), send(four, one)])
        const statuses = responses.map(({ status }) => status).sort()
        assert.equal(statuses[1], 400, statuses.join())
        assert.ok(statuses[0] === 200 || statuses[0] === 201, statuses.join())
      }
      assert.equal(await countReachableItems(), 80)
    })
  })
