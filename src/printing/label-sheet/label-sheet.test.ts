import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Problem } from '../../kit/request/problem.ts'
import { computeLabelSheet, listCells } from './label-sheet.ts'

const mm = (max: number) => fc.integer({ min: 0, max: max * 10 }).map((tenths) => tenths / 10)

test('labels of a sheet stay within the paper, in order, and never overlap', () => {
  fc.assert(
    fc.property(
      fc.record({ width: mm(300), height: mm(300) }).filter(({ width, height }) => width > 0 && height > 0),
      fc.record({
        page_size: fc.constantFrom('A4' as const, 'A3' as const, 'Legal' as const, 'Letter' as const),
        landscape: fc.boolean(),
        margin_top: mm(100).map(String),
        margin_left: mm(100).map(String),
        column_gap: mm(20).map(String),
        row_gap: mm(20).map(String),
      }),
      (label, options) => {
        const sheet = trySheet(label, options)
        if (!sheet) return
        const cells = listCells(sheet)
        assert.equal(cells.length, sheet.columns * sheet.rows)
        for (const [index, { x, y }] of cells.entries()) {
          assert.ok(x >= Number(options.margin_left) && x + label.width <= sheet.page.width + 0.01)
          assert.ok(y >= Number(options.margin_top) && y + label.height <= sheet.page.height + 0.01)
          const next = cells[index + 1]
          if (!next) continue
          const isInSameRow = next.y === y && next.x >= x + label.width - 0.01
          assert.ok(isInSameRow || (next.y >= y + label.height - 0.01 && next.x === sheet.margin.left))
        }
        // another column or row would not fit, unless there are a hundred
        const right = sheet.margin.left + (sheet.columns + 1) * label.width + sheet.columns * sheet.gap.column
        assert.ok(sheet.columns === 100 || right > sheet.page.width)
      },
    ),
  )
})

function trySheet(...args: Parameters<typeof computeLabelSheet>) {
  try {
    return computeLabelSheet(...args)
  } catch (error) {
    assert.ok(error instanceof Problem && error.status === 400)
    return undefined
  }
}

test('commercial label sheets hold the number of labels that their packaging states', () => {
  const mmPerInch = 25.4
  // 3 x 10 labels of 2.625 by 1 inch on Letter
  const avery = computeLabelSheet(
    { width: 2.625 * mmPerInch, height: mmPerInch },
    { page_size: 'Letter', margin_top: '12.7', margin_left: '4.763', column_gap: '3.175' },
  )
  assert.deepEqual([avery.columns, avery.rows], [3, 10])
  // 4 x 12 labels of 48.5 by 25.4 mm on A4
  const a4 = computeLabelSheet({ width: 48.5, height: 25.4 }, { columns: 4, rows: 11, margin_left: '8', margin_top: '8' })
  assert.deepEqual([a4.columns, a4.rows], [4, 11])
  assert.throws(() => computeLabelSheet({ width: 0.1, height: 300 }, {}), Problem)
})
