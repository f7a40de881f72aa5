import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { multiply, normalize } from '../../../kit/values/decimal.ts'
import { findSupplierPartPrice, type PriceBreak } from './price.ts'

const rates = new Map([
  ['USD', '1'],
  ['EUR', '0.8'],
])

const createBreaks = (...pairs: [string, string | null][]): PriceBreak[] =>
  pairs.map(([quantity, price]) => ({ quantity, price, price_currency: 'USD' }))

test('findSupplierPartPrice takes the highest price break that the quantity reaches', () => {
  const cases: [PriceBreak[], [string, string][]][] = [
    [
      createBreaks(['1', '10'], ['5', '7.5'], ['25', '3.5']),
      [
        ['1', '10'],
        ['4', '40'],
        ['11', '82.5'],
        ['23', '172.5'],
        ['100', '350'],
      ],
    ],
    [
      createBreaks(['5', '7'], ['50', '1.25']),
      [
        ['0.5', '3.5'],
        ['1', '7'],
        ['5', '35'],
        ['45', '315'],
        ['55', '68.75'],
      ],
    ],
  ]
  for (const [table, totals] of cases) {
    for (const [quantity, total] of totals) {
      const price = findSupplierPartPrice(table, quantity, 'USD', rates) ?? assert.fail()
      assert.equal(multiply(price, quantity), total, quantity)
    }
  }
})

test('currencies, missing rates and missing prices', () => {
  const table = createBreaks(['1', '10'])
  assert.equal(findSupplierPartPrice(table, '1', 'USD', rates), '10.000000')
  assert.equal(findSupplierPartPrice(table, '1', 'EUR', rates), '8.000000')
  assert.equal(findSupplierPartPrice(table, '1', 'GBP', rates), '10.000000')
  assert.equal(findSupplierPartPrice([], '1', 'USD', rates), null)
  assert.equal(findSupplierPartPrice(createBreaks(['1', null]), '1', 'USD', rates), null)
  assert.equal(findSupplierPartPrice(createBreaks(['10', null], ['1', '3'], ['20', '0']), '15', 'USD', rates), '3.000000')
  assert.equal(findSupplierPartPrice(createBreaks(['10', null], ['1', '3'], ['20', '0']), '20.00000', 'USD', rates), '0.000000')
})

test('property: the price is that of the nearest break below, whatever the order of the breaks', () => {
  const table = fc
    .uniqueArray(fc.tuple(fc.nat(1000), fc.nat(1_000_000)), { minLength: 1, maxLength: 8, selector: ([quantity]) => quantity })
    .chain((pairs) => fc.shuffledSubarray(pairs, { minLength: pairs.length }))
  fc.assert(
    fc.property(table, fc.nat(1200), (pairs, quantity) => {
      const reached = pairs.filter(([minimum]) => minimum <= quantity).sort(([a], [b]) => b - a)[0]
      const [, expected] = reached ?? pairs.toSorted(([a], [b]) => a - b)[0] ?? assert.fail()
      const price = findSupplierPartPrice(
        createBreaks(...pairs.map(([minimum, cost]): [string, string] => [`${minimum}`, `${cost}`])),
        `${quantity}`,
        'USD',
        rates,
      )
      assert.equal(normalize(price ?? ''), `${expected}`)
    }),
  )
})
