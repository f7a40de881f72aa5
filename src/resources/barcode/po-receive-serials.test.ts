import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPurchaseHelpers } from '../../testing/objects/purchasing.ts'
import { createRoundTripCounter } from '../../testing/round-trips.ts'
import { type TestResponse, testService } from '../../testing/service.ts'

const service = await testService()
const make = createPurchaseHelpers(service)
const { member } = service
const location = await make.location()

/** Creates a placed order with a label for packs of two of a trackable part, and functions that receive it and read the result. */
async function createTrackableOrder(quantity = 10) {
  const { order, line, label } = await make.labelledOrder({ pack: '2', quantity })
  await service.rows(
    `update part set trackable = true where pk in (
       select supplier_part.part from supplier_part join purchase_order_line line on line.part = supplier_part.pk where line.pk = $1)`,
    [line],
  )
  const barcode = label(3)
  return {
    line,
    label,
    scan: (body: object = {}, code = barcode) =>
      member.post('/api/barcode/po-receive/', { barcode: code, purchase_order: order, location, ...body }),
    scanInBatch: async (body: object) => {
      const entry = { id: crypto.randomUUID(), time: new Date().toISOString(), action: 'receive', barcode, ...body }
      const { items } = (await member.post('/api/barcode/batch/', { items: [{ ...entry, purchase_order: order, location }] }))
        .body
      return items[0]
    },
    readState: async () => ({
      received: (await member.get(`/api/order/po-line/${line}/`)).body.received as number,
      stock: await service.rows('select serial, quantity::float from stock_item where purchase_order = $1 order by pk', [order]),
    }),
  }
}

const createSerialItems = (...serialNumbers: string[]) => serialNumbers.map((serial) => ({ serial, quantity: 1 }))

describe('POST /api/barcode/po-receive/ for goods with serial numbers', () => {
  it('waits for serial numbers on request, names the line, and then accepts them', async () => {
    const { line, scan, readState } = await createTrackableOrder()
    const waitingResponse = await scan({ wait_for_serial_numbers: true })
    assert.equal(waitingResponse.status, 200, waitingResponse.text)
    assert.equal(waitingResponse.body.success, undefined)
    assert.deepEqual(
      [waitingResponse.body.lineitem.pk, waitingResponse.body.lineitem.quantity, waitingResponse.body.lineitem.location],
      [line, '3', location],
    )
    assert.deepEqual((await readState()).stock, [])
    const receipt = await scan({ wait_for_serial_numbers: true, serial_numbers: 'A1-A6' })
    assert.equal(receipt.status, 201, receipt.text)
    assert.deepEqual(await readState(), { received: 3, stock: createSerialItems('A1', 'A2', 'A3', 'A4', 'A5', 'A6') })
    // the label belongs to a delivery that was received
    assert.equal((await scan({ serial_numbers: 'B1-B6' })).status, 400)
  })

  it('receives a trackable part without serial numbers unless asked to wait', async () => {
    const { scan, readState } = await createTrackableOrder()
    assert.equal((await scan()).status, 201)
    assert.deepEqual((await readState()).stock, [{ serial: null, quantity: 6 }])
  })

  it('rejects too few serial numbers and changes nothing', async () => {
    const { scan, readState } = await createTrackableOrder()
    const { status, body } = await scan({ serial_numbers: 'A1, A2' })
    assert.equal(status, 400)
    assert.match(body.error, /6/)
    assert.deepEqual(await readState(), { received: 0, stock: [] })
  })

  it('receives the requested number of packs, whatever the label states', async () => {
    const { scan, readState, label } = await createTrackableOrder()
    assert.equal((await scan({ quantity: 1, serial_numbers: 'C1, C2' })).status, 201)
    const labelWithoutQuantity = label(0).replace('qty:0', 'qty:')
    assert.equal((await scan({}, labelWithoutQuantity)).status, 200)
    assert.equal((await scan({ quantity: '2.5', serial_numbers: 'D1-D5' }, labelWithoutQuantity)).status, 201)
    const { received, stock } = await readState()
    assert.deepEqual([received, stock.length], [3.5, 7])
    assert.match((await scan({ quantity: 0 }, label(1))).body.error, /greater than zero/)
  })

  it('undoes everything that it created, and allows receiving the label again', async () => {
    const { scanInBatch, readState } = await createTrackableOrder()
    const receipt = await scanInBatch({ serial_numbers: '101-106' })
    assert.equal(receipt.status, 201, JSON.stringify(receipt.body))
    assert.equal((await readState()).stock.length, 6)
    const undoResponse = await member.post(`/api/barcode/history/${receipt.history}/undo/`, {})
    assert.equal(undoResponse.status, 201, undoResponse.text)
    assert.deepEqual(await readState(), { received: 0, stock: [] })
    const secondReceipt = await scanInBatch({ serial_numbers: 'E1-E6' })
    assert.equal(secondReceipt.status, 201, JSON.stringify(secondReceipt.body))
    await service.rows(`update stock_item set batch = 'touched' where serial = 'E4'`)
    const errorResponse = await member.post(`/api/barcode/history/${secondReceipt.history}/undo/`, {})
    assert.equal(errorResponse.status, 400)
    assert.equal((await readState()).stock.length, 6)
  })

  it('needs the same number of statements to undo any number of serial numbers, and names only some of many changed items', async () => {
    const count = createRoundTripCounter(service.pool)
    const prepareUndo = async (serial_numbers: string, quantity: number) => {
      const { scanInBatch } = await createTrackableOrder(100)
      const receipt = await scanInBatch({ serial_numbers, quantity })
      assert.equal(receipt.status, 201, JSON.stringify(receipt.body))
      return async () => member.post(`/api/barcode/history/${receipt.history}/undo/`, {})
    }
    const [undoFew, undoMany, undoChanged] = [
      await prepareUndo('201-202', 1),
      await prepareUndo('301-324', 12),
      await prepareUndo('401-424', 12),
    ]
    const countRoundTrips = async (sendRequest: () => Promise<TestResponse>) =>
      count(async () => {
        const response = await sendRequest()
        assert.equal(response.status, 201, response.text)
      })
    assert.equal(await countRoundTrips(undoMany), await countRoundTrips(undoFew))
    await service.rows(`update stock_item set batch = 'touched' where serial like '4__' and serial <> '424'`)
    const messages: string[] = (await undoChanged()).body.non_field_errors
    assert.deepEqual([messages.length, messages.at(-1)], [21, '3 more stock items were changed or used'])
  })
})
