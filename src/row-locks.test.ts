import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findLockingLines } from './row-locks.ts'

describe('the check of row locks', () => {
  it('finds `for update` locks in every notation', () => {
    for (const text of [
      'select from part where pk = $1 for update',
      '  `select from part t order by pk for update of t`,',
      "tx.query('SELECT FROM part FOR UPDATE NOWAIT')",
      "db.select().from(part).for('update')",
    ])
      assert.deepEqual(findLockingLines(`first\n${text}\nlast`), [2], text)
  })

  it('ignores other locks and comments', () => {
    for (const text of [
      'select from part for no key update',
      'select from part for share',
      'select from event for update skip locked',
      'select from event e for update of e skip locked',
      '// not for update',
      ' * Nobody waits for updates.',
      '-- rows are locked for update before',
    ])
      assert.deepEqual(findLockingLines(text), [], text)
  })
})
