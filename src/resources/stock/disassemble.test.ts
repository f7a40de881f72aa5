import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createBuildHelpers } from '../../testing/objects/building.ts'
import { assertCallers, testService } from '../../testing/service.ts'
import { assertHistorySums, fillStock, insertItem, locations, readHistory } from './fixture.ts'

const service = await testService()
const { member } = service
const { part, bom, stock, assertSums } = createBuildHelpers(service)
beforeEach(() => fillStock(service))
afterEach(async () => {
  await assertSums()
  await assertHistorySums(service)
})

const disassemble = (pk: number, body: object) => member.post(`/api/stock/${pk}/disassemble/`, body)
const readState = () => service.rows('select pk, part, quantity, status from stock_item order by pk')

/** 10 chairs of 4 legs and a seat, bought for 12 EUR each. */
async function createChairs(fields: Record<string, unknown> = {}) {
  const [chair, leg, seat] = [await part({ assembly: true }), await part(), await part()]
  const lines = [await bom(chair, leg, 4), await bom(chair, seat, 1)] as const
  const item = await stock(chair, 10, { batch: 'C1', purchase_price: '12', ...fields })
  return { item, chair, leg, seat, lines }
}

describe('POST /api/stock/{id}/disassemble/', () => {
  it('creates the recovered components, which share the price of the disassembled item', async () => {
    const { item, leg, seat, lines } = await createChairs()
    const response = await disassemble(item, {
      quantity: 2,
      items: [
        { bom_item: lines[0], quantity: 7 },
        {
          bom_item: lines[1],
          quantity: 2,
          location: locations.garage,
          status: 55,
          purchase_price: '3',
          purchase_price_currency: 'USD',
        },
      ],
      location: locations.box,
      notes: 'Broken',
    })
    assert.equal(response.status, 201, response.text)
    const shown = response.body.map((one: Record<string, unknown>) => [
      ...[one.part, one.quantity, one.location, one.status, one.batch, one.purchase_price, one.purchase_price_currency],
    ])
    assert.deepEqual(shown, [
      [leg, 7, locations.box, 10, 'C1', '3.428571', 'EUR'],
      [seat, 2, locations.garage, 55, 'C1', '3.000000', 'USD'],
    ])
    assert.equal((await member.get(`/api/stock/${item}/`)).body.quantity, 8)
    assert.deepEqual((await readHistory(service, item)).at(-1), [46, { removed: 2, quantity: 8 }])
    assert.deepEqual(await readHistory(service, response.body[0].pk), [
      [47, { stockitem: item, quantity: 7, status: 10, location: locations.box }],
    ])
  })

  it('puts components in the location of the item, and deletes a depleted item', async () => {
    const { item, chair, lines } = await createChairs()
    const { body } = await disassemble(item, { quantity: 10, items: [{ bom_item: lines[1], quantity: '9.5' }] })
    assert.deepEqual([body[0].location, body[0].quantity], [locations.shelf, 9.5])
    assert.equal((await member.get(`/api/stock/${item}/`)).status, 404)
    const [entry] = (await member.get(`/api/stock/track/?part=${chair}&limit=1&ordering=-pk`)).body.results
    assert.equal(entry.tracking_type, 46)
  })

  it('keeps an item with a serial number, with the status Destroyed', async () => {
    const [robot, screw] = [await part({ assembly: true, trackable: true }), await part()]
    const line = await bom(robot, screw, 3)
    const item = await stock(robot, 1, { serial: '7' })
    assert.equal((await disassemble(item, { quantity: 1, items: [{ bom_item: line, quantity: 3 }] })).status, 201)
    const { quantity, status, serial } = (await member.get(`/api/stock/${item}/`)).body
    assert.deepEqual([quantity, status, serial], [1, 60, '7'])
    assert.equal((await disassemble(item, { quantity: 1, items: [{ bom_item: line, quantity: 3 }] })).status, 400)
  })

  it('recovers components of inherited lines', async () => {
    const template = await part({ assembly: true, is_template: true })
    const variant = await part({ assembly: true, variant_of: template })
    const line = await bom(template, await part(), 1, { inherited: true })
    const item = await stock(variant, 2)
    assert.equal((await disassemble(item, { quantity: 1, items: [{ bom_item: line, quantity: 1 }] })).status, 201)
  })

  it('rejects invalid requests, and changes nothing', async () => {
    const { item, lines, seat } = await createChairs()
    const other = await createChairs()
    const [chip, virtual] = [await part({ trackable: true }), await part({ virtual: true })]
    const [chipLine, virtualLine] = [await bom(other.chair, chip, 1), await bom(other.chair, virtual, 1)]
    const before = await readState()
    const entry = { bom_item: lines[0], quantity: 4 }
    for (const [pk, body, field] of [
      [item, {}, 'items,quantity'],
      [item, { quantity: 1, items: [] }, 'non_field_errors'],
      [item, { quantity: 11, items: [entry] }, 'quantity'],
      [item, { quantity: 0, items: [entry] }, 'quantity'],
      [item, { quantity: -1, items: [entry] }, 'quantity'],
      [item, { quantity: 1, items: [{ ...entry, quantity: 0 }] }, 'items'],
      [item, { quantity: 1, items: [{ ...entry, bom_item: other.lines[0] }] }, 'items'],
      [item, { quantity: 1, items: [{ ...entry, status: 9999 }] }, 'items'],
      [item, { quantity: 1, items: [{ ...entry, purchase_price: -1 }] }, 'items'],
      [item, { quantity: 1, items: [entry], location: locations.house }, 'location'],
      [item, { quantity: 1, items: [entry], location: 999_999 }, 'location'],
      [other.item, { quantity: 1, items: [{ bom_item: chipLine, quantity: '0.5' }] }, 'items'],
      [other.item, { quantity: 1, items: [{ bom_item: virtualLine, quantity: 1 }] }, 'items'],
    ] as const) {
      const response = await disassemble(pk, body)
      assert.deepEqual([response.status, Object.keys(response.body).join()], [400, field], JSON.stringify(body))
    }
    assert.deepEqual(await readState(), before)
    assert.equal((await disassemble(999_999, { quantity: 1, items: [entry] })).status, 404)
    const version = { 'if-match': '"0"' }
    assert.equal((await member.post(`/api/stock/${item}/disassemble/`, { quantity: 1, items: [entry] }, version)).status, 412)
    await insertItem(service, { part: seat, belongs_to: item, location: null })
    assert.match((await disassemble(item, { quantity: 1, items: [entry] })).text, /Uninstall/)
  })

  it('never disassembles more than is in stock under concurrent requests', async () => {
    const { item, lines, leg } = await createChairs({ delete_on_deplete: false })
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => disassemble(item, { quantity: 4, items: [{ bom_item: lines[0], quantity: 16 }] })),
    )
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 201, 400, 400, 400])
    const [{ sum }] = await service.rows('select sum(quantity)::float8 from stock_item where part = $1', [leg])
    assert.equal(sum, 32)
  })

  it('requires the permission to add stock', async () => {
    const { item } = await createChairs()
    await assertCallers(
      service,
      (client) => client.post(`/api/stock/${item}/disassemble/`, { quantity: 1, items: [] }),
      ['member', 'superuser'],
      readState,
    )
  })
})
