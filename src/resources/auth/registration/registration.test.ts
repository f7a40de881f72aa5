import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startTestMailServer } from '../../../testing/servers/mail.ts'
import { assertCallers, CALLERS, testService } from '../../../testing/service.ts'
import { assertSameTime } from '../../../testing/timing.ts'
import { deriveSetupCode } from './setup-code.ts'

const mail = await startTestMailServer()
const environment = {
  SMTP_URL: mail.url,
  MAIL_AGAIN_SECONDS: '0',
  TRUST_PROXY: 'true',
  REGISTRATION_RATE: '1000',
  SIGN_IN_RATE: '1000',
}
const service = await testService(environment)
/** Another service, whose accounts are removed. */
const emptyService = await testService(environment)
const PATH = '/api/auth/registration/'
const PASSWORD = 'Tr0ub4dor-3x'

let nameCount = 0
/** Returns a new name each time. */
const generateName = () => `reg${++nameCount}.x`
const createBody = (fields: object = {}) => ({ username: generateName(), password1: PASSWORD, password2: PASSWORD, ...fields })
const register = (fields: object = {}, headers = {}) => service.anonymous.post(PATH, createBody(fields), headers)
const listAccounts = () => service.rows('select username from user_account order by pk')
const readAccount = async (username: string) =>
  (await service.rows('select * from user_account where username = $1', [username]))[0]
const setSetting = (key: string, value: unknown) => service.superuser.patch(`/api/settings/global/${key}/`, { value })
const authHeaders = (key: string) => ({ authorization: `Token ${key}` })

/** Asserts that a registration is rejected with these errors, and creates nothing. */
async function assertRejected(fields: object, errors: Record<string, RegExp[]>, headers = {}): Promise<void> {
  const before = await listAccounts()
  const response = await register(fields, headers)
  assert.equal(response.status, 400, response.text)
  assert.deepEqual(Object.keys(response.body).toSorted(), Object.keys(errors).toSorted(), response.text)
  for (const [field, texts] of Object.entries(errors)) {
    assert.equal(response.body[field].length, texts.length, response.text)
    for (const [index, text] of texts.entries()) assert.match(response.body[field][index], text)
  }
  assert.deepEqual(await listAccounts(), before)
}

describe('POST /api/auth/registration/', () => {
  it('creates an ordinary account and returns its token', async () => {
    const response = await register({ username: 'Ada' })
    assert.equal(response.status, 201)
    assert.ok(response.body.key.length >= 50 && response.body.key.length <= 100)
    assert.equal(response.headers['set-cookie'], undefined)
    const { body: me } = await service.anonymous.get('/api/user/me/', authHeaders(response.body.key))
    assert.deepEqual([me.username, me.is_staff, me.is_superuser, me.is_active], ['Ada', false, false, true])
    const token = await service.anonymous.get('/api/user/token/', authHeaders(response.body.key))
    assert.equal(token.body.token, response.body.key)
    const [event] = await service.rows(`select * from security_event where kind = 'registered' and username = 'Ada'`)
    assert.equal(event.address, '127.0.0.1')
  })

  it('adds the account to Members, with all permissions except in the role admin', async () => {
    const { body: created } = await register()
    const { body: roles } = await service.anonymous.get('/api/user/roles/', authHeaders(created.key))
    assert.deepEqual(roles.roles.purchase_order, ['view', 'add', 'change', 'delete'])
    assert.deepEqual(roles.roles.stock, ['view', 'add', 'change', 'delete'])
    assert.equal(roles.roles.admin, null)
    assert.equal((await service.rows(`select count(*)::integer as n from user_group where name = 'Members'`))[0].n, 1)
  })

  it('grants no such permissions once Members is deleted', async () => {
    const other = await testService(environment)
    const registerAs = (username: string) =>
      other.anonymous
        .post(PATH, { username, password1: PASSWORD, password2: PASSWORD })
        .then(({ status }) => assert.equal(status, 201))
    await registerAs('before')
    const [{ pk }] = await other.rows(`select pk from user_group where name = 'Members'`)
    assert.equal((await other.superuser.delete(`/api/user/group/${pk}/`)).status, 204)
    await registerAs('after')
    assert.deepEqual(await other.rows(`select pk from user_group where name = 'Members'`), [])
    assert.deepEqual(
      await other.rows('select m.pk from user_group_member m join user_account u on u.pk = m."user" where u.username = $1', [
        'after',
      ]),
      [],
    )
  })

  it('adds it to the group of SIGNUP_GROUP instead', async () => {
    assert.equal((await setSetting('SIGNUP_GROUP', 'viewers')).status, 200)
    const { body: created } = await register()
    assert.deepEqual(
      (await service.anonymous.get('/api/user/me/', authHeaders(created.key))).body.groups.map(
        ({ name }: { name: string }) => name,
      ),
      ['viewers'],
    )
    await setSetting('SIGNUP_GROUP', '')
  })

  it('stores the password hashed', async () => {
    const fields = createBody()
    await service.anonymous.post(PATH, fields)
    assert.match((await readAccount(fields.username)).password, /^\$argon2id\$/)
    assert.equal(
      (await service.anonymous.post('/api/auth/login/', { username: fields.username, password: PASSWORD })).status,
      200,
    )
  })

  it('trims whitespace around a password', async () => {
    const fields = createBody({ password1: `  ${PASSWORD}`, password2: `${PASSWORD} ` })
    assert.equal((await service.anonymous.post(PATH, fields)).status, 201)
    assert.equal(
      (await service.anonymous.post('/api/auth/login/', { username: fields.username, password: PASSWORD })).status,
      200,
    )
  })

  it('requires its fields', async () => {
    const { status, body: response } = await service.anonymous.post(PATH, {})
    assert.equal(status, 400)
    assert.deepEqual(Object.keys(response), ['username', 'password1', 'password2'])
  })

  it('reports every rule that a password violates', async () => {
    await assertRejected({ password1: '1234', password2: '1234' }, { password1: [/short/, /digits/, /common/] })
    await assertRejected({ username: 'lovelace', password1: 'Lovelace1', password2: 'Lovelace1' }, { password1: [/username/] })
    await assertRejected(
      { email: 'countess@x.example', password1: 'Countess1', password2: 'Countess1' },
      { password1: [/email/] },
    )
    await assertRejected({ password1: 'a'.repeat(129), password2: 'a'.repeat(129) }, { password1: [/long/] })
  })

  it('requires both passwords to match, and reports all errors together', async () => {
    await assertRejected({ password2: 'other' }, { non_field_errors: [/differ/] })
    await assertRejected({ password1: 'sh0rt-', password2: 'other' }, { password1: [/short/], non_field_errors: [/differ/] })
  })

  it('accepts a name once, ignoring case, Unicode form and accents', async () => {
    assert.equal((await register({ username: 'Jürgen' })).status, 201)
    for (const username of ['MEMBER', 'ｍｅｍｂｅｒ', 'mémber', 'jürgen', 'JURGEN'])
      await assertRejected({ username }, { username: [/already exists/] })
  })

  it('rejects letters that look like others', async () => {
    await assertRejected({ username: 'sup\u0435ruser' }, { username: [/Latin letters only/] })
    await assertRejected({ username: '\u03bdiewer' }, { username: [/Latin letters only/] })
  })

  it('rejects line breaks, which could become headers of an email', async () => {
    await assertRejected({ username: 'x\r\nBcc: all@x.example' }, { username: [/letters, digits/] })
    await assertRejected({ email: 'a@x.example\r\nBcc: all@x.example' }, { email: [/valid email/] })
    await assertRejected({ email: 'a@x.example, all@x.example' }, { email: [/valid email/] })
    await assertRejected({ email: '"a\nb"@x.example' }, { email: [/valid email/] })
  })

  it('accepts one of two concurrent registrations of the same name', async () => {
    for (const [first, second] of [
      ['Twin', 'twin'],
      ['Zwölf', 'ZWÖLF'],
      ['admın2', 'admin2'],
    ]) {
      const responses = await Promise.all([register({ username: first }), register({ username: second })])
      assert.deepEqual(responses.map(({ status }) => status).toSorted(), [201, 400])
      assert.match(responses.find(({ status }) => status === 400)?.body.username[0], /already exists/)
    }
  })

  it('is available to everyone', async () => {
    await assertCallers(service, (client) => client.post(PATH, createBody()), CALLERS)
  })

  it('is limited by network address, and reports how many requests remain', async () => {
    const limitedService = await testService({ ...environment, REGISTRATION_RATE: '2' })
    const sendRegistration = (address: string) =>
      limitedService.anonymous.post(PATH, createBody(), { 'x-forwarded-for': address })
    const first = await sendRegistration('10.1.1.1')
    assert.deepEqual([first.headers['ratelimit-limit'], first.headers['ratelimit-remaining']], ['2', '1'])
    assert.equal((await sendRegistration('10.1.1.1')).status, 201)
    const third = await sendRegistration('10.1.1.1')
    assert.equal(third.status, 429)
    assert.ok(Number(third.headers['retry-after']) > 0)
    assert.equal((await sendRegistration('10.1.1.2')).status, 201)
  })
})

describe('permission to register', () => {
  it('is denied to every caller while registration is closed, after the fields are checked', async () => {
    await setSetting('LOGIN_ENABLE_REG', false)
    await assertRejected({}, { non_field_errors: [/closed/] })
    await assertRejected({ username: 'member' }, { non_field_errors: [/closed/] })
    await assertRejected({ password1: '1', password2: '1' }, { password1: [/short/, /digits/] })
    assert.equal((await service.superuser.post(PATH, createBody())).status, 400)
    await setSetting('LOGIN_ENABLE_REG', true)
  })

  it('requires an address if the setting does', async () => {
    await setSetting('LOGIN_MAIL_REQUIRED', true)
    await assertRejected({}, { email: [/required/] })
    await assertRejected({ email: '' }, { email: [/required/] })
    assert.equal((await register({ email: 'required@x.example' })).status, 201)
    await setSetting('LOGIN_MAIL_REQUIRED', false)
  })

  it('requires an address of the allowed domains', async () => {
    await setSetting('LOGIN_SIGNUP_MAIL_RESTRICTION', '@works.example,@Lab.example')
    await assertRejected({ email: 'a@x.example' }, { email: [/domain/] })
    await assertRejected({ email: 'a@evilworks.example' }, { email: [/domain/] })
    await assertRejected({}, { email: [/required/] })
    assert.equal((await register({ email: 'a@works.example' })).status, 201)
    assert.equal((await register({ email: 'a@LAB.example' })).status, 201)
    await setSetting('LOGIN_SIGNUP_MAIL_RESTRICTION', '')
  })
})

describe('the address of a new account', () => {
  it('is unverified and primary, and its owner is asked to confirm it', async () => {
    const { body: created } = await register({ username: 'mail.owner', email: 'Owner@x.example' })
    const { body: list } = await service.anonymous.get('/api/auth/emails/', authHeaders(created.key))
    assert.deepEqual(
      list.results.map(({ email, verified, primary }: Record<string, unknown>) => ({ email, verified, primary })),
      [{ email: 'Owner@x.example', verified: false, primary: true }],
    )
    assert.equal((await readAccount('mail.owner')).email, 'Owner@x.example')
    const message = await mail.next('Owner@x.example')
    assert.match(message.subject, /confirm/)
    assert.match(message.text, /mail\.owner/)
    const [{ dump }] = await service.rows(
      `select (select json_agg(l)::text from account_link l) || (select json_agg(j)::text from pgboss.job j) as dump`,
    )
    assert.ok(!dump.includes(message.token))
  })

  it('makes no visible difference if another account has it: only its owner gets an email', async () => {
    await service.rows(
      `insert into email_address ("user", email, verified, "primary") values ($1, 'taken@x.example', true, true)`,
      [service.getPk('viewer')],
    )
    await service.rows(`update user_account set email = 'given@x.example' where pk = $1`, [service.getPk('staff')])
    const outcomes: unknown[] = []
    for (const email of ['taken@x.example', 'GIVEN@x.example', 'free@x.example']) {
      const response = await register({ email })
      assert.equal(response.status, 201)
      const { body: list } = await service.anonymous.get('/api/auth/emails/', authHeaders(response.body.key))
      const { body: me } = await service.anonymous.get('/api/user/me/', authHeaders(response.body.key))
      outcomes.push([
        list.results.map(({ email: own, verified, primary }: Record<string, unknown>) => [own === email, verified, primary]),
        me.email === email,
        Object.keys(response.headers),
        Object.keys(response.body),
      ])
    }
    assert.deepEqual(outcomes[0], outcomes[2])
    assert.deepEqual(outcomes[1], outcomes[2])
    const message = await mail.next('taken@x.example')
    assert.match(message.subject, /have an account/)
    assert.match(message.text, /Hello viewer/)
    assert.match((await mail.next('given@x.example')).text, /Hello staff/)
    assert.match((await mail.next('free@x.example')).subject, /confirm/)
    await mail.waitUntilIdle(service)
    assert.equal(mail.emails.filter(({ recipients }) => recipients.includes('taken@x.example')).length, 1)
  })

  it('takes the same time whether it is taken or not', async () => {
    const registerAddress = async (email: string) => assert.equal((await register({ email })).status, 201)
    // hashing a password, or looking one up, in one case only would take about twice as long
    await assertSameTime(
      () => registerAddress('taken@x.example'),
      (round) => registerAddress(`free${round}@x.example`),
      { tolerance: 0.4, settle: () => mail.waitUntilIdle(service) },
    )
  })
})

describe('the setup code', () => {
  const code = deriveSetupCode(emptyService.app.routes.services.secrets)
  const sendRegistration = (fields: object, address = '10.2.0.1') =>
    emptyService.anonymous.post(PATH, createBody(fields), { 'x-forwarded-for': address })
  const listSuperusers = async () =>
    (await emptyService.rows('select username from user_account where is_superuser')).map((row) => row.username)
  const deleteAccounts = () => emptyService.rows('delete from user_account')

  it('has no effect while there is a superuser', async () => {
    const response = await sendRegistration({ setup_code: code })
    assert.equal(response.status, 400)
    assert.deepEqual(Object.keys(response.body), ['setup_code'])
    assert.deepEqual(await listSuperusers(), ['superuser'])
  })

  it('is required to become superuser: without it the first account is an ordinary one', async () => {
    await deleteAccounts()
    assert.equal((await sendRegistration({})).status, 201)
    assert.equal((await sendRegistration({ setup_code: '' })).status, 201)
    assert.deepEqual(await listSuperusers(), [])
  })

  it('creates one superuser for two concurrent requests, even after other accounts were created', async () => {
    const responses = await Promise.all([
      sendRegistration({ setup_code: code.toLowerCase() }),
      sendRegistration({ setup_code: code.replaceAll('-', '') }),
    ])
    assert.deepEqual(responses.map(({ status }) => status).toSorted(), [201, 400])
    assert.equal((await listSuperusers()).length, 1)
    const key = responses.find(({ status }) => status === 201)?.body.key
    assert.equal((await emptyService.anonymous.get('/api/user/me/', authHeaders(key))).body.is_staff, true)
    assert.equal((await sendRegistration({ setup_code: code })).status, 400)
  })

  it('cannot be guessed: wrong ones are counted, after which the right one is rejected', async () => {
    await deleteAccounts()
    for (let attempt = 0; attempt < 10; attempt++) {
      const response = await sendRegistration({ setup_code: `ABCD-${attempt}` }, '10.2.0.9')
      assert.deepEqual([response.status, Object.keys(response.body)], [400, ['setup_code']])
    }
    assert.equal((await sendRegistration({ setup_code: code }, '10.2.0.9')).status, 429)
    assert.deepEqual(await listSuperusers(), [])
    assert.equal((await sendRegistration({ setup_code: code }, '10.2.0.8')).status, 201)
  })

  it('differs under another secret', async () => {
    const other = await testService({ ...environment, SECRET_KEY: 'another secret of the tests as long as that' })
    assert.notEqual(deriveSetupCode(other.app.routes.services.secrets), code)
    assert.match(code, /^([A-Z2-9]{4}-){3}[A-Z2-9]{4}$/)
  })
})

describe('registration with WIRE_FORM=inventree', () => {
  it('opens a session, and returns no body', async () => {
    const inventree = await testService({ ...environment, WIRE_FORM: 'inventree' })
    const response = await inventree.anonymous.post(PATH, createBody({ username: 'session.owner' }))
    assert.deepEqual([response.status, response.text], [204, ''])
    const cookie = String(([response.headers['set-cookie']].flat() as string[]).find((line) => line.startsWith('sessionid=')))
    const me = await inventree.anonymous.get('/api/user/me/', { cookie: cookie.split(';')[0] as string })
    assert.equal(me.body.username, 'session.owner')
    assert.equal((await inventree.rows('select count(*)::integer as n from api_token'))[0].n, 0)
  })
})
