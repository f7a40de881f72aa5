import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Decimal } from 'decimal.js'
import fc from 'fast-check'
import { ExactNumber, isObject, JsonText, parseJson, toCanonicalJson, writeJson } from './json.ts'

const roundTrip = (text: string) => JSON.stringify(parseJson(text))

test('numbers that a double would change keep their notation', () => {
  for (const text of [
    '12345678901234567890',
    '9007199254740993',
    '0.1234567890123456789',
    '12345678901234567.891',
    '1e400',
    '-1E+400',
    '1e-400',
    '1e-99999999999999999999',
    '1.00000000000000000001',
    '123456789012345678901234567890e-10',
    '5e-325',
  ]) {
    assert.equal(roundTrip(text), text)
    assert.equal(String(parseJson(text)), text)
    assert.equal(roundTrip(`{"a":[{"b":${text}},1.5]}`), `{"a":[{"b":${text}},1.5]}`)
    assert.ok(parseJson(text) instanceof ExactNumber)
    assert.ok(!isObject(parseJson(text)))
  }
})

test('other numbers become plain numbers, in any notation', () => {
  for (const [text, value] of [
    ['1', 1],
    ['1.10', 1.1],
    ['1e3', 1000],
    ['1.000000000000000000000', 1],
    ['0.30000000000000004', 0.1 + 0.2],
    ['9007199254740992', 2 ** 53],
    ['1.7976931348623157e308', Number.MAX_VALUE],
    ['5e-324', Number.MIN_VALUE],
    ['0.0e999', 0],
    ['-0.00000000000000000', -0],
  ] as const)
    assert.equal(parseJson(text), value, text)
})

test('no number changes its value', () => {
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 25 })
  const wholeDigits = digits.map((text) => text.replace(/^0+(?=\d)/, ''))
  const exponent = fc.oneof(
    fc.constant(''),
    fc.integer({ min: -400, max: 400 }).map((value) => `e${value}`),
  )
  fc.assert(
    fc.property(wholeDigits, digits, exponent, (whole, fraction, power) => {
      const text = `${whole}.${fraction}${power}`
      assert.ok(new Decimal(roundTrip(text)).eq(text), text)
    }),
    { numRuns: 1_000 },
  )
})

test('everything except numbers is parsed as by JSON.parse', () => {
  fc.assert(fc.property(fc.json(), (text) => assert.deepEqual(parseJson(text), JSON.parse(text))))
  // a string with many digits takes the slower path
  fc.assert(
    fc.property(fc.json(), (text) => {
      const marked = `{"mark":"0123456789012345","value":${text}}`
      assert.deepEqual(parseJson(marked), JSON.parse(marked))
    }),
  )
  assert.deepEqual(Object.keys(parseJson('{"__proto__":1e999}') as object), ['__proto__'])
  assert.throws(() => parseJson('{"a":12345678901234567890'), SyntaxError)
})

test('toCanonicalJson returns the same string for all notations of a value', () => {
  const assertSameJson = (...texts: string[]) =>
    assert.equal(new Set(texts.map((text) => toCanonicalJson(parseJson(text)))).size, 1, texts[0])
  const assertDifferentJson = (left: string, right: string) =>
    assert.notEqual(toCanonicalJson(parseJson(left)), toCanonicalJson(parseJson(right)), `${left} ${right}`)
  assertSameJson('{"a":1,"b":[{"c":2,"d":3}]}', '{ "b": [ {"d":3, "c":2} ], "a": 1 }', '{"a":1.0,"b":[{"c":2e0,"d":3}]}')
  assertSameJson('{"10":1,"9":2,"__proto__":3}', '{"__proto__":3,"9":2,"10":1}')
  assertSameJson('{"a":12345678901234567890}', '{"a": 12345678901234567890}')
  assertSameJson('"\\u00e4"', '"ä"')
  assertDifferentJson('{"a":[1,2]}', '{"a":[2,1]}')
  assertDifferentJson('{"a":1}', '{"a":"1"}')
  assertDifferentJson('{"a":null}', '{}')
  assertDifferentJson('{"a":12345678901234567890}', '{"a":12345678901234567891}')
  assertDifferentJson('{"a":12345678901234567890}', '{"a":"12345678901234567890"}')
  assertDifferentJson('{"a":{}}', '{"a":[]}')
  fc.assert(
    fc.property(fc.jsonValue(), (value) =>
      assert.deepEqual(JSON.parse(toCanonicalJson(value)), JSON.parse(JSON.stringify(value))),
    ),
  )
})

test('a JsonText in a value is written unchanged at any depth, and parsed by plain JSON.stringify', () => {
  const first = '{"a": 1.000, "b": [2]}'
  const value = { one: new JsonText(first), two: ['$&', new JsonText('"x"'), null], three: { deep: new JsonText('[]') } }
  assert.equal(writeJson(value), `{"one":${first},"two":["$&","x",null],"three":{"deep":[]}}`)
  assert.equal(JSON.stringify(value.one), '{"a":1,"b":[2]}')
  assert.equal(JSON.stringify({ exact: new JsonText('[1.10000000000000000001]') }), '{"exact":[1.10000000000000000001]}')
  assert.equal(writeJson({ plain: [1, 'two'] }), '{"plain":[1,"two"]}')
  // a value that cannot be written does not affect the next one
  assert.throws(() => writeJson({ one: value.one, big: 1n }))
  assert.equal(JSON.stringify(value.one), '{"a":1,"b":[2]}')
})
