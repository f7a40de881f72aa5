import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { MAX_SERIAL_NUMBERS } from '../../../notation/serial/serial-numbers.ts'
import { createPurchaseHelpers } from '../../../testing/objects/purchasing.ts'
import { type TestResponse, testService } from '../../../testing/service.ts'
import { fillStock, insertItem, locations, parts } from '../fixture.ts'

/**
 * Requests with the maximum number of serial numbers, in a tree of many variants that already holds many. Such a request takes half a
 * second on an idle machine; with one lookup for each number and each variant, it took more than thirty.
 */
const EXISTING_SERIALS = 100_000
const VARIANTS = 200
const MAX_REQUEST_SECONDS = 40

const service = await testService()
const { member } = service
const { supplier, supplierPart, setting } = createPurchaseHelpers(service)
const location = locations.garage
let lastSerial = 1_000_000

before(async () => {
  await fillStock(service)
  await service.rows(
    `insert into part (name, trackable, variant_of) select 'Board ' || n, true, $2 from generate_series(1, $1::integer) n`,
    [VARIANTS, parts.board],
  )
  const first = Math.max(...Object.values(parts)) + 1
  // one statement for all could exceed the statement timeout on a busy machine
  for (let start = 1; start <= EXISTING_SERIALS; start += EXISTING_SERIALS / 10)
    await service.rows(
      `insert into stock_item (part, quantity, serial, barcode_data, barcode_hash, location, purchase_price_currency)
       select $4 + n % $3::integer, 1, n, n, md5(n::text), $5, 'EUR' from generate_series($1::integer, $2::integer) n`,
      [start, start + EXISTING_SERIALS / 10 - 1, VARIANTS, first, location],
    )
})

/** Returns a range of unused numbers. */
const takeUnusedRange = (): string => {
  const first = lastSerial + 1
  lastSerial += MAX_SERIAL_NUMBERS
  return `${first}-${lastSerial}`
}

async function assertInTime(status: number, sendRequest: () => Promise<TestResponse>): Promise<TestResponse> {
  const started = performance.now()
  const response = await sendRequest()
  const seconds = (performance.now() - started) / 1000
  assert.equal(response.status, status, response.text.slice(0, 500))
  assert.ok(seconds < MAX_REQUEST_SECONDS, `it took ${seconds.toFixed(1)} s`)
  return response
}

const create = (part: number, serial_numbers: string, status = 201) =>
  assertInTime(status, () => member.post('/api/stock/', { part, quantity: MAX_SERIAL_NUMBERS, location, serial_numbers }))

const countSerials = async (part: number) =>
  (await service.rows(`select count(*)::int from stock_item where part = $1 and serial <> ''`, [part]))[0].count

test('POST /api/stock/ accepts a range of serial numbers and the numbers after the latest', async () => {
  await create(parts.redBoard, takeUnusedRange())
  const { body } = await create(parts.redBoard, '~+')
  assert.equal(body.serial_numbers[0], String(lastSerial + 1))
  lastSerial += MAX_SERIAL_NUMBERS
  assert.equal(await countSerials(parts.redBoard), 2 * MAX_SERIAL_NUMBERS)
})

test('POST /api/stock/ lists all serial numbers that are in use', async () => {
  const { body } = await create(parts.blueBoard, `${EXISTING_SERIALS - MAX_SERIAL_NUMBERS + 2}-${EXISTING_SERIALS + 1}`, 400)
  assert.equal(body.serial_numbers[0].split(',').length, MAX_SERIAL_NUMBERS - 1)
})

test('POST /api/stock/ accepts a range while serial numbers are globally unique', async () => {
  await setting('SERIAL_NUMBER_GLOBALLY_UNIQUE', 'True')
  await create(parts.lamp, takeUnusedRange())
  await create(parts.lamp, `1-${MAX_SERIAL_NUMBERS}`, 400)
  await setting('SERIAL_NUMBER_GLOBALLY_UNIQUE', 'False')
})

test('POST /api/stock/{id}/serialize/ accepts the maximum number of serial numbers', async () => {
  const before = await countSerials(parts.blueBoard)
  const pk = await insertItem(service, { part: parts.blueBoard, quantity: MAX_SERIAL_NUMBERS })
  const body = { quantity: MAX_SERIAL_NUMBERS, serial_numbers: takeUnusedRange(), destination: location }
  await assertInTime(201, () => member.post(`/api/stock/${pk}/serialize/`, body))
  assert.equal(await countSerials(parts.blueBoard), before + MAX_SERIAL_NUMBERS)
})

test('POST /api/order/po/{id}/receive/ accepts serial numbers', async () => {
  const before = await countSerials(parts.board)
  const { order, line } = await createIssuedOrder(parts.board, MAX_SERIAL_NUMBERS)
  const items = [{ line_item: line, quantity: MAX_SERIAL_NUMBERS, serial_numbers: takeUnusedRange() }]
  await assertInTime(201, () => member.post(`/api/order/po/${order}/receive/`, { items, location }))
  assert.equal(await countSerials(parts.board), before + MAX_SERIAL_NUMBERS)
})

test('POST /api/order/po/{id}/receive/ accepts a barcode for each of many items', async () => {
  const { order, line } = await createIssuedOrder(parts.screw, 10_000)
  const items = Array.from({ length: 10_000 }, (_, index) => ({ line_item: line, quantity: 1, barcode: `code ${index}` }))
  await assertInTime(201, () => member.post(`/api/order/po/${order}/receive/`, { items, location }))
})

async function createIssuedOrder(part: number, quantity: number): Promise<{ order: number; line: number }> {
  const company = await supplier()
  const order = (await member.post('/api/order/po/', { reference: `PO-${part}`, supplier: company })).body.pk
  const lineFields = { order, part: await supplierPart(company, { part }), quantity }
  const line = (await member.post('/api/order/po-line/', lineFields)).body.pk
  assert.equal((await member.post(`/api/order/po/${order}/issue/`)).status, 201)
  return { order, line }
}
