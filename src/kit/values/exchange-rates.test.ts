import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatMoney } from './decimal.ts'
import { convert } from './exchange-rates.ts'

const rates = new Map([
  ['USD', '1'],
  ['EUR', '0.8'],
  ['NZD', '1.6'],
  ['XXX', '0'],
])

test('amounts in another currency', () => {
  assert.equal(convert('10', 'USD', 'EUR', rates), '8')
  assert.equal(convert('10', 'EUR', 'USD', rates), '12.5')
  assert.equal(convert('10', 'EUR', 'NZD', rates), '20')
  assert.equal(convert('10', 'GBP', 'GBP', rates), '10')
  for (const code of ['GBP', 'XXX']) {
    assert.equal(convert('10', 'USD', code, rates), null)
    assert.equal(convert('10', code, 'USD', rates), null)
  }
})

test('property: converting there and back gives the same amount', () => {
  const amount = fc.bigInt({ min: -(10n ** 19n), max: 10n ** 19n }).map((value) => `${value}e-6`)
  const rate = fc.integer({ min: 1, max: 10 ** 9 }).map((value) => `${value}e-6`)
  fc.assert(
    fc.property(amount, rate, rate, (value, euro, yen) => {
      const table = new Map([
        ['EUR', euro],
        ['JPY', yen],
      ])
      const there = convert(value, 'EUR', 'JPY', table) ?? assert.fail()
      assert.equal(formatMoney(convert(there, 'JPY', 'EUR', table) ?? ''), formatMoney(value))
    }),
  )
})
