import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPurchaseHelpers } from '../../testing/objects/purchasing.ts'
import { createSalesHelpers } from '../../testing/objects/selling.ts'
import { createRoundTripCounter } from '../../testing/round-trips.ts'
import { type TestResponse, type TestService, testService } from '../../testing/service.ts'

const service = await testService()
const existing = await testService({ WIRE_FORM: 'inventree' })

/** Sends a request twice to fill the caches, then counts the round trips of a third. These counts may only decrease. */
async function assertTrips(of: TestService, maxTrips: number, send: () => Promise<TestResponse>): Promise<void> {
  const count = counters.get(of) as ReturnType<typeof createRoundTripCounter>
  for (let time = 0; time < 2; time++) await send()
  let response: TestResponse | undefined
  const trips = await count(async () => {
    response = await send()
  })
  assert.ok([200, 201].includes(response?.status ?? 0), response?.text)
  assert.equal(trips, maxTrips)
}
const counters = new Map([service, existing].map((of) => [of, createRoundTripCounter(of.pool)]))

type Factories = ReturnType<typeof createPurchaseHelpers>
const factories = new Map([service, existing].map((of) => [of, createPurchaseHelpers(of)]))

/** Creates a stock item and a location, each with a linked code. */
async function linked(of: TestService) {
  const { part, location } = factories.get(of) as Factories
  const shelf = await location()
  const article = await part()
  const [{ pk: item }] = await of.rows(
    `insert into stock_item (part, location, quantity, purchase_price_currency) values ($1, $2, 5, 'USD') returning pk`,
    [article, shelf],
  )
  for (const [barcode, target] of [
    ['item', { stockitem: item }],
    ['shelf', { stocklocation: shelf }],
  ] as const)
    assert.ok((await of.member.post('/api/barcode/link/', { barcode, ...target })).status < 202)
  return { item, shelf, article }
}

describe('round trips to the database', () => {
  for (const [form, of] of [
    ['the default form', service],
    ['the form of existing clients', existing],
  ] as const)
    it(`are one for a scan in ${form}`, async () => {
      const { item, shelf, article } = await linked(of)
      const codes = ['item', 'shelf', `{"stockitem": ${item}}`, `{"part": ${article}}`, `INV-SI${item}`, `INV-SL${shelf}`]
      for (const barcode of codes) await assertTrips(of, 1, () => of.member.post('/api/barcode/', { barcode }))
    })

  it("are three for a scan of a supplier's label: looking up the link, the label and the object", async () => {
    const { labelledOrder } = factories.get(service) as Factories
    const { label } = await labelledOrder()
    const barcode = label(1)
    await assertTrips(service, 3, () => service.member.post('/api/barcode/', { barcode }))
  })

  it('stay at their minimum for linking, allocating and po-allocate', async () => {
    const { location, supplier, supplierPart } = factories.get(service) as Factories
    const { member } = service
    const shelf = await location()
    let number = 0
    await assertTrips(service, 7, () => member.post('/api/barcode/link/', { barcode: `CODE-${++number}`, stocklocation: shelf }))
    await assertTrips(service, 3, () => member.post('/api/barcode/unlink/', { stocklocation: shelf }))
    const sell = createSalesHelpers(service)
    const part = await sell.part()
    const { order } = await sell.sale(part, 9)
    const item = await sell.stock(part, 9)
    const allocate = { barcode: `{"stockitem": ${item}}`, sales_order: order, quantity: 1 }
    await assertTrips(service, 13, () => member.post('/api/barcode/so-allocate/', allocate))
    const company = await supplier()
    const sold = await supplierPart(company)
    const purchase = (await member.post('/api/order/po/', { reference: 'PO-8002', supplier: company })).body.pk
    const name = { barcode: `{"supplierpart": ${sold}}`, purchase_order: purchase }
    await assertTrips(service, 6, () => member.post('/api/barcode/po-allocate/', name))
  })

  it('stay at their minimum for receiving by label and by order', async () => {
    const { labelledOrder, location } = factories.get(service) as Factories
    const { order, line, label } = await labelledOrder({ quantity: 100 })
    const shelf = await location()
    const { member } = service
    await assertTrips(service, 6, () =>
      member.post('/api/barcode/po-receive/', { barcode: label(1), purchase_order: order, location: shelf }),
    )
    const items = [{ line_item: line, quantity: 1 }]
    // the references of the body, all reads under the locks, and all writes
    await assertTrips(service, 3, () => member.post(`/api/order/po/${order}/receive/`, { items, location: shelf }))
  })
})
