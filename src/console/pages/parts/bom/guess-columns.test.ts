import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guessColumns } from './guess-columns.ts'

const IPNS = new Set(['R-10K', 'C-100N', '1', '2'])
const known = async (texts: readonly string[]) => new Set(texts.filter((text) => IPNS.has(text)))

describe('what columns mean whose headings are not known', () => {
  it('is guessed of known numbers and of numbers, but for those that count the rows', async () => {
    const rows = [
      ['10', 'R-10K', 'Resistor', '2,5'],
      ['20', 'C-100N', 'Capacitor', '4'],
      [null, null, null, null],
    ]
    assert.deepEqual(await guessColumns(['', '', '', ''], rows, known), ['', 'part', '', 'quantity'])
  })

  it('is guessed of what most cells are: one part may be new, or not named', async () => {
    const rows = [
      ['first', 'R-10K', '2'],
      ['R-10K', 'NEW', '1'],
      ['third', 'C-100N', '2'],
    ]
    assert.deepEqual(await guessColumns(['', '', ''], [...rows, ['total', null, '5']], known), ['', 'part', 'quantity'])
    assert.deepEqual(
      await guessColumns(
        ['', ''],
        [
          ['R-10K', '7'],
          ['NEW', '9'],
        ],
        known,
      ),
      ['part', 'quantity'],
    )
  })

  it('may be that of a note, where nothing else names the components', async () => {
    const rows = [
      ['R-10K', 'R1'],
      ['C-100N', 'C1'],
    ]
    assert.deepEqual(await guessColumns(['note', 'reference'], rows, known), ['part', 'reference'])
    assert.deepEqual(await guessColumns(['note', 'part_mpn'], rows, known), ['note', 'part_mpn'])
  })

  it('is no column of numbers where texts name parts, or not all are known, and none where hardly any is', async () => {
    // all quantities are IPNs too
    const rows = [
      ['R-10K', '2'],
      ['NEW', '1'],
      ['C-100N', '2'],
    ]
    assert.deepEqual(await guessColumns(['', ''], rows, known), ['part', 'quantity'])
    assert.deepEqual(
      await guessColumns(
        ['', ''],
        [
          ['A', '1'],
          ['B', '2'],
          ['C', '5'],
          ['D', '4'],
        ],
        known,
      ),
      ['', 'quantity'],
    )
    assert.deepEqual(await guessColumns([''], [['R-10K'], ['NEW'], ['NEWER']], known), [''])
  })

  it('is not guessed where two columns would do, a number is missing, or a heading says it of another', async () => {
    assert.deepEqual(
      await guessColumns(
        ['', '', ''],
        [
          ['R-10K', '7', '8'],
          ['C-100N', '9', '3'],
        ],
        known,
      ),
      ['part', '', ''],
    )
    assert.deepEqual(
      await guessColumns(
        ['', ''],
        [
          ['R-10K', 'C-100N'],
          ['C-100N', 'R-10K'],
        ],
        known,
      ),
      ['', ''],
    )
    assert.deepEqual(
      await guessColumns(
        ['', ''],
        [
          ['R-10K', '4'],
          ['C-100N', null],
        ],
        known,
      ),
      ['part', ''],
    )
    assert.deepEqual(await guessColumns(['part_name', 'quantity', '', ''], [['Screw', '1', 'R-10K', '5']], known), [
      'part_name',
      'quantity',
      '',
      '',
    ])
  })
})
