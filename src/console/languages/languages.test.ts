import assert from 'node:assert/strict'
import { it } from 'node:test'
import { de } from './de.ts'
import { en } from './en.ts'

const listPlaceholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([placeholder]) => placeholder).sort()

it('every language has the same keys with the same placeholders, and no empty text', () => {
  assert.deepEqual(Object.keys(de).sort(), Object.keys(en).sort())
  for (const [key, text] of Object.entries(en)) {
    const translated = de[key as keyof typeof en]
    assert.ok(text.trim() && translated.trim(), key)
    assert.deepEqual(listPlaceholders(translated), listPlaceholders(text), key)
  }
})
