import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { isUnusual } from './unusual-quantity.ts'

describe('confirmation of an unusual quantity', () => {
  it('starts at a factor of ten, in both directions', () => {
    for (const [amount, before, isRequired] of [
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
      assert.equal(isUnusual(amount, before), isRequired, `${amount} instead of ${before}`)
  })

  it('is not required within that factor, nor for a smaller quantity when only a part is taken', () => {
    const quantity = fc.integer({ min: 1, max: 10 ** 9 })
    fc.assert(
      fc.property(quantity, quantity, (amount, before) => {
        const isExpected = amount >= 10 * before || before >= 10 * amount
        assert.equal(isUnusual(String(amount), before), isExpected)
        assert.equal(isUnusual(String(amount), before, false), amount >= 10 * before)
      }),
    )
  })
})
