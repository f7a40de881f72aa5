import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { measureProcessorTime } from '../../testing/timing.ts'
import { incrementSerial, MAX_SERIAL_NUMBERS, parseSerialNumbers, SerialNumberError, serialInteger } from './serial-numbers.ts'

const parseSerials = (input: string, expected: number, latest: string | null = null) =>
  parseSerialNumbers(input, expected, latest).serials

function listErrors(input: string, expected: number, latest: string | null = null): string[] {
  try {
    return [`no error: ${parseSerials(input, expected, latest)}`]
  } catch (error) {
    if (error instanceof SerialNumberError) return error.messages.map(String)
    throw error
  }
}

/** The accepted forms, as listed by the error for an invalid group. */
const acceptedForms = 'use 1-10, A-001..A-010, A-001+ or A-001+9'

test('parseSerialNumbers reads lists, ranges, counts and the next number', () => {
  assert.deepEqual(parseSerials('1, 2, 4+', 5), ['1', '2', '4', '5', '6'])
  assert.deepEqual(parseSerials('1 3-5 9+2', 7), ['1', '3', '4', '5', '9', '10', '11'])
  assert.deepEqual(parseSerials('~+3', 4, '4'), ['5', '6', '7', '8'])
  assert.deepEqual(parseSerials('1, 2, 3, AF5-69H, 5', 5), ['1', '2', '3', 'AF5-69H', '5'])
  assert.deepEqual(parseSerials('100+', 10).at(-1), '109')
  assert.deepEqual(listErrors('1,2,3', 5), ['Number of unique serial numbers (3) must match quantity (5)'])
  assert.deepEqual(listErrors('10-2', 8), [`Invalid group range: 10-2; ${acceptedForms}`])
  assert.deepEqual(listErrors('11-50', 10), ['Group range 11-50 exceeds allowed quantity (10)'])
  assert.deepEqual(listErrors('1,2,3,3,3', 5), ['Duplicate serial: 3'])
})

test('parseSerialNumbers reads groups', () => {
  assert.deepEqual(parseSerials('7', 1), ['7'])
  assert.deepEqual(parseSerials(' 1,,2 ,\n3, ', 3), ['1', '2', '3'])
  assert.deepEqual(parseSerials('1-2, 4-5', 4), ['1', '2', '4', '5'])
  assert.deepEqual(parseSerials('AB08-AB11', 4), ['AB08', 'AB09', 'AB10', 'AB11'])
  assert.deepEqual(parseSerials('8-11', 4), ['8', '9', '10', '11'])
  assert.deepEqual(parseSerials('A+B-1-C, 5+', 3), ['A+B-1-C', '5', '6'])
  assert.deepEqual(parseSerials('SN-009-A 1', 2), ['SN-009-A', '1'])
  assert.deepEqual(parseSerials('10+2 20+1', 5), ['10', '11', '12', '20', '21'])
  assert.deepEqual(parseSerials('9-10', 1), ['9-10'])
  assert.deepEqual(parseSerials('99999999999999999999+1 x', 3), ['99999999999999999999', '100000000000000000000', 'x'])
})

test('parseSerialNumbers reads serials with letters and hyphens', () => {
  const firstTen = Array.from({ length: 10 }, (_, index) => `A-${String(index + 1).padStart(3, '0')}`)
  assert.deepEqual(parseSerials('A-001..A-010', 10), firstTen)
  assert.deepEqual(parseSerials('A-001+', 10), firstTen)
  assert.deepEqual(parseSerials('A-001+9', 10), firstTen)
  assert.deepEqual(parseSerials('W-905+', 3), ['W-905', 'W-906', 'W-907'])
  assert.deepEqual(parseSerials('2024-003+', 2), ['2024-003', '2024-004'])
  assert.deepEqual(parseSerials('W-901, W-905..W-907', 4), ['W-901', 'W-905', 'W-906', 'W-907'])
  assert.deepEqual(parseSerials('2024-A-9..2024-A-11 7', 4), ['2024-A-9', '2024-A-10', '2024-A-11', '7'])
  assert.deepEqual(parseSerials('8..10', 3), ['8', '9', '10'])
  assert.deepEqual(parseSerials('~..W-907', 3, 'W-904'), ['W-905', 'W-906', 'W-907'])
  for (const range of ['A-001..B-010', 'A-010..A-001', 'A-1..', '..3', '1..2..3', '2024-003', 'A-001..A-1'])
    assert.deepEqual(listErrors(range, 3), [`Invalid group range: ${range}; ${acceptedForms}`])
  assert.deepEqual(listErrors('A-001..A-010', 9), ['Group range A-001..A-010 exceeds allowed quantity (9)'])
  assert.deepEqual(listErrors('A-+', 2), [`Invalid group sequence: A-+; ${acceptedForms}`])
})

test('parseSerialNumbers continues from the latest serial at a tilde', () => {
  assert.deepEqual(parseSerials('~', 1), ['1'])
  assert.deepEqual(parseSerials('~', 1, ''), ['1'])
  assert.deepEqual(parseSerials('~, ~, ~', 3, '99'), ['100', '101', '102'])
  assert.deepEqual(parseSerials('800, ~, 900', 3, '99'), ['800', '100', '900'])
  assert.deepEqual(parseSerials('~+', 3, 'AB08'), ['AB09', 'AB10', 'AB11'])
  assert.deepEqual(parseSerials('~-12', 3, '9'), ['10', '11', '12'])
  assert.deepEqual(listErrors('~', 1, 'ABC'), ['No serial number follows ABC: ~ cannot be used'])
})

test('parseSerialNumbers lists every error once', () => {
  assert.deepEqual(listErrors('', 2), ['No serial numbers found'])
  assert.deepEqual(listErrors(' , ', 2), ['No serial numbers found'])
  assert.deepEqual(listErrors('5-5, 3-1, 001-5, A1-B3, A-B, -5, 5-, 1, 1, 1', 9), [
    ...['5-5', '3-1', '001-5', 'A1-B3', '-5', '5-'].map((range) => `Invalid group range: ${range}; ${acceptedForms}`),
    'Duplicate serial: 1',
  ])
  assert.deepEqual(listErrors('1+x, +3, 1+2+3, A+, 4+9', 4), [
    ...['1+x', '+3', '1+2+3', 'A+'].map((sequence) => `Invalid group sequence: ${sequence}; ${acceptedForms}`),
    'Group sequence 4+9 exceeds allowed quantity (4)',
  ])
  assert.deepEqual(listErrors(`1, ${'x'.repeat(101)}`, 2), [
    'Serial number is longer than 100 characters: xxxxxxxxxxxxxxxxxxxx...',
  ])
  assert.deepEqual(listErrors('1', 1.5), ['Serial numbers need a whole quantity of at least 1'])
  assert.deepEqual(listErrors('1', 0), ['Serial numbers need a whole quantity of at least 1'])
})

test('parseSerialNumbers rejects huge inputs immediately', async () => {
  const inputs: [string, number][] = [
    ['1-1000000000', 3],
    ['1-1000000000', 1_000_000_000],
    ['1+', 1_000_000_000],
    ['1+999999999', 5000],
    ['~ '.repeat(100_000), 100],
    ['1,'.repeat(100_000), 100],
    ['~'.repeat(500_000), 2],
    ['9'.repeat(500_000), 2],
    [`${'9'.repeat(250_000)}-${'9'.repeat(250_001)}`, 2],
    ['9 '.repeat(5000), 4999],
    ['x'.repeat(10_000_000), 1],
  ]
  const spentMs = await measureProcessorTime(() => {
    for (const [input, expected] of inputs)
      assert.throws(() => parseSerials(input, expected, '41'), SerialNumberError, input.slice(0, 20))
  })
  assert.ok(spentMs < 2000, `${spentMs} ms`)
  assert.equal(parseSerials('1+', MAX_SERIAL_NUMBERS).length, MAX_SERIAL_NUMBERS)
})

test('incrementSerial returns the next serial', () => {
  const cases: [string, string | null][] = [
    ['001', '002'],
    ['AB09', 'AB10'],
    ['AB9', 'AB10'],
    ['099', '100'],
    ['999', '1000'],
    ['', '1'],
    ['  ', '1'],
    [' 7 ', '8'],
    ['QQQ', null],
    ['1A', null],
  ]
  for (const [serial, expected] of cases) assert.equal(incrementSerial(serial), expected, serial)
})

test('serialInteger returns the integer that serials are sorted by', () => {
  const cases: [string, number][] = [
    ['', 0],
    ['12', 12],
    ['007', 7],
    ['12AB34', 12],
    ['AB34', 34],
    ['AB', 0],
    ['-5', 5],
    ['2147483648', 2147483647],
    ['9'.repeat(400), 2147483647],
  ]
  for (const [serial, expected] of cases) assert.equal(serialInteger(serial), expected, serial)
})

const group = fc.oneof(
  fc.stringMatching(/^[A-C]?[0-9]{1,3}$/),
  fc.stringMatching(/^[A-C]?[0-9]{1,2}-[A-C]?[0-9]{1,3}$/),
  fc.stringMatching(/^[0-9]{1,3}\+[0-9]{0,2}$/),
  fc.constant('~'),
  fc.stringMatching(/^[-+~A0-9]{1,5}$/),
)

test('property: parsing yields exactly the expected number of distinct serials, or an error', () => {
  fc.assert(
    fc.property(
      fc.array(group, { maxLength: 8 }),
      fc.integer({ min: 1, max: 30 }),
      fc.option(fc.stringMatching(/^[A-C]?[0-9]{0,4}$/)),
      (groups, expected, latest) => {
        try {
          const result = parseSerials(groups.join(', '), expected, latest)
          assert.equal(result.length, expected)
          assert.equal(new Set(result).size, expected)
          assert.ok(result.every((serial) => serial !== '' && !/[\s,]/.test(serial)))
          // Formatting the parsed serials and parsing them again gives the same list.
          assert.deepEqual(parseSerials(result.join(' '), expected), result)
        } catch (error) {
          if (!(error instanceof SerialNumberError)) throw error
          assert.ok(error.messages.length > 0)
        }
      },
    ),
    { numRuns: 1000 },
  )
})

test('property: a range, a filled sequence, a counted sequence and counting by hand agree', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Z]{0,3}[0-9]{1,6}$/), fc.integer({ min: 2, max: 60 }), (first, count) => {
      const counted = [first]
      while (counted.length < count) counted.push(incrementSerial(counted.at(-1) ?? '') ?? assert.fail())
      assert.deepEqual(parseSerials(`${first}-${counted.at(-1)}`, count), counted)
      assert.deepEqual(parseSerials(`${first}+`, count), counted)
      assert.deepEqual(parseSerials(`${first}+${count - 1}`, count), counted)
    }),
  )
})

test('property: the next serial sorts directly after its predecessor', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Z]{0,3}[0-9]{1,9}$/), (serial) => {
      const next = incrementSerial(serial) ?? assert.fail()
      assert.equal(serialInteger(next), serialInteger(serial) + 1)
      assert.ok(next.length >= serial.length)
    }),
  )
})
