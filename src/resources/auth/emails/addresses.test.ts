import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import type { Tx } from '../../../kit/sql/tx.ts'
import { startTestMailServer } from '../../../testing/servers/mail.ts'
import { testService } from '../../../testing/service.ts'
import { addAddress, findOwner, makePrimary, verifyAddress } from './addresses.ts'

const mailServer = await startTestMailServer()
const service = await testService({ SMTP_URL: mailServer.url, MAIL_AGAIN_SECONDS: '0' })
const { services } = service.app.routes

type Account = Parameters<typeof service.getPk>[0]
type Options = Parameters<typeof addAddress>[3]

beforeEach(async () => {
  await mailServer.waitUntilIdle(service)
  mailServer.emails.length = 0
  await service.rows('delete from email_address')
  await service.rows('delete from security_event')
  await service.rows("update user_account set email = ''")
})

const inTransaction = <T>(callback: (context: typeof services & { tx: Tx }) => Promise<T>) =>
  services.database.transaction((tx) => callback({ ...services, tx }))
const add = (name: Account, email: string, options?: Options) =>
  inTransaction((context) => addAddress(context, service.getPk(name), email, options))
const verify = (pk: number) => inTransaction((context) => verifyAddress(context, pk))
const readAddresses = (name: Account) =>
  service.rows('select email, verified, "primary" from email_address where "user" = $1 order by pk', [service.getPk(name)])
const readOwnAddress = async (name: Account) =>
  (await service.rows('select email from user_account where pk = $1', [service.getPk(name)]))[0].email

describe('verifying an address', () => {
  it('succeeds for one account; a second account stays unchanged', async () => {
    const mine = await add('member', 'same@a.example')
    const theirs = await add('viewer', 'SAME@a.example')
    assert.deepEqual([await verify(mine.pk), await verify(theirs.pk), await verify(mine.pk)], [true, false, true])
    assert.deepEqual(await readAddresses('viewer'), [{ email: 'SAME@a.example', verified: false, primary: false }])
    assert.equal(await readOwnAddress('viewer'), '')
    assert.equal(await inTransaction(({ tx }) => findOwner(tx, 'Same@a.example')), service.getPk('member'))
  })

  it('succeeds for exactly one of several concurrent accounts', async () => {
    for (let round = 0; round < 5; round++) {
      const accounts = ['nobody', 'viewer', 'member', 'staff', 'superuser'] as const
      const all = await Promise.all(accounts.map((name) => add(name, `race${round}@a.example`)))
      const outcomes = await Promise.all(all.map(({ pk }) => verify(pk)))
      assert.equal(outcomes.filter(Boolean).length, 1)
    }
  })

  it('makes it the primary one only if there is none', async () => {
    const one = await add('member', 'one@a.example')
    await inTransaction((context) => makePrimary(context, one.pk))
    await verify((await add('member', 'two@a.example')).pk)
    assert.deepEqual(await readAddresses('member'), [
      { email: 'one@a.example', verified: false, primary: true },
      { email: 'two@a.example', verified: true, primary: false },
    ])
    assert.deepEqual(
      (await service.rows('select kind from security_event order by pk')).map(({ kind }) => kind),
      ['address_added', 'address_primary', 'address_added', 'address_verified'],
    )
  })
})

describe('adding an address for registration and single sign-on', () => {
  it('makes the first address of a new account its primary one and its own, still unverified', async () => {
    const added = await add('nobody', 'new@a.example', { primary: true })
    assert.deepEqual([added.primary, added.verified], [true, false])
    assert.equal(await readOwnAddress('nobody'), 'new@a.example')
    await mailServer.next('new@a.example')
  })

  it('leaves the email to its caller on request', async () => {
    await add('nobody', 'silent@a.example', { primary: true, mails: false })
    assert.deepEqual(await service.rows("select from outgoing_mail where address = 'silent@a.example'"), [])
  })

  it('verifies a trusted address without an email, unless another account has verified it', async () => {
    const added = await add('nobody', 'sso@a.example', { proven: true })
    assert.deepEqual([added.primary, added.verified], [true, true])
    assert.equal((await add('staff', 'sso@a.example', { proven: true })).verified, false)
    await mailServer.waitUntilIdle(service)
    assert.deepEqual(mailServer.emails, [])
  })

  it('keeps a verified primary address as the primary one', async () => {
    await add('nobody', 'one@a.example', { proven: true })
    assert.equal((await add('nobody', 'two@a.example', { primary: true })).primary, false)
    assert.equal(await readOwnAddress('nobody'), 'one@a.example')
  })
})
