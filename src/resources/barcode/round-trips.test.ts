import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPurchaseHelpers } from '../../testing/objects/purchasing.ts'
import { createSalesHelpers } from '../../testing/objects/selling.ts'
import { createRoundTripCounter } from '../../testing/round-trips.ts'
import { type TestResponse, type TestService, testService } from '../../testing/service.ts'

const service = await testService()
const inventreeService = await testService({ WIRE_FORM: 'inventree' })

/** Sends a request twice to fill the caches, then counts the round trips of a third. These counts may only decrease. */
async function assertRoundTrips(testedService: TestService, maxTrips: number, send: () => Promise<TestResponse>): Promise<void> {
  const count = counters.get(testedService) as ReturnType<typeof createRoundTripCounter>
  for (let time = 0; time < 2; time++) await send()
  let response: TestResponse | undefined
  const trips = await count(async () => {
    response = await send()
  })
  assert.ok([200, 201].includes(response?.status ?? 0), response?.text)
  assert.equal(trips, maxTrips)
}
const counters = new Map(
  [service, inventreeService].map((testedService) => [testedService, createRoundTripCounter(testedService.pool)]),
)

type Factories = ReturnType<typeof createPurchaseHelpers>
const factories = new Map(
  [service, inventreeService].map((testedService) => [testedService, createPurchaseHelpers(testedService)]),
)

/** Creates a stock item and a location, each with a linked code. */
async function createLinkedItem(testedService: TestService) {
  const { part, location } = factories.get(testedService) as Factories
  const shelf = await location()
  const partPk = await part()
  const [{ pk: item }] = await testedService.rows(
    `insert into stock_item (part, location, quantity, purchase_price_currency) values ($1, $2, 5, 'USD') returning pk`,
    [partPk, shelf],
  )
  for (const [barcode, target] of [
    ['item', { stockitem: item }],
    ['shelf', { stocklocation: shelf }],
  ] as const)
    assert.ok((await testedService.member.post('/api/barcode/link/', { barcode, ...target })).status < 202)
  return { item, shelf, partPk }
}

describe('round trips to the database', () => {
  for (const [form, testedService] of [
    ['the default form', service],
    ['the form of existing clients', inventreeService],
  ] as const)
    it(`are one for a scan in ${form}`, async () => {
      const { item, shelf, partPk } = await createLinkedItem(testedService)
      const codes = ['item', 'shelf', `{"stockitem": ${item}}`, `{"part": ${partPk}}`, `INV-SI${item}`, `INV-SL${shelf}`]
      for (const barcode of codes)
        await assertRoundTrips(testedService, 1, () => testedService.member.post('/api/barcode/', { barcode }))
    })

  it("are three for a scan of a supplier's label: looking up the link, the label and the object", async () => {
    const { labelledOrder } = factories.get(service) as Factories
    const { label } = await labelledOrder()
    const barcode = label(1)
    await assertRoundTrips(service, 3, () => service.member.post('/api/barcode/', { barcode }))
  })

  it('stay at their minimum for linking, allocating and po-allocate', async () => {
    const { location, supplier, supplierPart } = factories.get(service) as Factories
    const { member } = service
    const shelf = await location()
    let number = 0
    await assertRoundTrips(service, 7, () =>
      member.post('/api/barcode/link/', { barcode: `CODE-${++number}`, stocklocation: shelf }),
    )
    await assertRoundTrips(service, 3, () => member.post('/api/barcode/unlink/', { stocklocation: shelf }))
    const sell = createSalesHelpers(service)
    const part = await sell.part()
    const { order } = await sell.sale(part, 9)
    const item = await sell.stock(part, 9)
    const allocate = { barcode: `{"stockitem": ${item}}`, sales_order: order, quantity: 1 }
    await assertRoundTrips(service, 13, () => member.post('/api/barcode/so-allocate/', allocate))
    const company = await supplier()
    const supplierPartPk = await supplierPart(company)
    const purchase = (await member.post('/api/order/po/', { reference: 'PO-8002', supplier: company })).body.pk
    const purchaseAllocation = { barcode: `{"supplierpart": ${supplierPartPk}}`, purchase_order: purchase }
    await assertRoundTrips(service, 6, () => member.post('/api/barcode/po-allocate/', purchaseAllocation))
  })

  it('stay at their minimum for receiving by label and by order', async () => {
    const { labelledOrder, location } = factories.get(service) as Factories
    const { order, line, label } = await labelledOrder({ quantity: 100 })
    const shelf = await location()
    const { member } = service
    await assertRoundTrips(service, 6, () =>
      member.post('/api/barcode/po-receive/', { barcode: label(1), purchase_order: order, location: shelf }),
    )
    const items = [{ line_item: line, quantity: 1 }]
    // the references of the body, all reads under the locks, and all writes
    await assertRoundTrips(service, 3, () => member.post(`/api/order/po/${order}/receive/`, { items, location: shelf }))
  })
})
