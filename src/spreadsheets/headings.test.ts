import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HEADING_WORDS } from './heading-words.ts'
import { areRunningNumbers, findHeadingField, findHeadingRow, selectBodyRows } from './headings.ts'

const splitRows = (text: string) => text.split('\n').map((row) => row.split(','))

describe('findHeadingField', () => {
  it('recognizes the headings of every language and program, each for one field', () => {
    for (const [field, words] of Object.entries(HEADING_WORDS))
      for (const word of Object.values(words).flatMap((list: string) => list.split(/,\s+/)))
        assert.equal(findHeadingField(word)?.field, field, word)
  })

  it('ignores case, accents, punctuation, and text in brackets', () => {
    for (const [word, field] of [
      ['REFERENCE(S)', 'reference'],
      ['Mfr. #:', 'part_mpn'],
      ['Menge [Stk]', 'quantity'],
      ['Quantite', 'quantity'],
      ['JLCPCB Part #（optional）', 'part_sku'],
      ['Ilosc', 'quantity'],
      ['  qty. ', 'quantity'],
      ['Part_IPN', 'part_ipn'],
    ] as const)
      assert.equal(findHeadingField(word)?.field, field, word)
    for (const word of ['#', '', null, 'Build Quantity', 'Unit Price', 'Description', 'In stock', 'Manufacturer', 'Supplier'])
      assert.equal(findHeadingField(word), undefined, String(word))
  })
})

describe('findHeadingRow', () => {
  it('returns the row with the most known headings', () => {
    assert.equal(findHeadingRow(splitRows('Board,\n,\nPart:,Wren\nIPN,Qty,Ref\nR-10K,2,R1')), 3)
    assert.equal(findHeadingRow(splitRows('Quantity:,10\nIPN,Pieces\nR-10K,2')), 1)
  })

  it('returns none when a word only resembles a heading, such as a unit or a shop in the rows', () => {
    assert.equal(findHeadingRow(splitRows('SCR-M3,12,Stk\nNUT-M3,4,Stk')), undefined)
    assert.equal(findHeadingRow(splitRows('SCR-M3,12,Stk')), undefined)
    assert.equal(findHeadingRow(splitRows('SCR-M3,12,Mouser,Stk\nNUT-M3,4,Mouser,Stk')), undefined)
  })

  it('returns the first wide row without numbers, if others have numbers and no heading is known', () => {
    assert.equal(findHeadingRow(splitRows('Title\nFoo,Bar\nx,2\ny,4')), 1)
    assert.equal(findHeadingRow(splitRows('x,2\ny,4')), undefined)
    assert.equal(findHeadingRow(splitRows('x,red\ny,blue')), undefined)
  })
})

describe('cells with row numbers', () => {
  for (const cells of [
    ['1', '2', '3'],
    ['0', '1'],
    ['10', '20', '30'],
    ['1', '2', '4'],
    ['3', '1', '2'],
    ['1', '1', '2'],
    ['1.1', '1.2', '2'],
    ['1'],
    ['1.', '2.'],
  ])
    it(`are ${cells}`, () => assert.equal(areRunningNumbers(cells), true))
  for (const cells of [['R-10K', '1'], ['100234', '100235'], ['00123', '00124'], ['5', '5', '2'], [], ['17', '23'], ['1-1']])
    it(`are not ${cells}`, () => assert.equal(areRunningNumbers(cells), false))
})

describe('selectBodyRows', () => {
  it('returns the rows that have the same filled cells as most rows, without the totals below', () =>
    assert.deepEqual(selectBodyRows(splitRows('1,a,b,c\n2,a,b,c\nTotal:,2,,')), splitRows('1,a,b,c\n2,a,b,c')))
})
