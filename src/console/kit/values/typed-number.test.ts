import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { getReadings, readNumber } from './typed-number.ts'

describe('a typed number', () => {
  it('may have a decimal point or comma, whatever the language', () => {
    for (const sign of ['.', ',']) {
      assert.equal(readNumber('2,5', sign), '2.5')
      assert.equal(readNumber('2.5', sign), '2.5')
      assert.equal(readNumber('0,125', sign), '0.125')
      assert.equal(readNumber('0.125', sign), '0.125')
      assert.equal(readNumber('12', sign), '12')
    }
    assert.equal(readNumber('5.000', '.'), '5.000')
    assert.equal(readNumber('1234,567', '.'), '1234.567')
  })

  it("may contain the language's thousands separators if they are unambiguous", () => {
    assert.equal(readNumber('1,234,567', '.'), '1234567')
    assert.equal(readNumber('1,234.5', '.'), '1234.5')
    assert.equal(readNumber('1.234,5', ','), '1234.5')
    assert.equal(readNumber('-1.234.567', ','), '-1234567')
  })

  it('is not guessed when it is ambiguous', () => {
    assert.deepEqual(getReadings(readNumber('5,000', '.')), { thousands: '5000', decimals: '5.0' })
    assert.deepEqual(getReadings(readNumber('1.250', ',')), { thousands: '1250', decimals: '1.25' })
    assert.equal(getReadings(readNumber('5000', '.')), undefined)
    assert.equal(getReadings(readNumber('5,00', '.')), undefined)
  })

  it('is read back as the value that the console formatted', () => {
    for (const [locale, sign] of [
      ['en-GB', '.'],
      ['de-DE', ','],
    ] as const) {
      const { format } = new Intl.NumberFormat(locale, { maximumFractionDigits: 5 })
      fc.assert(
        fc.property(fc.integer({ min: -1e12, max: 1e12 }), fc.integer({ min: 0, max: 5 }), (digits, decimals) => {
          const value = Number((digits / 10 ** decimals).toFixed(5))
          const parsed = readNumber(format(value), sign)
          const readings = getReadings(parsed)
          assert.equal(Number(readings ? readings.thousands : parsed), value)
        }),
      )
    }
  })
})
