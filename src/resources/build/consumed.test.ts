import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createBuildHelpers } from '../../testing/objects/building.ts'
import { testService } from '../../testing/service.ts'
import { fillStock, locations } from '../stock/fixture.ts'

const service = await testService()
const { member } = service
const { part, build, bom, linesOf, stock, act, allocate, begin, assertSums } = createBuildHelpers(service)
beforeEach(() => fillStock(service))
afterEach(assertSums)

/** A build order for 5 chairs, which need 20 legs, 8 of them consumed already, as a dump of InvenTree 1.5 brings it. */
async function createHalfBuilt() {
  const [chair, leg] = [await part({ assembly: true }), await part()]
  await bom(chair, leg, 4)
  const pk = await build(chair, 5)
  const [line] = await linesOf(pk)
  assert.equal((await member.patch(`/api/build/line/${line.pk}/`, { consumed: 8 })).status, 200)
  return { pk, line: line.pk as number, leg }
}
const readLine = async (pk: number) => (await member.get(`/api/build/line/${pk}/`)).body
const readRequired = async (pk: number) => (await member.get(`/api/part/${pk}/`)).body.required_for_build_orders
const countLines = async (query: string) => (await member.get(`/api/build/line/?${query}`)).body.count

describe('stock that a build order has consumed', () => {
  it('is not required again', async () => {
    const { pk, line, leg } = await createHalfBuilt()
    assert.equal(await readRequired(leg), 12)
    assert.equal((await member.get(`/api/part/${leg}/requirements/`)).body.required_build_order_quantity, 12)
    const [entry] = (await member.get(`/api/part/${leg}/scheduling/`)).body
    assert.equal(entry.speculative_quantity, -12)
    const item = await stock(leg, 12)
    assert.equal(await countLines(`build=${pk}&available=true`), 1)
    assert.equal(await countLines(`build=${pk}&consumed=true`), 0)
    assert.equal((await allocate(pk, line, item, 11)).status, 201)
    assert.equal(await countLines(`build=${pk}&allocated=true`), 0)
    assert.equal((await allocate(pk, line, item, 1)).status, 201)
    assert.equal(await countLines(`build=${pk}&allocated=true`), 1)
    assert.equal(await countLines(`build=${pk}&overallocated=true`), 0)
  })

  it('is not allocated automatically again, and completion requires only the rest', async () => {
    const { pk, line, leg } = await createHalfBuilt()
    const item = await stock(leg, 100)
    const unallocated = await act(pk, 'finish', { accept_incomplete: true })
    assert.deepEqual([unallocated.status, Object.keys(unallocated.body)], [400, ['accept_unallocated']])
    assert.equal((await act(pk, 'auto-allocate')).status, 201)
    assert.equal((await readLine(line)).allocated, 12)
    assert.equal((await allocate(pk, line, item, 1)).status, 201)
    const overallocated = await act(pk, 'finish', { accept_incomplete: true })
    assert.deepEqual([overallocated.status, Object.keys(overallocated.body)], [400, ['accept_overallocated']])
    assert.equal((await act(pk, 'finish', { accept_incomplete: true, accept_overallocated: 'trim' })).status, 201)
    assert.equal((await readLine(line)).consumed, 20)
    assert.equal((await member.get(`/api/stock/${item}/`)).body.quantity, 88)
    assert.equal(await readRequired(leg), 0)
  })

  it('is not ordered again', async () => {
    const { pk, leg } = await createHalfBuilt()
    const before = await member.get(`/api/order/po/low-stock/?build=${pk}`)
    const listed = [...before.body.orders.flatMap(({ lines }: any) => lines), ...before.body.without_supplier]
    assert.deepEqual(
      listed.filter((row: { part: number }) => row.part === leg).map(({ lacks }: { lacks: number }) => lacks),
      [12],
    )
  })

  it('counts components of completed and scrapped outputs, and of cancelled orders', async () => {
    const [robot, chip, screw] = [await part({ assembly: true, trackable: true }), await part({ trackable: true }), await part()]
    await bom(robot, chip, 1)
    await bom(robot, screw, 3)
    const pk = await build(robot, 3)
    const lines = await linesOf(pk)
    const [chips, screws] = [
      lines.find((line) => line.part_detail.pk === chip),
      lines.find((line) => line.part_detail.pk === screw),
    ]
    const outputs = await begin(pk, 3, { serial_numbers: '1-3' })
    const items: number[] = []
    for (const [index, output] of outputs.entries()) {
      items.push(await stock(chip, 1, { serial: String(index + 1) }))
      assert.equal((await allocate(pk, chips.pk, items[index] as number, 1, output)).status, 201)
    }
    const completed = await act(pk, 'complete', { outputs: [{ output: outputs[0] }], location: locations.shelf })
    assert.equal(completed.status, 201, completed.text)
    assert.equal((await readLine(chips.pk)).consumed, 1)
    assert.equal(await readRequired(chip), 2)
    const scrapped = { outputs: [{ output: outputs[1], quantity: 1 }], location: locations.shelf, notes: 'Cracked' }
    assert.equal((await act(pk, 'scrap-outputs', scrapped)).status, 201)
    assert.equal((await readLine(chips.pk)).consumed, 2)
    await allocate(pk, screws.pk, await stock(screw, 9), 6)
    assert.equal((await act(pk, 'cancel', { remove_allocated_stock: true, remove_incomplete_outputs: true })).status, 201)
    assert.deepEqual([(await readLine(chips.pk)).consumed, (await readLine(screws.pk)).consumed], [2, 6])
  })

  it('is counted correctly after concurrent completions', async () => {
    const [robot, chip] = [await part({ assembly: true, trackable: true }), await part({ trackable: true })]
    await bom(robot, chip, 1)
    const pk = await build(robot, 4)
    const [line] = await linesOf(pk)
    const outputs = await begin(pk, 4, { serial_numbers: '11-14' })
    for (const [index, output] of outputs.entries())
      await allocate(pk, line.pk, await stock(chip, 1, { serial: String(11 + index) }), 1, output)
    const responses = await Promise.all(
      outputs.map((output) => act(pk, 'complete', { outputs: [{ output }], location: locations.shelf })),
    )
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([201]))
    assert.equal((await readLine(line.pk)).consumed, 4)
    assert.equal(await readRequired(chip), 0)
  })

  it('is kept when a client writes the line without it, and when the BOM changes', async () => {
    const { pk, line } = await createHalfBuilt()
    assert.equal((await member.put(`/api/build/line/${line}/`, { quantity: 24 })).body.consumed, 8)
    assert.equal((await member.patch(`/api/build/${pk}/`, { quantity: 6 })).status, 200)
    const { quantity, consumed } = await readLine(line)
    assert.deepEqual([quantity, consumed], [24, 8])
    for (const value of [-1, null, 'many']) {
      const { status, body } = await member.patch(`/api/build/line/${line}/`, { consumed: value })
      assert.deepEqual([status, Object.keys(body)], [400, ['consumed']])
    }
    assert.equal((await readLine(line)).consumed, 8)
  })
})

describe('the start of a build order', () => {
  it('is not after its target date', async () => {
    const pk = await build(await part({ assembly: true }), 1, {
      start_date: '2031-01-01',
      target_date: '2031-01-01',
      external: true,
    })
    const patch = (body: object) => member.patch(`/api/build/${pk}/`, body)
    for (const body of [{ start_date: '2031-01-02' }, { target_date: '2030-12-31' }]) {
      const { status, body: errors } = await patch(body)
      assert.deepEqual([status, Object.keys(errors)], [400, ['target_date']])
    }
    const { start_date, target_date, external } = (await member.get(`/api/build/${pk}/`)).body
    assert.deepEqual([start_date, target_date, external], ['2031-01-01', '2031-01-01', true])
    const list = async (query: string) =>
      (await member.get(`/api/build/?${query}`)).body.results.map((order: { pk: number }) => order.pk)
    for (const query of ['external=true', 'has_start_date=true', 'start_date_after=2030-12-31', 'start_date_before=2031-01-02'])
      assert.ok((await list(query)).includes(pk), query)
    for (const query of ['external=false', 'has_start_date=false', 'start_date_after=2031-01-01', 'start_date_before=2031-01-01'])
      assert.ok(!(await list(query)).includes(pk), query)
    assert.equal((await patch({ start_date: null, target_date: '2020-01-01' })).status, 200)
  })
})
