import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { createPurchaseHelpers } from '../../../testing/objects/purchasing.ts'
import { createSalesHelpers } from '../../../testing/objects/selling.ts'
import { assertCallers, type Client, type TestResponse, testService } from '../../../testing/service.ts'
import { assertHistorySums, fillStock, insertItem, locations, readHistory } from '../../stock/fixture.ts'
import { computeBarcodeKey } from '../barcode-hash.ts'

const service = await testService()
await fillStock(service)
const make = createPurchaseHelpers(service)
const sell = createSalesHelpers(service)
const { member, staff, superuser, viewer } = service
const { journal } = service.app.routes.services

let number = 0
const toBarcode = (item: number) => `{"stockitem": ${item}}`

/** Sends one scan, requires that it succeeds, and returns its key in the history. */
async function scan(action: string, fields: object, client: Client = member): Promise<number> {
  const entry = { id: crypto.randomUUID(), time: new Date().toISOString(), action, ...fields }
  const { body, text } = await client.post('/api/barcode/batch/', { items: [entry] })
  assert.equal(body.items[0].status, 201, text)
  return body.items[0].history
}

const undo = (pk: number, client: Client = member, body: object = {}) => client.post(`/api/barcode/history/${pk}/undo/`, body)

function assertRejected(response: TestResponse, text: RegExp) {
  assert.equal(response.status, 400, response.text)
  assert.match(response.body.non_field_errors.join(), text)
}

const readItem = async (pk: number) =>
  (
    await service.rows(
      `select quantity::float, location, batch, barcode_data, notes, stocktake_date::text, stocktake_user, metadata, parent
       from stock_item where pk = $1`,
      [pk],
    )
  )[0]

/** Creates a placed order with lines for a new supplier part, and a label for each delivery. */
async function createPlacedOrder(quantity = 10) {
  const { order, line, label } = await make.labelledOrder({ quantity, pack: '2' })
  const createReceipt = (barcode: string) => ({ barcode, purchase_order: order, location: locations.box })
  const readState = async () => {
    const { received } = (await member.get(`/api/order/po-line/${line}/`)).body
    const { status, complete_date } = (await member.get(`/api/order/po/${order}/`)).body
    const stock = await service.rows('select pk, quantity::float from stock_item where purchase_order = $1 order by pk', [order])
    return { received, status, complete_date, stock: stock.map((item) => item.quantity), items: stock.map((item) => item.pk) }
  }
  return { order, line, label, createReceipt, readState }
}

describe('POST /api/barcode/history/{id}/undo/', () => {
  it('undoes a move', async () => {
    const item = await insertItem(service)
    const pk = await scan('move', { barcode: toBarcode(item), location: locations.garage })
    const { status, body } = await undo(pk, member, { notes: 'Wrong shelf' })
    assert.deepEqual([status, body.pk, body.undone_by, body.can_undo], [201, pk, service.getPk('member'), false])
    assert.ok(body.undone)
    assert.equal((await readItem(item)).location, locations.shelf)
    const history = await service.rows('select tracking_type, notes, deltas from stock_tracking where item = $1 order by pk', [
      item,
    ])
    assert.deepEqual(
      history.map(({ tracking_type }) => tracking_type),
      [20, 20],
    )
    assert.deepEqual([history[1].notes, history[1].deltas], ['Wrong shelf', { location: locations.shelf, quantity: 10 }])
  })

  it('undoes the move of an item that had no location', async () => {
    const item = await insertItem(service, { location: null })
    assert.equal((await undo(await scan('move', { barcode: toBarcode(item), location: locations.garage }))).status, 201)
    assert.equal((await readItem(item)).location, null)
  })

  it('merges the items that a move split', async () => {
    const item = await insertItem(service)
    const pk = await scan('move', { barcode: toBarcode(item), location: locations.garage, quantity: 4 })
    assert.equal((await service.rows('select from stock_item where parent = $1', [item])).length, 1)
    assert.equal((await undo(pk)).status, 201)
    const { quantity, location } = await readItem(item)
    assert.deepEqual([quantity, location], [10, locations.shelf])
    assert.equal((await service.rows('select from stock_item where parent = $1', [item])).length, 0)
    assert.deepEqual((await readHistory(service, item)).at(-1), [45, { location: locations.shelf, quantity: 10 }])
    await assertHistorySums(service)
  })

  it('undoes a count and restores the previous stocktake user', async () => {
    const item = await insertItem(service, { stocktake_date: '2020-02-02', stocktake_user: service.getPk('staff') })
    const before = await readItem(item)
    const pk = await scan('count', { barcode: toBarcode(item), quantity: 3 })
    assert.equal((await readItem(item)).quantity, 3)
    assert.equal((await undo(pk)).status, 201)
    assert.deepEqual(await readItem(item), before)
    await assertHistorySums(service)
  })

  it('undoes a removal', async () => {
    const item = await insertItem(service)
    const pk = await scan('remove', { barcode: toBarcode(item), quantity: '2.5' })
    assert.equal((await undo(pk)).status, 201)
    assert.equal((await readItem(item)).quantity, 10)
    assert.deepEqual((await readHistory(service, item)).at(-1), [11, { added: 2.5, quantity: 10 }])
    await assertHistorySums(service)
  })

  it('recreates a depleted item with its previous key', async () => {
    for (const [action, fields] of [
      ['remove', { quantity: 10 }],
      ['count', { quantity: 0 }],
    ] as const) {
      const parent = await insertItem(service)
      const code = `Shelf code ${++number}`
      const created = await insertItem(service, { batch: 'B-1', notes: 'A remark', metadata: '{"a": 1}', parent })
      await member.post('/api/barcode/link/', { barcode: code, stockitem: created })
      const before = await readItem(created)
      const pk = await scan(action, { barcode: code, ...fields })
      assert.equal(await readItem(created), undefined)
      assert.equal((await undo(pk)).status, 201)
      assert.deepEqual(await readItem(created), before)
      assert.equal((await member.post('/api/barcode/', { barcode: code })).body.stockitem.pk, created)
    }
    await assertHistorySums(service)
  })

  it('rejects recreating an item whose location was deleted, or whose code is linked to another object', async () => {
    const location = await make.location()
    const item = await insertItem(service, { location })
    const pk = await scan('remove', { barcode: toBarcode(item), quantity: 10 })
    await service.rows('delete from stock_location where pk = $1', [location])
    assertRejected(await undo(pk), new RegExp(`stock location ${location} of stock item ${item} no longer exists`))
    const labelled = await insertItem(service)
    const code = `Shelf code ${++number}`
    await member.post('/api/barcode/link/', { barcode: code, stockitem: labelled })
    const used = await scan('remove', { barcode: code, quantity: 10 })
    await member.post('/api/barcode/link/', { barcode: code, stocklocation: locations.garage })
    assert.equal((await undo(used)).status, 400)
    assert.equal(await readItem(labelled), undefined)
  })

  it('undoes a receipt: the stock, the received quantity of its line, and the label', async () => {
    const { label, createReceipt, readState } = await createPlacedOrder()
    const before = await readState()
    const code = label(4)
    const pk = await scan('receive', createReceipt(code))
    assert.deepEqual([(await readState()).received, (await readState()).stock], [4, [8]])
    assert.equal((await undo(pk)).status, 201)
    assert.deepEqual(await readState(), before)
    assert.deepEqual(await service.rows('select key from received_code where key = $1', [computeBarcodeKey(code)]), [])
    // the label can be received once more
    assert.deepEqual(
      [(await member.post('/api/barcode/po-receive/', createReceipt(code))).status, (await readState()).received],
      [201, 4],
    )
    assert.equal((await member.post('/api/barcode/po-receive/', createReceipt(code))).status, 400)
  })

  it('undoes a receipt that was scanned outside a batch, and reopens the order that it completed', async () => {
    const { label, createReceipt, readState } = await createPlacedOrder(4)
    const before = await readState()
    const code = label(4)
    assert.equal((await member.post('/api/barcode/po-receive/', createReceipt(code))).status, 201)
    assert.equal((await readState()).status, 30)
    await journal.flush()
    const [undoableScan] = (await member.get(`/api/barcode/history/?can_undo=true&data=${encodeURIComponent(code)}`)).body.results
    assert.equal((await undo(undoableScan.pk)).status, 201)
    assert.deepEqual(await readState(), before)
  })

  it('rejects a receipt whose stock was changed or whose order was closed, and names the change', async () => {
    const changes: [string, (item: number) => Promise<unknown>, RegExp][] = [
      [
        'removed',
        (item) => member.post('/api/stock/remove/', { items: [{ pk: item, quantity: 1 }] }),
        /has a quantity of 7 instead of 8/,
      ],
      [
        'moved',
        (item) => member.post('/api/stock/transfer/', { items: [{ pk: item, quantity: 8 }], location: locations.garage }),
        /is in location 4 instead of location 3/,
      ],
      [
        'counted',
        (item) => member.post('/api/stock/count/', { items: [{ pk: item, quantity: 8 }] }),
        /has a newer entry in its history/,
      ],
      ['noted', (item) => member.patch(`/api/stock/${item}/`, { notes: 'Seen' }), /was changed/],
      ['labelled', (item) => member.post('/api/barcode/link/', { barcode: `Label ${++number}`, stockitem: item }), /was changed/],
      [
        'attached',
        (item) => service.rows(`insert into stock_item_attachment (stock_item, link) values ($1, 'https://a.example/')`, [item]),
        /has an attachment/,
      ],
      ['deleted', (item) => member.delete(`/api/stock/${item}/`), /no longer exists/],
    ]
    for (const [description, changeStock, text] of changes) {
      const { label, createReceipt, readState } = await createPlacedOrder()
      const pk = await scan('receive', createReceipt(label(4)))
      await changeStock((await readState()).items[0])
      const before = await readState()
      assertRejected(await undo(pk), text)
      assert.deepEqual(await readState(), before, description)
    }
    const { order, label, createReceipt, readState } = await createPlacedOrder()
    const pk = await scan('receive', createReceipt(label(4)))
    await member.post(`/api/order/po/${order}/complete/`, { accept_incomplete: true })
    const before = await readState()
    assertRejected(await undo(pk), /is no longer placed/)
    assert.deepEqual(await readState(), before)
  })

  it('undoes an allocation, and rejects one that was changed or has shipped', async () => {
    const product = await sell.part()
    const sale = await sell.sale(product)
    const item = await sell.stock(product, 10)
    const allocations = () => service.rows('select pk from sales_order_allocation where item = $1', [item])
    const allocate = (quantity: number) => scan('allocate', { barcode: toBarcode(item), sales_order: sale.order, quantity })
    assert.equal((await undo(await allocate(3))).status, 201)
    assert.deepEqual(await allocations(), [])
    const changed = await allocate(3)
    const [{ pk }] = await allocations()
    await member.patch(`/api/order/so-allocation/${pk}/`, { quantity: 2 })
    assertRejected(await undo(changed), /is 2\.00000 instead of 3/)
    await member.delete(`/api/order/so-allocation/${pk}/`)
    assertRejected(await undo(changed), /no longer exists/)
    const remaining = await allocate(3)
    assert.equal((await member.post(`/api/order/so/${sale.order}/issue/`)).status, 201)
    assert.equal((await sell.ship(sale)).status, 201)
    assertRejected(await undo(remaining), /is shipped, or its order is closed/)
    await sell.assertSums(false)
  })

  it('rejects a scan whose result has changed since, and changes nothing', async () => {
    const [item, other] = [await insertItem(service), await insertItem(service)]
    const moved = await scan('move', { barcode: toBarcode(item), location: locations.garage })
    await scan('count', { barcode: toBarcode(item), quantity: 7 })
    assertRejected(await undo(moved), /has a quantity of 7 instead of 10/)
    const counted = await scan('count', { barcode: toBarcode(other), quantity: 12 })
    const product = await sell.part()
    const stock = await sell.stock(product, 5)
    const grown = await scan('count', { barcode: toBarcode(stock), quantity: 10 })
    assert.equal((await sell.allocate(await sell.sale(product), stock, 8)).status, 201)
    assert.equal((await undo(grown)).status, 400)
    assert.equal((await readItem(stock)).quantity, 10)
    await member.delete(`/api/stock/${other}/`)
    assertRejected(await undo(counted), /no longer exists/)
    const split = await insertItem(service)
    const splitMove = await scan('move', { barcode: toBarcode(split), location: locations.garage, quantity: 4 })
    const [child] = await service.rows('select pk from stock_item where parent = $1', [split])
    await member.post('/api/stock/add/', { items: [{ pk: child.pk, quantity: 1 }] })
    assertRejected(await undo(splitMove), new RegExp(`Stock item ${child.pk} has a quantity of 5 instead of 4`))
    assert.equal((await readItem(split)).quantity, 6)
  })

  it('rejects a scan that is already undone, and one that changed nothing', async () => {
    const item = await insertItem(service)
    const pk = await scan('remove', { barcode: toBarcode(item), quantity: 1 })
    assert.equal((await undo(pk)).status, 201)
    assertRejected(await undo(pk), /is already undone/)
    assertRejected(await undo(await scan('scan', { barcode: toBarcode(item) })), /nothing that can be undone/)
    assert.equal((await undo(999_999)).status, 404)
  })

  it('undoes the count of a serialized item', async () => {
    const serial = await insertItem(service, { part: 4, quantity: '1', serial: '7' })
    const before = await readItem(serial)
    const counted = await scan('count', { barcode: toBarcode(serial), quantity: 1 })
    assert.notDeepEqual(await readItem(serial), before)
    assert.equal((await undo(counted)).status, 201)
    assert.deepEqual(await readItem(serial), before)
  })

  it('undoes a scan once under concurrent requests', async () => {
    const item = await insertItem(service)
    const pk = await scan('remove', { barcode: toBarcode(item), quantity: 4 })
    const responses = await Promise.all(Array.from({ length: 8 }, () => undo(pk)))
    assert.deepEqual(responses.map(({ status }) => status).toSorted(), [201, ...Array(7).fill(400)])
    assert.equal((await readItem(item)).quantity, 10)
    const { label, createReceipt, readState } = await createPlacedOrder()
    const before = await readState()
    const received = await scan('receive', createReceipt(label(4)))
    const receipts = await Promise.all(Array.from({ length: 8 }, () => undo(received)))
    assert.deepEqual(receipts.map(({ status }) => status).toSorted(), [201, ...Array(7).fill(400)])
    assert.deepEqual(await readState(), before)
  })

  it('allows the account that scanned, and staff, with the permissions that the scan required', async () => {
    const item = await insertItem(service)
    const pk = await scan('remove', { barcode: toBarcode(item), quantity: 1 })
    const before = await readItem(item)
    // staff without a role may see the scan but not change stock; for others it does not exist
    const statuses = []
    for (const client of [service.anonymous, service.nobody, viewer, staff]) statuses.push((await undo(pk, client)).status)
    assert.deepEqual(statuses, [401, 404, 404, 403])
    assert.deepEqual(await readItem(item), before)
    assert.equal((await undo(pk, superuser)).status, 201)
    const ownScan = await scan('remove', { barcode: toBarcode(item), quantity: 1 })
    const { accounts } = service.app.routes.services
    const setStockPermission = async (isAllowed: boolean) => {
      await service.rows(
        `update rule_set set can_add = $1 where name = 'stock' and "group" = (select pk from user_group where name = 'members')`,
        [isAllowed],
      )
      accounts.invalidate()
    }
    await setStockPermission(false)
    assert.equal((await undo(ownScan)).status, 403)
    await setStockPermission(true)
    assert.equal((await undo(ownScan)).status, 201)
    await assertCallers(service, (client) => undo(ownScan, client), ['nobody', 'viewer', 'member', 'superuser'], undefined)
  })

  it('restores the initial state when all scans are undone from last to first', async () => {
    const { line, order } = await createPlacedOrder(1_000_000)
    const product = await sell.part()
    const sale = await sell.sale(product, 1_000_000)
    const [{ sku, reference }] = await service.rows(
      `select s."SKU" as sku, o.reference from purchase_order_line l join supplier_part s on s.pk = l.part
       join purchase_order o on o.pk = l."order" where l.pk = $1`,
      [line],
    )
    const steps = fc.array(
      fc.record({
        action: fc.constantFrom('move', 'count', 'remove', 'receive', 'allocate'),
        item: fc.nat(100),
        quantity: fc.integer({ min: 1, max: 12 }),
        location: fc.constantFrom(locations.shelf, locations.box, locations.garage),
        all: fc.boolean(),
      }),
      { minLength: 1, maxLength: 15 },
    )
    const readAllState = async () => ({
      items: await service.rows(
        `select pk, quantity::float, location, allocated_to_sales_orders::float as allocated from stock_item where part = $1 or purchase_order = $2 order by pk`,
        [product, order],
      ),
      received: (await member.get(`/api/order/po-line/${line}/`)).body.received,
      allocated: (await service.rows('select count(*)::integer from sales_order_allocation where line = $1', [sale.line]))[0]
        .count,
    })
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        for (const quantity of [5, 10, 20]) await sell.stock(product, quantity)
        const before = await readAllState()
        const undoableScans: number[] = []
        for (const { action, item, quantity, location, all } of sequence) {
          const { items } = await readAllState()
          const pickedItem = items[item % items.length]
          // all stock is depleted
          if (!pickedItem) break
          const fields = {
            move: { location, ...(all ? {} : { quantity }) },
            count: { quantity: all ? 0 : quantity },
            remove: { quantity: all ? pickedItem.quantity : quantity },
            receive: { purchase_order: order, location },
            allocate: { sales_order: sale.order, quantity },
          }[action] as object
          const barcode =
            action === 'receive' ? `{pbn:${++number},on:${reference},pc:${sku},qty:${quantity}}` : toBarcode(pickedItem.pk)
          const entry = { id: crypto.randomUUID(), time: new Date().toISOString(), action, barcode, ...fields }
          const { status, history } = (await member.post('/api/barcode/batch/', { items: [entry] })).body.items[0]
          assert.ok([201, 400].includes(status))
          if (status === 201 && (await member.get(`/api/barcode/history/${history}/`)).body.can_undo) undoableScans.push(history)
        }
        for (const pk of undoableScans.toReversed()) {
          const response = await undo(pk)
          assert.equal(response.status, 201, response.text)
        }
        assert.deepEqual(await readAllState(), before)
        await assertHistorySums(service)
        await sell.assertSums(false)
      }),
      { numRuns: 12 },
    )
  })
})
