import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createBuildHelpers } from '../../testing/objects/building.ts'
import { assertCallers, testService } from '../../testing/service.ts'
import { assertHistorySums, fillStock } from '../stock/fixture.ts'

const service = await testService()
const { member } = service
const { part, build, bom, linesOf, stock, act, allocate, begin, assertSums } = createBuildHelpers(service)
beforeEach(() => fillStock(service))
afterEach(async () => {
  await assertSums()
  await assertHistorySums(service)
})

const DONE = { task_id: '', exists: false, pending: false, complete: true, success: true, http_status: 200 }

/** A build order for 5 chairs, which need 20 legs; 20 of 30 in one item are allocated. */
async function createAllocated() {
  const [chair, leg] = [await part({ assembly: true }), await part()]
  await bom(chair, leg, 4)
  const order = await build(chair, 5)
  const [line] = await linesOf(order)
  const item = await stock(leg, 30)
  await allocate(order, line.pk, item, 20)
  const [allocation] = (await member.get(`/api/build/item/?build=${order}`)).body.results
  return { order, line: line.pk as number, leg, item, allocation: allocation.pk as number }
}
const readLine = async (pk: number) => {
  const { allocated, consumed } = (await member.get(`/api/build/line/${pk}/`)).body
  return { allocated, consumed }
}
const readQuantity = async (item: number) => (await member.get(`/api/stock/${item}/`)).body.quantity
const readState = () => service.rows('select pk, quantity, consumed_by from stock_item order by pk')

describe('POST /api/build/{id}/consume/', () => {
  it('consumes a quantity of an allocation, and leaves the rest allocated', async () => {
    const { order, line, item, allocation } = await createAllocated()
    const response = await act(order, 'consume', { items: [{ build_item: allocation, quantity: 5 }], notes: 'Five' })
    assert.deepEqual([response.status, response.body], [200, DONE])
    assert.deepEqual(await readLine(line), { allocated: 15, consumed: 5 })
    assert.equal(await readQuantity(item), 25)
    const [used] = await service.rows('select * from stock_item where consumed_by = $1', [order])
    assert.deepEqual([used.quantity, used.parent, used.in_stock, used.location], ['5.00000', item, false, null])
    const [rest] = (await member.get(`/api/build/item/?build=${order}`)).body.results
    assert.deepEqual([rest.pk, rest.quantity], [allocation, 15])
    const notes = await service.rows('select notes from stock_tracking where item = $1 order by pk', [used.pk])
    assert.deepEqual(notes, [{ notes: 'Five' }, { notes: 'Five' }])
  })

  it('consumes all that is allocated to a line, also together with an entry of it', async () => {
    const { order, line, item, allocation } = await createAllocated()
    const body = { items: [{ build_item: allocation, quantity: '0.5' }], lines: [{ build_line: line }, { build_line: line }] }
    assert.equal((await act(order, 'consume', body)).status, 200)
    assert.deepEqual(await readLine(line), { allocated: 0, consumed: 20 })
    assert.equal(await readQuantity(item), 10)
    assert.equal((await member.get(`/api/build/item/?build=${order}`)).body.count, 0)
    assert.equal((await act(order, 'finish', { accept_incomplete: true })).status, 201)
    assert.deepEqual(await readLine(line), { allocated: 0, consumed: 20 })
  })

  it('adds entries of one allocation, and rejects more than is allocated', async () => {
    const { order, line, allocation } = await createAllocated()
    const entry = { build_item: allocation, quantity: 10.5 }
    const before = await readState()
    const { status, body } = await act(order, 'consume', { items: [entry, entry] })
    assert.deepEqual([status, body], [400, { items: [{}, { quantity: ['Only 20 is allocated'] }] }])
    assert.deepEqual(await readState(), before)
    assert.equal(
      (
        await act(order, 'consume', {
          items: [
            { ...entry, quantity: 10 },
            { ...entry, quantity: 10 },
          ],
        })
      ).status,
      200,
    )
    assert.deepEqual(await readLine(line), { allocated: 0, consumed: 20 })
  })

  it('rejects entries that name nothing of the build order, and changes nothing', async () => {
    const own = await createAllocated()
    const other = await createAllocated()
    const before = await readState()
    for (const [body, expected] of [
      [{}, ['non_field_errors']],
      [{ items: [], lines: [] }, ['non_field_errors']],
      [{ items: [{ build_item: other.allocation, quantity: 1 }] }, ['items']],
      [{ items: [{ build_item: 999_999, quantity: 1 }] }, ['items']],
      [{ items: [{ build_item: own.allocation, quantity: 0 }] }, ['items']],
      [{ items: [{ build_item: own.allocation, quantity: -1 }] }, ['items']],
      [{ items: [{ build_item: own.allocation }] }, ['items']],
      [{ items: [{ build_item: own.allocation, quantity: 1 }], lines: [{ build_line: other.line }] }, ['lines']],
      [{ lines: [{ build_line: null }] }, ['lines']],
      [{ lines: 'all' }, ['lines']],
    ] as const) {
      const response = await act(own.order, 'consume', body)
      assert.deepEqual([response.status, Object.keys(response.body)], [400, expected], JSON.stringify(body))
    }
    assert.deepEqual(await readState(), before)
    assert.equal((await act(999_999, 'consume', { lines: [] })).status, 404)
  })

  it('rejects stock that is allocated to an output', async () => {
    const [robot, chip] = [await part({ assembly: true, trackable: true }), await part({ trackable: true })]
    await bom(robot, chip, 1)
    const order = await build(robot, 1)
    const [line] = await linesOf(order)
    const [output] = await begin(order, 1, { serial_numbers: '1' })
    await allocate(order, line.pk, await stock(chip, 1, { serial: '1' }), 1, output)
    const [{ pk }] = (await member.get(`/api/build/item/?build=${order}`)).body.results
    const byItem = await act(order, 'consume', { items: [{ build_item: pk, quantity: 1 }] })
    const byLine = await act(order, 'consume', { lines: [{ build_line: line.pk }] })
    const message = ['Stock that is allocated to an output is consumed when the output is completed']
    assert.deepEqual([byItem.body, byLine.body], [{ items: [{ build_item: message }] }, { lines: [{ build_line: message }] }])
  })

  it('rejects a build order on hold, complete or cancelled, and another version', async () => {
    const { order, line } = await createAllocated()
    const body = { lines: [{ build_line: line }] }
    const path = `/api/build/${order}/consume/`
    assert.equal((await member.post(path, body, { 'if-match': '"0"' })).status, 412)
    await act(order, 'hold')
    assert.equal((await act(order, 'consume', body)).status, 400)
    await act(order, 'cancel')
    assert.equal((await act(order, 'consume', body)).status, 400)
    assert.equal((await readLine(line)).consumed, 0)
  })

  it('consumes once with an Idempotency-Key', async () => {
    const { order, line, allocation } = await createAllocated()
    const body = { items: [{ build_item: allocation, quantity: 5 }] }
    for (const _ of [1, 2])
      assert.equal((await member.post(`/api/build/${order}/consume/`, body, { 'idempotency-key': 'five' })).status, 200)
    assert.deepEqual(await readLine(line), { allocated: 15, consumed: 5 })
  })

  it('consumes no more than is allocated by concurrent requests', async () => {
    const { order, line, item, allocation } = await createAllocated()
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => act(order, 'consume', { items: [{ build_item: allocation, quantity: 6 }] })),
    )
    assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 200, 200, 400, 400, 400])
    assert.deepEqual(await readLine(line), { allocated: 2, consumed: 18 })
    assert.equal(await readQuantity(item), 12)
  })

  it('requires the permission to add build orders', async () => {
    const { order } = await createAllocated()
    await assertCallers(service, (client) => client.post(`/api/build/${order}/consume/`, {}), ['member', 'superuser'], readState)
  })
})
