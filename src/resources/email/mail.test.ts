import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startTestMailServer } from '../../testing/servers/mail.ts'
import { testService } from '../../testing/service.ts'
import { useLink } from '../auth/links.ts'
import { type Mail, sendMail } from './mail.ts'
import type { MailKind } from './mail-texts.ts'

const server = await startTestMailServer()
const service = await testService({
  SMTP_URL: server.url,
  SITE_URL: 'https://stock.example.com/inventory',
  MAIL_FROM: 'The stock <stock@example.com>',
  MAIL_AGAIN_SECONDS: '60',
})
const { services } = service.app.routes

let number = 0

/** Creates an account with its own address. */
async function createAccount(options: { name?: string; address?: string; active?: boolean; verified?: boolean } = {}) {
  const name = options.name ?? `person${++number}`
  const address = options.address ?? `${name}@example.com`
  const [{ pk }] = await service.rows(
    `insert into user_account (username, email, password, is_active) values ($1, $2, 'a hash', $3) returning pk`,
    [name, address, options.active ?? true],
  )
  await service.rows('insert into email_address ("user", email, verified, "primary") values ($1, $2, $3, true)', [
    pk,
    address,
    options.verified ?? false,
  ])
  return { user: pk as number, address, name }
}

const send = (mail: Mail) => services.database.transaction((tx) => sendMail({ ...services, tx }, mail))
const redeemLink = (kind: 'verify' | 'reset' | 'sign_in', token: string) =>
  services.database.transaction((tx) => useLink(tx, kind, token))
const readOutgoingEmails = (address: string) =>
  service.rows('select kind, state, attempts, error from outgoing_mail where address = $1 order by pk', [address])
const findReceivedEmails = (address: string) => server.emails.filter((mail) => mail.recipients.includes(address))

describe('emails', () => {
  test('an email arrives promptly and once, with the right sender, recipient and subject, in text and HTML', async () => {
    const { user, address, name } = await createAccount()
    await send({ kind: 'verify', user, address })
    const mail = await server.next(address)
    assert.deepEqual(mail.recipients, [address])
    assert.equal(mail.to, address)
    assert.equal(mail.from, 'stock@example.com')
    assert.equal(mail.subject, '[Stockroom] Please confirm your email address')
    assert.equal(mail.headers['auto-submitted'], 'auto-generated')
    assert.match(mail.headers['message-id'] ?? '', /^<mail\.\d+\.\d+@stock\.example\.com>$/)
    assert.deepEqual(mail.links, [`https://stock.example.com/inventory/accounts/confirm-email/${mail.token}/`])
    assert.ok(mail.text.includes(mail.links[0] as string))
    assert.ok(mail.text.includes(`the key instead, it is ${mail.token}`))
    assert.ok(mail.text.startsWith(`Hello ${name},`))
    await server.waitUntilIdle(service)
    assert.deepEqual(await readOutgoingEmails(address), [{ kind: 'verify', state: 'sent', attempts: 1, error: null }])
    assert.equal(findReceivedEmails(address).length, 1)
    const link = await redeemLink('verify', mail.token)
    assert.deepEqual([link?.user, link?.address], [user, address])
  })

  test('each kind has its own wording and a working link', async () => {
    const { user, address, name } = await createAccount({ verified: true })
    const uid = user.toString(36)
    for (const kind of ['reset', 'welcome'] as const) {
      await send({ kind, user, address })
      const { links, token, text } = await server.next(address)
      assert.deepEqual(links, [`https://stock.example.com/inventory/platform/set-password?uid=${uid}&token=${token}`])
      assert.match(text, new RegExp(`Your username is ${name}\\.`))
      assert.equal((await redeemLink('reset', token))?.user, user)
    }
    await send({ kind: 'sign_in', user, address })
    const mail = await server.next(address)
    assert.deepEqual(mail.links, [`https://stock.example.com/inventory/api/email/login/?token=${mail.token}`])
    assert.equal((await redeemLink('sign_in', mail.token))?.user, user)
    const noticeKinds: Exclude<MailKind, 'notification' | 'invitation'>[] = [
      'password_changed',
      'address_changed',
      'address_taken',
      'social_linked',
    ]
    for (const kind of noticeKinds) {
      await send({ kind, user, address })
      assert.ok((await server.next(address)).text.includes(name))
    }
  })

  test('neither job nor row holds a secret, and the database does not hold the token of a link', async () => {
    const { user, address } = await createAccount({ verified: true })
    await send({ kind: 'reset', user, address })
    const { token } = await server.next(address)
    await server.waitUntilIdle(service)
    const jobs = await service.rows('select data, output from pgboss.job')
    for (const { data, output } of jobs) {
      assert.deepEqual(Object.keys(data), ['mail'])
      assert.equal(output, null)
    }
    const [{ found }] = await service.rows(
      `select exists (select 1 from account_link l where l::text like $1) or exists (select 1 from outgoing_mail m where m::text like $1) as found`,
      [`%${token}%`],
    )
    assert.equal(found, false)
  })

  test('a transaction that is rolled back sends nothing', async () => {
    const { user, address } = await createAccount()
    const failing = services.database.transaction(async (tx) => {
      await sendMail({ ...services, tx }, { kind: 'verify', user, address })
      throw new Error('changed our mind')
    })
    await assert.rejects(failing, /changed our mind/)
    await server.waitUntilIdle(service)
    assert.deepEqual(await readOutgoingEmails(address), [])
    assert.deepEqual(findReceivedEmails(address), [])
  })

  test('an email that the server temporarily rejects twice is sent at the third attempt', async () => {
    const { user, address } = await createAccount({ verified: true })
    server.rejectNext(2)
    await send({ kind: 'reset', user, address })
    await server.retryNow(service)
    const [row] = await readOutgoingEmails(address)
    assert.deepEqual([row.state, row.attempts], ['queued', 2])
    assert.match(row.error, /451 not now/)
    const job = "select extract(epoch from start_after - now()) as delay from pgboss.job where name = 'mail' and state = 'retry'"
    const [{ delay }] = await service.rows(job)
    assert.ok(Number(delay) >= 30 && Number(delay) < 125, `it is retried in ${delay} seconds`)
    await server.retryNow(service)
    const mail = await server.next(address)
    assert.deepEqual(await readOutgoingEmails(address), [{ kind: 'reset', state: 'sent', attempts: 3, error: null }])
    assert.equal(findReceivedEmails(address).length, 1)
    assert.equal((await redeemLink('reset', mail.token))?.user, user, 'the link of the attempt that arrived works')
  })

  test('a permanently rejected email is not retried', async () => {
    const { user, address } = await createAccount({ verified: true })
    server.rejectNext(1, 550)
    await send({ kind: 'reset', user, address })
    await server.retryNow(service)
    const [row] = await readOutgoingEmails(address)
    assert.deepEqual([row.state, row.attempts], ['failed', 1])
    assert.deepEqual(findReceivedEmails(address), [])
  })

  test('an email with an unknown outcome is not sent again', async () => {
    const { user, address } = await createAccount({ verified: true })
    server.dropConnections()
    await send({ kind: 'password_changed', user, address })
    await server.retryNow(service)
    const [row] = await readOutgoingEmails(address)
    assert.deepEqual([row.state, row.attempts], ['unknown', 1])
    assert.equal(findReceivedEmails(address).length, 1)
  })

  test('an email whose process died during sending is not sent again', async () => {
    const { user, address } = await createAccount({ verified: true })
    await services.database.transaction(async (tx) => {
      const row = await tx.first<{ pk: number }>(
        `insert into outgoing_mail (kind, "user", address, state, attempts) values ('password_changed', $1, $2, 'sending', 1) returning pk`,
        [user, address],
      )
      await services.jobs.send(tx, 'mail', { mail: row?.pk })
    })
    await server.retryNow(service)
    assert.deepEqual(await readOutgoingEmails(address), [
      { kind: 'password_changed', state: 'unknown', attempts: 1, error: 'the sending process ended' },
    ])
    assert.deepEqual(findReceivedEmails(address), [])
  })

  test('several concurrent requests in a short time send one email', async () => {
    const { user, address } = await createAccount({ verified: true })
    await Promise.all([1, 2, 3, 4].map(() => send({ kind: 'reset', user, address })))
    await send({ kind: 'reset', user, address: address.toUpperCase() })
    await server.waitUntilIdle(service)
    assert.equal(findReceivedEmails(address).length, 1)
    await service.rows(`update outgoing_mail set created = created - interval '61 seconds' where address = $1`, [address])
    await send({ kind: 'reset', user, address })
    await server.waitUntilIdle(service)
    assert.equal(findReceivedEmails(address).length, 2)
    await send({ kind: 'password_changed', user, address })
    await send({ kind: 'password_changed', user, address })
    await server.waitUntilIdle(service)
    assert.equal(findReceivedEmails(address).length, 4, 'every change is reported')
  })

  test('an address gets at most five emails of a kind in an hour, however many accounts are registered with it', async () => {
    const address = 'bombed@example.com'
    const ownAccount = await createAccount({ address, verified: true })
    const otherAccounts = []
    for (let round = 0; round < 8; round++) otherAccounts.push(await createAccount({ address }))
    await Promise.all(otherAccounts.map(({ user }) => send({ kind: 'verify', user, address })))
    await send({ kind: 'verify', address: address.toUpperCase() })
    await server.waitUntilIdle(service)
    assert.equal(findReceivedEmails(address).length, 5)
    await send({ kind: 'reset', address })
    await server.waitUntilIdle(service)
    const resets = findReceivedEmails(address).slice(5)
    assert.equal(resets.length, 5, 'each kind has its own limit')
    assert.ok(
      resets.some(({ text }) => text.includes(`Your username is ${ownAccount.name}.`)),
      'the account that verified the address is among them',
    )
    await service.rows(`update outgoing_mail set created = created - interval '61 minutes' where address = $1`, [address])
    await send({ kind: 'reset', ...ownAccount })
    await send({ kind: 'password_changed', ...ownAccount })
    await server.waitUntilIdle(service)
    assert.equal(findReceivedEmails(address).length, 12)
  })

  test('an email to the owner of an address goes to the address as stored in the account', async () => {
    const { user, address } = await createAccount({ verified: true })
    await send({ kind: 'reset', address: address.toUpperCase() })
    const mail = await server.next(address)
    assert.equal((await redeemLink('reset', mail.token))?.user, user)
    await server.waitUntilIdle(service)
    assert.deepEqual(findReceivedEmails(address.toUpperCase()), [])
  })

  test('a look-alike of an address does not match it', async () => {
    // dotless i, the Kelvin sign, and a ligature: other case-folding rules would turn them into i, k and fi
    const { address } = await createAccount({ address: 'mike.fischer@example.com', verified: true })
    for (const lookAlike of ['mıke.fischer@example.com', 'mi\u212Ae.fischer@example.com', 'mike.\uFB01scher@example.com'])
      await send({ kind: 'reset', address: lookAlike })
    await server.waitUntilIdle(service)
    assert.deepEqual(findReceivedEmails(address), [])
  })

  test('no email goes to unregistered or unconfirmed addresses, or to those of a disabled account', async () => {
    const { user } = await createAccount({ verified: true })
    await service.rows('insert into email_address ("user", email) values ($1, $2)', [user, 'typed@example.com'])
    const disabledAccount = await createAccount({ verified: true, active: false })
    const before = server.emails.length
    for (const address of ['nobody@example.com', 'typed@example.com', disabledAccount.address])
      for (const kind of ['reset', 'sign_in'] as const) await send({ kind, address })
    await send({ kind: 'reset', ...disabledAccount })
    await server.waitUntilIdle(service)
    assert.equal(server.emails.length, before)
    await send({ kind: 'verify', address: 'typed@example.com' })
    assert.equal((await redeemLink('verify', (await server.next('typed@example.com')).token))?.user, user)
  })

  test('an address that was removed before its email was sent gets none', async () => {
    const { user, address } = await createAccount()
    await services.database.transaction(async (tx) => {
      await sendMail({ ...services, tx }, { kind: 'verify', user, address })
      await tx.query('delete from email_address where "user" = $1', [user])
    })
    await server.waitUntilIdle(service)
    assert.deepEqual(findReceivedEmails(address), [])
    assert.equal((await readOutgoingEmails(address))[0].state, 'failed')
  })

  test('addresses with line breaks, commas or several addresses get no email', async () => {
    const { user } = await createAccount({ verified: true })
    const before = server.emails.length
    for (const address of [
      'a@example.com\r\nBcc: evil@example.com',
      'a@example.com\nSubject: other',
      'a@example.com, evil@example.com',
      'evil@example.com <a@example.com>',
      '"a b"@example.com',
      'a@example.com\0',
      'a\u2028b@example.com',
      `${'a'.repeat(250)}@example.com`,
      '',
    ])
      await send({ kind: 'password_changed', user, address })
    await server.waitUntilIdle(service)
    assert.equal(server.emails.length, before)
    const [{ count }] = await service.rows(`select count(*)::integer from outgoing_mail where address ~ '[\\s,]'`)
    assert.equal(count, 0)
  })

  test('names with line breaks or HTML stay text, in header and body', async () => {
    const upsertSetting =
      'insert into setting (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value'
    await service.rows(upsertSetting, ['INVENTREE_INSTANCE', 'Tom & <b>Co</b>\r\nBcc: evil@example.com'])
    await services.settings.reload()
    const { user, address } = await createAccount({
      name: 'o"><script>alert(1)</script>\r\n\r\nnew part',
      address: 'odd@example.com',
      verified: true,
    })
    await send({ kind: 'reset', user, address })
    const mail = await server.next(address)
    await service.rows("delete from setting where key = 'INVENTREE_INSTANCE'")
    await services.settings.reload()
    assert.deepEqual(mail.recipients, [address])
    assert.equal(mail.headers.bcc, undefined)
    assert.equal(mail.subject, '[Tom & <b>Co</b> Bcc: evil@example.com] Set a new password')
    assert.ok(!mail.html.includes('<script'))
    assert.ok(mail.html.includes('&lt;script&gt;'))
    assert.ok(mail.text.startsWith('Hello o"><script>alert(1)</script> new part,'))
  })
})
