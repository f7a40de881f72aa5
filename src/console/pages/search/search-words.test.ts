import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { matchWords, splitWords } from './search-words.ts'

describe('a search', () => {
  const match = (text: string, title: string, otherWords?: string) => matchWords(splitWords(text), title, otherWords)

  it('matches a title by any of its letters, in any order of words', () => {
    assert.equal(match('ations', 'Locations'), 'title')
    assert.equal(match('  Stock LOW ', 'Low stock'), 'title')
    assert.equal(match('', 'Anything'), 'title')
  })

  it('matches other words by their beginning only', () => {
    assert.equal(match('bin', 'Locations', 'bins, shelf'), 'words')
    assert.equal(match('bin', 'Locations', 'cabinets'), undefined)
    assert.equal(match('fäch', 'Lagerorte', 'Regal, Fächer'), 'words')
    assert.equal(match('qr-code', 'Scan', 'barcode, QR-Code'), 'words')
  })

  it('matches only if each word does', () => {
    assert.equal(match('locations bin', 'Locations', 'bins'), 'words')
    assert.equal(match('locations 7', 'Locations', 'bins'), undefined)
  })
})
