import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guessColumns } from './guess-columns.ts'

const IPNS = new Set(['R-10K', 'C-100N', '1', '2'])
const known = async (texts: readonly string[]) => new Set(texts.filter((text) => IPNS.has(text)))

describe('what columns mean whose headings are not known', () => {
  it('is guessed of known IPNs and of numbers, but for those that count the rows', async () => {
    const rows = [
      ['10', 'R-10K', 'Resistor', '2,5'],
      ['20', 'C-100N', 'Capacitor', '4'],
      [null, null, null, null],
    ]
    assert.deepEqual(await guessColumns(['', '', '', ''], rows, known), ['', 'part_ipn', '', 'quantity'])
  })

  it('is not guessed where two columns would do, a cell is empty or not known, or a heading says it of another', async () => {
    assert.deepEqual(
      await guessColumns(
        ['', '', ''],
        [
          ['R-10K', '7', '8'],
          ['NEW', '9', '3'],
        ],
        known,
      ),
      ['', '', ''],
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
      ['part_ipn', ''],
    )
    assert.deepEqual(await guessColumns(['part_name', 'quantity', '', ''], [['Screw', '1', 'R-10K', '5']], known), [
      'part_name',
      'quantity',
      '',
      '',
    ])
  })
})
