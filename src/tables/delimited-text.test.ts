import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { readDelimited, SEPARATORS } from './delimited-text.ts'

const rowsOf = (text: string) => readDelimited(text).rows

describe('a text with a sign between columns', () => {
  it('has the sign by which its headings are known, wherever they stand', () => {
    assert.equal(readDelimited('IPN;Menge\nA;1,5\nB;2,5\n').separator, ';')
    assert.equal(readDelimited('IPN,Qty,Ref\nA,1,"R1; R2"\n').separator, ',')
    assert.equal(readDelimited('IPN\tQty\tRef\nA\t1\tR1, R2\n').separator, '\t')
    assert.equal(readDelimited('IPN|Qty\nA|1\n').separator, '|')
    assert.equal(readDelimited('Title, of it; all\n\nIPN;Qty\nA, b, c;1\nB, b, c;2\nC, b, c;3\n').separator, ';')
  })

  it('has the sign that most rows have as often, where no heading is known', () => {
    assert.equal(readDelimited('A-1;1,5\nB-1;2\n').separator, ';')
    assert.equal(readDelimited('Cover, clear\t2\nScrew, long\t4\n').separator, '\t')
    assert.equal(readDelimited('A-1,2\nB-1,4\n').separator, ',')
  })

  it('has the sign that its first line says, which is no row of the table', () => {
    assert.deepEqual(readDelimited('sep=;\r\nIPN;Qty\r\nA,b;1\r\n'), { separator: ';', rows: [[], ['IPN', 'Qty'], ['A,b', '1']] })
    assert.deepEqual(readDelimited('"sep=|"\nA|1,2,3\n'), { separator: '|', rows: [[], ['A', '1,2,3']] })
    assert.equal(readDelimited('SEP=\t\nA\t1;2;3\n').separator, '\t')
    assert.equal(readDelimited('sep=,\nA;1\n', ';').separator, ';')
  })

  it('may have quotation marks around cells and in them, line ends of any kind, and blank rows', () => {
    assert.deepEqual(rowsOf('a,"b, ""c""\nd",5" pipe\r\n\r\n"5"x,y\rz,'), [
      ['a', 'b, "c"\nd', '5" pipe'],
      [],
      ['5x', 'y'],
      ['z', ''],
    ])
    assert.deepEqual(rowsOf('a,"never closed\nb,c'), [
      ['a', '"never closed'],
      ['b', 'c'],
    ])
    assert.deepEqual(rowsOf('IPN,Qty\n="00123",="2"\n'), [
      ['IPN', 'Qty'],
      ['00123', '2'],
    ])
    assert.deepEqual(rowsOf(''), [])
    assert.deepEqual(readDelimited('a,b\nc,d\ne,f', ',', 2).rows, [
      ['a', 'b'],
      ['c', 'd'],
    ])
  })

  it('is what was written, whatever the cells hold', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\t', '|', '\n', '\r', ' ', 'ü'), maxLength: 6 })
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 }),
        fc.constantFrom(...SEPARATORS),
        fc.constantFrom('\n', '\r\n', '\r'),
        (rows, separator, end) => {
          const text = rows.map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(separator)).join(end)
          assert.deepEqual(readDelimited(text, separator).rows, rows)
        },
      ),
    )
  })
})
