import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPurchaseHelpers } from '../../testing/objects/purchasing.ts'
import { createSalesHelpers } from '../../testing/objects/selling.ts'
import { assertCallers, type Client, type TestResponse, testService } from '../../testing/service.ts'
import { assertHistorySums, fillStock, insertItem, locations, parts, readHistory } from '../stock/fixture.ts'

const service = await testService()
await fillStock(service)
const make = createPurchaseHelpers(service)
const sell = createSalesHelpers(service)
const { member, viewer, nobody, staff } = service
const path = '/api/barcode/batch/'

let number = 0
const generateName = (kind: string) => `${kind} ${++number}`
const now = () => new Date().toISOString()

/** Returns an entry with the current time and an id of its own by default. */
const createEntry = (action: string, fields: object) => ({ id: crypto.randomUUID(), time: now(), action, ...fields })
const toBarcode = (item: number) => `{"stockitem": ${item}}`

async function send(items: readonly unknown[], client: Client = member): Promise<any[]> {
  const { status, body, text } = await client.post(path, { items })
  assert.equal(status, 200, text)
  return body.items
}
const listStatuses = (responses: readonly any[]) => responses.map(({ status }) => status)

const readState = async (item: number) => {
  const [row] = await service.rows('select quantity::float, location from stock_item where pk = $1', [item])
  return row && [row.quantity, row.location]
}

describe('POST /api/barcode/batch/', () => {
  it('rejects an unknown action, whatever characters it contains, and continues', async () => {
    const item = await insertItem(service)
    const before = (await readState(item))?.[0]
    const invalidActions = ['\ud800', 'a\udfffb', '\u0000', ['\ud800'], { '\ud800': 1 }, 'x'.repeat(5_000)]
    const createRemoval = () => createEntry('remove', { barcode: toBarcode(item), quantity: 1 })
    const responses = await send([
      createRemoval(),
      ...invalidActions.map((action) => ({ ...createEntry('', { barcode: toBarcode(item) }), action })),
      createRemoval(),
    ])
    assert.deepEqual(listStatuses(responses), [201, ...invalidActions.map(() => 400), 201])
    assert.equal((await readState(item))?.[0], Number(before) - 2)
  })

  it('acts on behalf of the sender', async () => {
    const item = await insertItem(service)
    await service.rows('delete from event')
    await send([createEntry('remove', { barcode: toBarcode(item), quantity: 1 })])
    const accounts = await service.rows('select distinct account from event')
    assert.deepEqual(accounts, [{ account: service.getPk('member') }])
  })

  it('rejects a quantity that would be rounded to zero, and rounds others', async () => {
    const item = await insertItem(service)
    const before = await readState(item)
    const responses = await send(
      ['1e-7', '0.000001', 1e-300, `0.${'0'.repeat(900)}1`].map((quantity) =>
        createEntry('count', { barcode: toBarcode(item), quantity }),
      ),
    )
    assert.deepEqual(listStatuses(responses), [400, 400, 400, 400])
    assert.deepEqual(await readState(item), before)
    assert.deepEqual(listStatuses(await send([createEntry('count', { barcode: toBarcode(item), quantity: '2.0000049' })])), [201])
    assert.equal((await readState(item))?.[0], 2)
  })

  it('rejects counting a serialized item other than 1, removing it, and moving a fraction of it', async () => {
    const item = await insertItem(service, { quantity: 1 })
    await service.rows(`update stock_item set serial = 'batch 1' where pk = $1`, [item])
    const before = await readState(item)
    const barcode = toBarcode(item)
    const responses = await send([
      createEntry('count', { barcode, quantity: 1 }),
      createEntry('count', { barcode, quantity: 5 }),
      createEntry('count', { barcode, quantity: 0 }),
      createEntry('remove', { barcode, quantity: 1 }),
      createEntry('move', { barcode, location: locations.garage, quantity: '0.5' }),
      createEntry('move', { barcode, location: locations.garage, quantity: 1 }),
    ])
    assert.deepEqual(listStatuses(responses), [201, 400, 400, 400, 400, 201], JSON.stringify(responses))
    assert.equal(responses[0].body.items[0].quantity, '1.00000')
    assert.deepEqual(responses[1].body, { quantity: ['A serialized stock item has a quantity of 1.'] })
    assert.deepEqual(await readState(item), [before?.[0], locations.garage])
  })

  it('processes entries of every kind in order, with the response of each operation', async () => {
    const item = await insertItem(service)
    const { order, label } = await make.labelledOrder()
    const part = await sell.part()
    const sale = await sell.sale(part)
    const stock = await sell.stock(part, 5)
    const shelf = generateName('Shelf')
    const code = label(4)
    const responses = await send([
      createEntry('scan', { barcode: toBarcode(item) }),
      createEntry('link', { barcode: shelf, stocklocation: locations.garage }),
      createEntry('receive', { barcode: code, purchase_order: order, location: locations.box }),
      createEntry('move', { barcode: toBarcode(item), location_barcode: shelf }),
      createEntry('count', { barcode: toBarcode(item), quantity: 12, notes: 'Counted' }),
      createEntry('remove', { barcode: toBarcode(item), quantity: '2.5' }),
      createEntry('allocate', { barcode: toBarcode(stock), sales_order: sale.order, quantity: 3 }),
    ])
    assert.deepEqual(listStatuses(responses), [201, 201, 201, 201, 201, 201, 201], JSON.stringify(responses))
    const [match, linked, received, moved, counted, removed, allocated] = responses.map(({ body }) => body)
    assert.deepEqual([match.barcode, match.stockitem.instance.pk, match.id], [toBarcode(item), item, undefined])
    assert.deepEqual([linked.stocklocation, linked.matched.stocklocation.pk], [locations.garage, locations.garage])
    assert.deepEqual([received.barcode, received.lineitem.quantity], [code, '4'])
    assert.deepEqual([moved.location, moved.items[0].pk, moved.items[0].quantity], [locations.garage, item, '10.00000'])
    assert.deepEqual([counted.items[0].quantity, counted.notes], ['12.00000', 'Counted'])
    assert.equal(removed.items[0].quantity, '2.50000')
    assert.deepEqual([allocated.stock_item, allocated.allocation.quantity], [stock, 3])
    assert.deepEqual(await readState(item), [9.5, locations.garage])
    await assertHistorySums(service)
  })

  it('moves the whole item without a quantity, and splits it for a smaller one', async () => {
    const item = await insertItem(service)
    const [part, rest] = await send([
      createEntry('move', { barcode: toBarcode(item), location: locations.box, quantity: 4 }),
      createEntry('move', { barcode: toBarcode(item), location: locations.garage }),
    ])
    assert.deepEqual([part.status, rest.status, rest.body.items[0].quantity], [201, 201, '6.00000'])
    assert.deepEqual(await readState(item), [6, locations.garage])
    const [child] = await service.rows('select quantity::float, location from stock_item where parent = $1', [item])
    assert.deepEqual(child, { quantity: 4, location: locations.box })
  })

  it('records the time of the scan in the stock history', async () => {
    const item = await insertItem(service)
    const { order, label } = await make.labelledOrder()
    const time = new Date(Date.now() - 3_600_000).toISOString()
    const responses = await send([
      createEntry('count', { time, barcode: toBarcode(item), quantity: 7 }),
      createEntry('remove', { time, barcode: toBarcode(item), quantity: 1 }),
      createEntry('move', { time, barcode: toBarcode(item), location: locations.box, quantity: 2 }),
      createEntry('move', { time: time.replace('Z', '+00:00'), barcode: toBarcode(item), location: locations.box }),
      createEntry('receive', { time, barcode: label(3), purchase_order: order, location: locations.box }),
    ])
    assert.deepEqual(listStatuses(responses), [201, 201, 201, 201, 201])
    const scannedTimes = (await readHistory(service, item)).map(([code, { scanned }]) => [code, scanned])
    assert.deepEqual(
      scannedTimes,
      [10, 12, 42, 20].map((code) => [code, time]),
    )
    const [created] = await service.rows('select pk from stock_item where purchase_order = $1', [order])
    assert.deepEqual(
      (await readHistory(service, created.pk)).map(([code, { scanned }]) => [code, scanned]),
      [[70, time]],
    )
    const scans = (await staff.get(`/api/barcode/history/?batch_id=${responses[0].id}`)).body.results
    assert.deepEqual([scans[0].pk, scans[0].action], [responses[0].history, 'count'])
    assert.ok(Math.abs(Date.parse(scans[0].scanned) - Date.parse(time)) < 1_000)
  })

  it('continues after a rejected entry, which changes nothing', async () => {
    const item = await insertItem(service)
    const before = await readState(item)
    const responses = await send([
      createEntry('remove', { barcode: toBarcode(item), quantity: 11 }),
      createEntry('remove', { barcode: toBarcode(item) }),
      createEntry('count', { barcode: 'no such code', quantity: 1 }),
      createEntry('count', { barcode: `{"part": ${parts.screw}}`, quantity: 1 }),
      createEntry('move', { barcode: toBarcode(item) }),
      createEntry('move', { barcode: toBarcode(item), location: locations.house }),
      createEntry('move', { barcode: toBarcode(item), location_barcode: toBarcode(item) }),
      createEntry('move', { barcode: toBarcode(item), location: locations.box, location_barcode: 'x' }),
      createEntry('move', { barcode: toBarcode(item), location: 999_999 }),
      createEntry('count', { barcode: toBarcode(item), quantity: '1e30' }),
      createEntry('explode', { barcode: toBarcode(item) }),
      createEntry('allocate', { barcode: toBarcode(item), sales_order: 999_999 }),
      createEntry('receive', { barcode: 'no label' }),
      createEntry('scan', { barcode: '\u0000' }),
    ])
    assert.deepEqual(listStatuses(responses), Array(14).fill(400))
    assert.deepEqual(responses[0].body, { items: [{ quantity: ['Quantity must not exceed available stock quantity (10)'] }] })
    assert.deepEqual(responses[1].body, { quantity: ['This field is required.'] })
    assert.equal(responses[2].body.error, 'No match found for barcode data')
    assert.equal(responses[3].body.error, 'Barcode does not match an existing stock item')
    assert.deepEqual(responses[4].body, { location: ['This field is required.'] })
    assert.equal(responses[6].body.error, 'Barcode does not match a stock location')
    assert.deepEqual(await readState(item), before)
    assert.deepEqual(await readHistory(service, item), [])
    const quantity = 1
    const rest = ['no such code', toBarcode(item)].map((barcode) => createEntry('remove', { barcode, quantity }))
    assert.deepEqual([listStatuses(await send(rest))[1], await readState(item)], [201, [9, locations.shelf]])
  })

  it('returns the error of an invalid entry at its position', async () => {
    const responses = await send([null, 7, [], {}, { id: '' }, { id: 'x'.repeat(101) }, { id: {} }, { id: generateName('id') }])
    assert.deepEqual(listStatuses(responses), Array(8).fill(400))
    assert.deepEqual(responses.map(({ id, history }) => [id, history]).slice(0, 7), Array(7).fill([null, null]))
    assert.deepEqual(Object.keys(responses[7].body), ['time', 'action'])
  })

  it('rejects a request without a list, or with too long a list', async () => {
    for (const items of [undefined, null, 'x', {}, Array(251).fill({})])
      assert.equal((await member.post(path, { items })).status, 400)
    assert.equal((await member.post(path, [])).status, 400)
    assert.deepEqual(await send([]), [])
    assert.equal((await send(Array(250).fill({}))).length, 250)
  })

  it('rejects scans from the future, and those older than the retention of ids', async () => {
    const item = await insertItem(service)
    const formatTime = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString()
    const day = 86_400_000
    const times = [
      ...[formatTime(600_000), '9999-12-31T23:59:59Z', formatTime(-30 * day), '1970-01-01', 'soon', 5],
      ...[formatTime(60_000), formatTime(-28 * day)],
    ]
    const responses = await send(times.map((time) => createEntry('remove', { time, barcode: toBarcode(item), quantity: 1 })))
    assert.deepEqual(listStatuses(responses), [400, 400, 400, 400, 400, 400, 201, 201])
    for (const { body } of responses.slice(0, 6)) assert.deepEqual(Object.keys(body), ['time'])
    assert.deepEqual(await readState(item), [8, locations.shelf])
  })
})

describe('the ids of a batch', () => {
  it('return the stored response of an entry, even if it was rejected', async () => {
    const item = await insertItem(service)
    const entries = [
      createEntry('remove', { barcode: toBarcode(item), quantity: 4 }),
      createEntry('remove', { barcode: toBarcode(item), quantity: 7 }),
      createEntry('scan', { barcode: toBarcode(item) }),
    ]
    const first = await send(entries)
    assert.deepEqual(listStatuses(first), [201, 400, 201])
    await send([createEntry('count', { barcode: toBarcode(item), quantity: 100 })])
    // the stored responses: 7 could be removed by now
    assert.deepEqual(await send(entries), first)
    assert.deepEqual(await send(entries.toReversed()), first.toReversed())
    assert.deepEqual(await readState(item), [100, locations.shelf])
    assert.equal((await readHistory(service, item)).length, 2)
  })

  it('reject another entry with 422, also within a request', async () => {
    const item = await insertItem(service)
    const firstEntry = createEntry('remove', { barcode: toBarcode(item), quantity: 1 })
    const responses = await send([
      firstEntry,
      firstEntry,
      { ...firstEntry, quantity: 2 },
      { ...firstEntry, time: '2000-01-01' },
      { ...firstEntry, extra: 1 },
    ])
    assert.deepEqual(listStatuses(responses), [201, 201, 422, 422, 422])
    assert.deepEqual(Object.keys(responses[2].body), ['id'])
    assert.deepEqual(await readState(item), [9, locations.shelf])
    // a different order of fields is the same entry
    assert.deepEqual(await send([Object.fromEntries(Object.entries(firstEntry).toReversed())]), [responses[0]])
  })

  it('are scoped to the account', async () => {
    const firstEntry = createEntry('scan', { barcode: toBarcode(await insertItem(service)) })
    const [ownEntry] = await send([firstEntry])
    const [otherEntry] = await send([firstEntry], viewer)
    assert.notEqual(ownEntry.history, otherEntry.history)
  })

  it('process an entry once for concurrent requests', async () => {
    const item = await insertItem(service, { quantity: '1000' })
    const { order, line, label } = await make.labelledOrder({ quantity: 100 })
    const entries = [
      createEntry('remove', { barcode: toBarcode(item), quantity: 7 }),
      createEntry('remove', { barcode: toBarcode(item), quantity: 2000 }),
      createEntry('receive', { barcode: label(3), purchase_order: order, location: locations.box }),
      createEntry('move', { barcode: toBarcode(item), location: locations.box, quantity: 10 }),
      createEntry('count', { barcode: 'no such code', quantity: 1 }),
      createEntry('link', { barcode: generateName('Label'), stockitem: item }),
      createEntry('scan', { barcode: toBarcode(item) }),
    ]
    const rotations = Array.from({ length: 8 }, (_, index) => [...entries.slice(index % 3), ...entries.slice(0, index % 3)])
    const allResponses = await Promise.all(rotations.map((rotation) => send(rotation)))
    const mapById = (responses: any[]) => new Map(responses.map((response) => [response.id, response]))
    for (const responses of allResponses) assert.deepEqual(mapById(responses), mapById(allResponses[0] as any[]))
    assert.deepEqual(await readState(item), [983, locations.shelf])
    assert.equal((await member.get(`/api/order/po-line/${line}/`)).body.received, 3)
    for (const { id } of entries) assert.equal((await staff.get(`/api/barcode/history/?batch_id=${id}`)).body.count, 1)
    await assertHistorySums(service)
  })
})

describe('permission to send a batch', () => {
  it('is given to every account; each entry requires the permissions of its action', async () => {
    await assertCallers(service, (client) => client.post(path, { items: [] }), [
      'nobody',
      'viewer',
      'member',
      'staff',
      'superuser',
    ])
    const part = await sell.part()
    const item = await sell.stock(part, 10)
    const { order, label } = await make.labelledOrder()
    const sale = await sell.sale(part)
    const entries = () => [
      createEntry('scan', { barcode: toBarcode(item) }),
      createEntry('link', { barcode: generateName('Label'), stockitem: item }),
      createEntry('receive', { barcode: label(1), purchase_order: order, location: locations.box }),
      createEntry('move', { barcode: toBarcode(item), location: locations.shelf }),
      createEntry('count', { barcode: toBarcode(item), quantity: 10 }),
      createEntry('remove', { barcode: toBarcode(item), quantity: 1 }),
      createEntry('allocate', { barcode: toBarcode(item), sales_order: sale.order, quantity: 1 }),
    ]
    assert.deepEqual(listStatuses(await send(entries(), nobody)), [400, 403, 403, 403, 403, 403, 403])
    assert.deepEqual(listStatuses(await send(entries(), viewer)), [201, 403, 403, 403, 403, 403, 403])
    assert.deepEqual([await readState(item), await readHistory(service, item)], [[10, locations.shelf], []])
    assert.deepEqual(listStatuses(await send(entries(), member)), [201, 201, 201, 201, 201, 201, 201])
  })
})

describe('POST /api/barcode/batch/ with WIRE_FORM=inventree', async () => {
  const inventreeService = await testService({ WIRE_FORM: 'inventree' })

  it('responds as by default, as existing clients do not use it', async () => {
    await fillStock(inventreeService)
    const item = await insertItem(inventreeService)
    const response: TestResponse = await inventreeService.member.post(path, {
      items: [createEntry('scan', { barcode: toBarcode(item) }), createEntry('scan', { barcode: 'none' })],
    })
    const [match, none] = response.body.items
    assert.deepEqual([match.status, match.body.stockitem.pk, match.body.barcode], [201, item, toBarcode(item)])
    assert.deepEqual([none.status, none.body.plugin], [400, null])
  })
})
