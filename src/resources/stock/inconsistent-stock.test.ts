import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testService } from '../../testing/service.ts'

const service = await testService()
const { member } = service

const createObject = async (path: string, body: object): Promise<number> => {
  const { status, body: object, text } = await member.post(path, body)
  assert.equal(status, 201, text)
  return object.pk
}
const partFlags = { component: true, assembly: true, salable: true, purchaseable: true }

describe('flawed_stock=true', () => {
  it('returns the unallocated stock of a part and its variants with a status other than OK', async () => {
    const category = await createObject('/api/part/category/', { name: 'Drives' })
    const motor = await createObject('/api/part/', { name: 'Motor', description: '', category, is_template: true, ...partFlags })
    const small = await createObject('/api/part/', {
      name: 'Small motor',
      description: '',
      category,
      variant_of: motor,
      ...partFlags,
    })
    const cart = await createObject('/api/part/', { name: 'Cart', description: '', category, ...partFlags })
    const [shelf, box] = [
      await createObject('/api/stock/location/', { name: 'Shelf' }),
      await createObject('/api/stock/location/', { name: 'Box' }),
    ]
    const addStock = (part: number, quantity: number, status: number, location = shelf) =>
      createObject('/api/stock/', { part, quantity, status, location })
    await addStock(motor, 5, 10)
    const damaged = await addStock(motor, 2.5, 55)
    await addStock(small, 1, 55, box)
    await addStock(small, 3, 50, box)
    // quarantined stock is not in stock
    await addStock(motor, 9, 75)
    const line = await createObject('/api/bom/', { part: cart, sub_part: motor, quantity: 1, allow_variants: false })
    const customer = await createObject('/api/company/', { name: 'Fairground', is_customer: true })
    const order = await createObject('/api/order/so/', { reference: 'SO-1', customer })
    const orderLine = await createObject('/api/order/so-line/', { order, part: motor, quantity: 4 })
    const build = await createObject('/api/build/', { reference: 'BO-1', part: cart, quantity: 1, take_from: shelf })

    const bothStatuses = [
      { status: 50, quantity: 3 },
      { status: 55, quantity: 3.5 },
    ]
    const readFlawedStock = async (path: string) => {
      const { body, text } = await member.get(path)
      const row = body.results
        ? body.results.find(({ part }: { part?: number }) => path.includes('/bom/') || part === motor)
        : body
      return row?.flawed_stock ?? text
    }
    assert.deepEqual(await readFlawedStock(`/api/part/${motor}/?flawed_stock=true`), bothStatuses)
    assert.deepEqual(await readFlawedStock(`/api/order/so-line/?order=${order}&flawed_stock=true`), bothStatuses)
    // the line does not allow variants, and the build order takes only from the shelf
    assert.deepEqual(await readFlawedStock(`/api/bom/?part=${cart}&flawed_stock=true`), [{ status: 55, quantity: 2.5 }])
    assert.equal((await member.get(`/api/bom/${line}/`)).body.flawed_stock, undefined)
    const lines = await member.get(`/api/build/line/?build=${build}&flawed_stock=true`)
    assert.deepEqual(lines.body.results[0].flawed_stock, [{ status: 55, quantity: 2.5 }])
    const parts = await member.get(`/api/part/?flawed_stock=true&ordering=name`)
    assert.deepEqual(
      parts.body.results.map((row: { flawed_stock: unknown[] }) => row.flawed_stock.length),
      [0, 2, 2],
    )
    // allocated stock is not available
    const shipment = await createObject('/api/order/so/shipment/', { order })
    const items = [{ line_item: orderLine, stock_item: damaged, quantity: 2 }]
    assert.equal((await member.post(`/api/order/so/${order}/allocate/`, { shipment, items })).status, 201)
    assert.deepEqual(await readFlawedStock(`/api/part/${motor}/?flawed_stock=true`), [
      bothStatuses[0],
      { status: 55, quantity: 1.5 },
    ])
  })
})
