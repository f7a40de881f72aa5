import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, it } from 'node:test'
import { createPurchaseHelpers } from '../../../testing/objects/purchasing.ts'
import { assertCallers, testService } from '../../../testing/service.ts'

let rates: Record<string, string> = { USD: '1.25', GBP: '0.8' }
const source = createServer((_request, response) => {
  const entries = Object.entries(rates).map(([code, rate]) => `<Cube currency='${code}' rate='${rate}'/>`)
  response.end(`<Envelope><Cube><Cube time='2026-01-30'>${entries.join('')}</Cube></Cube></Envelope>`)
})
await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve))
after(() => source.close())

const service = await testService({ FETCH_ALLOWED_HOSTS: '127.0.0.1' })
const { staff } = service
const { supplier, setting } = createPurchaseHelpers(service)
const PATH = '/api/web/currencies/'
const readAll = async () => (await staff.get(PATH)).body
const readOne = async (wanted: string) =>
  (await readAll()).currencies.find(({ code }: { code: string }) => code === wanted) as Record<string, unknown>
const readExchange = async () => (await staff.get('/api/currency/exchange/')).body.exchange_rates
const setOwn = (code: string, rate: unknown) => staff.patch(`${PATH}${code}/`, { rate })
const update = () => staff.post('/api/currency/refresh/')

before(() =>
  staff.patch('/api/plugins/settings/inventreecurrencyexchange/SOURCE_URL/', {
    value: `http://127.0.0.1:${(source.address() as AddressInfo).port}/`,
  }),
)

beforeEach(async () => {
  rates = { USD: '1.25', GBP: '0.8' }
  await service.pool.query('truncate currency_rate, currency_failure')
  await setting('INVENTREE_DEFAULT_CURRENCY', 'USD')
})

describe('GET /api/web/currencies/', () => {
  it('returns every currency, the plugin that supplies live rates, and the last update', async () => {
    const { currencies, ...rest } = await readAll()
    assert.deepEqual(rest, {
      base_currency: 'USD',
      plugin: 'inventreecurrencyexchange',
      plugin_name: 'InvenTree Currency Exchange',
      interval_days: 1,
      updated: null,
      failure: null,
    })
    assert.deepEqual(currencies[0], {
      code: 'AUD',
      name: 'Australian Dollar',
      rate: null,
      is_own: false,
      live_rate: null,
      updated: null,
    })
    await update()
    assert.equal((await readOne('EUR')).live_rate, '0.8')
    assert.notEqual((await readAll()).updated, null)
  })

  it('returns the error of a failed update until one succeeds', async () => {
    rates = {}
    assert.equal((await update()).status, 503)
    const { failure } = await readAll()
    assert.equal(failure.code, 'rates_not_fetched')
    assert.match(failure.message, /could not be fetched: InvenTree Currency Exchange: (?!currencyRates)/)
    assert.equal(failure.parameters.plugin, 'InvenTree Currency Exchange')
    rates = { USD: '1.25' }
    await update()
    assert.equal((await readAll()).failure, null)
  })

  it('is for staff', () => assertCallers(service, (client) => client.get(PATH), ['staff', 'superuser']))
})

describe('PATCH /api/web/currencies/{currency}/', () => {
  it('sets a manual rate exactly, which conversions use and updates do not replace', async () => {
    await update()
    const response = await setOwn('EUR', '0.9123456789')
    assert.equal(response.status, 200)
    const { updated, ...own } = response.body
    assert.deepEqual(own, { code: 'EUR', name: 'Euro', rate: '0.9123456789', is_own: true, live_rate: '0.8' })
    rates = { USD: '1.6', GBP: '0.8' }
    await update()
    assert.deepEqual(await readExchange(), { EUR: 0.9123456789, GBP: 0.5, USD: 1 })
    const after = await readOne('EUR')
    assert.deepEqual({ ...after, updated }, { ...own, live_rate: '0.625', updated })
  })

  it('converts the total of an order with the own rate', async () => {
    await setOwn('EUR', '0.5')
    const order = (
      await service.superuser.post('/api/order/po/', { reference: 'PO-0001', supplier: await supplier(), order_currency: 'USD' })
    ).body.pk
    const line = { order, quantity: 3, price: '10', price_currency: 'EUR' }
    assert.equal((await service.superuser.post('/api/order/po-extra-line/', line)).status, 201)
    assert.equal(Number((await service.superuser.get(`/api/order/po/${order}/`)).body.total_price), 60)
  })

  it('returns to the last live rate with null, or to none', async () => {
    await update()
    await setOwn('EUR', '0.9')
    await setOwn('JPY', '150')
    assert.equal((await setOwn('EUR', null)).body.rate, '0.8')
    assert.equal((await readOne('EUR')).is_own, false)
    assert.equal((await setOwn('JPY', null)).body.rate, null)
    assert.deepEqual(await readExchange(), { EUR: 0.8, GBP: 0.64, USD: 1 })
  })

  it('does not postpone the next update', async () => {
    await update()
    await service.pool.query(`update currency_rate set updated = '2020-01-01'`)
    await setOwn('EUR', '0.9')
    assert.equal((await readAll()).updated, '2020-01-01T00:00:00Z')
  })

  it('keeps own rates own ones when the default currency changes', async () => {
    await update()
    await setOwn('EUR', '0.5')
    await setting('INVENTREE_DEFAULT_CURRENCY', 'EUR')
    // dollars are worth the same as before
    assert.deepEqual(await readExchange(), { EUR: 1, GBP: 1.28, USD: 2 })
    await setOwn('JPY', '160')
    const dollar = await readOne('USD')
    assert.deepEqual([dollar.rate, dollar.is_own, dollar.live_rate], ['2', true, '1.25'])
    await update()
    assert.deepEqual(await readExchange(), { EUR: 1, GBP: 0.8, JPY: 160, USD: 2 })
  })

  it('rejects rates that are not above zero, the default currency and unknown ones, and changes nothing', async () => {
    await setOwn('EUR', '0.9')
    const before = await readExchange()
    for (const rate of [0, '-1', 'abc', '1e-11', true, undefined, '1e10']) {
      const { status, body } = await setOwn('EUR', rate)
      assert.deepEqual([status, Object.keys(body)], [400, ['rate']], String(rate))
    }
    assert.deepEqual(Object.keys((await setOwn('USD', '1.1')).body), ['rate'])
    assert.equal((await setOwn('XXX', '1')).status, 404)
    assert.deepEqual(await readExchange(), before)
  })

  it('requires staff', () =>
    assertCallers(service, (client) => client.patch(`${PATH}GBP/`, { rate: '0.7' }), ['staff', 'superuser'], readExchange))
})
