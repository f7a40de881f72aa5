import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { isUnusual } from './unusual-quantity.ts'

describe('confirmation of an unusual quantity', () => {
  it('starts at a factor of ten, in both directions', () => {
    for (const [amount, before, isAsked] of [
      ['4800', 48, true],
      ['48', 4800, true],
      ['480', 48, true],
      ['479', 48, false],
      ['4.8', 48, true],
      ['4.9', '48.000', false],
      ['10', 1, true],
      ['0.05', '0.5', true],
      ['0', 48, false],
      ['', 48, false],
      ['4800x', 48, false],
      ['1000', 0, false],
      ['1001', 0, true],
    ] as const)
      assert.equal(isUnusual(amount, before), isAsked, `${amount} instead of ${before}`)
  })

  it('is never required within the factor, nor for less when part of a quantity is taken', () => {
    const some = fc.integer({ min: 1, max: 10 ** 9 })
    fc.assert(
      fc.property(some, some, (amount, before) => {
        const isOdd = amount >= 10 * before || before >= 10 * amount
        assert.equal(isUnusual(String(amount), before), isOdd)
        assert.equal(isUnusual(String(amount), before, false), amount >= 10 * before)
      }),
    )
  })
})
