// Over 400 lines: tests every rule of allocating stock to a build order, and its effects, on one stock.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createBuildHelpers } from '../../testing/objects/building.ts'
import { createRoundTripCounter } from '../../testing/round-trips.ts'
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
const readItems = async (buildOrder: number) => (await readBody(`/api/build/item/?build=${buildOrder}&ordering=pk`)).results
/** Reads allocations as pairs of item and quantity. */
const readAllocations = async (buildOrder: number) =>
  (await readItems(buildOrder))
    .map(({ stock_item, quantity }: any) => [stock_item, quantity])
    .sort(([one]: number[], [other]: number[]) => (one as number) - (other as number))

/** Creates a build order for an assembly with one component, of which each unit needs the quantity `each`. */
async function createChairOrder(quantity = 2, each = 4, partFields: object = {}, lineFields: object = {}) {
  const chair = await part({ assembly: true, ...partFields })
  const leg = await part()
  await bom(chair, leg, each, lineFields)
  const pk = await build(chair, quantity)
  const [{ pk: first }] = await linesOf(pk)
  return { pk, chair, leg, line: first as number }
}

/** The same with a tracked component, and an output of one unit. */
async function createRobotOrder() {
  const robot = await part({ assembly: true, trackable: true })
  const brain = await part({ trackable: true })
  await bom(robot, brain, 1)
  const pk = await build(robot, 2)
  const [{ pk: line }] = await linesOf(pk)
  const [output] = await begin(pk, 1, { serial_numbers: '1' })
  return { pk, robot, brain, line: line as number, output: output as number }
}

function assertField(response: { status: number; body: any }, field: string, list = 'items') {
  assert.equal(response.status, 400, JSON.stringify(response.body))
  const [entry] = response.body[list] ?? [response.body]
  assert.deepEqual(Object.keys(entry), [field], JSON.stringify(response.body))
}

describe('POST /api/build/{id}/allocate/', () => {
  it('allocates stock to a line and updates the item, the part and the stock filters', async () => {
    const { pk, leg, line } = await createChairOrder()
    const item = await stock(leg, 10)
    const response = await allocate(pk, line, item, 3)
    assert.deepEqual(response.body, { items: [{ build_line: line, stock_item: item, quantity: '3.00000', output: null }] })
    assert.deepEqual((await readBody(`/api/stock/${item}/`)).allocated, 3)
    const legPart = await readBody(`/api/part/${leg}/`)
    assert.deepEqual([legPart.allocated_to_build_orders, legPart.required_for_build_orders, legPart.unallocated_stock], [3, 8, 7])
    const needs = await readBody(`/api/part/${leg}/requirements/`)
    assert.deepEqual([needs.available_stock, needs.allocated_build_order_quantity, needs.allocated], [7, 3, 3])
    assert.equal((await readBody(`/api/part/?stock_to_build=true`)).count, 1)
    const countStock = async (query: string) => (await readBody(`/api/stock/?part=${leg}&${query}`)).count
    assert.deepEqual(
      [await countStock('allocated=true'), await countStock('allocated=false'), await countStock('available=true')],
      [1, 0, 1],
    )
    await allocate(pk, line, item, 2)
    assert.deepEqual(await readAllocations(pk), [[item, 5]], 'the existing allocation is increased')
  })

  it('rejects invalid entries, with each error at its position', async () => {
    const { pk, leg, line } = await createChairOrder()
    const other = await createChairOrder()
    const item = await stock(leg, 5)
    assertField(await allocate(pk, other.line, item, 1), 'build_line')
    assertField(await allocate(pk, 99_999, item, 1), 'build_line')
    assertField(await allocate(pk, line, 99_999, 1), 'stock_item')
    assertField(await allocate(pk, line, await stock(other.leg, 5), 1), 'stock_item')
    assertField(await allocate(pk, line, await stock(leg, 5, { status: 75 }), 1), 'stock_item')
    assertField(await allocate(pk, line, await stock(leg, 5, { customer: 2 }), 1), 'stock_item')
    assertField(await allocate(pk, line, item, 0), 'quantity')
    assertField(await allocate(pk, line, item, 6), 'quantity')
    assertField(await allocate(pk, line, await stock(leg, 1, { serial: 'A' }), 0.5), 'quantity')
    assert.deepEqual(listFields(await act(pk, 'allocate', { items: [] })), ['non_field_errors'])
    assert.deepEqual(listFields(await act(pk, 'allocate')), ['items'])
    assert.equal((await allocate(99_999, line, item, 1)).status, 404)
    await act(pk, 'cancel')
    assertField(await allocate(pk, line, item, 1), 'non_field_errors')
  })

  it('accepts all entries or none, and adds up their quantities', async () => {
    const { pk, leg, line } = await createChairOrder()
    const item = await stock(leg, 5)
    const entry = (quantity: number) => ({ build_line: line, stock_item: item, quantity })
    const errorResponse = await act(pk, 'allocate', { items: [entry(3), entry(3)] })
    assert.deepEqual(errorResponse.body.items.map(Object.keys), [[], ['quantity']])
    assert.deepEqual(await readAllocations(pk), [])
    assert.equal((await act(pk, 'allocate', { items: [entry(3), entry(2)] })).status, 201)
    assert.deepEqual(await readAllocations(pk), [[item, 5]])
  })

  it('accepts variants where allowed, and substitutes', async () => {
    const chair = await part({ assembly: true })
    const template = await part({ is_template: true })
    const [variant, other] = [await part({ variant_of: template }), await part()]
    const line = await bom(chair, template, 1)
    const pk = await build(chair, 5)
    const [{ pk: buildLine }] = await linesOf(pk)
    const [blue, substituteItem] = [await stock(variant, 5), await stock(other, 5)]
    assertField(await allocate(pk, buildLine, blue, 1), 'stock_item')
    assertField(await allocate(pk, buildLine, substituteItem, 1), 'stock_item')
    await member.patch(`/api/bom/${line}/`, { allow_variants: true })
    await member.post('/api/bom/substitute/', { bom_item: line, part: other })
    assert.deepEqual(
      [(await allocate(pk, buildLine, blue, 1)).status, (await allocate(pk, buildLine, substituteItem, 1)).status],
      [201, 201],
    )
  })

  it('ignores consumables, and allows allocating more than a line needs', async () => {
    const { pk, leg, line } = await createChairOrder(1, 1)
    const item = await stock(leg, 5)
    assert.equal((await allocate(pk, line, item, 5)).status, 201)
    const glue = await createChairOrder(1, 1, {}, { consumable: true })
    const pot = await stock(glue.leg, 5)
    assert.equal((await allocate(glue.pk, glue.line, pot, 1)).status, 201)
    for (const quantity of [0, 6]) assertField(await allocate(glue.pk, glue.line, pot, quantity), 'quantity')
    const serialized = await stock(glue.leg, 1, { serial: '1' })
    assert.equal((await allocate(glue.pk, glue.line, serialized, 0.25)).status, 201)
    assert.deepEqual(await readAllocations(glue.pk), [])
  })

  it('allocates a tracked component to an output, and only a tracked one', async () => {
    const { pk, brain, line, output } = await createRobotOrder()
    const unit = await stock(brain, 1, { serial: 'B1' })
    assertField(await allocate(pk, line, unit, 1), 'output')
    assertField(await allocate(pk, line, unit, 1, 99_999), 'output')
    assertField(await allocate(pk, line, unit, 1, unit), 'output')
    assert.equal((await allocate(pk, line, unit, 1, output)).status, 201)
    const [{ install_into, build: buildOrder }] = await readItems(pk)
    assert.deepEqual([install_into, buildOrder], [output, pk])
    const plain = await createChairOrder()
    const [newOutput] = await begin(plain.pk, 1)
    assertField(await allocate(plain.pk, plain.line, await stock(plain.leg, 5), 1, newOutput), 'output')
  })

  it('makes stock unavailable to sales orders, and the reverse', async () => {
    const { pk, leg, line } = await createChairOrder()
    await service.rows('update part set salable = true where pk = $1', [leg])
    const item = await stock(leg, 10)
    await allocate(pk, line, item, 6)
    const order = (await member.post('/api/order/so/', { reference: 'SO-1', customer: 2 })).body.pk
    const orderLine = (await member.post('/api/order/so-line/', { order, part: leg, quantity: 10 })).body.pk
    const shipment = (await member.post('/api/order/so/shipment/', { order })).body.pk
    const sell = (quantity: number) =>
      member.post(`/api/order/so/${order}/allocate/`, { items: [{ line_item: orderLine, stock_item: item, quantity }], shipment })
    assertField(await sell(5), 'quantity')
    assert.equal((await sell(4)).status, 201)
    assertField(await allocate(pk, line, item, 1), 'quantity')
    assert.equal((await readBody(`/api/order/so-line/${orderLine}/`)).available_stock, 0)
    const removal = await member.post('/api/stock/remove/', { items: [{ pk: item, quantity: 1 }] })
    assert.equal(removal.status, 400)
    assert.deepEqual(listFields(await member.patch(`/api/stock/${item}/`, { quantity: 9 })), ['quantity'])
    assertField(await member.post('/api/stock/assign/', { items: [{ item }], customer: 2 }), 'item')
  })

  it('never allocates more than is in stock under concurrent requests', async () => {
    const { pk, leg, line } = await createChairOrder(10, 10)
    const item = await stock(leg, 10)
    const responses = await Promise.all(Array.from({ length: 8 }, () => allocate(pk, line, item, 3)))
    assert.equal(responses.filter(({ status }) => status === 201).length, 3)
    assert.deepEqual(await readAllocations(pk), [[item, 9]])
  })

  it('requires the permission to add builds, and rejects an old version', async () => {
    const { pk, leg, line } = await createChairOrder()
    const item = await stock(leg, 100)
    const stale = await member.post(`/api/build/${pk}/allocate/`, { items: [] }, { 'if-match': '"0"' })
    assert.equal(stale.status, 412)
    await assertCallers(
      service,
      (client) => client.post(`/api/build/${pk}/allocate/`, { items: [{ build_line: line, stock_item: item, quantity: 1 }] }),
      ['member', 'superuser'],
      () => readAllocations(pk),
    )
  })
})

describe('/api/build/item/', () => {
  it('allocates stock by POST, under the same rules', async () => {
    const { pk, leg, line } = await createChairOrder()
    const item = await stock(leg, 5)
    const post = (body: object) =>
      member.post('/api/build/item/', { build_line: line, stock_item: item, install_into: null, ...body })
    const created = await post({ quantity: 2 })
    assert.deepEqual([created.status, created.body.build, created.body.quantity], [201, pk, 2])
    assert.deepEqual(listFields(await post({ quantity: 1 })), ['non_field_errors'])
    assert.deepEqual(listFields(await post({ stock_item: await stock(leg, 2), quantity: 3 })), ['quantity'])
    assert.deepEqual(listFields(await member.post('/api/build/item/', { build_line: line, stock_item: item })), ['install_into'])
    assert.equal((await readBody(`/api/build/item/${created.body.pk}/?build_detail=true`)).build_detail.pk, pk)
  })

  it('requires a build line', async () => {
    const { pk, leg, line } = await createChairOrder()
    await allocate(pk, line, await stock(leg, 5), 3)
    const [{ pk: allocation }] = await readItems(pk)
    for (const build_line of ['', null])
      assert.deepEqual(listFields(await member.patch(`/api/build/item/${allocation}/`, { build_line })), [
        'build_line',
        'stock_item',
      ])
    const emptyFields = { build_line: null, install_into: null, stock_item: null, quantity: null }
    const response = await member.post('/api/build/item/', emptyFields)
    assert.deepEqual([response.status, listFields(response)], [400, ['stock_item', 'quantity']])
  })

  it('changes by PATCH within the available stock, and releases by DELETE', async () => {
    const { pk, leg, line } = await createChairOrder()
    const [item, other] = [await stock(leg, 5), await stock(leg, 2)]
    await allocate(pk, line, item, 3)
    const [{ pk: allocation }] = await readItems(pk)
    const patch = (body: object) => member.patch(`/api/build/item/${allocation}/`, body)
    assert.deepEqual(listFields(await patch({ quantity: 6 })), ['quantity'])
    assert.equal((await patch({ quantity: 5 })).status, 200)
    assert.deepEqual(listFields(await patch({ stock_item: other })), ['quantity'])
    assert.equal((await patch({ stock_item: other, quantity: 2 })).status, 200)
    assert.deepEqual(
      [(await readBody(`/api/stock/${item}/`)).allocated, (await readBody(`/api/stock/${other}/`)).allocated],
      [0, 2],
    )
    assert.equal((await member.delete(`/api/build/item/${allocation}/`)).status, 204)
    assert.equal((await readBody(`/api/stock/${other}/`)).allocated, 0)
  })

  it('filters by line, item, part and output', async () => {
    const { pk, brain, line, output } = await createRobotOrder()
    const unit = await stock(brain, 1, { serial: 'B1' })
    await allocate(pk, line, unit, 1, output)
    const count = async (query: string) => (await readBody(`/api/build/item/?${query}`)).count
    for (const query of [
      `build=${pk}`,
      `build_line=${line}`,
      `stock_item=${unit}`,
      `part=${brain}`,
      `output=${output}`,
      'tracked=true',
    ])
      assert.equal(await count(query), 1, query)
    for (const query of ['output=null', 'output=None', 'tracked=false']) assert.equal(await count(query), 0, query)
    assert.equal((await member.get('/api/build/item/?output=x')).status, 400)
  })
})

describe('POST /api/build/{id}/auto-allocate/', () => {
  it('allocates missing quantities from a single item, or from several if interchangeable', async () => {
    const { pk, leg } = await createChairOrder(2, 4)
    const [one, other] = [await stock(leg, 5), await stock(leg, 5)]
    assert.equal((await act(pk, 'auto-allocate')).status, 201)
    assert.deepEqual(await readAllocations(pk), [])
    const response = await act(pk, 'auto-allocate', { interchangeable: true })
    assert.deepEqual(response.body, {
      location: null,
      exclude_location: null,
      interchangeable: true,
      substitutes: true,
      optional_items: false,
    })
    assert.deepEqual(await readAllocations(pk), [
      [one, 5],
      [other, 3],
    ])
    await act(pk, 'auto-allocate', { interchangeable: true })
    assert.deepEqual((await readAllocations(pk)).length, 2, 'a line with enough gets no more')
  })

  it('prefers the component, then variants, then substitutes', async () => {
    const chair = await part({ assembly: true })
    const template = await part({ is_template: true })
    const [variant, other] = [await part({ variant_of: template }), await part()]
    const line = await bom(chair, template, 1, { allow_variants: true })
    await member.post('/api/bom/substitute/', { bom_item: line, part: other })
    const [substituteItem, blue, own] = [await stock(other, 2), await stock(variant, 2), await stock(template, 2)]
    const pk = await build(chair, 5)
    await act(pk, 'auto-allocate', { interchangeable: true, substitutes: false })
    assert.deepEqual(await readAllocations(pk), [
      [blue, 2],
      [own, 2],
    ])
    await act(pk, 'auto-allocate', { interchangeable: true })
    assert.deepEqual((await readAllocations(pk))[0], [substituteItem, 1])
  })

  it('skips consumables, tracked and optional components, serialized items, inactive parts and other locations', async () => {
    const glue = await createChairOrder(1, 1, {}, { consumable: true })
    const lamp = await createChairOrder(1, 1, {}, { optional: true })
    const { pk, brain } = await createRobotOrder()
    await stock(glue.leg, 5)
    const bulb = await stock(lamp.leg, 5)
    await stock(brain, 1, { serial: 'B1' })
    for (const one of [glue.pk, lamp.pk, pk]) {
      await act(one, 'auto-allocate', { interchangeable: true })
      assert.deepEqual(await readAllocations(one), [])
    }
    await act(lamp.pk, 'auto-allocate', { optional_items: true })
    assert.deepEqual(await readAllocations(lamp.pk), [[bulb, 1]])

    const { pk: buildOrder, leg } = await createChairOrder(1, 4)
    await stock(leg, 1, { serial: 'L1' })
    const [shelf, box, shed] = [
      await stock(leg, 1),
      await stock(leg, 1, { location: locations.box }),
      await stock(leg, 1, { location: locations.shed }),
    ]
    const autoAllocate = async (body: object) => {
      await act(buildOrder, 'unallocate')
      await act(buildOrder, 'auto-allocate', { interchangeable: true, ...body })
      return (await readAllocations(buildOrder)).map(([item]: number[]) => item)
    }
    assert.deepEqual(await autoAllocate({ location: locations.shelf }), [shelf, box])
    assert.deepEqual(await autoAllocate({ exclude_location: locations.shelf }), [shed])
    assert.deepEqual(await autoAllocate({ location: locations.shelf, exclude_location: locations.box }), [shelf])
    await service.rows('update part set active = false where pk = $1', [leg])
    assert.deepEqual(await autoAllocate({}), [])
  })

  it('allocates each item once under concurrent requests', async () => {
    const { pk, leg, chair } = await createChairOrder(2, 4)
    const other = await build(chair, 2)
    for (let index = 0; index < 10; index++) await stock(leg, 1)
    await Promise.all([pk, other, pk, other].map((buildOrder) => act(buildOrder, 'auto-allocate', { interchangeable: true })))
    assert.equal((await readAllocations(pk)).length + (await readAllocations(other)).length, 10)
  })

  it('needs the same number of round trips for 500 lines as for one', async () => {
    const chair = await part({ assembly: true })
    await service.rows(
      `insert into part (name, description, component) select 'Bulk ' || n, 'of tests', true from generate_series(1, 500) n`,
    )
    await service.rows(`insert into bom_item (part, sub_part, quantity) select $1, pk, 2 from part where name like 'Bulk %'`, [
      chair,
    ])
    await service.rows(
      `insert into stock_item (part, quantity, location, purchase_price_currency)
       select pk, 50, $1, 'EUR' from part, generate_series(1, 2) where name like 'Bulk %'`,
      [locations.shelf],
    )
    const pk = await build(chair, 10)
    const count = createRoundTripCounter(service.pool)
    const { pk: singleLineOrder } = await createChairOrder(1, 1)
    const roundTripsForOne = await count(() => act(singleLineOrder, 'auto-allocate', { interchangeable: true }))
    const trips = await count(async () => assert.equal((await act(pk, 'auto-allocate', { interchangeable: true })).status, 201))
    assert.ok(roundTripsForOne > 0)
    assert.equal(trips, roundTripsForOne)
    assert.equal((await readBody(`/api/build/item/?build=${pk}&limit=1`)).count, 500)
    assert.equal((await readBody(`/api/build/line/?build=${pk}&allocated=true&limit=1`)).count, 500)
    await act(pk, 'finish', { accept_incomplete: true })
    assert.equal((await readBody(`/api/stock/?consumed_by=${pk}&limit=1`)).count, 500)
  })
})

describe('POST /api/build/{id}/unallocate/', () => {
  it('releases the allocations of one line or all lines, for no output or one', async () => {
    const { pk, brain, line, output } = await createRobotOrder()
    const unit = await stock(brain, 1, { serial: 'B1' })
    await allocate(pk, line, unit, 1, output)
    assert.deepEqual((await act(pk, 'unallocate')).body, { build_line: null, output: null })
    assert.equal((await readAllocations(pk)).length, 1, 'allocations for an output remain')
    assert.equal((await act(pk, 'unallocate', { output })).status, 201)
    assert.deepEqual(await readAllocations(pk), [])
    const other = await createChairOrder()
    assert.deepEqual(listFields(await act(pk, 'unallocate', { build_line: other.line })), ['build_line'])
    assert.deepEqual(listFields(await act(other.pk, 'unallocate', { output })), ['output'])
    await allocate(other.pk, other.line, await stock(other.leg, 5), 5)
    await act(other.pk, 'unallocate', { build_line: other.line })
    assert.deepEqual(await readAllocations(other.pk), [])
  })
})

describe('stock that is allocated to a build order', () => {
  it('keeps its allocations when merged, including two for the same line', async () => {
    const { pk, leg, line } = await createChairOrder()
    const [one, other] = [await stock(leg, 5), await stock(leg, 5)]
    await allocate(pk, line, one, 2)
    await allocate(pk, line, other, 3)
    const merged = await member.post('/api/stock/merge/', { items: [{ item: one }, { item: other }], location: locations.shelf })
    assert.equal(merged.status, 201, merged.text)
    assert.deepEqual(await readAllocations(pk), [[one, 5]])
  })

  it('releases the line when deleted', async () => {
    const { pk, leg, line } = await createChairOrder()
    const item = await stock(leg, 5)
    await allocate(pk, line, item, 2)
    assert.equal((await member.delete(`/api/stock/${item}/`)).status, 204)
    assert.equal((await linesOf(pk))[0].allocated, 0)
  })

  it('is not listed as available', async () => {
    const { pk, leg, line } = await createChairOrder()
    const item = await stock(leg, 5)
    await allocate(pk, line, item, 5)
    assert.equal((await readBody(`/api/stock/?part=${leg}&available=true`)).count, 0)
    assert.deepEqual(await readHistory(service, item), [])
    await changeSetting('STOCK_DELETE_DEPLETED_DEFAULT', true)
  })
})
