import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problems } from './report.ts'

test('a report of many problems lists the first ones of the file, in whatever order they are found, and counts the others', () => {
  const problems = new Problems()
  const lines = Array.from({ length: 10_000 }, (_, n) => ((n * 7919) % 10_000) + 1)
  for (const line of lines) problems.add({ line, record: { model: 'part.part', pk: line }, reason: 'wrong' })
  assert.equal(problems.count, 10_000)
  const description = problems.describe()
  assert.deepEqual(
    description.slice(0, -1),
    Array.from({ length: 100 }, (_, n) => `line ${n + 1}: part.part ${n + 1}: wrong`),
  )
  assert.equal(description.at(-1), 'and 9900 more')
})
