// Over 400 lines: tests outputs from creation to completion, and the end of a build order, on one stock.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createBuildHelpers } from '../../testing/objects/building.ts'
import { assertCallers, testService } from '../../testing/service.ts'
import { assertHistorySums, fillStock, locations, readHistory } from '../stock/fixture.ts'

const service = await testService()
const { member, superuser } = service
const { part, build, bom, linesOf, stock, act, allocate, begin, assertSums } = createBuildHelpers(service)
beforeEach(() => fillStock(service))
afterEach(async () => {
  await assertSums()
  await assertHistorySums(service)
})

const readBody = async (path: string) => (await member.get(path)).body
const listFields = (response: { body: object }) => Object.keys(response.body)
const changeSetting = (key: string, value: unknown) => superuser.patch(`/api/settings/global/${key}/`, { value })
const readHistoryCodes = async (item: number) => (await readHistory(service, item)).map(([code]) => code)
const countAllocations = async (buildOrder: number) => (await readBody(`/api/build/item/?build=${buildOrder}`)).count

/** Creates a build order for an assembly with one component, of which each unit needs four by default. */
async function createChairOrder(quantity = 2, each = 4) {
  const chair = await part({ assembly: true })
  const leg = await part()
  await bom(chair, leg, each)
  const pk = await build(chair, quantity, { destination: locations.box })
  const [{ pk: line }] = await linesOf(pk)
  return { pk, chair, leg, line: line as number }
}

/** The same for a trackable part with a tracked component. */
async function createRobotOrder(quantity = 2) {
  const robot = await part({ assembly: true, trackable: true })
  const brain = await part({ trackable: true })
  await bom(robot, brain, 1)
  const pk = await build(robot, quantity)
  const [{ pk: line }] = await linesOf(pk)
  return { pk, robot, brain, line: line as number }
}

const complete = (pk: number, outputs: number[], body: object = {}) =>
  act(pk, 'complete', { outputs: outputs.map((output) => ({ output })), location: locations.shelf, ...body })

function assertEntry(response: { status: number; body: any }, field: string) {
  assert.equal(response.status, 400, JSON.stringify(response.body))
  assert.deepEqual(Object.keys(response.body.outputs[0]), [field], JSON.stringify(response.body))
}

describe('POST /api/build/{id}/create-output/', () => {
  it('uses the default location of the part if the build order has no destination', async () => {
    const { pk, chair } = await createChairOrder(2)
    assert.equal((await member.patch(`/api/part/${chair}/`, { default_location: locations.shelf })).status, 200)
    assert.equal((await member.patch(`/api/build/${pk}/`, { destination: null })).status, 200)
    assert.equal((await act(pk, 'create-output', { quantity: 1 })).status, 201)
    assert.equal((await readBody(`/api/stock/?build=${pk}`)).results[0].location, locations.shelf)
  })

  it('creates an item that is not in stock yet, and moves the build order to production', async () => {
    const { pk, chair } = await createChairOrder(4)
    const response = await act(pk, 'create-output', { quantity: 1.5, batch_code: 'X', auto_allocate: null })
    assert.deepEqual(response.body, { quantity: '1.50000', batch_code: 'X', location: null, auto_allocate: false })
    const [item] = (await readBody(`/api/stock/?build=${pk}`)).results
    assert.deepEqual(
      [item.part, item.quantity, item.batch, item.is_building, item.location, item.status],
      [chair, 1.5, 'X', true, locations.box, 10],
    )
    assert.deepEqual(await readHistoryCodes(item.pk), [50])
    assert.equal((await readBody(`/api/build/${pk}/`)).status, 20)
    assert.equal((await readBody(`/api/part/${chair}/`)).in_stock, 0)
    const [entry] = (await readBody(`/api/stock/track/?item=${item.pk}`)).results
    assert.equal(entry.deltas.buildorder_detail.pk, pk)
  })

  it('uses the batch of the build order, and the given location', async () => {
    const { chair } = await createChairOrder()
    const pk = await build(chair, 2, { batch: 'B7' })
    const response = await act(pk, 'create-output', { quantity: 1, location: locations.garage })
    assert.equal(response.body.batch_code, 'B7')
    const [item] = (await readBody(`/api/stock/?build=${pk}`)).results
    assert.deepEqual([item.batch, item.location], ['B7', locations.garage])
  })

  it('creates individual units by serial number for a trackable part or tracked components', async () => {
    const { pk } = await createRobotOrder()
    assert.deepEqual(listFields(await act(pk, 'create-output', { quantity: 2 })), ['serial_numbers'])
    assert.deepEqual(listFields(await act(pk, 'create-output', { quantity: 2, serial_numbers: '1' })), ['serial_numbers'])
    assert.deepEqual(listFields(await act(pk, 'create-output', { quantity: 1.5, serial_numbers: '1' })), ['quantity'])
    const created = await begin(pk, 2, { serial_numbers: '7-8' })
    assert.deepEqual(await Promise.all(created.map(async (item) => (await readBody(`/api/stock/${item}/`)).serial)), ['7', '8'])
    assert.deepEqual(listFields(await act(pk, 'create-output', { quantity: 1, serial_numbers: '7' })), ['serial_numbers'])

    const chair = await part({ assembly: true })
    const brain = await part({ trackable: true })
    await service.rows('insert into bom_item (part, sub_part) values ($1, $2)', [chair, brain])
    const buildOrder = await build(chair, 3)
    assert.deepEqual(listFields(await act(buildOrder, 'create-output', { quantity: 1.5 })), ['quantity'])
    assert.equal((await begin(buildOrder, 3)).length, 3)
  })

  it('rejects invalid input', async () => {
    const { pk } = await createChairOrder()
    for (const quantity of [0, -1]) assert.deepEqual(listFields(await act(pk, 'create-output', { quantity })), ['quantity'])
    assert.deepEqual(listFields(await act(pk, 'create-output')), ['quantity'])
    assert.deepEqual(listFields(await act(pk, 'create-output', { quantity: 1, location: locations.house })), ['location'])
    assert.equal((await act(99_999, 'create-output', { quantity: 1 })).status, 404)
    await act(pk, 'cancel')
    assert.deepEqual(listFields(await act(pk, 'create-output', { quantity: 1 })), ['non_field_errors'])
  })

  it('allocates tracked components with the same serial number on request', async () => {
    const { pk, brain } = await createRobotOrder()
    const unit = await stock(brain, 1, { serial: '7' })
    await stock(brain, 1, { serial: '9' })
    const [output] = await begin(pk, 2, { serial_numbers: '7,8', auto_allocate: true })
    const { results } = await readBody(`/api/build/item/?build=${pk}`)
    assert.deepEqual(
      results.map(({ stock_item, install_into, quantity }: any) => [stock_item, install_into, quantity]),
      [[unit, output, 1]],
    )
  })
})

describe('POST /api/build/{id}/complete/', () => {
  it('moves outputs into stock, once, and counts them', async () => {
    const { pk, chair } = await createChairOrder(4)
    const [output] = (await begin(pk, 3)) as [number]
    const response = await complete(pk, [output], { status: 50, notes: 'A bit loose' })
    assert.deepEqual(response.body, {
      outputs: [{ output }],
      location: locations.shelf,
      status: 50,
      accept_incomplete_allocation: false,
      notes: 'A bit loose',
    })
    const { is_building, location, status, build: buildOrder } = await readBody(`/api/stock/${output}/`)
    assert.deepEqual([is_building, location, status, buildOrder], [false, locations.shelf, 50, pk])
    assert.deepEqual(await readHistoryCodes(output), [50, 55])
    assert.deepEqual([(await readBody(`/api/build/${pk}/`)).completed, (await readBody(`/api/part/${chair}/`)).in_stock], [3, 3])
    assertEntry(await complete(pk, [output]), 'output')
  })

  it('rejects items that are not its outputs, duplicates, and locations that hold no stock', async () => {
    const { pk, leg } = await createChairOrder()
    const other = await createChairOrder()
    const [output] = (await begin(pk, 1)) as [number]
    assertEntry(await complete(pk, [await stock(leg, 1)]), 'output')
    assertEntry(await complete(other.pk, [output]), 'output')
    assertEntry(await complete(pk, [99_999]), 'output')
    const twice = await complete(pk, [output, output])
    assert.deepEqual(twice.body.outputs.map(Object.keys), [[], ['output']])
    assert.deepEqual(listFields(await complete(pk, [])), ['non_field_errors'])
    assert.deepEqual(listFields(await act(pk, 'complete')), ['outputs', 'location'])
    assert.deepEqual(listFields(await complete(pk, [output], { location: locations.house })), ['location'])
    assert.deepEqual(listFields(await complete(pk, [output], { status: 11 })), ['status'])
  })

  it('installs the allocations of an output, and requires its tracked components', async () => {
    const { pk, brain, line } = await createRobotOrder()
    const [output, other] = (await begin(pk, 2, { serial_numbers: '1,2' })) as [number, number]
    const [unit, box] = [await stock(brain, 1, { serial: 'B1' }), await stock(brain, 5)]
    assertEntry(await complete(pk, [output]), 'output')
    await allocate(pk, line, unit, 1, output)
    await allocate(pk, line, box, 1, other)
    assert.equal((await complete(pk, [output, other])).status, 201)
    const { belongs_to, consumed_by, location } = await readBody(`/api/stock/${unit}/`)
    assert.deepEqual([belongs_to, consumed_by, location], [output, pk, null])
    assert.deepEqual([await readHistoryCodes(unit), await readHistoryCodes(output)], [[30], [50, 35, 55]])
    assert.equal((await readBody(`/api/stock/${box}/`)).quantity, 4)
    const [split] = (await readBody(`/api/stock/?belongs_to=${other}`)).results
    assert.deepEqual([split.quantity, split.consumed_by, split.location], [1, pk, null])
    assert.equal(await countAllocations(pk), 0)
    assert.equal((await readBody(`/api/part/${brain}/`)).in_stock, 4)
    const [third] = (await begin(pk, 1, { serial_numbers: '3' })) as [number]
    assert.equal((await complete(pk, [third], { accept_incomplete_allocation: true })).status, 201)
    // uninstalled components are in stock again
    await member.post(`/api/stock/${unit}/uninstall/`, { location: locations.shelf })
    assert.equal((await readBody(`/api/part/${brain}/`)).in_stock, 5)
  })

  it('requires passed tests if the setting does, by the newest result', async () => {
    const { pk, robot } = await createRobotOrder()
    const [output, other] = (await begin(pk, 2, { serial_numbers: '1,2' })) as [number, number]
    const createTemplate = async (test_name: string, required: boolean) =>
      (await member.post('/api/part/test-template/', { part: robot, test_name, description: 'd', required })).body.pk
    const test = await createTemplate('Turns on', true)
    await createTemplate('Looks good', false)
    const addResult = (stock_item: number, passed: boolean) =>
      member.post('/api/stock/test/', { stock_item, template: test, result: passed })
    await changeSetting('PREVENT_BUILD_COMPLETION_HAVING_INCOMPLETED_TESTS', true)
    const lenient = { accept_incomplete_allocation: true }
    await addResult(output, true)
    const errorResponse = await complete(pk, [output, other], lenient)
    assert.deepEqual([errorResponse.status, listFields(errorResponse)], [400, ['non_field_errors']])
    assert.match(errorResponse.body.non_field_errors[0], /serial number 2/)
    assert.equal((await complete(pk, [output], lenient)).status, 201)
    await addResult(other, true)
    await addResult(other, false)
    assert.equal((await complete(pk, [other], lenient)).status, 400)
    await changeSetting('PREVENT_BUILD_COMPLETION_HAVING_INCOMPLETED_TESTS', false)
    assert.equal((await complete(pk, [other], lenient)).status, 201)
  })

  it('completes an output once under concurrent requests', async () => {
    const { pk, brain, line } = await createRobotOrder()
    const [output] = (await begin(pk, 1, { serial_numbers: '1' })) as [number]
    await allocate(pk, line, await stock(brain, 1, { serial: 'B1' }), 1, output)
    const responses = await Promise.all(Array.from({ length: 5 }, () => complete(pk, [output])))
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 400, 400, 400, 400])
    assert.equal((await readBody(`/api/build/${pk}/`)).completed, 1)
    assert.deepEqual(await readHistoryCodes(output), [50, 35, 55])
  })

  it('requires the permission to add builds', async () => {
    const { pk } = await createChairOrder(10)
    const created = await begin(pk, 1)
    for (let index = 0; index < 9; index++) created.push(...(await begin(pk, 1)))
    await assertCallers(
      service,
      (client) => client.post(`/api/build/${pk}/complete/`, { outputs: [{ output: created.pop() }], location: locations.shelf }),
      ['member', 'superuser'],
      async () => (await readBody(`/api/build/${pk}/`)).completed,
    )
  })
})

describe('POST /api/build/{id}/scrap-outputs/', () => {
  const scrap = (pk: number, output: number, quantity: number, body: object = {}) =>
    act(pk, 'scrap-outputs', { outputs: [{ output, quantity }], location: locations.shed, notes: 'Cracked', ...body })

  it('scraps an output, or a part of it', async () => {
    const { pk, chair } = await createChairOrder(5)
    const [output] = (await begin(pk, 5)) as [number]
    const response = await scrap(pk, output, 2)
    assert.deepEqual(response.body, {
      outputs: [{ output, quantity: '2.00000' }],
      location: locations.shed,
      discard_allocations: false,
      notes: 'Cracked',
    })
    const remaining = await readBody(`/api/stock/${output}/`)
    assert.deepEqual([remaining.quantity, remaining.is_building], [3, true])
    const [rejected] = (await readBody(`/api/stock/?build=${pk}&status=65`)).results
    assert.deepEqual([rejected.quantity, rejected.is_building, rejected.location], [2, false, locations.shed])
    assert.deepEqual(await readHistoryCodes(rejected.pk), [40, 56])
    assert.equal((await scrap(pk, output, 3)).status, 201)
    assert.deepEqual(await readHistoryCodes(output), [50, 42, 56])
    assert.deepEqual([(await readBody(`/api/build/${pk}/`)).completed, (await readBody(`/api/part/${chair}/`)).in_stock], [0, 0])
    assertEntry(await scrap(pk, output, 1), 'output')
  })

  it("rejects more than the output's quantity, and an empty list", async () => {
    const { pk } = await createChairOrder(5)
    const [output] = (await begin(pk, 5)) as [number]
    assertEntry(await scrap(pk, output, 6), 'quantity')
    assertEntry(await scrap(pk, output, 0), 'quantity')
    assert.deepEqual(listFields(await act(pk, 'scrap-outputs')), ['outputs', 'location', 'notes'])
  })

  it("consumes or releases the output's allocations", async () => {
    const { pk, brain, line } = await createRobotOrder()
    const [output, other] = (await begin(pk, 2, { serial_numbers: '1,2' })) as [number, number]
    const [one, two] = [await stock(brain, 1, { serial: 'B1' }), await stock(brain, 1, { serial: 'B2' })]
    await allocate(pk, line, one, 1, output)
    await allocate(pk, line, two, 1, other)
    await scrap(pk, output, 1)
    await scrap(pk, other, 1, { discard_allocations: true })
    assert.equal((await readBody(`/api/stock/${one}/`)).belongs_to, output)
    const freed = await readBody(`/api/stock/${two}/`)
    assert.deepEqual([freed.belongs_to, freed.allocated, freed.consumed_by], [null, 0, null])
    assert.equal((await readBody(`/api/part/${brain}/`)).in_stock, 1)
  })
})

describe('POST /api/build/{id}/delete-outputs/', () => {
  it('deletes incomplete outputs, and releases their allocations', async () => {
    const { pk, brain, line } = await createRobotOrder()
    const [output] = (await begin(pk, 1, { serial_numbers: '1' })) as [number]
    const unit = await stock(brain, 1, { serial: 'B1' })
    await allocate(pk, line, unit, 1, output)
    assert.equal((await act(pk, 'delete-outputs', { outputs: [{ output }] })).status, 201)
    assert.equal((await member.get(`/api/stock/${output}/`)).status, 404)
    assert.equal((await readBody(`/api/stock/${unit}/`)).allocated, 0)
    const [completedOutput] = (await begin(pk, 1, { serial_numbers: '2' })) as [number]
    await complete(pk, [completedOutput], { accept_incomplete_allocation: true })
    assertEntry(await act(pk, 'delete-outputs', { outputs: [{ output: completedOutput }] }), 'output')
  })
})

describe('POST /api/build/{id}/finish/', () => {
  it('consumes allocated items, whole or in part', async () => {
    const { pk, leg, line } = await createChairOrder(2)
    const [small, large] = [await stock(leg, 3), await stock(leg, 10)]
    await allocate(pk, line, small, 3)
    await allocate(pk, line, large, 5)
    await complete(pk, await begin(pk, 2))
    const response = await act(pk, 'finish')
    assert.deepEqual(response.body, { accept_overallocated: 'reject', accept_unallocated: false, accept_incomplete: false })
    const used = (await readBody(`/api/stock/?consumed_by=${pk}&ordering=quantity`)).results
    assert.deepEqual(
      used.map(({ pk: item, quantity, location }: any) => [item === small, quantity, location]),
      [
        [true, 3, null],
        [false, 5, null],
      ],
    )
    assert.deepEqual((await readHistory(service, small)).at(-1), [57, { buildorder: pk, quantity: 3 }])
    assert.deepEqual(
      [await readHistoryCodes(small), await readHistoryCodes(used[1].pk), await readHistoryCodes(large)],
      [[57], [40, 57], [42]],
    )
    assert.deepEqual(
      [(await readBody(`/api/stock/${large}/`)).quantity, (await readBody(`/api/stock/${large}/`)).allocated],
      [5, 0],
    )
    const { status, completion_date } = await readBody(`/api/build/${pk}/`)
    assert.deepEqual([status, completion_date], [40, new Date().toISOString().slice(0, 10)])
    const legPart = await readBody(`/api/part/${leg}/`)
    assert.deepEqual([legPart.in_stock, legPart.required_for_build_orders, legPart.allocated_to_build_orders], [5, 0, 0])
    assert.deepEqual(listFields(await act(pk, 'finish')), ['non_field_errors'])
    const [event] = await service.rows(`select kind from event where model = 'build_order' and key = $1 order by id desc`, [pk])
    assert.equal(event.kind, 'build.completed')
  })

  it('requires the caller to accept missing and excess quantities', async () => {
    const { pk, leg, line } = await createChairOrder(2)
    const item = await stock(leg, 20)
    assert.deepEqual(listFields(await act(pk, 'finish')), ['accept_unallocated', 'accept_incomplete'])
    await allocate(pk, line, item, 5)
    await allocate(pk, line, await stock(leg, 10), 7)
    assert.deepEqual(listFields(await act(pk, 'finish')), ['accept_overallocated', 'accept_incomplete'])
    assert.deepEqual(listFields(await act(pk, 'finish', { accept_overallocated: 'trim' })), ['accept_incomplete'])
    assert.deepEqual(listFields(await act(pk, 'finish', { accept_overallocated: 'some' })), ['accept_overallocated'])
    const [output] = (await begin(pk, 1)) as [number]
    const acceptance = { accept_overallocated: 'trim', accept_incomplete: true }
    assert.deepEqual(listFields(await act(pk, 'finish', acceptance)), ['non_field_errors'])
    await complete(pk, [output])
    assert.equal((await act(pk, 'finish', acceptance)).status, 201)
    const used = (await readBody(`/api/stock/?consumed_by=${pk}`)).results.map(({ quantity }: any) => quantity)
    assert.deepEqual(used.sort(), [3, 5], 'the last allocation is trimmed')
    assert.equal((await readBody(`/api/part/${leg}/`)).allocated_to_build_orders, 0)
  })

  it('consumes excess allocations if accepted', async () => {
    const { pk, leg, line } = await createChairOrder(1)
    const item = await stock(leg, 20)
    await allocate(pk, line, item, 9)
    await act(pk, 'finish', { accept_overallocated: 'accept', accept_incomplete: true })
    assert.equal((await readBody(`/api/stock/${item}/`)).quantity, 11)
  })

  it('consumes an item for several lines until nothing is left', async () => {
    const chair = await part({ assembly: true })
    const leg = await part()
    for (const each of [4, 6]) await bom(chair, leg, each)
    const pk = await build(chair, 1)
    const item = await stock(leg, 10)
    for (const { pk: line, quantity } of await linesOf(pk)) await allocate(pk, line, item, quantity)
    await act(pk, 'finish', { accept_incomplete: true })
    const used = (await readBody(`/api/stock/?consumed_by=${pk}&ordering=quantity`)).results
    assert.deepEqual(
      used.map(({ quantity }: any) => quantity),
      [4, 6],
    )
  })

  it('rejects allocations of stock that is no longer available', async () => {
    const { pk, leg, line } = await createChairOrder(1)
    const item = await stock(leg, 20)
    await allocate(pk, line, item, 4)
    await service.rows('update stock_item set status = 70 where pk = $1', [item])
    const response = await act(pk, 'finish', { accept_incomplete: true })
    assert.match(response.body.non_field_errors[0], /no longer in stock/)
    assert.equal((await readBody(`/api/build/${pk}/`)).status, 10)
  })

  it('rejects allocations of a part that the line no longer allows', async () => {
    const { pk, leg, line } = await createChairOrder(1)
    const [item, other] = [await stock(leg, 20), await part()]
    await allocate(pk, line, item, 4)
    const [{ bom_item }] = await service.rows('select bom_item from build_line where pk = $1', [line])
    assert.equal((await service.member.patch(`/api/bom/${bom_item}/`, { sub_part: other })).status, 200)
    const response = await act(pk, 'finish', { accept_incomplete: true })
    assert.match(response.body.non_field_errors[0], new RegExp(`^Its line no longer allows the part of stock item ${item}:`))
    assert.equal((await readBody(`/api/stock/${item}/`)).quantity, 20)
    await act(pk, 'unallocate')
    assert.equal((await act(pk, 'finish', { accept_incomplete: true, accept_unallocated: true })).status, 201)
  })

  it('consumes stock once under concurrent requests', async () => {
    const { pk, leg, line } = await createChairOrder(2)
    const item = await stock(leg, 10)
    await allocate(pk, line, item, 8)
    const responses = await Promise.all([
      ...Array.from({ length: 3 }, () => act(pk, 'finish', { accept_incomplete: true })),
      act(pk, 'cancel', { remove_allocated_stock: true }),
    ])
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 400, 400, 400])
    assert.equal((await readBody(`/api/stock/?consumed_by=${pk}`)).results[0].quantity, 8)
    assert.equal((await readBody(`/api/stock/${item}/`)).quantity, 2)
  })

  it('notifies those involved', async () => {
    const { pk } = await createChairOrder(1)
    await act(pk, 'finish', { accept_unallocated: true, accept_incomplete: true })
    const [notification] = await service.rows(`select kind, model from notice where target = $1 and kind = 'completed'`, [pk])
    assert.deepEqual(notification, { kind: 'completed', model: 'build' })
  })
})

describe('POST /api/build/{id}/cancel/', () => {
  it('releases allocations and keeps outputs', async () => {
    const { pk, leg, line } = await createChairOrder(2)
    const item = await stock(leg, 10)
    await allocate(pk, line, item, 8)
    const [output] = (await begin(pk, 1)) as [number]
    await act(pk, 'cancel')
    assert.equal((await readBody(`/api/stock/${item}/`)).allocated, 0)
    assert.equal((await readBody(`/api/stock/${output}/`)).is_building, true)
    assert.equal(await countAllocations(pk), 0)
  })

  it('consumes allocations without an output and deletes outputs on request', async () => {
    const { pk, brain, line } = await createRobotOrder()
    const wheel = await part()
    await bom((await readBody(`/api/build/${pk}/`)).part, wheel, 1)
    const [output, completedOutput] = (await begin(pk, 2, { serial_numbers: '1,2' })) as [number, number]
    await complete(pk, [completedOutput], { accept_incomplete_allocation: true })
    const [unit, wheels] = [await stock(brain, 1, { serial: 'B1' }), await stock(wheel, 5)]
    await allocate(pk, line, unit, 1, output)
    const [, second] = await linesOf(pk)
    await allocate(pk, second.pk, wheels, 2)
    await act(pk, 'cancel', { remove_allocated_stock: true, remove_incomplete_outputs: true })
    assert.equal((await member.get(`/api/stock/${output}/`)).status, 404)
    assert.equal((await readBody(`/api/stock/${completedOutput}/`)).build, pk)
    assert.deepEqual(
      [(await readBody(`/api/stock/${unit}/`)).allocated, (await readBody(`/api/stock/${wheels}/`)).quantity],
      [0, 3],
    )
    assert.equal((await readBody(`/api/part/${wheel}/`)).in_stock, 3)
    assert.equal((await member.delete(`/api/build/${pk}/`)).status, 204)
    assert.equal((await readBody(`/api/part/${wheel}/`)).in_stock, 3)
  })
})
