import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { waitForListeners } from '../../testing/listeners-caught-up.ts'
import {
  createAccount,
  createAddressHeaders,
  enroll,
  generateCode,
  getSessionCookie,
  signIn,
} from '../../testing/second-factor.ts'
import { Browser } from '../../testing/servers/browser.ts'
import { type DatabaseProxy, startDatabaseProxy } from '../../testing/servers/database-proxy.ts'
import { startTestMailServer } from '../../testing/servers/mail.ts'
import { startTestOpenidProvider } from '../../testing/servers/openid.ts'
import { PASSWORD } from '../../testing/service.ts'
import { reserveSite, startTestSite } from '../../testing/single-sign-on.ts'

type Headers = Record<string, string>

/** A request about to be sent, and the credentials that it revokes: valid before and rejected right after. */
type Step = { send: () => Promise<{ status: number } | string>; revoked?: Headers[] }

const reservedSite = await reserveSite()
const mail = await startTestMailServer()
const provider = await startTestOpenidProvider({ redirectUris: [reservedSite.callback('own')] })
const ownProvider = { id: 'own', issuer: provider.issuer, client_id: provider.clientId, client_secret: provider.clientSecret }
let proxy = undefined as unknown as DatabaseProxy
const service = await startTestSite(
  reservedSite,
  [ownProvider],
  { SMTP_URL: mail.url, TRUST_PROXY: 'true' },
  {
    async getNotificationUrl(url) {
      proxy = await startDatabaseProxy(url)
      return proxy.url
    },
  },
)
const { superuser, anonymous } = service
const NEW_PASSWORD = 'seven blue horses'
const ROLES = '/api/user/roles/'

let lastNumber = 0
/** Creates an account for a single test, signed in by session and by token. */
async function createSignedInAccount() {
  const username = `person${++lastNumber}`
  const pk = await createAccount(service, username)
  return { pk, username, email: `${username}@stock.example`, ...(await signInAccount(username)) }
}

async function signInAccount(username: string) {
  const response = await signIn(service, username)
  assert.equal(response.status, 200, response.text)
  return { session: { cookie: getSessionCookie(response) as string }, token: { authorization: `Token ${response.body.key}` } }
}

/** Creates an account with a second factor, signed in with it. */
async function createGuardedAccount() {
  const { pk, secret, cookie } = await enroll(service, `person${++lastNumber}`)
  return { pk, secret, session: { cookie } }
}

/** Adds an address to an account. */
async function addAddress(account: { pk: number; session: Headers }, verified = false): Promise<number> {
  const email = `further${++lastNumber}@stock.example`
  const created = await anonymous.post('/api/auth/emails/', { email, user: account.pk }, account.session)
  assert.equal(created.status, 201, created.text)
  if (verified) await service.rows('update email_address set verified = true where pk = $1', [created.body.pk ?? created.body.id])
  return created.body.pk ?? created.body.id
}

async function createGroup(): Promise<number> {
  const created = await superuser.post('/api/user/group/', { name: `group${++lastNumber}` })
  assert.equal(created.status, 201, created.text)
  return created.body.pk
}

/** Creates an invitation; returns its key and the token of its link. */
async function invite(group_ids: number[] = []) {
  const { status, body } = await superuser.post('/api/user/invitation/', { group_ids })
  assert.equal(status, 201)
  return { pk: body.pk as number, token: new URL(body.url).hash.slice(1) }
}

const formHeaders = { 'content-type': 'application/x-www-form-urlencoded', ...createAddressHeaders() }

/** Requests an emailed link to set a password, and returns its parameters. */
async function requestResetLink() {
  const account = await createSignedInAccount()
  assert.equal((await anonymous.post('/api/auth/password/reset/', { email: account.email }, createAddressHeaders())).status, 200)
  const link = new URL((await mail.next(account.email)).links[0] as string)
  return {
    ...account,
    fields: Object.fromEntries(link.searchParams),
    passwords: { new_password1: NEW_PASSWORD, new_password2: NEW_PASSWORD },
  }
}

/** Registers an account, and returns the key in the emailed link. */
async function registerAccount() {
  const username = `person${++lastNumber}`
  const email = `${username}@stock.example`
  const body = { username, password1: NEW_PASSWORD, password2: NEW_PASSWORD, email }
  assert.equal((await anonymous.post('/api/auth/registration/', body, createAddressHeaders())).status, 201)
  return { email, key: (await mail.next(email)).token }
}

const prepareChange = (method: 'put' | 'patch', path: (pk: number) => string, body: (username: string) => object) => async () => {
  const { pk, username, session } = await createSignedInAccount()
  const client = path(pk).startsWith('/api/user/me/') || path(pk) === '/api/auth/user/' ? anonymous : superuser
  return { send: () => client[method](path(pk), body(username), client === anonymous ? session : {}) }
}
const nameFields = (username: string) => ({ username, first_name: 'Ada', last_name: 'Lovelace' })

/** Requests that change or end a cached property of an account. */
const CHANGES: Record<string, () => Promise<Step>> = {
  'PUT /api/user/{id}/': prepareChange('put', (pk) => `/api/user/${pk}/`, nameFields),
  'PATCH /api/user/{id}/': async () => {
    const { pk, session, token } = await createSignedInAccount()
    return { send: () => superuser.patch(`/api/user/${pk}/`, { is_active: false }), revoked: [session, token] }
  },
  'POST /api/user/': async () => {
    const group_ids = [await createGroup()]
    return { send: () => superuser.post('/api/user/', { username: `made${++lastNumber}`, group_ids }) }
  },
  'DELETE /api/user/{id}/': async () => {
    const { pk, session, token } = await createSignedInAccount()
    return { send: () => superuser.delete(`/api/user/${pk}/`), revoked: [session, token] }
  },
  'POST /api/user/group/': async () => ({ send: () => superuser.post('/api/user/group/', { name: `group${++lastNumber}` }) }),
  'PUT /api/user/group/{id}/': async () => {
    const pk = await createGroup()
    return { send: () => superuser.put(`/api/user/group/${pk}/`, { name: `renamed${++lastNumber}` }) }
  },
  'PATCH /api/user/group/{id}/': async () => {
    const pk = await createGroup()
    return { send: () => superuser.patch(`/api/user/group/${pk}/`, { name: `renamed${++lastNumber}` }) }
  },
  'DELETE /api/user/group/{id}/': async () => {
    const pk = await createGroup()
    return { send: () => superuser.delete(`/api/user/group/${pk}/`) }
  },
  'PUT /api/user/ruleset/{id}/': async () => {
    const [{ pk }] = await service.rows('select pk from rule_set where "group" = $1 limit 1', [await createGroup()])
    return { send: () => superuser.put(`/api/user/ruleset/${pk}/`, { can_add: true }) }
  },
  'PATCH /api/user/ruleset/{id}/': async () => {
    const [{ pk }] = await service.rows('select pk from rule_set where "group" = $1 limit 1', [await createGroup()])
    return { send: () => superuser.patch(`/api/user/ruleset/${pk}/`, { can_view: false }) }
  },
  'DELETE /api/user/ruleset/{id}/': async () => {
    const [{ pk }] = await service.rows('select pk from rule_set where "group" = $1 limit 1', [await createGroup()])
    return { send: () => superuser.delete(`/api/user/ruleset/${pk}/`) }
  },
  'DELETE /api/user/session/{id}/': async () => {
    const { pk, session, token } = await createSignedInAccount()
    const [{ pk: row }] = await service.rows('select pk from user_session where "user" = $1', [pk])
    return { send: () => anonymous.delete(`/api/user/session/${row}/`, undefined, token), revoked: [session] }
  },
  'DELETE /api/user/tokens/{id}/': async () => {
    const { pk, session, token } = await createSignedInAccount()
    const [{ pk: row }] = await service.rows('select pk from api_token where "user" = $1', [pk])
    return { send: () => anonymous.delete(`/api/user/tokens/${row}/`, undefined, session), revoked: [token] }
  },
  'DELETE /api/user/all-sessions/{id}/': async () => {
    const { pk, session } = await createSignedInAccount()
    const [{ pk: row }] = await service.rows('select pk from user_session where "user" = $1', [pk])
    return { send: () => superuser.delete(`/api/user/all-sessions/${row}/`), revoked: [session] }
  },
  'DELETE /api/user/all-tokens/{id}/': async () => {
    const { pk, token } = await createSignedInAccount()
    const [{ pk: row }] = await service.rows('select pk from api_token where "user" = $1', [pk])
    return { send: () => superuser.delete(`/api/user/all-tokens/${row}/`), revoked: [token] }
  },
  'POST /api/user/{id}/end-sessions/': async () => {
    const { pk, session } = await createSignedInAccount()
    return { send: () => superuser.post(`/api/user/${pk}/end-sessions/`), revoked: [session] }
  },
  'POST /api/user/session/end-others/': async () => {
    const { username, session } = await createSignedInAccount()
    const other = await signInAccount(username)
    return { send: () => anonymous.post('/api/user/session/end-others/', {}, other.session), revoked: [session] }
  },
  'PUT /api/user/me/': prepareChange('put', () => '/api/user/me/', nameFields),
  'PATCH /api/user/me/': prepareChange(
    'patch',
    () => '/api/user/me/',
    () => ({ first_name: 'Ada' }),
  ),
  'DELETE /api/user/me/': async () => {
    const { session, token } = await createSignedInAccount()
    return { send: () => anonymous.delete('/api/user/me/', undefined, session), revoked: [session, token] }
  },
  'PUT /api/user/{id}/set-password/': async () => {
    const { pk, session, token } = await createSignedInAccount()
    return { send: () => superuser.put(`/api/user/${pk}/set-password/`, { password: NEW_PASSWORD }), revoked: [session, token] }
  },
  'PATCH /api/user/{id}/set-password/': async () => {
    const { pk, session, token } = await createSignedInAccount()
    return { send: () => superuser.patch(`/api/user/${pk}/set-password/`, { password: NEW_PASSWORD }), revoked: [session, token] }
  },
  'DELETE /api/user/{id}/second-factor/': async () => {
    const { pk, session } = await createGuardedAccount()
    return { send: () => superuser.delete(`/api/user/${pk}/second-factor/`), revoked: [session] }
  },
  'PUT /api/auth/user/': prepareChange(
    'put',
    () => '/api/auth/user/',
    (username) => ({ ...nameFields(username), username: `${username}a` }),
  ),
  'PATCH /api/auth/user/': prepareChange(
    'patch',
    () => '/api/auth/user/',
    (username) => ({ username: `${username}b` }),
  ),
  'POST /api/auth/login/': async () => {
    const { username, session } = await createSignedInAccount()
    const send = () =>
      anonymous.post('/api/auth/login/', { username, password: PASSWORD }, { ...session, ...createAddressHeaders() })
    return { send, revoked: [session] }
  },
  'POST /api/auth/logout/': async () => {
    const { token } = await createSignedInAccount()
    return { send: () => anonymous.post('/api/auth/logout/', {}, token), revoked: [token] }
  },
  'GET /api/auth/logout/': async () => {
    const { session } = await createSignedInAccount()
    return { send: () => anonymous.get('/api/auth/logout/', session), revoked: [session] }
  },
  'POST /api/auth/mfa/totp/': async () => {
    const { session } = await createSignedInAccount()
    return { send: () => anonymous.post('/api/auth/mfa/totp/', { password: PASSWORD }, session) }
  },
  'POST /api/auth/mfa/totp/confirm/': async () => {
    const { session, token } = await createSignedInAccount()
    const { body } = await anonymous.post('/api/auth/mfa/totp/', { password: PASSWORD }, session)
    const send = () => anonymous.post('/api/auth/mfa/totp/confirm/', { code: generateCode(body.secret) }, session)
    return { send, revoked: [session, token] }
  },
  'POST /api/auth/mfa/disable/': async () => {
    const { secret, session } = await createGuardedAccount()
    return { send: () => anonymous.post('/api/auth/mfa/disable/', { code: generateCode(secret) }, session) }
  },
  'POST /api/auth/password/change/': async () => {
    const { session, token } = await createSignedInAccount()
    const body = { new_password1: NEW_PASSWORD, new_password2: NEW_PASSWORD }
    return { send: () => anonymous.post('/api/auth/password/change/', body, session), revoked: [token] }
  },
  'POST /api/auth/password/reset/confirm/': async () => {
    const { session, token, fields, passwords } = await requestResetLink()
    const send = () => anonymous.post('/api/auth/password/reset/confirm/', { ...fields, ...passwords }, createAddressHeaders())
    return { send, revoked: [session, token] }
  },
  'POST /platform/set-password': async () => {
    const { session, token, fields, passwords } = await requestResetLink()
    const body = new URLSearchParams({ ...fields, ...passwords }).toString()
    return { send: () => anonymous.send('POST', '/platform/set-password', body, formHeaders), revoked: [session, token] }
  },
  'POST /api/auth/emails/{id}/primary/': async () => {
    const account = await createSignedInAccount()
    const pk = await addAddress(account, true)
    return { send: () => anonymous.post(`/api/auth/emails/${pk}/primary/`, {}, account.session) }
  },
  'POST /api/auth/emails/{id}/remove/': async () => {
    const account = await createSignedInAccount()
    const pk = await addAddress(account, true)
    await anonymous.post(`/api/auth/emails/${pk}/primary/`, {}, account.session)
    return { send: () => anonymous.post(`/api/auth/emails/${pk}/remove/`, {}, account.session) }
  },
  'POST /api/auth/registration/verify-email/': async () => {
    const { key } = await registerAccount()
    await service.rows(`update user_account set email = '' where pk = (select max(pk) from user_account)`)
    return { send: () => anonymous.post('/api/auth/registration/verify-email/', { key }, createAddressHeaders()) }
  },
  'POST /accounts/confirm-email/:key/': async () => {
    const { key } = await registerAccount()
    await service.rows(`update user_account set email = '' where pk = (select max(pk) from user_account)`)
    return { send: () => anonymous.send('POST', `/accounts/confirm-email/${key}/`, '', formHeaders) }
  },
  'GET /api/email/login/': async () => {
    const { email, session } = await createSignedInAccount()
    assert.equal((await anonymous.post('/api/email/generate/', { email }, createAddressHeaders())).status, 200)
    const { token } = await mail.next(email)
    const send = () => anonymous.get(`/api/email/login/?token=${token}`, { ...session, ...createAddressHeaders() })
    return { send, revoked: [session] }
  },
  'GET /api/auth/social/{provider}/callback/': async () => {
    const { username } = await createSignedInAccount()
    await service.link(username, ownProvider, provider.createPerson())
    const browser = await service.openSignedInBrowser(username)
    const session = { cookie: `sessionid=${browser.cookie(service.site, 'sessionid')}` }
    const response = await service.followToCallback(browser, 'own')
    return { send: () => service.followCallback(browser, response), revoked: [session] }
  },
}

/** Requests that change no cached property of any account. */
const UNRELATED_CHANGES: Record<string, () => Promise<Step>> = {
  'PUT /api/user/profile/': prepareChange(
    'put',
    () => '/api/user/profile/',
    () => ({ displayname: 'Ada' }),
  ),
  'PATCH /api/user/profile/': prepareChange(
    'patch',
    () => '/api/user/profile/',
    () => ({ displayname: 'Ada' }),
  ),
  'PUT /api/user/me/profile/': prepareChange(
    'put',
    () => '/api/user/me/profile/',
    () => ({ displayname: 'Ada' }),
  ),
  'PATCH /api/user/me/profile/': prepareChange(
    'patch',
    () => '/api/user/me/profile/',
    () => ({ displayname: 'Ada' }),
  ),
  'POST /api/auth/emails/': async () => {
    const { pk, session } = await createSignedInAccount()
    return { send: () => anonymous.post('/api/auth/emails/', { email: `new${++lastNumber}@stock.example`, user: pk }, session) }
  },
  'POST /api/auth/emails/{id}/verify/': async () => {
    const account = await createSignedInAccount()
    const pk = await addAddress(account)
    return { send: () => anonymous.post(`/api/auth/emails/${pk}/verify/`, {}, account.session) }
  },
  'POST /api/auth/mfa/recovery-codes/': async () => {
    const { secret, session } = await createGuardedAccount()
    return { send: () => anonymous.post('/api/auth/mfa/recovery-codes/', { code: generateCode(secret) }, session) }
  },
  'POST /api/auth/password/reset/': async () => {
    const { email } = await createSignedInAccount()
    return { send: () => anonymous.post('/api/auth/password/reset/', { email }, createAddressHeaders()) }
  },
  'POST /api/auth/registration/resend-email/': async () => {
    const { email } = await registerAccount()
    return { send: () => anonymous.post('/api/auth/registration/resend-email/', { email }, createAddressHeaders()) }
  },
  'GET /api/auth/social/{provider}/login/': async () => ({
    send: async () => (await service.followToCallback(new Browser(), 'own')).href,
  }),
  'GET /api/auth/social/{provider}/connect/': async () => {
    const browser = await service.openSignedInBrowser((await createSignedInAccount()).username)
    provider.createPerson()
    return { send: async () => (await service.followToCallback(browser, 'own', { step: 'connect' })).href }
  },
  'POST /api/auth/social/{id}/disconnect/': async () => {
    const { username, session } = await createSignedInAccount()
    const sub = provider.createPerson()
    await service.link(username, ownProvider, sub)
    const [{ pk }] = await service.rows('select pk from social_account where uid = $1', [sub])
    return { send: () => anonymous.post(`/api/auth/social/${pk}/disconnect/`, {}, session) }
  },
  'POST /api/email/generate/': async () => {
    const { email } = await createSignedInAccount()
    return { send: () => anonymous.post('/api/email/generate/', { email }, createAddressHeaders()) }
  },
  'POST /api/auth/confirm/': async () => {
    const { session } = await createSignedInAccount()
    return { send: () => anonymous.post('/api/auth/confirm/', { password: PASSWORD }, session) }
  },
  'POST /api/user/tokens/': async () => {
    const { session } = await createSignedInAccount()
    return { send: () => anonymous.post('/api/user/tokens/', { name: 'new' }, session) }
  },
  'POST /api/user/{id}/password-link/': async () => {
    const { pk } = await createSignedInAccount()
    return { send: () => superuser.post(`/api/user/${pk}/password-link/`, {}) }
  },
  'POST /api/user/invitation/': async () => ({ send: () => superuser.post('/api/user/invitation/', {}) }),
  'POST /api/user/invitation/check/': async () => {
    const { token } = await invite()
    return { send: () => anonymous.post('/api/user/invitation/check/', { token }, createAddressHeaders()) }
  },
  'POST /api/user/invitation/{id}/renew/': async () => {
    const { pk } = await invite()
    return { send: () => superuser.post(`/api/user/invitation/${pk}/renew/`, {}) }
  },
  'DELETE /api/user/invitation/{id}/': async () => {
    const { pk } = await invite()
    return { send: () => superuser.delete(`/api/user/invitation/${pk}/`) }
  },
  'GET /api/user/me/token/': async () => {
    const { session } = await createSignedInAccount()
    return { send: () => anonymous.get('/api/user/me/token/?name=new', session) }
  },
  'GET /api/user/token/': async () => {
    const { session } = await createSignedInAccount()
    return { send: () => anonymous.get('/api/user/token/?name=new', session) }
  },
}

/** Requests that create an account with its permissions, which cannot be cached yet: they are announced all the same. */
const CREATIONS: Record<string, () => Promise<Step>> = {
  'POST /api/auth/registration/': async () => {
    const body = { username: `person${++lastNumber}`, password1: NEW_PASSWORD, password2: NEW_PASSWORD }
    return { send: () => anonymous.post('/api/auth/registration/', body, createAddressHeaders()) }
  },
  'POST /api/user/invitation/accept/': async () => {
    const { token } = await invite([await createGroup()])
    const body = { token, username: `person${++lastNumber}`, password1: NEW_PASSWORD, password2: NEW_PASSWORD }
    return { send: () => anonymous.post('/api/user/invitation/accept/', body, createAddressHeaders()) }
  },
}

const witness = await createSignedInAccount()
/** Returns the name under which the service authenticates the witness. */
const readWitnessName = async (): Promise<string> => {
  const { status, body } = await anonymous.get(ROLES, witness.token)
  assert.equal(status, 200)
  return body.username
}
const readStatus = async (credential: Headers) => (await anonymous.get(ROLES, credential)).status

/** Sends a request while everything is cached. Returns whether it invalidated the cache, and whether the database announced it. */
async function executeStep(prepare: () => Promise<Step>): Promise<{ invalidated: boolean; announced: boolean }> {
  const { send, revoked = [] } = await prepare()
  for (const credential of revoked) assert.equal(await readStatus(credential), 200, 'a credential is valid before')
  const before = await readWitnessName()
  // another node renames the witness, without a notification reaching this one
  await service.rows('update user_account set username = $1 where pk = $2', [`witness${++lastNumber}`, witness.pk])
  await waitForListeners(service)
  assert.equal(await readWitnessName(), before, 'the witness is cached')
  const announcements = proxy.withheldCount
  const response = await send()
  if (typeof response !== 'string') assert.ok(response.status < 400, JSON.stringify(response))
  const invalidated = (await readWitnessName()) !== before
  for (const credential of revoked)
    assert.equal(await readStatus(credential), 401, 'a revoked credential is rejected immediately')
  await waitForListeners(service)
  return { invalidated, announced: proxy.withheldCount > announcements }
}

describe('a full account cache that receives no notifications from the database', () => {
  proxy.withhold('accounts')

  for (const [name, prepare] of Object.entries(CHANGES))
    it(`${name} is seen by the very next request`, async () => {
      assert.deepEqual(await executeStep(prepare), { invalidated: true, announced: true })
    })

  for (const [name, prepare] of Object.entries(UNRELATED_CHANGES))
    it(`${name} leaves the cached accounts unchanged`, async () => {
      assert.deepEqual(await executeStep(prepare), { invalidated: false, announced: false })
    })

  for (const [name, prepare] of Object.entries(CREATIONS))
    it(`${name} creates accounts that are not cached yet`, async () => {
      assert.deepEqual(await executeStep(prepare), { invalidated: false, announced: true })
    })

  it("is invalidated for the next request by a password that is rehashed in the service's own form", async () => {
    const { pk, username } = await createSignedInAccount()
    const django = 'pbkdf2_sha256$1000$salt$'
    const { pbkdf2Sync } = await import('node:crypto')
    const hash = django + pbkdf2Sync(PASSWORD, 'salt', 1000, 32, 'sha256').toString('base64')
    await service.rows('update user_account set password = $1 where pk = $2', [hash, pk])
    const basic = { authorization: `Basic ${btoa(`${username}:${PASSWORD}`)}`, ...createAddressHeaders() }
    const prepare = async () => ({ send: () => anonymous.get(ROLES, basic) })
    assert.deepEqual(await executeStep(prepare), { invalidated: true, announced: true })
  })

  it('is tested with every operation on accounts that is not a plain read', () => {
    const pages = ['POST /platform/set-password', 'POST /accounts/confirm-email/:key/']
    const operations = service.app.routes.operations
      .filter(({ path }) => /^\/api\/(auth|user|email)\//.test(path))
      .filter(({ method, unsafe, status }) => method !== 'GET' || unsafe || status === 302)
      .map(({ method, path }) => `${method} ${path}`)
    const testedOperations = Object.keys({ ...CHANGES, ...UNRELATED_CHANGES, ...CREATIONS })
    assert.deepEqual(testedOperations.toSorted(), [...operations, ...pages].toSorted())
  })
})
