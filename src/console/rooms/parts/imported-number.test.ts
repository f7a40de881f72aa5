import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { importedNumber } from './imported-number.ts'

describe('a number out of a file', () => {
  it('is read as the reader writes it, and where that is sure as others do', () => {
    const german = (cell: string) => importedNumber(cell, ',', true)
    const english = (cell: string) => importedNumber(cell, '.', true)
    assert.deepEqual(['1,5', '1.5', '1,500', '0.125', ' 3 '].map(german), ['1.5', '1.5', '1.500', '0.125', ' 3 '])
    assert.deepEqual(['1.5', '1,5', '1.500', ',5', 'some'].map(english), ['1.5', '1.5', '1.500', '0.5', 'some'])
    assert.deepEqual(['1.234,5', '1,234.5', '1.234.567', '12,345,678'].map(german), ['1234.5', '1234.5', '1234567', '12345678'])
  })

  it('is nothing where it may be thousands as well as decimals, unless a workbook has it', () => {
    assert.equal(importedNumber('1,500', '.', true), undefined)
    assert.equal(importedNumber('1.500', ',', true), undefined)
    assert.equal(importedNumber('1.125', ',', false), '1.125')
  })
})
