import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  add,
  compare,
  type DecimalFailure,
  type DecimalLimits,
  divide,
  Exact,
  formatMoney,
  isWhole,
  isZero,
  multiply,
  normalize,
  parseDecimal,
  quantize,
  subtract,
  toExact,
  toPlainText,
} from './decimal.ts'
import { valueErrors } from './value-errors.ts'

const money: DecimalLimits = { maxDigits: 19, decimalPlaces: 6 }

/** Decimals with up to this number of digits before and after the point, as parsing returns them. */
function decimals(wholeDigits: number, places: number): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.bigInt({ min: -(10n ** BigInt(wholeDigits + places)) + 1n, max: 10n ** BigInt(wholeDigits + places) - 1n }),
      fc.nat(places),
    )
    .map(([digits, decimalPlaces]) => {
      const text = (digits < 0n ? -digits : digits)
        .toString()
        .padStart(decimalPlaces + 1, '0')
        .slice(0, wholeDigits + decimalPlaces)
      const point = text.length - decimalPlaces
      return normalize(`${digits < 0n ? '-' : ''}${text.slice(0, point)}.${text.slice(point)}0`.replace(/0$/, ''))
    })
}

function parseToValueOrCode(value: unknown, limits = money): DecimalFailure['code'] | string {
  const parsed = parseDecimal(value, limits)
  return typeof parsed === 'string' ? parsed : parsed.code
}

test('reads numbers and numeric strings exactly', () => {
  const cases: [unknown, string][] = [
    [1.1, '1.1'],
    [0.1, '0.1'],
    [-0, '0'],
    [1e-6, '0.000001'],
    [1e12, '1000000000000'],
    ['1e3', '1000'],
    ['1E+3', '1000'],
    ['150e-2', '1.5'],
    [' 12.50 ', '12.5'],
    ['+5', '5'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['-0.000', '0'],
    ['000000000000000000000001', '1'],
    ['0e99999999', '0'],
    ['0e-99999999', '0'],
    ['9999999999999.999999', '9999999999999.999999'],
  ]
  for (const [value, expected] of cases) assert.equal(parseDecimal(value, money), expected, String(value))
})

test('rejects a value that is not a number', () => {
  const cases = [
    '',
    ' ',
    '.',
    'e5',
    '0x10',
    '1_000',
    '1 000',
    ',5',
    '1,',
    'a 1,5',
    'NaN',
    'Infinity',
    '-inf',
    '١',
    '--1',
    '1e',
    '1.2.3',
    '1'.repeat(1001),
  ]
  for (const value of [...cases, Number.NaN, Number.POSITIVE_INFINITY, null, undefined, true, [1], [1, 5], { x: 1 }, 5n]) {
    assert.equal(parseToValueOrCode(value), 'invalid', String(value))
  }
})

test('explains the decimal format for input with a comma', () => {
  for (const value of ['1,5', ' -4,5 ', '1.000,25', '1,000.25', '1,000,000'])
    assert.equal(parseToValueOrCode(value), 'comma', value)
})

test('reports the limit that a number exceeds', () => {
  assert.equal(parseToValueOrCode('1.1234567'), 'max_decimal_places')
  assert.equal(parseToValueOrCode('1.0000000'), 'max_decimal_places')
  assert.equal(parseToValueOrCode('10000000000000'), 'max_whole_digits')
  assert.equal(parseToValueOrCode('9'.repeat(20)), 'max_digits')
  assert.equal(parseToValueOrCode('1e400'), 'max_digits')
  assert.equal(parseToValueOrCode('1e999999999999999999'), 'max_digits')
  assert.equal(parseToValueOrCode('1e-999999999999999999'), 'max_digits')
  assert.equal(parseToValueOrCode(1e21), 'max_digits')
  assert.deepEqual(parseDecimal('1.1234567', money), {
    code: 'max_decimal_places',
    problem: valueErrors.max_decimal_places({ max_decimal_places: 6 }),
  })
})

test('rounds half to even where the limits require it', () => {
  const quantity = { maxDigits: 15, decimalPlaces: 5, round: true }
  assert.equal(parseToValueOrCode('1.000005', quantity), '1')
  assert.equal(parseToValueOrCode('1.000015', quantity), '1.00002')
  assert.equal(parseToValueOrCode('-0.000001', quantity), '0')
  assert.equal(parseToValueOrCode('1e-99999999999', quantity), '0')
  assert.equal(parseToValueOrCode(0.1 + 0.2, quantity), '0.3')
  assert.equal(parseToValueOrCode('9999999999.999999', quantity), 'max_whole_digits')
  assert.equal(parseToValueOrCode('1e99999999999', quantity), 'max_digits')
})

test('writes money with six places', () => {
  assert.equal(formatMoney('123'), '123.000000')
  assert.equal(formatMoney('0'), '0.000000')
  assert.equal(formatMoney('-0.0000001'), '0.000000')
  assert.equal(formatMoney('2.0000005'), '2.000000')
  assert.equal(formatMoney('2.0000015'), '2.000002')
})

test('calculates without binary fractions', () => {
  assert.equal(add('0.1', '0.2'), '0.3')
  assert.equal(subtract('0.3', '0.1'), '0.2')
  assert.equal(multiply('9999999999999.999999', '9999999999.99999'), '99999999999999899990000.00000000001')
  assert.equal(divide('1', '3'), `0.${'3'.repeat(40)}`)
  assert.equal(divide('1', '0.000000000000000000001'), '1000000000000000000000')
  assert.throws(() => divide('1', '0.00'), RangeError)
  assert.equal(compare('1.10', '1.1'), 0)
  assert.ok(compare('-1', '1') < 0)
  assert.ok(isZero('-0.00') && !isZero('0.001'))
  assert.ok(isWhole('3.000') && !isWhole('3.1'))
  assert.throws(() => toExact('NaN'), RangeError)
})

test('rejects a short string for a number with very many digits', () => {
  const huge = [
    '1e999999999',
    '1e3000000',
    '1e-999999999',
    '-1e+99999999999999999999',
    '9e1001',
    '1e-1001',
    `${'9'.repeat(1000)}e9`,
  ]
  for (const value of huge) {
    for (const calculate of [
      toExact,
      normalize,
      isZero,
      isWhole,
      formatMoney,
      (text: string) => quantize(text, 2),
      (text: string) => add(text, '1'),
      (text: string) => subtract('1', text),
      (text: string) => multiply(text, '1'),
      (text: string) => divide('1', text),
      (text: string) => compare('1', text),
    ])
      assert.throws(() => calculate(value), RangeError, value)
  }
  // however it is constructed
  assert.ok(!new Exact('1e999999999').isFinite())
  assert.ok(new Exact('1e-999999999').isZero())
  assert.throws(() => toPlainText(new Exact('1e999999999')), RangeError)
  assert.throws(() => toPlainText(new Exact(10).pow(999999999)), RangeError)
  assert.equal(normalize('0e999999999'), '0')
})

test('calculates with the longest numbers that it accepts', () => {
  const [large, small] = ['9e999', '9e-1000']
  assert.equal(normalize(large).length, 1000)
  assert.equal(multiply(large, large), `81${'0'.repeat(1998)}`)
  assert.equal(multiply(small, small), `0.${'0'.repeat(1998)}81`)
  assert.equal(divide(large, '9e-1000'), `1${'0'.repeat(1999)}`)
  assert.equal(add(large, small), normalize(large))
  assert.equal(quantize(small, 2), '0.00')
})

test('property: a number of any exponent is calculated fast or rejected', () => {
  const texts = fc
    .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: -2_000_000_000, max: 2_000_000_000 }))
    .map(([digits, exponent]) => `${digits}e${exponent}`)
  fc.assert(
    fc.property(texts, (text) => {
      try {
        assert.ok(add(text, '1').length < 2_100)
      } catch (error) {
        assert.ok(error instanceof RangeError)
      }
    }),
  )
})

test('property: a formatted number is parsed as the same value', () => {
  fc.assert(
    fc.property(decimals(13, 6), (value) => {
      assert.equal(parseDecimal(value, money), value)
      assert.equal(parseDecimal(formatMoney(value), money), value)
      assert.match(formatMoney(value), /^-?\d{1,13}\.\d{6}$/)
    }),
  )
})

test('property: a JSON number is read as its shortest decimal form', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const parsed = parseDecimal(value, { maxDigits: 700, decimalPlaces: 350 })
      assert.equal(typeof parsed, 'string')
      assert.equal(Number(parsed), value === 0 ? 0 : value)
    }),
  )
})

test('property: any input results in a decimal within the limits or an error code', () => {
  const texts = fc.stringMatching(/^[+-]?[0-9]{0,30}\.?[0-9]{0,30}(e[+-]?[0-9]{1,9})?$/)
  fc.assert(
    fc.property(fc.oneof(fc.anything(), texts), fc.boolean(), (value, round) => {
      const parsed = parseDecimal(value, { ...money, round })
      if (typeof parsed === 'string') assert.match(parsed, /^-?\d{1,13}(\.\d{1,6})?$/)
      else assert.ok(parsed.problem.message.length > 0)
    }),
  )
})

test('property: sums and products follow the laws of arithmetic', () => {
  const value = decimals(13, 6)
  fc.assert(
    fc.property(value, value, value, (a, b, c) => {
      assert.equal(add(a, b), add(b, a))
      assert.equal(add(add(a, b), c), add(a, add(b, c)))
      assert.equal(subtract(add(a, b), b), a)
      assert.equal(multiply(a, b), multiply(b, a))
      if (!isZero(b)) assert.equal(divide(multiply(a, b), b), a)
      assert.equal(quantize(quantize(a, 3), 3), quantize(a, 3))
    }),
  )
})
