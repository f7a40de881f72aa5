import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { array, constantFrom, integer, property, record, assert as verify } from 'fast-check'
import { sumAmounts } from '../../../kit/values/exact.ts'
import { type ComparedLine, compareBoms, splitReference } from './compare-boms.ts'
import { listBelow, listParents, listVisible, sumCosts } from './tree-rows.ts'

const line = (sub_part: number, quantity: number, reference = '', more: Partial<ComparedLine> = {}): ComparedLine => ({
  sub_part,
  sub_part_detail: null,
  quantity,
  reference,
  optional: false,
  consumable: false,
  ...more,
})

describe('the comparison of two BOMs', () => {
  it('tells added, removed and changed components apart', () => {
    const before = [line(1, 4, 'R1-R4'), line(2, 1, 'U1'), line(3, 0.1), line(4, 2, 'C1, C2'), line(6, 1)]
    const after = [line(5, 1, 'U2'), line(3, 0.3), line(4, 2, 'C2 C3'), line(1, 4, 'R1-R4'), line(6, 1, '', { optional: true })]
    assert.deepEqual(
      compareBoms(before, after).map(({ component, change, quantityChange }) => [component, change, quantityChange]),
      [
        [5, 'added', '1'],
        [3, 'changed', '0.2'],
        [4, 'changed', '0'],
        [1, 'same', '0'],
        [6, 'changed', '0'],
        [2, 'removed', '-1'],
      ],
    )
  })

  it('takes the lines of one component together, exactly and in any order', () => {
    const [difference] = compareBoms([line(1, 0.1, 'A'), line(1, 0.2, 'B')], [line(1, 0.3, 'B, A')])
    assert.equal(difference?.change, 'same')
    assert.deepEqual(splitReference(' R1,R2;R3  R4, R1'), ['R1', 'R2', 'R3', 'R4'])
  })

  it('has no differences between a BOM and itself, and opposite ones in the other direction', () => {
    const lines = array(
      record({
        part: integer({ min: 1, max: 6 }),
        quantity: integer({ min: 1, max: 99_999 }),
        reference: constantFrom('', 'R1', 'R1 R2'),
      }),
    ).map((rows) => rows.map(({ part, quantity, reference }) => line(part, quantity / 100, reference)))
    verify(
      property(lines, lines, (before, after) => {
        assert.ok(compareBoms(before, before).every(({ change }) => change === 'same'))
        const backwards = new Map(compareBoms(after, before).map((one) => [one.component, one]))
        for (const { component, change, quantityChange } of compareBoms(before, after)) {
          const opposite = { added: 'removed', removed: 'added', changed: 'changed', same: 'same' }[change]
          assert.equal(backwards.get(component)?.change, opposite)
          assert.equal(sumAmounts([quantityChange, backwards.get(component)?.quantityChange ?? 0]), '0')
        }
      }),
    )
  })
})

describe('a tree', () => {
  const rows = [1, 2, 3, 3, 2, 1].map((depth) => ({ depth }))

  it('hides what is below collapsed rows', () => {
    assert.deepEqual(listParents(rows), [0, 1])
    assert.deepEqual(listVisible(rows, new Set()), [0, 1, 2, 3, 4, 5])
    assert.deepEqual(listVisible(rows, new Set([1])), [0, 1, 4, 5])
    assert.deepEqual(listVisible(rows, new Set([0, 1])), [0, 5])
  })

  it('sums the costs of the lines directly below', () => {
    assert.deepEqual(listBelow(rows, 0), [rows[1], rows[4]])
    assert.deepEqual(listBelow(rows, -1), [rows[0], rows[5]])
    assert.deepEqual(listBelow(rows, 5), [])
    const costs = [
      { cost_min: '0.1', cost_max: '0.3' },
      { cost_min: '0.2', cost_max: null },
    ]
    assert.deepEqual(sumCosts(costs), { min: '0.3', max: '0.5', isPartial: false })
    assert.deepEqual(sumCosts([...costs, { cost_min: null, cost_max: null }]), { min: '0.3', max: '0.5', isPartial: true })
    assert.deepEqual(sumCosts([]), { min: null, max: null, isPartial: false })
  })
})
