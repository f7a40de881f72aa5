import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hashToken, randomToken, Secrets } from './secrets.ts'

const [currentSecret, formerSecret] = ['the present secret, thirty-two long', 'a previous secret, thirty-two long too']

test('Secrets opens what it sealed, and seals the same text differently each time', () => {
  const secrets = new Secrets([currentSecret])
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      const sealed = secrets.seal('test', text)
      assert.equal(secrets.open('test', sealed), Buffer.from(text).toString())
      assert.notDeepEqual(sealed, secrets.seal('test', text))
    }),
  )
})

test('Secrets opens nothing for another purpose, under another secret, changed or truncated', () => {
  const secrets = new Secrets([currentSecret])
  const sealed = secrets.seal('test', 'a secret of some length')
  assert.equal(secrets.open('another', sealed), undefined)
  assert.equal(new Secrets([formerSecret]).open('test', sealed), undefined)
  for (const [index] of sealed.entries()) {
    const changed = Buffer.from(sealed)
    changed.writeUInt8(changed.readUInt8(index) ^ 1, index)
    assert.equal(secrets.open('test', changed), undefined, `byte ${index}`)
    assert.equal(secrets.open('test', sealed.subarray(0, index)), undefined, `cut at ${index}`)
  }
  for (const nonsense of ['', 'x', 'x'.repeat(100)]) assert.equal(secrets.open('test', Buffer.from(nonsense)), undefined)
})

test('Secrets reads data sealed by a previous secret as long as it is configured', () => {
  const sealed = new Secrets([formerSecret]).seal('test', 'kept')
  assert.equal(new Secrets([currentSecret, formerSecret]).open('test', sealed), 'kept')
  assert.equal(new Secrets([currentSecret]).open('test', sealed), undefined)
})

test('a digest depends on secret and purpose', () => {
  const digest = (secret: string, purpose: string) => new Secrets([secret]).digest(purpose, 'x').toString('hex')
  assert.equal(
    new Set([digest(currentSecret, 'a'), digest(currentSecret, 'b'), digest(formerSecret, 'a'), hashToken('x').toString('hex')])
      .size,
    4,
  )
})

test('a token is long, and fits into a cookie and a URL', () => {
  const all = new Set(Array.from({ length: 1000 }, randomToken))
  assert.equal(all.size, 1000)
  for (const token of all) assert.match(token, /^[\w-]{43}$/)
})
