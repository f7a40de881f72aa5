import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scaleTimeout } from '../../../testing/slowness.ts'
import { sortIntoSteps } from './price-order.ts'

const toDependencies = (edges: [number, number][]) => edges.map(([below, above]) => ({ below, above }))

test('parts that depend on a loop come after it, and only parts of loops are cyclic', () => {
  // 1 and 2 depend on one another, 3 on 2, 4 on itself, 5 on 3 and 4
  const { steps, cyclicParts } = sortIntoSteps(
    [5, 3, 1, 2, 4],
    toDependencies([
      [1, 2],
      [2, 1],
      [2, 3],
      [4, 4],
      [3, 5],
      [4, 5],
    ]),
  )
  const order = steps.flat()
  assert.deepEqual([...order].sort(), [1, 2, 3, 4, 5])
  assert.ok(order.indexOf(3) > order.indexOf(2) && order.indexOf(3) > order.indexOf(1))
  assert.equal(order.at(-1), 5)
  assert.equal(cyclicParts.length, 2)
  assert.ok(cyclicParts.includes(4) && cyclicParts.every((part) => part !== 3 && part !== 5))
})

test('many loops take no longer than the same number of parts', { timeout: scaleTimeout(20_000) }, () => {
  const count = 60_000
  const parts = Array.from({ length: count }, (_, index) => index)
  // parts form pairs that depend on one another
  const { steps, cyclicParts } = sortIntoSteps(parts, toDependencies(parts.map((part) => [part, part ^ 1])))
  assert.equal(steps.flat().length, count)
  assert.equal(cyclicParts.length, count / 2)
})
