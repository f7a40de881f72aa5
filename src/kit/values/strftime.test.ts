import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { escapeExpression, isoWeek, parseDateFormat } from './strftime.ts'

const render = (format: string, instant: string) => parseDateFormat(format)?.render(new Date(instant))

test('parseDateFormat() supports the directives of C and Python', () => {
  const instant = '2024-05-01T15:04:05.678Z'
  assert.equal(render('%Y-%m-%d %H:%M:%S.%f', instant), '2024-05-01 15:04:05.678000')
  assert.equal(render('%a %A %b %B %p %I', instant), 'Wed Wednesday May May PM 03')
  assert.equal(render('%y %j %w %u %G-W%V %U %W 100%%', instant), '24 122 3 3 2024-W18 17 18 100%')
  assert.equal(render('%U %W', '2023-01-01T00:00:00Z'), '01 00')
  assert.equal(render('', instant), '')
  assert.equal(parseDateFormat('%Q'), null)
  assert.equal(parseDateFormat('%'), null)
})

test('isoWeek() numbers weeks by ISO 8601', () => {
  assert.deepEqual(isoWeek(new Date('2021-01-03T23:59:59Z')), { year: 2020, week: 53 })
  assert.deepEqual(isoWeek(new Date('2021-01-04T00:00:00Z')), { year: 2021, week: 1 })
  assert.deepEqual(isoWeek(new Date('2024-12-30T00:00:00Z')), { year: 2025, week: 1 })
})

test('property: the expression of a format matches every string it renders', () => {
  const pieces = fc.constantFrom(...'YymdjHIMSfwuVGUWpaAbB%'.split('').map((letter) => `%${letter}`), '-', '.', '(x', 'é')
  const instants = fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(fc.array(pieces), instants, (format, instant) => {
      const dateFormat = parseDateFormat(format.join('')) ?? assert.fail()
      assert.match(dateFormat.render(instant), new RegExp(`^${dateFormat.expression}$`, 'u'))
    }),
  )
})

test('property: an escaped string matches itself and nothing shorter', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (text) => {
      const expression = new RegExp(`^${escapeExpression(text)}$`, 'u')
      assert.match(text, expression)
      assert.doesNotMatch(text.slice(1), expression)
    }),
  )
})
