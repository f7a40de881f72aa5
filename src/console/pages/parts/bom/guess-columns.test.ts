import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guessColumns } from './guess-columns.ts'

const IPNS = new Set(['R-10K', 'C-100N', '1', '2'])
const findKnownIpns = async (texts: readonly string[]) => new Set(texts.filter((text) => IPNS.has(text)))

describe('columns with unknown headings', () => {
  it('are recognized by known part numbers and by numbers, except row numbers', async () => {
    const rows = [
      ['10', 'R-10K', 'Resistor', '2,5'],
      ['20', 'C-100N', 'Capacitor', '4'],
      [null, null, null, null],
    ]
    assert.deepEqual(await guessColumns(['', '', '', ''], rows, findKnownIpns), ['', 'part', '', 'quantity'])
  })

  it('are recognized by most of their cells: one part may be new or missing', async () => {
    const rows = [
      ['first', 'R-10K', '2'],
      ['R-10K', 'NEW', '1'],
      ['third', 'C-100N', '2'],
    ]
    assert.deepEqual(await guessColumns(['', '', ''], [...rows, ['total', null, '5']], findKnownIpns), ['', 'part', 'quantity'])
    assert.deepEqual(
      await guessColumns(
        ['', ''],
        [
          ['R-10K', '7'],
          ['NEW', '9'],
        ],
        findKnownIpns,
      ),
      ['part', 'quantity'],
    )
  })

  it('can include a note column that names the components, if no other column does', async () => {
    const rows = [
      ['R-10K', 'R1'],
      ['C-100N', 'C1'],
    ]
    assert.deepEqual(await guessColumns(['note', 'reference'], rows, findKnownIpns), ['part', 'reference'])
    assert.deepEqual(await guessColumns(['note', 'part_mpn'], rows, findKnownIpns), ['note', 'part_mpn'])
  })

  it('hold quantities if they have numbers and a text column names the parts or some numbers are not IPNs, and name no components if few IPNs are known', async () => {
    // all quantities are IPNs too
    const rows = [
      ['R-10K', '2'],
      ['NEW', '1'],
      ['C-100N', '2'],
    ]
    assert.deepEqual(await guessColumns(['', ''], rows, findKnownIpns), ['part', 'quantity'])
    assert.deepEqual(
      await guessColumns(
        ['', ''],
        [
          ['A', '1'],
          ['B', '2'],
          ['C', '5'],
          ['D', '4'],
        ],
        findKnownIpns,
      ),
      ['', 'quantity'],
    )
    assert.deepEqual(await guessColumns([''], [['R-10K'], ['NEW'], ['NEWER']], findKnownIpns), [''])
  })

  it('are not guessed if two columns would match, a number is missing, or another column has that meaning by its heading', async () => {
    assert.deepEqual(
      await guessColumns(
        ['', '', ''],
        [
          ['R-10K', '7', '8'],
          ['C-100N', '9', '3'],
        ],
        findKnownIpns,
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
        findKnownIpns,
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
        findKnownIpns,
      ),
      ['part', ''],
    )
    assert.deepEqual(await guessColumns(['part_name', 'quantity', '', ''], [['Screw', '1', 'R-10K', '5']], findKnownIpns), [
      'part_name',
      'quantity',
      '',
      '',
    ])
  })
})
