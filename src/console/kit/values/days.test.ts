import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { date, integer, property, assert as verify } from 'fast-check'
import { addDays, addMonths, isDay, listMonth, listWeek, startOfWeek } from './days.ts'

describe('the days of the calendar', () => {
  it('are those of a month, in whole weeks', () => {
    const weeks = listMonth('2026-11-28', 1)
    assert.deepEqual([weeks.length, weeks[0]?.[0], weeks.at(-1)?.at(-1)], [6, '2026-10-26', '2026-12-06'])
    assert.deepEqual(listMonth('2026-11-01', 7)[0]?.[0], '2026-11-01')
    assert.deepEqual(listWeek('2026-11-28', 1).at(-1), '2026-11-29')
    assert.equal(listMonth('2026-12-31', 1).at(-1)?.at(-1), '2027-01-03')
  })

  it('count through months and leap years', () => {
    assert.deepEqual(
      [
        addDays('2028-02-28', 1),
        addDays('2026-03-01', -1),
        addMonths('2026-01-31', 1),
        addMonths('2026-01-31', -2),
        addMonths('2027-12-15', 1),
      ],
      ['2028-02-29', '2026-02-28', '2026-02-28', '2025-11-30', '2028-01-15'],
    )
    assert.deepEqual(['2026-02-29', '2026-2-1', '0000-00-00', undefined, '2026-11-28'].map(isDay), [
      false,
      false,
      false,
      false,
      true,
    ])
  })

  it('hold for any day and any first day of the week', () => {
    const days = date({ min: new Date('1990-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }).map((day) =>
      day.toISOString().slice(0, 10),
    )
    verify(
      property(days, integer({ min: 1, max: 7 }), (day, first) => {
        const week = listWeek(day, first)
        assert.ok(week.includes(day))
        assert.equal(week[0], startOfWeek(day, first))
        assert.equal(new Date(week[0] as string).getUTCDay() || 7, first)
        const month = listMonth(day, first).flat()
        assert.ok(month.includes(day) && month.length % 7 === 0)
        assert.ok(month.every((one, index) => index === 0 || one === addDays(month[index - 1] as string, 1)))
      }),
    )
  })
})
