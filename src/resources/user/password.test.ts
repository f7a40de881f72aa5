import assert from 'node:assert/strict'
import { pbkdf2Sync } from 'node:crypto'
import { test } from 'node:test'
import { hash } from '@node-rs/argon2'
import fc from 'fast-check'
import { measureProcessorTime } from '../../testing/timing.ts'
import { hashPassword, MAX_PASSWORD_LENGTH, needsRehash, verifyPassword } from './password.ts'

function hashLikeDjango(password: string, salt = 'lQz0vXk3', iterations = 1000): string {
  return `pbkdf2_sha256$${iterations}$${salt}$${pbkdf2Sync(password, salt, iterations, 32, 'sha256').toString('base64')}`
}

test('a new hash is argon2id, salted, and matches its password alone', async () => {
  const stored = await hashPassword('correct horse')
  assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  assert.notEqual(stored, await hashPassword('correct horse'))
  assert.equal(await verifyPassword('correct horse', stored), true)
  assert.equal(await verifyPassword('correct hors', stored), false)
  assert.equal(needsRehash(stored), false)
})

test('verifyPassword reads hashes of Django', async () => {
  // The published test vector of PBKDF2-HMAC-SHA256: "password" with "salt", one iteration.
  const key = Buffer.from('120fb6cffcf8b32c43e7225256c4f837a86548c92ccc35480805987cb70be17b', 'hex').toString('base64')
  assert.equal(await verifyPassword('password', `pbkdf2_sha256$1$salt$${key}`), true)
  const stored = hashLikeDjango('pässwörd')
  assert.equal(await verifyPassword('pässwörd', stored), true)
  assert.equal(await verifyPassword('passwörd', stored), false)
  assert.equal(needsRehash(stored), true)

  const argon2 = await hash('inventory', { memoryCost: 102_400, timeCost: 2, parallelism: 8 })
  assert.equal(await verifyPassword('inventory', `argon2${argon2}`), true)
  assert.equal(await verifyPassword('inventori', `argon2${argon2}`), false)
  assert.equal(needsRehash(`argon2${argon2}`), true)
  assert.equal(needsRehash(await hash('inventory', { memoryCost: 8192, timeCost: 3 })), true)
})

test('verifyPassword quickly returns false for invalid or too costly hashes', async () => {
  const [, , salt = '', key = ''] = hashLikeDjango('x').split('$')
  const argon2 = (await hashPassword('x')).replace('m=19456', 'm=4294967295')
  const cases = [
    '',
    '!',
    '!1a2b3c',
    'x',
    'pbkdf2_sha256$',
    `pbkdf2_sha256$0$${salt}$${key}`,
    `pbkdf2_sha256$-5$${salt}$${key}`,
    `pbkdf2_sha256$1e3$${salt}$${key}`,
    `pbkdf2_sha256$2000001$${salt}$${key}`,
    `pbkdf2_sha256$99999999999$${salt}$${key}`,
    `pbkdf2_sha256$1000$$${key}`,
    `pbkdf2_sha256$1000$${salt}$`,
    `pbkdf2_sha256$1000$${salt}$${key.slice(4)}`,
    `pbkdf2_sha256$1000$${salt}$${key}$more`,
    `pbkdf2_sha1$1000$${salt}$${key}`,
    argon2,
    argon2.replace('m=4294967295', 'm=1'),
    argon2.replace('m=4294967295,t=2', 'm=19456,t=4000000000'),
    '$argon2id$v=19$m=19456,t=2,p=1$',
    '$argon2i$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$RdescudvJCsgt3ub+b0dWRWJTmaaJObG',
    `$argon2id$v=19$m=8,t=1,p=1$${'A'.repeat(8)}$${'A'.repeat(257)}`,
  ]
  const spentMs = await measureProcessorTime(async () => {
    for (const stored of cases) {
      assert.equal(await verifyPassword('x', stored), false, stored)
      assert.equal(needsRehash(stored), true)
    }
  })
  assert.ok(spentMs < 2000, `${spentMs} ms`)
})

test('verifyPassword does not hash a password of megabytes', async () => {
  const long = 'x'.repeat(MAX_PASSWORD_LENGTH + 1)
  assert.equal(await verifyPassword(long, hashLikeDjango(long)), false)
  assert.throws(() => hashPassword(long), RangeError)
})

test('property: a PBKDF2 hash matches its password and no other', async () => {
  const salt = fc.stringMatching(/^[A-Za-z0-9]{1,32}$/)
  // HMAC pads its key with zeros: a password with trailing zeros equals the one without them
  const stripTrailingZeros = (text: string) => text.replace(/\0+$/, '')
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), fc.string(), salt, async (password, other, pepper) => {
      const stored = hashLikeDjango(password, pepper, 10)
      assert.equal(await verifyPassword(password, stored), true)
      if (stripTrailingZeros(other) !== stripTrailingZeros(password)) assert.equal(await verifyPassword(other, stored), false)
    }),
  )
})

test('property: any stored string is either matched or rejected without an error', async () => {
  const stored = fc.oneof(fc.string(), fc.stringMatching(/^(pbkdf2_sha256|argon2|)\$[a-z0-9$=,]{0,40}$/))
  await fc.assert(fc.asyncProperty(stored, async (text) => assert.equal(await verifyPassword('x', text), false)))
})
