import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { waitForListeners } from '../../../../testing/listeners-caught-up.ts'
import { startTestMailServer } from '../../../../testing/servers/mail.ts'
import { assertCallers, CALLERS, PASSWORD, testService } from '../../../../testing/service.ts'
import { assertSameTime } from '../../../../testing/timing.ts'

const mail = await startTestMailServer()
const environment = { SMTP_URL: mail.url, MAIL_AGAIN_SECONDS: '0', TRUST_PROXY: 'true', SIGN_IN_RATE: '10000' }
const service = await testService(environment)
const RESET = '/api/auth/password/reset/'
const CONFIRM = '/api/auth/password/reset/confirm/'
const NEW = 'Tr0ub4dor-3x'
const INVALID = ['Invalid value']

let clientCount = 0
/** A new network address each time, so that one test does not use up the rate limit of another. */
const createClientHeaders = () => ({ 'x-forwarded-for': `10.5.${++clientCount >> 8}.${clientCount & 255}` })

/** Creates an account with an address of its own and the password of the tests. */
async function createAccount(name: string, email = `${name}@x.example`) {
  const [{ pk }] = await service.rows(
    `insert into user_account (username, email, password) select $1, $2, password from user_account where username = 'member' returning pk`,
    [name, email],
  )
  return { name, email, pk: pk as number }
}

const requestReset = (email: string) => service.anonymous.post(RESET, { email }, createClientHeaders())

/** Requests a link and reads it from the email. */
async function requestLink(email: string) {
  assert.equal((await requestReset(email)).status, 200)
  const { searchParams } = new URL((await mail.next(email)).links[0] as string)
  return { uid: searchParams.get('uid') as string, token: searchParams.get('token') as string }
}

const confirm = (body: object, headers: Record<string, string> = createClientHeaders()) =>
  service.anonymous.post(CONFIRM, { new_password1: NEW, new_password2: NEW, ...body }, headers)
const login = async (username: string, password: string) =>
  (await service.anonymous.post('/api/auth/login/', { username, password }, createClientHeaders())).status
const countEmails = (email: string) => mail.emails.filter(({ recipients }) => recipients.includes(email)).length

describe('POST /api/auth/password/reset/', () => {
  it('emails a link to each active account that has the address, spelled as in the account', async () => {
    const one = await createAccount('reset.one', 'Shared@x.example')
    const other = await createAccount('reset.other', 'another@x.example')
    await service.rows(`insert into email_address ("user", email, verified) values ($1, 'shared@x.example', true)`, [other.pk])
    const closed = await createAccount('reset.closed', 'shared@x.example')
    await service.rows('update user_account set is_active = false where pk = $1', [closed.pk])
    const typed = await createAccount('reset.typed', 'typed@x.example')
    await service.rows(`insert into email_address ("user", email) values ($1, 'shared@x.example')`, [typed.pk])
    const response = await requestReset('SHARED@x.example')
    assert.deepEqual([response.status, response.body], [200, { detail: 'Password reset e-mail has been sent.' }])
    assert.match((await mail.next('Shared@x.example')).text, new RegExp(one.name))
    assert.match((await mail.next('shared@x.example')).text, new RegExp(other.name))
    await mail.waitUntilIdle(service)
    assert.equal(countEmails('shared@x.example') + countEmails('Shared@x.example') + countEmails('SHARED@x.example'), 2)
  })

  it('does not reveal whether there is an account', async () => {
    const { email } = await createAccount('reset.known')
    const existing = await requestReset(email)
    const unknown = await requestReset('nobody-has-this@x.example')
    const listHeaderNames = ({ headers }: typeof existing) => Object.keys(headers).toSorted()
    assert.deepEqual(
      [existing.status, existing.text, listHeaderNames(existing)],
      [unknown.status, unknown.text, listHeaderNames(unknown)],
    )
    await mail.waitUntilIdle(service)
    assert.equal(countEmails('nobody-has-this@x.example'), 0)
  })

  it('takes the same time whether or not there is one', async () => {
    const { email } = await createAccount('reset.timed')
    // hashing a password, or sending the email in the request, would take several times as long
    await assertSameTime(
      () => requestReset(email),
      (round) => requestReset(`timed${round}@x.example`),
      { tolerance: 0.6, settle: () => mail.waitUntilIdle(service) },
    )
  })

  it('rejects an invalid address before anything else', async () => {
    assert.deepEqual((await service.anonymous.post(RESET, {})).body, { email: ['This field is required.'] })
    assert.deepEqual((await service.anonymous.post(RESET, { email: 'no mail' })).body, {
      email: ['Enter a valid email address.'],
    })
    for (const email of ['a@x.example\r\nBcc: b@x.example', 'a@x.example,b@x.example', '<a@x.example>', 'a@x.example\0'])
      assert.ok([200, 400].includes((await requestReset(email)).status))
    await mail.waitUntilIdle(service)
    assert.equal(countEmails('b@x.example'), 0)
  })

  it('is rejected for everyone when the setting disables it', async () => {
    await service.superuser.patch('/api/settings/global/LOGIN_ENABLE_PWD_FORGOT/', { value: false })
    const { email } = await createAccount('reset.off')
    assert.deepEqual(Object.keys((await requestReset(email)).body), ['non_field_errors'])
    assert.deepEqual(Object.keys((await service.anonymous.post(RESET, {})).body), ['email'])
    assert.equal((await service.superuser.post(RESET, { email })).status, 400)
    await mail.waitUntilIdle(service)
    assert.equal(countEmails(email), 0)
    await service.superuser.patch('/api/settings/global/LOGIN_ENABLE_PWD_FORGOT/', { value: true })
  })

  it('sends nothing when repeated too soon, with the same response; returns 429 after too many from one network address', async () => {
    const slow = await testService({ ...environment, MAIL_AGAIN_SECONDS: '60', SIGN_IN_RATE: '3' })
    await slow.rows(`update user_account set email = 'soon@x.example' where username = 'member'`)
    const requestFromOneAddress = (email: string) => slow.anonymous.post(RESET, { email }, { 'x-forwarded-for': '10.6.0.1' })
    for (let times = 0; times < 3; times++) assert.equal((await requestFromOneAddress('soon@x.example')).status, 200)
    const response = await requestFromOneAddress('unknown@x.example')
    assert.equal(response.status, 429)
    assert.ok(Number(response.headers['retry-after']) > 0)
    await mail.next('soon@x.example')
    await mail.waitUntilIdle(slow)
    assert.equal(countEmails('soon@x.example'), 1)
  })

  it('is available to everyone', async () => {
    await assertCallers(service, (client) => client.post(RESET, {}), CALLERS)
  })
})

describe('POST /api/auth/password/reset/confirm/', () => {
  it('sets the password, ends all sessions and tokens, and notifies the owner', async () => {
    const { name, email } = await createAccount('confirm.a')
    const before = await service.anonymous.post('/api/auth/login/', { username: name, password: PASSWORD }, createClientHeaders())
    const token = { authorization: `Token ${before.body.key}` }
    const cookie = (
      ([before.headers['set-cookie']].flat() as string[]).find((line) => line.startsWith('sessionid=')) as string
    ).split(';')[0]
    assert.equal((await service.anonymous.get('/api/user/me/', token)).status, 200)
    const link = await requestLink(email)
    const response = await confirm(link, { ...createClientHeaders(), ...token })
    assert.deepEqual([response.status, response.body], [200, { detail: 'Password has been reset with the new password.' }])
    await waitForListeners(service)
    assert.equal((await service.anonymous.get('/api/user/me/', token)).status, 401)
    assert.equal((await service.anonymous.get('/api/user/me/', { cookie: cookie as string })).status, 401)
    assert.deepEqual([await login(name, PASSWORD), await login(name, NEW)], [400, 200])
    assert.match((await mail.next(email)).subject, /password was changed/)
    const events = await service.rows(
      `select kind from security_event where username in ($1, $2) and kind like 'password%' order by pk`,
      [name, email],
    )
    assert.deepEqual(
      events.map(({ kind }) => kind),
      ['password_reset_asked', 'password_reset'],
    )
  })

  it('accepts a link once, also for two concurrent requests', async () => {
    const { name, email } = await createAccount('confirm.b')
    const link = await requestLink(email)
    const passwords = ['Tr0ub4dor-1a', 'Tr0ub4dor-2b']
    const responses = await Promise.all(
      passwords.map((password) => confirm({ ...link, new_password1: password, new_password2: password })),
    )
    assert.deepEqual(responses.map(({ status }) => status).toSorted(), [200, 400])
    const [first, second] = await Promise.all(passwords.map((password) => login(name, password)))
    assert.deepEqual(
      [first, second],
      responses.map(({ status }) => status),
    )
    assert.deepEqual((await confirm(link)).body, { token: INVALID })
  })

  it('rejects an expired link', async () => {
    const { name, email, pk } = await createAccount('confirm.c')
    const link = await requestLink(email)
    await service.rows(`update account_link set expires = now() - interval '1 second' where "user" = $1`, [pk])
    assert.deepEqual((await confirm(link)).body, { token: INVALID })
    assert.equal(await login(name, PASSWORD), 200)
  })

  it('rejects a link that a later one replaced', async () => {
    const { email } = await createAccount('confirm.d')
    const first = await requestLink(email)
    const second = await requestLink(email)
    assert.equal((await confirm(first)).status, 400)
    assert.equal((await confirm(second)).status, 200)
  })

  it('rejects a link once the password was changed in another way', async () => {
    const { email, pk } = await createAccount('confirm.e')
    const link = await requestLink(email)
    await service.rows(`update user_account set password = 'another' where pk = $1`, [pk])
    assert.deepEqual((await confirm(link)).body, { token: INVALID })
  })

  it('rejects a link once the account no longer has the address, or is closed', async () => {
    const moved = await createAccount('confirm.f')
    const link = await requestLink(moved.email)
    await service.rows(`update user_account set email = 'moved@x.example' where pk = $1`, [moved.pk])
    assert.deepEqual((await confirm(link)).body, { token: INVALID })
    const closed = await createAccount('confirm.g')
    const other = await requestLink(closed.email)
    await service.rows('update user_account set is_active = false where pk = $1', [closed.pk])
    assert.deepEqual((await confirm(other)).body, { token: INVALID })
  })

  it('accepts a link only for its own account', async () => {
    const victim = await createAccount('confirm.h')
    const { email } = await createAccount('confirm.i')
    const { token } = await requestLink(email)
    assert.deepEqual((await confirm({ uid: victim.pk.toString(36), token })).body, { token: INVALID })
    assert.equal(await login(victim.name, PASSWORD), 200)
  })

  it('rejects a key that was made to verify an address', async () => {
    const { email, pk } = await createAccount('confirm.j')
    await service.rows('insert into email_address ("user", email) values ($1, $2)', [pk, email])
    await service.anonymous.post('/api/auth/registration/resend-email/', { email })
    const { token } = await mail.next(email)
    assert.deepEqual((await confirm({ uid: pk.toString(36), token })).body, { token: INVALID })
  })

  it('checks uid, then token, then the passwords', async () => {
    const { email, pk } = await createAccount('confirm.k')
    const weak = { new_password1: '1', new_password2: '2' }
    assert.deepEqual(Object.keys((await confirm({})).body).toSorted(), ['token', 'uid'])
    for (const uid of ['!', '-1', '0', 'zzzzzzzzzz', '1 2', 'é'])
      assert.deepEqual((await confirm({ uid, token: 'x', ...weak })).body, { uid: INVALID }, uid)
    for (const uid of ['x7x7', pk.toString(36)])
      assert.deepEqual((await confirm({ uid, token: 'x', ...weak })).body, { token: INVALID }, uid)
    const link = await requestLink(email)
    assert.match((await confirm({ ...link, ...weak })).body.new_password2[0], /differ/)
    const { body } = await confirm({ ...link, new_password1: '1234', new_password2: '1234' })
    assert.equal(body.new_password2.length, 3)
    assert.equal((await confirm(link)).status, 200)
  })

  it('checks the password against the data of the account', async () => {
    const { email } = await createAccount('analytical')
    const weak = 'Analytical1'
    const { body } = await confirm({ ...(await requestLink(email)), new_password1: weak, new_password2: weak })
    assert.match(body.new_password2[0], /username/)
  })

  it('counts wrong tokens, for existing and missing accounts alike, so that they cannot be guessed', async () => {
    const { name, email, pk } = await createAccount('confirm.l')
    const link = await requestLink(email)
    for (const uid of [pk.toString(36), 'x7x8']) {
      const clientHeaders = createClientHeaders()
      const responses = await Promise.all(
        Array.from({ length: 12 }, (_, index) => confirm({ uid, token: `guess-${index}` }, clientHeaders)),
      )
      assert.deepEqual(responses.map(({ status }) => status).toSorted(), [...Array(10).fill(400), 429, 429])
      if (uid !== link.uid) continue
      assert.equal((await confirm(link, clientHeaders)).status, 429)
      assert.equal(await login(name, PASSWORD), 200)
      assert.equal((await confirm(link)).status, 200)
    }
  })

  it('is available to everyone', async () => {
    await assertCallers(service, (client) => client.post(CONFIRM, {}), CALLERS)
  })
})
