import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { getPriceDecimals } from './price-decimals.ts'

describe('decimals of a price', () => {
  it('are those of its currency, and more only when they matter', () => {
    for (const [price, digits, decimals] of [
      ['2.738854', 2, 2],
      ['2.500000', 2, 2],
      ['0.0042', 2, 4],
      ['1.855', 2, 3],
      ['0.004217', 2, 5],
      ['0.123456', 2, 3],
      ['1234.567891', 2, 2],
      ['120', 0, 0],
      ['120.333333', 0, 0],
      ['0.5', 0, 1],
      ['0.333333', 0, 3],
      ['1.5', 3, 3],
      ['1.523456', 3, 3],
      ['0', 2, 2],
      [0, 0, 0],
      ['-2.738854', 2, 2],
    ] as const)
      assert.equal(getPriceDecimals(price, digits), decimals, `${price} of ${digits}`)
  })

  it('leave out at most a hundredth of the price', () => {
    const price = fc.integer({ min: 1, max: 10 ** 12 }).map((millionths) => millionths / 10 ** 6)
    fc.assert(
      fc.property(price, fc.constantFrom(0, 2, 3), (amount, digits) => {
        const decimals = getPriceDecimals(amount, digits)
        assert.ok(decimals >= digits)
        assert.ok(Math.abs(Number(amount.toFixed(decimals)) - amount) <= amount / 100)
      }),
    )
  })
})
