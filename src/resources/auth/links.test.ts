import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Database, type Tx } from '../../kit/sql/tx.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { createLink, decodeUid, encodeUid, findAccountsByAddress, findLink, type LinkKind, useLink } from './links.ts'

const { pool, drop } = await createTestDatabase()
const database = new Database(pool)
after(drop)

let number = 0

/** Creates an account with a verified and an unverified address. */
async function createAccount(): Promise<{ user: number; own: string; unverified: string }> {
  const name = `person${++number}`
  const own = `${name}@example.com`
  const unverified = `${name}.unverified@example.com`
  const { rows } = await pool.query('insert into user_account (username, email, password) values ($1, $2, $3) returning pk', [
    name,
    own,
    'a hash',
  ])
  const user = rows[0].pk as number
  await pool.query(
    'insert into email_address ("user", email, verified, "primary") values ($1, $2, true, true), ($1, $3, false, false)',
    [user, own, unverified],
  )
  return { user, own, unverified }
}

const create = (kind: LinkKind, user: number, address: string, lifetime?: number) =>
  database.transaction((tx) => createLink(tx, { kind, user, address }, lifetime))
const use = (kind: LinkKind, token: string | undefined) => database.transaction((tx) => useLink(tx, kind, token as string))
const find = (kind: LinkKind, token: string | undefined) => database.transaction((tx) => findLink(tx, kind, token as string))

/** Runs two requests: the second follows its link after the first did, and before the first commits. */
async function useLinksConcurrently(first: string | undefined, second: string | undefined, change?: (tx: Tx) => unknown) {
  const followed = Promise.withResolvers<void>()
  const firstUse = database.transaction(async (tx) => {
    const link = await useLink(tx, 'reset', first as string)
    followed.resolve()
    await pause(100)
    await change?.(tx)
    return link
  })
  await followed.promise
  const links = await Promise.all([firstUse, use('reset', second)])
  return links.map((link) => link?.user)
}

describe('links in emails', () => {
  test('lead to their account and address, once', async () => {
    const { user, own, unverified } = await createAccount()
    for (const [kind, address] of [
      ['verify', unverified],
      ['reset', own],
      ['sign_in', own],
    ] as const) {
      const token = await create(kind, user, address)
      assert.match(token ?? '', /^[\w-]{43}$/)
      assert.equal((await find(kind, token))?.user, user)
      const link = await use(kind, token)
      assert.deepEqual([link?.user, link?.address], [user, address])
      assert.equal(await use(kind, token), undefined, 'a second time')
      assert.equal(await find(kind, token), undefined)
    }
  })

  test('work for one of two concurrent requests', async () => {
    const { user, own } = await createAccount()
    const token = await create('reset', user, own)
    assert.deepEqual(await useLinksConcurrently(token, token), [user, undefined])
  })

  test('stay valid when the transaction that used them is rolled back', async () => {
    const { user, own } = await createAccount()
    const token = await create('reset', user, own)
    const failing = database.transaction(async (tx) => {
      assert.ok(await useLink(tx, 'reset', token as string))
      throw new Error('the password is too weak')
    })
    await assert.rejects(failing, /too weak/)
    assert.ok(await use('reset', token))
  })

  test('expire after their lifetime', async () => {
    const { user, own } = await createAccount()
    assert.equal(await use('sign_in', await create('sign_in', user, own, -1)), undefined)
    const token = await create('sign_in', user, own)
    await pool.query('update account_link set expires = expires - interval \'301 seconds\' where "user" = $1', [user])
    assert.equal(await use('sign_in', token), undefined)
  })

  test('do not work as another kind, and cannot be guessed', async () => {
    const { user, own } = await createAccount()
    const token = await create('reset', user, own)
    assert.equal(await use('sign_in', token), undefined)
    assert.equal(await use('verify', token), undefined)
    for (const guess of ['', 'x', '0'.repeat(43), `${token}=`, token?.toLowerCase()])
      assert.equal(await use('reset', guess), undefined)
    assert.ok(await use('reset', token))
  })

  test('are not stored', async () => {
    const { user, own } = await createAccount()
    const token = (await create('reset', user, own)) as string
    const { rows } = await pool.query('select token_hash, account_link::text as row from account_link where "user" = $1', [user])
    assert.equal(rows.length, 1)
    assert.ok(!rows[0].row.includes(token))
    assert.equal(await use('reset', rows[0].token_hash.toString('base64url')), undefined, 'the stored hash is not a valid token')
  })

  test('are invalidated by a newer link of the same kind for the same account and address, and by no other', async () => {
    const { user, own, unverified } = await createAccount()
    const [first, signIn, verify] = [
      await create('reset', user, own),
      await create('sign_in', user, own),
      await create('verify', user, unverified),
    ]
    const second = await create('reset', user, own.toUpperCase())
    assert.equal(await use('reset', first), undefined)
    assert.ok(await use('reset', second))
    assert.ok(await use('sign_in', signIn))
    assert.ok(await use('verify', verify))
  })

  test('are invalidated if they sign in, when the password changes, the account is closed, or the address is removed', async () => {
    const changes = [
      "update user_account set password = 'another' where pk = $1",
      'update user_account set is_active = false where pk = $1',
      `with deleted as (delete from email_address where "user" = $1) update user_account set email = '' where pk = $1`,
      'delete from user_account where pk = $1',
    ]
    for (const kind of ['reset', 'sign_in'] as const)
      for (const change of changes) {
        const { user, own } = await createAccount()
        const token = await create(kind, user, own)
        await pool.query(change, [user])
        assert.equal(await use(kind, token), undefined, `${kind}: ${change}`)
      }
  })

  test('sent to two addresses of one account set the password only once', async () => {
    const { user, own } = await createAccount()
    await pool.query(`update user_account set email = 'other.' || email where pk = $1`, [user])
    const setPassword = (tx: Tx) => tx.query("update user_account set password = 'another' where pk = $1", [user])
    const tokens = [await create('reset', user, own), await create('reset', user, `other.${own}`)] as const
    assert.deepEqual(await useLinksConcurrently(...tokens, setPassword), [user, undefined])
  })

  test('are invalidated if they verify an address, when it is verified, removed, or removed and added again', async () => {
    const changes = [
      'update email_address set verified = true where "user" = $1 and not verified',
      'delete from email_address where "user" = $1 and not verified',
      `with deleted as (delete from email_address where "user" = $1 and not verified returning email)
       select email from deleted`,
    ]
    for (const [index, change] of changes.entries()) {
      const { user, unverified } = await createAccount()
      const token = await create('verify', user, unverified)
      await pool.query(change, [user])
      if (index === 2) await pool.query('insert into email_address ("user", email) values ($1, $2)', [user, unverified])
      assert.equal(await use('verify', token), undefined, change)
    }
  })

  test('are not created for unsuitable addresses or closed accounts', async () => {
    const { user, own, unverified } = await createAccount()
    const otherAccount = await createAccount()
    assert.equal(await create('reset', user, unverified), undefined, 'an address that is not verified')
    assert.equal(await create('reset', user, otherAccount.own), undefined, 'an address of another account')
    assert.equal(await create('verify', user, own), undefined, 'an address that is verified already')
    await pool.query('update user_account set is_active = false where pk = $1', [user])
    assert.equal(await create('reset', user, own), undefined, 'a closed account')
    assert.equal(await create('verify', user, unverified), undefined)
  })

  test('sent to the primary address of an account work before it is verified, to another address only afterwards', async () => {
    const { user, own, unverified } = await createAccount()
    await pool.query('update email_address set verified = false where "user" = $1', [user])
    for (const kind of ['reset', 'sign_in'] as const) {
      assert.equal((await use(kind, await create(kind, user, own)))?.user, user)
      assert.equal(await create(kind, user, unverified), undefined)
    }
    await pool.query('update email_address set verified = true where "user" = $1 and email = $2', [user, unverified])
    assert.equal((await use('reset', await create('reset', user, unverified)))?.user, user)
  })

  test('are created and used without a deadlock while another transaction that invalidates them locks the account', async () => {
    const { user, own, unverified } = await createAccount()
    for (const [kind, address] of [
      ['verify', unverified],
      ['reset', own],
    ] as const)
      for (const act of ['create', 'use'] as const) {
        const token = await create(kind, user, address)
        const accountLocked = Promise.withResolvers<void>()
        let isLocked = true
        const endingTransaction = database.transaction(async (tx) => {
          await tx.query('select from user_account where pk = $1 for no key update', [user])
          accountLocked.resolve()
          await pause(100)
          // statements that invalidate links and that change addresses
          await tx.query('delete from account_link where "user" = $1', [user])
          await tx.query('update email_address set created = now() where "user" = $1', [user])
          isLocked = false
        })
        await accountLocked.promise
        const result = await (act === 'create' ? create(kind, user, address) : use(kind, token))
        assert.ok(!isLocked, `${act} ${kind} waits for the account`)
        await endingTransaction
        assert.equal(typeof result, act === 'create' ? 'string' : 'undefined', `${act} ${kind}`)
      }
  })

  test('go to every account with the address, spelled as in that account', async () => {
    const { user, own, unverified } = await createAccount()
    const [otherAccount] = (
      await pool.query("insert into user_account (username, email) values ('same', $1) returning pk", [own.toUpperCase()])
    ).rows
    const findAccounts = (kind: LinkKind, address: string) =>
      database.transaction((tx) => findAccountsByAddress(tx, kind, address))
    assert.deepEqual(await findAccounts('reset', own), [
      { user, address: own },
      { user: otherAccount.pk, address: own.toUpperCase() },
    ])
    await pool.query('update email_address set verified = false where "user" = $1', [user])
    await pool.query('insert into email_address ("user", email, verified) values ($1, $2, true)', [otherAccount.pk, own])
    assert.deepEqual(await findAccounts('reset', own), [
      { user: otherAccount.pk, address: own },
      { user, address: own },
    ])
    await pool.query('delete from email_address where "user" = $1', [otherAccount.pk])
    await pool.query('update email_address set verified = true where "user" = $1 and email = $2', [user, own])
    assert.deepEqual(await findAccounts('verify', unverified.toUpperCase()), [{ user, address: unverified }])
    assert.deepEqual(await findAccounts('reset', unverified), [])
    assert.deepEqual(await findAccounts('verify', own), [])
  })
})

test('account keys are encoded in base 36, and malformed ones are rejected', () => {
  for (const user of [1, 35, 36, 123_456, 2 ** 31 - 1]) assert.equal(decodeUid(encodeUid(user)), user)
  for (const uid of ['', '0', '-1', '1.5', 'A', ' 1', '1\n', 'zzzzzzz', 'zzzzzz', '../1'])
    assert.equal(decodeUid(uid), undefined, uid)
})
