import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { readDelimited, SEPARATORS } from './delimited-text.ts'

const readRows = (text: string) => readDelimited(text).rows

describe('readDelimited', () => {
  it('uses the separator with the most known headings, in any row', () => {
    assert.equal(readDelimited('IPN;Menge\nA;1,5\nB;2,5\n').separator, ';')
    assert.equal(readDelimited('IPN,Qty,Ref\nA,1,"R1; R2"\n').separator, ',')
    assert.equal(readDelimited('IPN\tQty\tRef\nA\t1\tR1, R2\n').separator, '\t')
    assert.equal(readDelimited('IPN|Qty\nA|1\n').separator, '|')
    assert.equal(readDelimited('Title, of it; all\n\nIPN;Qty\nA, b, c;1\nB, b, c;2\nC, b, c;3\n').separator, ';')
  })

  it('uses the separator with the most consistent rows if no heading is known', () => {
    assert.equal(readDelimited('A-1;1,5\nB-1;2\n').separator, ';')
    assert.equal(readDelimited('Cover, clear\t2\nScrew, long\t4\n').separator, '\t')
    assert.equal(readDelimited('A-1,2\nB-1,4\n').separator, ',')
  })

  it('uses the separator in a `sep=` line, which is not part of the table', () => {
    assert.deepEqual(readDelimited('sep=;\r\nIPN;Qty\r\nA,b;1\r\n'), { separator: ';', rows: [[], ['IPN', 'Qty'], ['A,b', '1']] })
    assert.deepEqual(readDelimited('"sep=|"\nA|1,2,3\n'), { separator: '|', rows: [[], ['A', '1,2,3']] })
    assert.equal(readDelimited('SEP=\t\nA\t1;2;3\n').separator, '\t')
    assert.equal(readDelimited('sep=,\nA;1\n', ';').separator, ';')
  })

  it('reads quotation marks around and inside cells, line ends of any kind, and blank rows', () => {
    assert.deepEqual(readRows('a,"b, ""c""\nd",5" pipe\r\n\r\n"5"x,y\rz,'), [
      ['a', 'b, "c"\nd', '5" pipe'],
      [],
      ['5x', 'y'],
      ['z', ''],
    ])
    assert.deepEqual(readRows('a,"never closed\nb,c'), [
      ['a', '"never closed'],
      ['b', 'c'],
    ])
    assert.deepEqual(readRows('IPN,Qty\n="00123",="2"\n'), [
      ['IPN', 'Qty'],
      ['00123', '2'],
    ])
    assert.deepEqual(readRows(''), [])
    assert.deepEqual(readDelimited('a,b\nc,d\ne,f', ',', 2).rows, [
      ['a', 'b'],
      ['c', 'd'],
    ])
  })

  it('reads any cells back as they were written', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\t', '|', '\n', '\r', ' ', 'ü'), maxLength: 6 })
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 }),
        fc.constantFrom(...SEPARATORS),
        fc.constantFrom('\n', '\r\n', '\r'),
        (rows, separator, end) => {
          const text = rows.map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`).join(separator)).join(end)
          assert.deepEqual(readDelimited(text, separator).rows, rows)
        },
      ),
    )
  })
})
