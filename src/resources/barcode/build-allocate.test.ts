import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createBuildHelpers } from '../../testing/objects/building.ts'
import { testService } from '../../testing/service.ts'
import { assertHistorySums, fillStock } from '../stock/fixture.ts'

const service = await testService()
const { member, superuser } = service
const { part, build, bom, linesOf, stock, act, allocate, begin, assertSums } = createBuildHelpers(service)
beforeEach(() => fillStock(service))
afterEach(async () => {
  await assertSums()
  await assertHistorySums(service)
})

const toBarcode = (item: number) => `{"stockitem": ${item}}`

/** Scans an item for a build order and returns the response. */
async function scan(buildOrder: number, item: number, more: object = {}): Promise<any> {
  const entry = { id: crypto.randomUUID(), time: new Date().toISOString(), action: 'build-allocate', barcode: toBarcode(item) }
  const { status, body, text } = await member.post('/api/barcode/batch/', { items: [{ ...entry, build: buildOrder, ...more }] })
  assert.equal(status, 200, text)
  return body.items[0]
}
const undo = (history: number, client = member) => client.post(`/api/barcode/history/${history}/undo/`)

/** Returns the allocations of a build order: line, item, quantity and output. */
const readAllocations = (buildOrder: number) =>
  service
    .rows(
      `select build_line, stock_item, quantity::float, install_into from build_allocation
       where build_line in (select pk from build_line where build = $1) order by pk`,
      [buildOrder],
    )
    .then((rows) => rows.map((row: object) => Object.values(row)))

function assertRejected(response: any, error: string) {
  assert.deepEqual([response.status, response.body.error], [400, error], JSON.stringify(response))
}

/** Creates a build order for two chairs with four legs each, for which a variant or a substitute is allowed. */
async function createChairOrder() {
  const chair = await part({ assembly: true })
  const leg = await part({ is_template: true })
  const carved = await part({ variant_of: leg })
  const peg = await part()
  const bomItem = await bom(chair, leg, 4, { allow_variants: true })
  const substitute = await member.post('/api/bom/substitute/', { bom_item: bomItem, part: peg })
  assert.equal(substitute.status, 201, substitute.text)
  const pk = await build(chair, 2)
  const [{ pk: line }] = await linesOf(pk)
  return { pk, chair, leg, carved, peg, line: line as number }
}

/** Creates a build order for two robots, with one brain each. */
async function createRobotOrder() {
  const robot = await part({ assembly: true, trackable: true })
  const brain = await part({ trackable: true })
  await bom(robot, brain, 1)
  const pk = await build(robot, 2)
  const [{ pk: line }] = await linesOf(pk)
  return { pk, brain, line: line as number }
}

describe('A scan that allocates stock to a build order', () => {
  it("allocates at most the line's shortage and the item's available quantity", async () => {
    const { pk, leg, line } = await createChairOrder()
    const [fewLegs, manyLegs] = [await stock(leg, 3), await stock(leg, 20)]
    const first = await scan(pk, fewLegs)
    assert.equal(first.status, 201, JSON.stringify(first))
    const { stock_item, build_line, output, quantity } = first.body
    assert.deepEqual([stock_item, build_line, output, quantity], [fewLegs, line, null, '3'])
    assertRejected(await scan(pk, fewLegs), 'The stock item is already fully allocated')
    assertRejected(await scan(pk, manyLegs, { quantity: 6 }), 'The line needs only 5 more')
    assert.equal((await scan(pk, manyLegs, { quantity: 1 })).body.quantity, '1')
    assert.equal((await scan(pk, manyLegs)).body.quantity, '4')
    assertRejected(await scan(pk, manyLegs), 'The build order already has enough of this part')
    assert.deepEqual(await readAllocations(pk), [
      [line, fewLegs, 3, null],
      [line, manyLegs, 5, null],
    ])
  })

  it('accepts a variant or a substitute for a line that allows it, and prefers the line of the part itself', async () => {
    const { pk, chair, carved, peg, line } = await createChairOrder()
    await scan(pk, await stock(carved, 1))
    await scan(pk, await stock(peg, 1))
    assert.deepEqual(
      (await readAllocations(pk)).map(([buildLine]) => buildLine),
      [line, line],
    )
    await bom(chair, peg, 1)
    const [, pegLine] = await linesOf(pk)
    const box = await stock(peg, 9)
    assert.deepEqual([(await scan(pk, box)).body.build_line, (await scan(pk, box)).body.build_line], [pegLine.pk, line])
    assertRejected(await scan(pk, await stock(peg, 1)), 'The build order already has enough of this part')
  })

  it('requires the line if several match', async () => {
    const { pk, chair, leg, line } = await createChairOrder()
    await bom(chair, leg, 1, { reference: 'spare' })
    const [, spare] = await linesOf(pk)
    const item = await stock(leg, 50)
    const response = await scan(pk, item)
    assertRejected(response, 'Multiple matching line items found')
    assert.deepEqual([response.body.candidates, response.body.action_required], [[line, spare.pk], true])
    assert.equal((await scan(pk, item, { build_line: spare.pk })).body.quantity, '2')
    // only one is left
    assert.deepEqual((await scan(pk, item)).body.build_line, line)
  })

  it('allocates a tracked part to an output, and requires it if several match', async () => {
    const { pk, brain, line } = await createRobotOrder()
    const [one, two, three] = [await stock(brain, 1), await stock(brain, 1), await stock(brain, 1)]
    assertRejected(await scan(pk, one), 'A tracked part is allocated to an output of the build order, which has none yet')
    const [first] = await begin(pk, 1, { serial_numbers: '1' })
    const onlyScan = await scan(pk, one)
    assert.equal(onlyScan.body.output, first)
    assertRejected(await scan(pk, two), 'Every output of the build order already has enough of this part')
    assert.equal((await undo(onlyScan.history)).status, 201)
    const [second] = await begin(pk, 1, { serial_numbers: '2' })
    const response = await scan(pk, one)
    assertRejected(response, 'Not enough information')
    assert.deepEqual([response.body.candidates, response.body.build_line], [[first, second], line])
    await scan(pk, one, { output: second })
    await scan(pk, two)
    assert.deepEqual(await readAllocations(pk), [
      [line, one, 1, second],
      [line, two, 1, first],
    ])
    assertRejected(await scan(pk, three), 'The build order already has enough of this part')
  })

  it('rejects a part that the order does not need, stock that is not on hand, consumables and closed orders', async () => {
    const { pk, chair, leg } = await createChairOrder()
    assertRejected(await scan(pk, await stock(await part(), 5)), 'No line of the build order needs this part')
    const installedItem = await stock(leg, 5)
    await service.rows('update stock_item set belongs_to = $2, location = null where pk = $1', [
      installedItem,
      await stock(leg, 1),
    ])
    assertRejected(await scan(pk, installedItem), 'The stock item is not in stock')
    const glue = await part()
    await bom(chair, glue, 1, { consumable: true })
    assertRejected(await scan(pk, await stock(glue, 5)), 'Stock cannot be allocated for consumables')
    assertRejected(await scan(pk, 99_999), 'No match found for barcode data')
    assert.equal((await act(pk, 'cancel')).status, 201)
    const lateResponse = await scan(pk, await stock(leg, 5))
    assert.deepEqual([lateResponse.status, lateResponse.body.build], [400, ['The build order is complete or cancelled']])
    assert.deepEqual(await readAllocations(pk), [])
  })

  it('requires the permission to add to build orders', async () => {
    const { pk, leg } = await createChairOrder()
    const items = [
      { id: 'a', time: new Date().toISOString(), action: 'build-allocate', barcode: toBarcode(await stock(leg, 1)), build: pk },
    ]
    const { body } = await service.nobody.post('/api/barcode/batch/', { items })
    assert.equal(body.items[0].status, 403)
    assert.deepEqual(await readAllocations(pk), [])
  })

  it('never allocates more than required for concurrent scans', async () => {
    const { pk, leg, line } = await createChairOrder()
    const items = await Promise.all([3, 3, 3, 3].map((quantity) => stock(leg, quantity)))
    const responses = await Promise.all([...items, ...items].map((item) => scan(pk, item)))
    assert.equal(responses.filter(({ status }) => status === 201).length, 3)
    const rows = await readAllocations(pk)
    assert.equal(
      rows.reduce((sum, [, , quantity]) => sum + Number(quantity), 0),
      8,
    )
    assert.ok(rows.every(([buildLine]) => buildLine === line))
  })

  it('can be undone once, which keeps earlier allocations of the item', async () => {
    const { pk, leg, line } = await createChairOrder()
    const item = await stock(leg, 20)
    assert.equal((await allocate(pk, line, item, 2)).status, 201)
    const { history } = await scan(pk, item)
    assert.deepEqual(await readAllocations(pk), [[line, item, 8, null]])
    assert.equal((await undo(history)).status, 201)
    assert.deepEqual(await readAllocations(pk), [[line, item, 2, null]])
    assert.equal((await undo(history)).status, 400)
    const { pk: other, leg: another } = await createChairOrder()
    const all = await scan(other, await stock(another, 4))
    assert.equal((await undo(all.history, superuser)).status, 201)
    assert.deepEqual(await readAllocations(other), [])
  })

  it('cannot be undone once it was changed or removed', async () => {
    const { pk, leg, line } = await createChairOrder()
    const item = await stock(leg, 20)
    const { history } = await scan(pk, item, { quantity: 2 })
    await allocate(pk, line, item, 1)
    const changedResponse = await undo(history)
    assert.equal(changedResponse.status, 400)
    assert.match(changedResponse.text, /is 3.0* instead of 2/)
    await act(pk, 'unallocate')
    const removedResponse = await undo(history)
    assert.match(removedResponse.text, /no longer exists/)
    assert.deepEqual(await readAllocations(pk), [])
  })
})
