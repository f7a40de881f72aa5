import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isNumber, parseImportedNumber, parseImportedNumbers } from './numbers.ts'

describe('parseImportedNumber', () => {
  it("uses the reader's decimal separator, and the other one when it is unambiguous", () => {
    const german = (cell: string) => parseImportedNumber(cell, ',', true)
    const english = (cell: string) => parseImportedNumber(cell, '.', true)
    assert.deepEqual(['1,5', '1.5', '1,500', '0.125', ' 3 '].map(german), ['1.5', '1.5', '1.500', '0.125', ' 3 '])
    assert.deepEqual(['1.5', '1,5', '1.500', ',5', 'some'].map(english), ['1.5', '1.5', '1.500', '0.5', 'some'])
    assert.deepEqual(['1.234,5', '1,234.5', '1.234.567', '12,345,678'].map(german), ['1234.5', '1234.5', '1234567', '12345678'])
  })

  it('returns undefined for a separator that may also group thousands, except from a workbook', () => {
    assert.equal(parseImportedNumber('1,500', '.', true), undefined)
    assert.equal(parseImportedNumber('1.500', ',', true), undefined)
    assert.equal(parseImportedNumber('1.125', ',', false), '1.125')
  })
})

describe('parseImportedNumbers', () => {
  it("uses the decimal separator shown by one of the numbers, regardless of the reader's", () => {
    assert.deepEqual(parseImportedNumbers(['2,5', '1,500', '3', null], '.', true), ['2.5', '1.500', '3', null])
    assert.deepEqual(parseImportedNumbers(['2.5', '1.500'], ',', true), ['2.5', '1.500'])
    assert.deepEqual(parseImportedNumbers(['2,5 %', '0,125%', '5'], '.', true), ['2.5 %', '0.125%', '5'])
  })

  it("returns undefined for mixed separators, and uses the reader's when the column shows none", () => {
    assert.deepEqual(parseImportedNumbers(['2,5', '1.500'], '.', true), ['2.5', undefined])
    assert.deepEqual(parseImportedNumbers(['1.234,5', '1.500'], '.', true), ['1234.5', undefined])
    assert.deepEqual(parseImportedNumbers(['1,500', '4'], ',', true), ['1.500', '4'])
    assert.deepEqual(parseImportedNumbers(['1,500', '4'], '.', true), [undefined, '4'])
  })

  it('isNumber accepts numbers in any notation', () => {
    assert.ok(['2', '0,5', '.5', '1.500', '1.234,5', ' 7 '].every(isNumber))
    assert.ok(!['', 'R1', '1-2', '4 pcs', '1,2,3'].some(isNumber))
  })
})
