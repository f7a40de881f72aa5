import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { constantFrom, option, property, record, string, tuple, assert as verify } from 'fast-check'
import {
  findTemplateKey,
  formatConditions,
  type ParameterConditions,
  parseConditions,
  readConditions,
  toQuery,
} from './parameter-query.ts'

const FARAD = { units: 'F' }
const TEXT = { units: '' }

describe('filters by parameters, as people type them', () => {
  const cases: [string, { units: string }, ParameterConditions | undefined][] = [
    ['', FARAD, {}],
    ['10k', { units: 'ohm' }, { is: '10k' }],
    ['4k7', { units: 'ohm' }, { is: '4k7' }],
    ['4.7 to 10 uF', FARAD, { gte: '4.7 uF', lte: '10 uF' }],
    ['4,7 bis 10uF', FARAD, { gte: '4,7uF', lte: '10uF' }],
    ['100 nF - 1 uF', FARAD, { gte: '100 nF', lte: '1 uF' }],
    ['100n..1u', FARAD, { gte: '100n', lte: '1u' }],
    ['100n–1u', FARAD, { gte: '100n', lte: '1u' }],
    ['10k-22k', { units: 'ohm' }, { gte: '10k', lte: '22k' }],
    // a bound that would be the larger one with that unit is in the units of the parameter
    ['100 to 10k', { units: 'ohm' }, { gte: '100', lte: '10k' }],
    ['1 to 4k7', { units: 'ohm' }, { gte: '1', lte: '4k7' }],
    ['-40 to 85 degC', { units: 'degC' }, { gte: '-40 degC', lte: '85 degC' }],
    ['1e-3', FARAD, { is: '1e-3' }],
    ['-5', FARAD, { is: '-5' }],
    ['>= 50 V', { units: 'V' }, { gte: '50 V' }],
    ['≥50', { units: 'V' }, { gte: '50' }],
    ['> 1 V <= 5 V', { units: 'V' }, { gt: '1 V', lte: '5 V' }],
    ['!= 5 V', { units: 'V' }, { ne: '5 V' }],
    ['> 5 > 6', { units: 'V' }, undefined],
    ['>=', { units: 'V' }, undefined],
    ['5 V > 3', { units: 'V' }, { is: '5 V > 3' }],
    ['blue', TEXT, { icontains: 'blue' }],
    ['= blue', TEXT, { is: 'blue' }],
    ['SOT to 23', TEXT, { icontains: 'SOT to 23' }],
    ['4 to 16', TEXT, { gte: '4', lte: '16' }],
    ['>= 2,5', TEXT, { gte: '2.5' }],
    ['8', TEXT, { is: '8' }],
  ]
  for (const [typed, template, expected] of cases)
    it(`reads ${JSON.stringify(typed)} ${template.units ? `in ${template.units}` : 'as text'}`, () =>
      assert.deepEqual(parseConditions(typed, template), expected))

  it('shows what it has read in words that read the same', () => {
    const value = tuple(constantFrom('4.7', '10', '0.1', '-40', '1e-3', '4k7'), constantFrom('', ' uF', 'n', ' V', 'k')).map(
      (parts) => parts.join(''),
    )
    const typed = tuple(
      constantFrom('', '>= ', '> ', '< ', '= ', '≠ '),
      value,
      constantFrom('', ' to ', ' - ', '..', ' < '),
      value,
    ).map(([sign, low, between, high]) =>
      between === '' ? sign + low : `${between.includes('<') ? '> ' : ''}${low}${between}${high}`,
    )
    verify(
      property(typed, constantFrom(FARAD, TEXT), constantFrom('to', 'bis'), (text, template, to) => {
        const conditions = parseConditions(text, template)
        if (conditions) assert.deepEqual(parseConditions(formatConditions(conditions, template, to), template), conditions)
      }),
      { numRuns: 2_000 },
    )
  })

  it('never fails on any text, and keeps any text in the URL', () => {
    const part = option(string({ minLength: 1, maxLength: 12 }), { nil: undefined })
    verify(property(string({ unit: 'grapheme', maxLength: 100 }), (text) => void parseConditions(text, FARAD)))
    verify(
      property(record({ is: part, gte: part, lt: part, in: part }), (given) => {
        const conditions = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
        const query = toQuery(7, conditions)
        assert.deepEqual(
          readConditions(7, (name) => query[name]),
          conditions,
        )
        for (const name of Object.keys(query)) assert.equal(findTemplateKey(name), 7)
      }),
    )
  })
})
