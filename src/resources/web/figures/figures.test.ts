import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPurchaseHelpers } from '../../../testing/objects/purchasing.ts'
import { assertCallers, testService } from '../../../testing/service.ts'

const service = await testService()
const { superuser } = service
const { supplier } = createPurchaseHelpers(service)
const PATH = '/api/web/figures/'

const create = async (path: string, body: object) => {
  const { status, body: created, text } = await superuser.post(path, body)
  assert.equal(status, 201, text)
  return created
}
const getDay = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)

describe('GET /api/web/figures/', () => {
  it('has the value of all stock, its course by stocktakes, and orders by month', async () => {
    const category = (await create('/api/part/category/', { name: 'Screws' })).pk
    const parts: number[] = []
    for (const name of ['Paid', 'Priced', 'Unknown']) parts.push((await create('/api/part/', { name, category })).pk)
    const [paid, priced, unknown] = parts as [number, number, number]
    await create('/api/stock/', { part: paid, quantity: 3, purchase_price: '0.1', purchase_price_currency: 'USD' })
    await create('/api/stock/', { part: priced, quantity: 7 })
    await create('/api/stock/', { part: unknown, quantity: 2 })
    await superuser.patch(`/api/part/${priced}/pricing/`, { override_min: '0.1', override_max: '0.3' })
    await service.rows(
      `insert into part_stocktake (part, quantity, date, cost_min, cost_min_currency, cost_max, cost_max_currency) values
         ($1, 1, $3, 5, 'USD', 5, 'USD'), ($1, 1, $4, 0.1, 'USD', 0.2, 'USD'), ($2, 1, $4, 0.2, 'USD', 0.4, 'USD'), ($2, 1, $5, 0.7, 'USD', 0.7, 'USD')`,
      [paid, priced, getDay(90), getDay(60), getDay(30)],
    )
    const company = await supplier()
    for (const [reference, date] of [
      ['PO-0001', getDay(0)],
      ['PO-0002', getDay(0)],
      ['PO-0003', getDay(800)],
    ]) {
      const { pk } = await create('/api/order/po/', { reference, supplier: company })
      await service.rows('update purchase_order set status = 30, complete_date = $2 where pk = $1', [pk, date])
    }
    const { body } = await superuser.get(PATH)
    const { calculated, history, ...value } = body.stock_value
    assert.deepEqual(value, { currency: 'USD', cost_min: '1.000000', cost_max: '2.400000', unpriced: 1 })
    // before the second part was counted, the value would have been that of one part
    assert.deepEqual(history, [
      { date: getDay(60), cost_min: '0.300000', cost_max: '0.600000', parts: 2 },
      { date: getDay(30), cost_min: '0.800000', cost_max: '0.900000', parts: 2 },
    ])
    assert.equal(body.received.length, 12)
    assert.deepEqual(body.received.at(-1), { month: getDay(0).slice(0, 7), count: 2 })
    assert.equal(
      body.received.slice(0, -1).every(({ count }: { count: number }) => count === 0),
      true,
    )
    assert.equal(body.shipped.length, 12)

    await create('/api/stock/', { part: paid, quantity: 100, purchase_price: '1', purchase_price_currency: 'USD' })
    const again = (await superuser.get(PATH)).body.stock_value
    assert.deepEqual([again.calculated, again.cost_max], [calculated, '2.400000'])
  })

  it('is for all accounts, with what each can view', async () => {
    await assertCallers(service, (client) => client.get(PATH), ['nobody', 'viewer', 'member', 'staff', 'superuser'])
    assert.deepEqual((await service.nobody.get(PATH)).body, {})
  })
})
