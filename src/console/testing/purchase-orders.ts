import assert from 'node:assert/strict'
import { createPurchaseHelpers } from '../../testing/objects/purchasing.ts'
import type { TestService } from '../../testing/service.ts'

type Line = { name: string; pack?: string; trackable?: boolean; quantity?: number; price?: string; units?: string }

/** Creates a supplier and a location, and returns functions that create purchase orders whose lines have new parts. */
export async function createPurchaseOrderHelpers(service: TestService) {
  const { member } = service
  const { location } = createPurchaseHelpers(service)

  async function create(path: string, body: object): Promise<number> {
    const response = await member.post(path, body)
    assert.equal(response.status, 201, response.text)
    return response.body.pk
  }
  const supplier = await create('/api/company/', { name: 'Brightwell Components', is_supplier: true, currency: 'EUR' })
  const shelf = await location()
  const category = await create('/api/part/category/', { name: 'Parts' })
  let number = 0

  /** Creates a supplier part with a new part. */
  async function createSupplierPart({ name, pack, trackable = false, units = '' }: Line): Promise<number> {
    const part = await create('/api/part/', {
      name,
      category,
      description: `${name}, as the catalogue has it`,
      purchaseable: true,
      trackable,
      units,
    })
    return create('/api/company/part/', { part, supplier, SKU: `BW-${++number}`, ...(pack ? { pack_quantity: pack } : {}) })
  }

  /** Creates an order with these lines, all with the location as destination; issued by default. */
  async function createOrder(lines: Line[], { isPlaced = true, description = 'Parts for the week' } = {}): Promise<number> {
    const order = await create('/api/order/po/', { reference: `PO-${1000 + ++number}`, supplier, description })
    for (const line of lines)
      await create('/api/order/po-line/', {
        order,
        part: await createSupplierPart(line),
        quantity: line.quantity ?? 10,
        purchase_price: line.price ?? '2.5',
        purchase_price_currency: 'EUR',
        destination: shelf,
      })
    if (isPlaced) assert.equal((await member.post(`/api/order/po/${order}/issue/`)).status, 201)
    return order
  }
  const readOrder = async (pk: number) => (await member.get(`/api/order/po/${pk}/`)).body
  const readLines = async (pk: number): Promise<{ pk: number; quantity: number; received: number; notes: string }[]> =>
    (await member.get(`/api/order/po-line/?order=${pk}`)).body.results

  return { createSupplierPart, createOrder, readOrder, readLines }
}
