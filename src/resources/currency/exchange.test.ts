import assert from 'node:assert/strict'
import { beforeEach, describe, it, test } from 'node:test'
import fc from 'fast-check'
import { toExact } from '../../kit/values/decimal.ts'
import { assertCallers, testService } from '../../testing/service.ts'
import { rebaseRates } from './exchange.ts'

const service = await testService()
const path = '/api/currency/exchange/'
const readRates = async () => (await service.viewer.get(path)).body

beforeEach(() => service.pool.query('truncate currency_rate'))

describe('GET /api/currency/exchange/', () => {
  it('has no rates until some are set', async () => {
    assert.deepEqual(await readRates(), { base_currency: 'USD', exchange_rates: {}, updated: null })
  })

  it('returns rates for the default currency, whatever base they were set for', async () => {
    await service.staff.put(path, { exchange_rates: { EUR: '0.8', NZD: '1.6' } })
    await service.superuser.patch('/api/settings/global/INVENTREE_DEFAULT_CURRENCY/', { value: 'EUR' })
    assert.deepEqual((await readRates()).exchange_rates, { EUR: 1, NZD: 2, USD: 1.25 })
    await service.staff.patch(path, { exchange_rates: { JPY: 160 } })
    assert.deepEqual(await readRates(), {
      ...(await readRates()),
      base_currency: 'EUR',
      exchange_rates: { EUR: 1, JPY: 160, NZD: 2, USD: 1.25 },
    })
    await service.superuser.patch('/api/settings/global/INVENTREE_DEFAULT_CURRENCY/', { value: 'GBP' })
    assert.deepEqual((await readRates()).exchange_rates, {})
    await service.superuser.patch('/api/settings/global/INVENTREE_DEFAULT_CURRENCY/', { value: 'USD' })
  })

  it('requires an account', () =>
    assertCallers(service, (client) => client.get(path), ['nobody', 'viewer', 'member', 'staff', 'superuser']))
})

describe('PUT /api/currency/exchange/', () => {
  it('replaces all rates, and accepts what GET returns', async () => {
    const response = await service.staff.put(path, { exchange_rates: { EUR: '0.92', JPY: 151.123456789 } })
    assert.equal(response.status, 200)
    assert.deepEqual(response.body.exchange_rates, { EUR: 0.92, JPY: 151.123456789, USD: 1 })
    assert.ok(Date.now() - Date.parse(response.body.updated) < 60_000)
    assert.deepEqual((await service.staff.put(path, await readRates())).body.exchange_rates, response.body.exchange_rates)
    assert.deepEqual((await service.staff.put(path, { exchange_rates: { GBP: 0.5 } })).body.exchange_rates, { GBP: 0.5, USD: 1 })
    assert.deepEqual((await service.staff.put(path, { exchange_rates: {} })).body.exchange_rates, {})
  })

  it('rejects an invalid rate with its currency, and changes nothing', async () => {
    await service.staff.put(path, { exchange_rates: { EUR: 2 } })
    const before = await readRates()
    for (const [rates, currencyCode] of [
      [{ EUR: 0 }, 'EUR'],
      [{ EUR: '-1' }, 'EUR'],
      [{ EUR: 'abc' }, 'EUR'],
      [{ EUR: '1e-11' }, 'EUR'],
      [{ EUR: '1e10' }, 'EUR'],
      [{ EUR: true }, 'EUR'],
      [{ EUR: 1, XXX: 1 }, 'XXX'],
      [{ USD: 2 }, 'USD'],
      [{ USD: null }, 'USD'],
    ] as const) {
      const { status, body } = await service.staff.put(path, { exchange_rates: rates })
      assert.equal(status, 400)
      assert.deepEqual(Object.keys(body.exchange_rates), [currencyCode])
    }
    for (const body of [{}, { exchange_rates: null }, { exchange_rates: [] }, { exchange_rates: '0.9' }]) {
      const errorResponse = await service.staff.put(path, body)
      assert.equal(errorResponse.status, 400)
      assert.deepEqual(Object.keys(errorResponse.body), ['exchange_rates'])
    }
    const baseErrorResponse = await service.staff.put(path, { base_currency: 'NZD', exchange_rates: { EUR: 1 } })
    assert.deepEqual([baseErrorResponse.status, Object.keys(baseErrorResponse.body)], [400, ['base_currency']])
    assert.deepEqual(await readRates(), before)
  })

  it('requires a staff account', () =>
    assertCallers(service, (client) => client.put(path, { exchange_rates: { EUR: 1 } }), ['staff', 'superuser'], readRates))
})

describe('PATCH /api/currency/exchange/', () => {
  it('changes the given rates, removes one with null, and keeps the times of the others', async () => {
    await service.staff.put(path, { exchange_rates: { EUR: 0.9, NZD: 1.6, CAD: 1.3 } })
    await service.pool.query(`update currency_rate set updated = '2020-01-01'`)
    const changed = await service.staff.patch(path, { exchange_rates: { EUR: '0.95', CAD: null } })
    assert.deepEqual(changed.body.exchange_rates, { EUR: 0.95, NZD: 1.6, USD: 1 })
    const rows = await service.rows(`select currency from currency_rate where updated < '2021-01-01'`)
    assert.deepEqual(rows, [{ currency: 'NZD' }])
  })

  it('loses no rate under concurrent changes', async () => {
    const codes = ['AUD', 'CAD', 'CNY', 'EUR', 'GBP', 'JPY', 'NZD']
    await Promise.all(codes.map((code) => service.staff.patch(path, { exchange_rates: { [code]: 2 } })))
    assert.deepEqual(Object.keys((await readRates()).exchange_rates), [...codes, 'USD'])
  })

  it('requires a staff account', () =>
    assertCallers(service, (client) => client.patch(path, { exchange_rates: {} }), ['staff', 'superuser'], readRates))
})

test('property: a rate converted to another base and back is unchanged except for its last decimals', () => {
  const rate = fc.integer({ min: 1, max: 10 ** 7 }).map((value) => `${value}e-3`)
  fc.assert(
    fc.property(rate, rate, (euro, yen) => {
      const rebased = rebaseRates(
        'EUR',
        new Map([
          ['USD', '1'],
          ['EUR', euro],
          ['JPY', yen],
        ]),
      )
      const restored = rebaseRates('USD', rebased).get('JPY') ?? assert.fail()
      assert.ok(
        toExact(restored)
          .minus(toExact(yen))
          .abs()
          .lte(toExact(yen).plus(1).times(toExact(euro).plus(1)).times('1e-9')),
        `${yen} ${restored}`,
      )
    }),
  )
})
