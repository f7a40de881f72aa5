import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parsePastedTable } from './pasted-table.ts'

/** Summarizes the columns that name the part and hold the quantity, and the first row. */
const summarize = (text: string) => {
  const table = parsePastedTable(text)
  return table && [table.names, table.quantity, table.rows[0]]
}

describe('a pasted table', () => {
  it('takes its quantity from the column with that heading, never from the last number', () => {
    assert.deepEqual(summarize('SKU\tQty\tUnit price\tTotal\nA-1\t5\t0.2\t1\n'), [[0], 1, ['A-1', '5', '0.2', '1']])
    assert.deepEqual(summarize('Pos;Teil;Preis;Menge;Lager\n1;A-1;2,50;4;7\n'), [[1], 3, ['1', 'A-1', '2,50', '4', '7']])
    assert.deepEqual(summarize('数量,商品编号,单价\n3,C14663,0.1\n'), [[1], 0, ['3', 'C14663', '0.1']])
    assert.deepEqual(summarize('Order of today\n\nArtikel;Anzahl\nA-1;4\n'), [[0], 1, ['A-1', '4']])
  })

  it('has several name columns if the headings say so', () =>
    assert.deepEqual(summarize('Description,MPN,SKU,Qty\nx,M-1,S-1,2\n')?.slice(0, 2), [[2, 1], 3]))

  it('has no quantity column if no heading names it and some columns hold numbers', () => {
    assert.deepEqual(summarize('Part,Price\nA-1,0.2\n')?.[1], undefined)
    assert.deepEqual(summarize('Part\tDrawer\tStock\nA-1\t3\t8\n')?.[1], undefined)
    assert.deepEqual(summarize('Part\tNote\nA-1\tblue\n')?.[1], 'one')
  })

  it('takes the only number column as the quantity if there are no headings, and none of several', () => {
    assert.deepEqual(summarize('A-1\t5\nB-1\t4\n'), [[0], 1, ['A-1', '5']])
    assert.deepEqual(summarize('A-1\t5\tred\nB-1\t4\tblue\n')?.slice(0, 2), [[0], 1])
    assert.deepEqual(summarize('A-1;5;1,20\nB-1;4;0,30\n')?.slice(0, 2), [[0], undefined])
    assert.deepEqual(summarize('A-1\t5\t1.20\nB-1\t4\n')?.slice(0, 2), [[0], undefined])
    assert.deepEqual(summarize('A-1\t5\tA3\nB-1\t4\t7\n')?.slice(0, 2), [[0], undefined])
    assert.deepEqual(summarize('A-1\tred\nB-1\tblue\n')?.slice(0, 2), [[0], undefined])
    assert.deepEqual(summarize('1\tA-1\t5\n2\tB-1\t4\n')?.slice(0, 2), [[], undefined])
    assert.deepEqual(summarize('100234\t5\n100235\t4\n')?.slice(0, 2), [[0], 1])
    assert.deepEqual(summarize('A-1,5\nB-1,4\n')?.slice(0, 2), [[0], 1])
  })

  it('is a list of names, one of each, if it has no numbers', () => {
    assert.deepEqual(summarize('A-1\nB-1\n'), [[0], 'one', ['A-1']])
    assert.deepEqual(summarize('Cover, clear\nScrew, long\n')?.slice(0, 2), [[0], 'one'])
  })

  it('is undefined for a single value', () => {
    for (const text of ['A-1', 'Cover, clear', '', '  \n']) assert.equal(parsePastedTable(text), undefined, text)
    assert.deepEqual(summarize('A-1\t5')?.slice(0, 2), [[0], 1])
  })
})
