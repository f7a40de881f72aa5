import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { add, formatMoney, multiply } from '../../kit/values/decimal.ts'
import { orderTotal, type PricedLine, receivedUnitPrice } from './total.ts'

const rates = new Map([
  ['USD', '1'],
  ['EUR', '0.8'],
  ['JPY', '147.123456'],
])

const line = (quantity: string, price: string | null, currency = 'USD'): PricedLine => ({ quantity, price, currency })

test('totals', () => {
  assert.equal(orderTotal([line('3', '2'), line('1', '-1')], 'USD', rates), '5.000000')
  assert.equal(orderTotal([line('3', '2'), line('1', '-1'), line('1', '4', 'EUR')], 'USD', rates), '10.000000')
  assert.equal(orderTotal([line('3', '2'), line('1', '1', 'GBP')], 'USD', rates), null)
  assert.equal(orderTotal([line('3', '2'), line('0', '1', 'GBP')], 'USD', rates), null)
  assert.equal(orderTotal([line('3', '2', 'GBP'), line('1', '2', 'GBP')], 'GBP', rates), '8.000000')
  assert.equal(orderTotal([line('3', null), line('3', '0', 'GBP'), line('3', '0.000000', 'GBP')], 'USD', rates), '0.000000')
  assert.equal(orderTotal([], 'GBP', rates), '0.000000')
  assert.equal(orderTotal([line('0.33333', '0.1')], 'USD', rates), '0.033333')
})

test('the price of received stock', () => {
  assert.equal(receivedUnitPrice('1000', '10'), '100.000000')
  assert.equal(receivedUnitPrice('10', '0.1'), '100.000000')
  assert.equal(receivedUnitPrice('1', '3'), '0.333333')
  assert.equal(receivedUnitPrice(null, '10'), null)
  assert.equal(receivedUnitPrice('-0.000001', '10'), null)
  assert.equal(receivedUnitPrice('0', '10'), '0.000000')
  assert.throws(() => receivedUnitPrice('1', '0'), RangeError)
})

const lines = fc.array(
  fc.record({
    quantity: fc.integer({ min: 0, max: 10 ** 9 }).map((value) => `${value}e-5`),
    price: fc.option(fc.integer({ min: -(10 ** 9), max: 10 ** 12 }).map((value) => `${value}e-6`)),
    currency: fc.constantFrom('USD', 'EUR', 'JPY'),
  }),
  { maxLength: 12 },
)

test('property: the total does not depend on the order of the lines', () => {
  const shuffled = lines.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })))
  fc.assert(fc.property(shuffled, ([one, other]) => assert.equal(orderTotal(one, 'EUR', rates), orderTotal(other, 'EUR', rates))))
})

test('property: in one currency the total is the exact sum, rounded once', () => {
  fc.assert(
    fc.property(lines, (all) => {
      const same = all.map((one) => ({ ...one, currency: 'GBP' }))
      const sum = same.reduce((total, one) => add(total, multiply(one.quantity, one.price ?? '0')), '0')
      assert.equal(orderTotal(same, 'GBP', new Map()), formatMoney(sum))
    }),
  )
})
