import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Reading } from '../../../kit/definition/input.ts'
import { FieldError } from '../../../kit/request/errors.ts'
import { Database } from '../../../kit/sql/tx.ts'
import { testService } from '../../../testing/service.ts'
import { createUsernameInput, isNameTaken } from './username-rules.ts'

const service = await testService()
const database = new Database(service.pool)
const usernameInput = createUsernameInput({ required: true })
const read = (value: unknown) => usernameInput.read(value, { references: [] } as unknown as Reading, () => assert.fail())
const assertRejected = (value: unknown, text: RegExp) =>
  assert.throws(
    () => read(value),
    (error) => error instanceof FieldError && text.test(String(error.entry)),
  )

describe('a user name', () => {
  for (const name of ['ada', 'Ada.Lovelace', 'a@b+c-d_e', '7', 'Jürgen', 'Łukasz', 'søren', 'a'.repeat(150)])
    it(`accepts ${name.slice(0, 20)}`, () => assert.equal(read(name), name))

  it('is trimmed', () => assert.equal(read('  ada '), 'ada'))

  it('is normalized', () => {
    assert.equal(read('ＡＤＭＩＮ'), 'ADMIN')
    assert.equal(read('u\u0308ber'), 'über')
  })

  for (const name of ['two words', 'a\r\nBcc: x', 'a\nb', 'a\0b', 'a/b', 'a<b>', 'ada!', 'a\u200bb', 'a\u202eb', '\u0661\u0662'])
    it(`rejects ${JSON.stringify(name)}`, () => assertRejected(name, /letters, digits and any of/))

  it('must be a string, not blank and not too long', () => {
    assertRejected(' ', /blank/)
    assertRejected('a'.repeat(151), /no more than 150/)
    assertRejected({ a: 1 }, /string/)
  })

  for (const name of ['\u0430dmin', 'adm\u0456n', '\u0391dmin', '\u13aadmin', '\u0251dmin', '\u1d00dmin', '名前'])
    it(`must have Latin letters: rejects ${name}`, () => assertRejected(name, /Latin letters only/))
})

describe('checking whether a name is taken', () => {
  const isTaken = (name: string, except?: number) => database.transaction((tx) => isNameTaken(tx, name, except))

  it('ignores case and accents', async () => {
    await service.pool.query(`insert into user_account (username) values ('Jürgen'), ('admin')`)
    for (const name of ['ADMIN', 'jürgen', 'JÜRGEN', 'jurgen', 'ạdmin', 'admın']) assert.equal(await isTaken(name), true, name)
    for (const name of ['admin2', 'j\u00fcrgens']) assert.equal(await isTaken(name), false, name)
  })

  it('lets an account keep its own', async () => {
    assert.equal(await isTaken('Member', service.getPk('member')), false)
  })
})
