import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { measureProcessorTime } from '../testing/timing.ts'
import {
  checkPattern,
  checkReference,
  formatNextReference,
  MAX_REFERENCE_LENGTH,
  parseReferenceInteger,
} from './reference-pattern.ts'

const now = new Date('2024-05-01T12:00:00Z')
const matches = (pattern: string, reference: string) => checkReference(pattern, reference) === null

test('next references, matches and integers of a pattern', () => {
  assert.equal(formatNextReference('PO-{ref:04d}', 7, now), 'PO-0008')
  assert.equal(formatNextReference('RMA-{ref:04d}', 6, now), 'RMA-0007')
  assert.equal(formatNextReference('XYZ-{ref:06d}', parseReferenceInteger('XYZ-{ref:06d}', 'XYZ-987'), now), 'XYZ-000988')
  assert.equal(formatNextReference('PO-{ref:04d}', null, now), 'PO-0001')
  for (const reference of ['BO-123', 'BO-9999', 'BO-1', 'BO-123456', ' BO-1 '])
    assert.ok(matches('BO-{ref:04d}', reference), reference)
  for (const reference of ['BO-1234x', 'BO1234', 'BO--1234', 'BO-', 'xBO-1', 'bo-1', 'BO-١']) {
    assert.equal(String(checkReference('BO-{ref:04d}', reference)), 'Reference must match required pattern: BO-{ref:04d}')
  }
  for (const reference of ['BO-123-456', 'BO-123ABC-ABC', 'BO-ABC123-ABC']) {
    assert.ok(matches('BO-{ref}-???', reference))
    assert.equal(parseReferenceInteger('BO-{ref}-???', reference), 123, reference)
  }
  assert.ok(matches('PO-{ref:04d}', 'PO-92233720368547758089999999999999999'))
  assert.equal(parseReferenceInteger('PO-{ref:04d}', 'PO-92233720368547758089999999999999999'), 2147483647)
  assert.equal(String(checkReference('PO-{ref:04d}', '  ')), 'Reference field cannot be empty')
})

test('patterns without a hyphen, with wildcards, braces and dates', () => {
  assert.ok(matches('PO{ref:04d}', 'PO0001'))
  assert.equal(parseReferenceInteger('PO{ref:04d}', 'PO0012'), 12)
  assert.equal(formatNextReference('PO{ref:04d}', 12, now), 'PO0013')
  assert.ok(matches('?#-{ref:d}', 'x7-1') && !matches('?#-{ref:d}', 'xx-1') && !matches('?#-{ref:d}', 'xx7-1'))
  assert.equal(formatNextReference('?#-{ref:d}', 4, now), '?0-5')
  assert.equal(formatNextReference('{{{ref}}}', 4, now), '{5}')
  assert.ok(matches('{{{ref}}}', '{5}'))
  assert.equal(formatNextReference('{date:%Y-%m}/{ref:03d}', 4, now), '2024-05/005')
  assert.equal(formatNextReference('{date}-{ref}', 4, now), '2024-05-01-5')
  assert.equal(parseReferenceInteger('{date:%y}{ref:04d}', '240012'), 12)
  assert.equal(parseReferenceInteger('{date}-{ref}', '2024-05-01 10:11:12.131415-16'), 16)
  assert.ok(matches('a.b+({ref:d})', 'a.b+(1)') && !matches('a.b+({ref:d})', 'axb+(1)'))
})

test('an empty or unusable pattern checks nothing', () => {
  for (const pattern of ['', '  ', 'no ref', '{ref', '{ref:0999999d}']) {
    assert.ok(matches(pattern, 'anything'))
    assert.equal(parseReferenceInteger(pattern, 'anything-12'), 12)
    assert.equal(formatNextReference(pattern, 12, now), '13')
  }
})

test('the integer of a reference that does not match comes from the whole string', () => {
  assert.equal(parseReferenceInteger('PO-{ref:04d}', '77-old'), 77)
  assert.equal(parseReferenceInteger('PO-{ref:04d}', 'old-77'), 77)
  assert.equal(parseReferenceInteger('PO-{ref:04d}', 'old'), 0)
})

test('checkPattern reports the errors of a pattern', () => {
  for (const pattern of ['PO-{ref:04d}', 'BO-{ref}-???', '{ref:d}', '{ref:06}', '###{ref}{date:%d}', 'PO{ref:04d}']) {
    assert.deepEqual(checkPattern(pattern), [], pattern)
  }
  assert.deepEqual(checkPattern('no ref').map(String), ["Missing required format key: 'ref'"])
  assert.deepEqual(checkPattern('').map(String), ["Missing required format key: 'ref'"])
  assert.deepEqual(checkPattern('{x}-{ref}-{date.year}').map(String), [
    "Unknown format key specified: 'x'",
    "Unknown format key specified: 'date.year'",
  ])
  assert.deepEqual(checkPattern('{}').map(String), ["Unknown format key specified: ''", "Missing required format key: 'ref'"])
  const invalidPatterns = [
    'PO-{{ref}',
    'PO-{ref}}',
    'PO-{ref}-{',
    '{ref}{ref}',
    '{ref}{date}{date}',
    '{ref:4d}',
    '{ref:x}',
    '{ref:{date}}',
    '{ref:04f}',
    '{ref}{date:%Q}',
    '{ref:0999999d}',
    `{ref:0${'9'.repeat(100)}d}`,
    `{ref}${'x'.repeat(64)}`,
    `{ref}${'?'.repeat(500)}`,
    '{ref:064d}-',
  ]
  for (const pattern of invalidPatterns)
    assert.ok(checkPattern(pattern)[0]?.message.startsWith('Improperly formatted pattern: '), pattern)
})

test('matching is fast for every pattern and text', async () => {
  const patterns = [
    `${'?'.repeat(60)}{ref}`,
    `{ref}${'?'.repeat(60)}`,
    '{ref}{date:%B%B%B%B%B}',
    `{date:${'%a'.repeat(20)}}{ref:d}`,
  ]
  const elapsedMs = await measureProcessorTime(() => {
    for (const pattern of patterns) {
      assert.deepEqual(checkPattern(pattern), [])
      for (const text of ['1'.repeat(64), 'May'.repeat(21), 'x'.repeat(5_000_000)]) parseReferenceInteger(pattern, text)
    }
  })
  assert.ok(elapsedMs < 1000, `${elapsedMs} ms`)
})

const literal = fc.oneof(
  fc.stringMatching(/^[-A-Za-z0-9./ +*()[\]\\^$|]{0,6}$/),
  fc.stringMatching(/^[?#]{1,3}$/),
  fc.constantFrom('{{', '}}', 'é', '単'),
)
const numberKey = fc.constantFrom('{ref}', '{ref:d}', '{ref:04d}', '{ref:06}', '{ref:012d}')
const dateKey = fc.constantFrom('', '{date}', '{date:%Y}', '{date:%y%m%d}', '{date:%b %d}', '{date:%B}', '{date:%G-W%V}')
const validPattern = fc
  .tuple(literal, dateKey, literal, numberKey, literal, dateKey, literal)
  .map(([a, first, b, ref, c, second, d]) => a + first + b + ref + c + (first === '' ? second : '') + d)
  .filter((pattern) => pattern === pattern.trim() && checkPattern(pattern).length === 0)

test('property: the next reference matches its own pattern and is one higher', () => {
  const dates = fc.date({ min: new Date('2000-01-01'), max: new Date('2999-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(validPattern, fc.integer({ min: 0, max: 2147483646 }), dates, (pattern, latest, date) => {
      const reference = formatNextReference(pattern, latest, date)
      fc.pre(reference.length <= MAX_REFERENCE_LENGTH)
      assert.equal(checkReference(pattern, reference), null)
      assert.equal(parseReferenceInteger(pattern, reference), latest + 1)
    }),
    { numRuns: 1000 },
  )
})

test('property: any pattern and any text give a result', () => {
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 80 }), fc.stringMatching(/^[{}?#a-z:0-9%-]{0,30}$/), validPattern)
  fc.assert(
    fc.property(text, text, (pattern, reference) => {
      checkPattern(pattern)
      checkReference(pattern, reference)
      const integer = parseReferenceInteger(pattern, reference)
      assert.ok(Number.isInteger(integer) && integer >= 0 && integer <= 2147483647)
    }),
    { numRuns: 1000 },
  )
})
