import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
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

test('all problems are in a file if they are more than the report lists', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'stockroom-problems-')), 'problems.txt')
  after(() => rmSync(dirname(path), { recursive: true }))
  for (const [count, isKept] of [
    [100, false],
    [250, true],
  ] as const) {
    const problems = new Problems(path)
    for (let line = count; line > 0; line--) problems.add({ line, record: { model: 'part.part', pk: line }, reason: 'wrong' })
    problems.close()
    assert.equal(existsSync(path), isKept)
    if (!isKept) continue
    assert.equal(problems.describe().at(-1), `and 150 more; ${path} has all, as they were found`)
    const lines = readFileSync(path, 'utf8').trim().split('\n')
    assert.deepEqual([lines.length, lines[0]], [250, 'line 250: part.part 250: wrong'])
  }
})
