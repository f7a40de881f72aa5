import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startTestMailServer } from '../../../../testing/servers/mail.ts'
import { assertCallers, CALLERS, testService } from '../../../../testing/service.ts'

const mail = await startTestMailServer()
const environment = {
  SMTP_URL: mail.url,
  MAIL_AGAIN_SECONDS: '0',
  TRUST_PROXY: 'true',
  REGISTRATION_RATE: '1000',
  SIGN_IN_RATE: '1000',
}
const service = await testService(environment)
const VERIFY = '/api/auth/registration/verify-email/'
const RESEND = '/api/auth/registration/resend-email/'
const PASSWORD = 'Tr0ub4dor-3x'

let clientCount = 0
/** A new network address each time, so that one test does not use up the rate limit of another. */
const createClientHeaders = () => ({ 'x-forwarded-for': `10.3.0.${++clientCount}` })

/** Registers an account with its own address; returns its headers and the emailed key. */
async function registerAccount(name: string) {
  const email = `${name}@x.example`
  const body = { username: name, password1: PASSWORD, password2: PASSWORD, email }
  const response = await service.anonymous.post('/api/auth/registration/', body)
  assert.equal(response.status, 201, response.text)
  return { email, headers: { authorization: `Token ${response.body.key}` }, key: (await mail.next(email)).token }
}

const verify = (key: string, headers: Record<string, string> = createClientHeaders()) =>
  service.anonymous.post(VERIFY, { key }, headers)
const readAddress = async (email: string) =>
  (await service.rows('select verified, "primary" from email_address where email = $1 order by pk', [email]))[0]
const runStatement = (statement: string, values: unknown[] = []) => service.rows(statement, values)

describe('POST /api/auth/registration/verify-email/', () => {
  it('verifies the address, without signing in', async () => {
    const { key, email } = await registerAccount('verify.a')
    const response = await verify(key)
    assert.deepEqual([response.status, response.body], [200, { detail: 'ok' }])
    assert.equal(response.headers['set-cookie'], undefined)
    assert.deepEqual(await readAddress(email), { verified: true, primary: true })
    const [event] = await runStatement(`select username from security_event where kind = 'address_verified' order by pk`)
    assert.equal(event.username, 'verify.a')
  })

  it('accepts a key once', async () => {
    const { key } = await registerAccount('verify.b')
    assert.equal((await verify(key)).status, 200)
    assert.deepEqual([(await verify(key)).status, (await verify(key)).body], [404, { detail: 'Not found.' }])
  })

  it('accepts a key for one of two concurrent requests', async () => {
    const { key } = await registerAccount('verify.c')
    const responses = await Promise.all([verify(key), verify(key)])
    assert.deepEqual(responses.map(({ status }) => status).toSorted(), [200, 404])
  })

  it('rejects an expired key', async () => {
    const { key, email } = await registerAccount('verify.d')
    await runStatement(`update account_link set expires = now() - interval '1 second' where address = $1`, [email])
    assert.equal((await verify(key)).status, 404)
    assert.equal((await readAddress(email)).verified, false)
  })

  it('rejects a key for an address that was removed or is verified already, or whose account is closed', async () => {
    const removed = await registerAccount('verify.e')
    await runStatement('delete from email_address where email = $1', [removed.email])
    const alreadyVerified = await registerAccount('verify.f')
    await runStatement('update email_address set verified = true where email = $1', [alreadyVerified.email])
    const closed = await registerAccount('verify.g')
    await runStatement(`update user_account set is_active = false where username = 'verify.g'`)
    for (const { key } of [removed, alreadyVerified, closed]) assert.equal((await verify(key)).status, 404)
  })

  it('rejects a key that was made to set a password', async () => {
    const { email } = await registerAccount('verify.h')
    await service.anonymous.post('/api/auth/password/reset/', { email })
    assert.equal((await verify((await mail.next(email)).token)).status, 404)
  })

  it('changes nothing, and does not reveal it, when another account has verified the address', async () => {
    const { key, email } = await registerAccount('verify.i')
    await runStatement(`insert into email_address ("user", email, verified) values ($1, $2, true)`, [
      service.getPk('viewer'),
      email,
    ])
    assert.deepEqual((await verify(key)).body, { detail: 'ok' })
    const rows = await runStatement('select "user", verified from email_address where email = $1 order by verified', [email])
    assert.deepEqual(
      rows.map(({ verified }) => verified),
      [false, true],
    )
  })

  it('counts wrong keys, and then rejects the right one from there, so that they cannot be guessed', async () => {
    const { key, email } = await registerAccount('verify.j')
    const clientHeaders = createClientHeaders()
    for (let attempt = 0; attempt < 10; attempt++) assert.equal((await verify(`guess-${attempt}`, clientHeaders)).status, 404)
    const response = await verify(key, clientHeaders)
    assert.equal(response.status, 429)
    assert.ok(Number(response.headers['retry-after']) > 0)
    assert.equal((await readAddress(email)).verified, false)
    assert.equal((await verify(key)).status, 200)
  })

  it('requires a key', async () => {
    assert.deepEqual((await service.anonymous.post(VERIFY, {})).body, { key: ['This field is required.'] })
    assert.deepEqual((await service.anonymous.post(VERIFY, { key: ' ' })).body, { key: ['This field may not be blank.'] })
    assert.equal((await service.anonymous.post(VERIFY, { key: 'a\0b' }, createClientHeaders())).status, 404)
    assert.equal((await service.anonymous.get(VERIFY)).status, 405)
  })

  it('is available to everyone', async () => {
    await assertCallers(service, (client) => client.post(VERIFY, {}), CALLERS)
  })
})

describe('POST /api/auth/registration/resend-email/', () => {
  it('emails another key, and invalidates the previous one', async () => {
    const { key, email } = await registerAccount('resend.a')
    const response = await service.anonymous.post(RESEND, { email: email.toUpperCase() })
    assert.deepEqual([response.status, response.body], [201, { detail: 'ok' }])
    const secondToken = (await mail.next(email)).token
    assert.equal((await verify(key)).status, 404)
    assert.equal((await verify(secondToken)).status, 200)
  })

  it('returns the same response for verified and unknown addresses, and emails neither', async () => {
    const { key, email } = await registerAccount('resend.b')
    await verify(key)
    await mail.waitUntilIdle(service)
    const before = mail.emails.length
    const existing = await service.anonymous.post(RESEND, { email })
    const unknown = await service.anonymous.post(RESEND, { email: 'anonymous@x.example' })
    assert.deepEqual([existing.status, existing.body], [unknown.status, unknown.body])
    await mail.waitUntilIdle(service)
    assert.equal(mail.emails.length, before)
  })

  it("emails only the caller's own addresses if the request names none", async () => {
    const { email, headers } = await registerAccount('resend.c')
    assert.equal((await service.anonymous.post(RESEND, {})).status, 201)
    await mail.waitUntilIdle(service)
    const before = mail.emails.length
    assert.equal((await service.anonymous.post(RESEND, {}, headers)).status, 201)
    assert.match((await mail.next(email)).subject, /confirm/)
    await mail.waitUntilIdle(service)
    assert.equal(mail.emails.length, before + 1)
  })

  it('rejects an invalid address', async () => {
    assert.deepEqual((await service.anonymous.post(RESEND, { email: 'no mail' })).body, {
      email: ['Enter a valid email address.'],
    })
    assert.deepEqual((await service.anonymous.post(RESEND, { email: '' })).body, { email: ['This field may not be blank.'] })
    assert.equal((await service.anonymous.post(RESEND, { email: 'a@x.example\nBcc: b@x.example' })).status, 400)
  })

  it('sends nothing when repeated too soon, with the same response', async () => {
    const slow = await testService({ ...environment, MAIL_AGAIN_SECONDS: '60' })
    await slow.rows(`insert into email_address ("user", email) values ($1, 'slow@x.example')`, [slow.getPk('member')])
    for (let times = 0; times < 3; times++)
      assert.equal((await slow.anonymous.post(RESEND, { email: 'slow@x.example' })).status, 201)
    await mail.next('slow@x.example')
    await mail.waitUntilIdle(slow)
    assert.equal(mail.emails.filter(({ recipients }) => recipients.includes('slow@x.example')).length, 1)
  })

  it('is counted by network address', async () => {
    const limitedService = await testService({ ...environment, SIGN_IN_RATE: '1' })
    const first = await limitedService.anonymous.post(RESEND, { email: 'a@x.example' })
    assert.equal(first.headers['ratelimit-limit'], '1')
    assert.equal((await limitedService.anonymous.post(RESEND, { email: 'b@x.example' })).status, 429)
  })

  it('is available to everyone, and returns 200 with WIRE_FORM=inventree', async () => {
    await assertCallers(service, (client) => client.post(RESEND, {}), CALLERS)
    const inventree = await testService({ WIRE_FORM: 'inventree' })
    const response = await inventree.anonymous.post(RESEND, {})
    assert.deepEqual([response.status, response.body], [200, { detail: 'ok' }])
  })
})
