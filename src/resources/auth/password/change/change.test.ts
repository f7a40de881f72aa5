import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { waitForListeners } from '../../../../testing/listeners-caught-up.ts'
import { startTestMailServer } from '../../../../testing/servers/mail.ts'
import {
  assertCallers,
  CALLERS,
  PASSWORD,
  type TestResponse,
  type TestService,
  testService,
} from '../../../../testing/service.ts'

const mail = await startTestMailServer()
const environment = { SMTP_URL: mail.url, TRUST_PROXY: 'true', SIGN_IN_RATE: '1000' }
const service = await testService(environment)
const PATH = '/api/auth/password/change/'
const ME = '/api/user/me/'
const NEW = 'Tr0ub4dor-3x'
const createBody = (password: string, more: object = {}) => ({ new_password1: password, new_password2: password, ...more })

let clientCount = 0
/** A new network address each time, so that one test does not use up the rate limit of another. */
const createClientHeaders = () => ({ 'x-forwarded-for': `10.4.0.${++clientCount}` })
const createBasicHeaders = (name: string, password: string) => ({ authorization: `Basic ${btoa(`${name}:${password}`)}` })

/** Creates an account with the password of the tests. */
async function createAccount(name: string, targetService: TestService = service): Promise<string> {
  await targetService.rows(
    `insert into user_account (username, first_name, email, password) select $1, 'Augusta', $2, password from user_account where username = 'member'`,
    [name, `${name}@x.example`],
  )
  return name
}

/** Signs in; returns the headers of the session and of the token. */
async function login(username: string, password = PASSWORD) {
  const response = await service.anonymous.post('/api/auth/login/', { username, password }, createClientHeaders())
  assert.equal(response.status, 200, response.text)
  const cookies = [response.headers['set-cookie']].flat() as string[]
  return {
    session: { cookie: (cookies.find((line) => line.startsWith('sessionid=')) as string).split(';')[0] as string },
    token: { authorization: `Token ${response.body.key}` },
  }
}

const getStatus = async (headers: Record<string, string>) =>
  (await service.anonymous.get(ME, { ...createClientHeaders(), ...headers })).status
const changePassword = (headers: Record<string, string>, body: object): Promise<TestResponse> =>
  service.anonymous.post(PATH, body, { ...createClientHeaders(), ...headers })
const readHash = async (username: string) =>
  (await service.rows('select password from user_account where username = $1', [username]))[0].password

describe('POST /api/auth/password/change/', () => {
  it('sets another password, notifies the owner and records it', async () => {
    const name = await createAccount('change.a')
    const { token } = await login(name)
    const response = await changePassword(token, createBody(` ${NEW} `))
    assert.deepEqual([response.status, response.body], [200, { detail: 'New password has been saved.' }])
    await login(name, NEW)
    assert.equal(await getStatus(createBasicHeaders(name, PASSWORD)), 401)
    const message = await mail.next('change.a@x.example')
    assert.match(message.subject, /password was changed/)
    assert.ok(!message.raw.includes(NEW))
    const [event] = await service.rows(`select kind from security_event where username = $1 and kind = 'password_changed'`, [
      name,
    ])
    assert.ok(event)
  })

  it('ends the other sessions and tokens, and keeps those of the request', async () => {
    const name = await createAccount('change.b')
    const currentLogin = await login(name)
    const otherLogin = await login(name)
    assert.equal((await service.anonymous.get('/api/user/token/?name=other', currentLogin.token)).status, 200)
    assert.deepEqual(
      [await getStatus(currentLogin.session), await getStatus(otherLogin.session), await getStatus(currentLogin.token)],
      [200, 200, 200],
    )
    assert.equal((await changePassword(currentLogin.session, createBody(NEW))).status, 200)
    await waitForListeners(service)
    assert.deepEqual(
      [await getStatus(currentLogin.session), await getStatus(otherLogin.session), await getStatus(currentLogin.token)],
      [200, 401, 401],
    )
    const newLogin = await login(name, NEW)
    assert.equal((await changePassword(newLogin.token, createBody('Tr0ub4dor-4y'))).status, 200)
    await waitForListeners(service)
    assert.deepEqual(
      [await getStatus(newLogin.token), await getStatus(newLogin.session), await getStatus(currentLogin.session)],
      [200, 401, 401],
    )
  })

  it('invalidates Basic with the old password, even if cached, and links sent by email', async () => {
    const name = await createAccount('change.c')
    assert.equal(await getStatus(createBasicHeaders(name, PASSWORD)), 200)
    await service.anonymous.post('/api/auth/password/reset/', { email: `${name}@x.example` })
    const link = new URL((await mail.next(`${name}@x.example`)).links[0] as string)
    assert.equal((await changePassword(createBasicHeaders(name, PASSWORD), createBody(NEW))).status, 200)
    await waitForListeners(service)
    assert.equal(await getStatus(createBasicHeaders(name, PASSWORD)), 401)
    const confirm = { uid: link.searchParams.get('uid'), token: link.searchParams.get('token'), ...createBody('Tr0ub4dor-5z') }
    assert.deepEqual((await service.anonymous.post('/api/auth/password/reset/confirm/', confirm)).body, {
      token: ['Invalid value'],
    })
  })

  it('rejects a wrong old password', async () => {
    const name = await createAccount('change.d')
    const { token } = await login(name)
    const before = await readHash(name)
    const response = await changePassword(token, createBody(NEW, { old_password: 'wrong' }))
    assert.deepEqual([response.status, Object.keys(response.body)], [400, ['old_password']])
    assert.equal(await readHash(name), before)
    assert.equal((await changePassword(token, createBody(NEW, { old_password: PASSWORD }))).status, 200)
  })

  it('counts wrong old passwords like failed sign-ins, so that they cannot be guessed', async () => {
    const name = await createAccount('change.e')
    const { token } = await login(name)
    const clientHeaders = createClientHeaders()
    const attempt = (old_password: string) =>
      service.anonymous.post(PATH, createBody(NEW, { old_password }), { ...token, ...clientHeaders })
    const responses = await Promise.all(Array.from({ length: 12 }, (_, index) => attempt(`guess ${index}`)))
    assert.deepEqual(responses.map((response) => response.status).toSorted(), [...Array(10).fill(400), 429, 429])
    assert.equal((await attempt(PASSWORD)).status, 429)
    assert.equal(
      (await service.anonymous.post('/api/auth/login/', { username: name, password: PASSWORD }, clientHeaders)).status,
      429,
    )
    await login(name)
  })

  it('requires the old password with REQUIRE_OLD_PASSWORD, unless there is none', async () => {
    const strict = await testService({ ...environment, REQUIRE_OLD_PASSWORD: 'true' })
    assert.deepEqual((await strict.member.post(PATH, createBody(NEW))).body, { old_password: ['This field is required.'] })
    assert.equal((await strict.member.post(PATH, createBody(NEW, { old_password: '' }))).status, 400)
    assert.equal((await strict.member.post(PATH, createBody(NEW, { old_password: PASSWORD }))).status, 200)
    const key = (await strict.viewer.get('/api/user/token/')).body.token
    await strict.rows(`update user_account set password = '' where username = 'viewer'`)
    assert.equal((await strict.anonymous.post(PATH, createBody(NEW), { authorization: `Token ${key}` })).status, 200)
  })

  it('rejects a weak password, and two that differ, on new_password2', async () => {
    const name = await createAccount('lovelace')
    const { token } = await login(name)
    const before = await readHash(name)
    for (const [body, ...texts] of [
      [{ new_password1: NEW, new_password2: 'other' }, /differ/],
      [createBody('1234'), /short/, /digits/, /common/],
      [createBody('Lovelace1'), /username/],
      [createBody('augusta12'), /first name/],
    ] as [object, ...RegExp[]][]) {
      const response = await changePassword(token, body)
      assert.deepEqual([response.status, Object.keys(response.body)], [400, ['new_password2']])
      assert.equal(response.body.new_password2.length, texts.length)
      for (const [index, text] of texts.entries()) assert.match(response.body.new_password2[index], text)
    }
    assert.deepEqual(Object.keys((await changePassword(token, {})).body), ['new_password1', 'new_password2'])
    assert.match((await changePassword(token, createBody('x'.repeat(129)))).body.new_password1[0], /no more than 128/)
    assert.equal(await readHash(name), before)
  })

  it('applies one of two concurrent changes, or one after the other, and never half of each', async () => {
    const name = await createAccount('change.f')
    const { token } = await login(name)
    const responses = await Promise.all([
      changePassword(token, createBody(NEW)),
      changePassword(token, createBody('Tr0ub4dor-9q')),
    ])
    for (const response of responses) assert.ok([200, 409].includes(response.status), response.text)
    assert.ok(responses.some((response) => response.status === 200))
  })

  it('is available to signed-in callers', async () => {
    await assertCallers(
      service,
      (client) => client.post(PATH, {}),
      CALLERS.filter((name) => name !== 'anonymous'),
    )
  })

  it('rejects requests with a cookie from pages of other sites', async () => {
    const name = await createAccount('change.g')
    const { session } = await login(name)
    assert.equal((await changePassword({ ...session, origin: 'https://evil.example' }, createBody(NEW))).status, 403)
    assert.equal((await changePassword({ ...session, 'sec-fetch-site': 'cross-site' }, createBody(NEW))).status, 403)
    await login(name)
  })
})
