import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { toStorableText } from './text.ts'

test('text is converted for storage: UTF-8 without U+0000', () => {
  assert.equal(toStorableText('a\u0000b \ud800 🔩 \u001d'), 'ab \ufffd 🔩 \u001d')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const stored = toStorableText(text)
      assert.equal(Buffer.from(stored).toString(), stored)
      assert.ok(!stored.includes('\u0000'))
    }),
  )
})
