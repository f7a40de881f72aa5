import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { validatePassword } from './password-rules.ts'

const ada = { username: 'ada.lovelace', first_name: 'Augusta', last_name: 'Byron-King', email: 'countess@analytical.example' }

describe('a new password', () => {
  const acceptedPasswords = [
    'Tr0ub4dor-3x',
    'correct horse battery staple',
    'xkcd9361!',
    'p\u00e4\u00dfw\u00f6rter',
    'x-1'.repeat(42),
  ]
  for (const password of acceptedPasswords)
    it(`accepts ${password}`, async () => assert.deepEqual(await validatePassword(password, ada), []))

  const rejectedPasswords: [password: string, ...texts: RegExp[]][] = [
    ['Tr0ub4d', /too short/],
    ['', /too short/],
    ['x-1'.repeat(43), /too long/],
    ['84629175301846', /only of digits/],
    ['\u0668\u0664\u0666\u0662\u0669\u0661\u0667\u0665\u0663\u0660', /only of digits/],
    ['qwertyuiop', /too common/],
    ['QwertyUIOP', /too common/],
    ['12345678', /only of digits/, /too common/],
    ['1234', /too short/, /only of digits/, /too common/],
    ['ada.lovelace', /username/],
    ['Lovelace1', /username/],
    ['ecalevol', /username/],
    ['augusta99', /first name/],
    ['byron-king', /last name/],
    ['countess!', /email/],
    ['Analytical7', /email/],
  ]
  for (const [password, ...texts] of rejectedPasswords)
    it(`rejects ${password}`, async () => {
      const problems = await validatePassword(password, ada)
      assert.equal(problems.length, texts.length, problems.join(' '))
      for (const [index, text] of texts.entries()) assert.match(String(problems[index]), text)
    })

  it('may resemble a name that the account does not have', async () => {
    assert.deepEqual(await validatePassword('Lovelace1', { username: 'grace', email: '' }), [])
  })

  it('is measured in characters, not in code units', async () => {
    assert.match((await validatePassword('\u{1f511}'.repeat(7), ada)).join(), /too short/)
    assert.deepEqual(await validatePassword('\u{1f511}'.repeat(128), ada), [])
  })
})
