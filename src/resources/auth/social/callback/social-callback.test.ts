import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { clearLastUse, enroll, generateCode, generateWrongCode } from '../../../../testing/second-factor.ts'
import { Browser } from '../../../../testing/servers/browser.ts'
import { startTestMailServer } from '../../../../testing/servers/mail.ts'
import { type Claims, startTestOpenidProvider } from '../../../../testing/servers/openid.ts'
import type { TestResponse } from '../../../../testing/service.ts'
import { reserveSite, startTestSite } from '../../../../testing/single-sign-on.ts'
import { sendWhileLocked } from '../../../../testing/while-locked.ts'

const reservedSite = await reserveSite()
const mail = await startTestMailServer()
const own = await startTestOpenidProvider({ redirectUris: [reservedSite.callback('own')] })
const otherProvider = await startTestOpenidProvider({
  redirectUris: [reservedSite.callback('other'), reservedSite.callback('own')],
  client: { token_endpoint_auth_method: 'client_secret_basic' },
  configuration: { clientAuthMethods: ['client_secret_basic'] },
})
const client = { client_id: own.clientId, client_secret: own.clientSecret }
const service = await startTestSite(
  reservedSite,
  [
    { id: 'own', issuer: own.issuer, ...client },
    { id: 'other', issuer: otherProvider.issuer, ...client },
  ],
  { SMTP_URL: mail.url },
)

const providers = { own: { id: 'own', issuer: own.issuer }, other: { id: 'other', issuer: otherProvider.issuer } }
const { link, findLinkedAccount, assertRejected, listEvents } = service
const listAccounts = () => service.rows('select username, email, password from user_account order by pk')
const listAddresses = (username: string) =>
  service.rows(
    'select e.email, e.verified, e."primary" from email_address e join user_account u on u.pk = e."user" where u.username = $1 order by e.pk',
    [username],
  )

describe('GET /api/auth/social/{provider}/callback/: signing in', () => {
  it('opens a session for a linked account', async () => {
    await link('viewer', providers.own, own.createPerson())
    const browser = new Browser()
    assert.equal(await service.signInAtProvider(browser, 'own'), '/')
    assert.equal(await service.readSignedInUsername(browser), 'viewer')
    assert.deepEqual(await listEvents('viewer'), ['sign_in own'])
    const [session] = await service.rows('select second_factor from user_session where "user" = $1', [service.getPk('viewer')])
    assert.equal(session.second_factor, false)
  })

  it('records when the account was last used', async () => {
    const sub = own.createPerson()
    await link('viewer', providers.own, sub)
    await service.rows(`update social_account set last_login = '2020-01-01' where uid = $1`, [sub])
    await service.signInAtProvider(new Browser(), 'own')
    const [row] = await service.rows(
      `select last_login > now() - interval '1 minute' as is_new from social_account where uid = $1`,
      [sub],
    )
    assert.ok(row.is_new)
  })

  it('gives the browser a new session and ends its previous one', async () => {
    await link('member', providers.own, own.createPerson())
    const browser = await service.openSignedInBrowser('viewer')
    const before = browser.copy()
    await service.signInAtProvider(browser, 'own')
    assert.equal(await service.readSignedInUsername(browser), 'member')
    assert.notEqual(browser.cookie(service.site, 'sessionid'), before.cookie(service.site, 'sessionid'))
    assert.equal(await service.readSignedInUsername(before), undefined)
  })

  it('sends the secret as the provider requires, in the body or in the header', async () => {
    await link('viewer', providers.other, otherProvider.createPerson())
    const browser = new Browser()
    assert.equal(await service.signInAtProvider(browser, 'other'), '/')
    assert.equal(await service.readSignedInUsername(browser), 'viewer')
  })

  it('identifies accounts by issuer and subject: the same subject at another issuer is another account', async () => {
    const sub = own.createPerson()
    await link('viewer', providers.other, sub)
    const browser = new Browser()
    await assertRejected(browser, () => service.signInAtProvider(browser, 'own'), 'registration_closed')
  })

  it('rejects an inactive account', async () => {
    await service.rows(`insert into user_account (username, is_active) values ('gone', false)`)
    await link('gone', providers.own, own.createPerson())
    const browser = new Browser()
    await assertRejected(browser, () => service.signInAtProvider(browser, 'own'), 'inactive')
    assert.deepEqual(await listEvents('gone'), ['sign_in_failed own'])
  })

  it('stores no tokens of the provider', async () => {
    await link('viewer', providers.own, own.createPerson())
    own.tokens.length = 0
    await service.signInAtProvider(new Browser(), 'own')
    assert.equal(own.tokens.length, 2)
    for (const { name } of await service.rows(
      `select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables where schemaname in ('public', 'pgboss')`,
    )) {
      const [row] = await service.rows(`select coalesce(string_agg(t::text, ' '), '') as all from ${name} t`)
      for (const token of own.tokens) assert.ok(!row.all.includes(token), name)
    }
  })

  it('is disabled by the setting, before and after the visit to the provider', async () => {
    await link('viewer', providers.own, own.createPerson())
    const browser = new Browser()
    const callbackUrl = await service.followToCallback(browser, 'own')
    await service.changeSettings({ LOGIN_ENABLE_SSO: false })
    await assertRejected(browser, () => service.followCallback(browser, callbackUrl), 'disabled')
    await assertRejected(browser, () => service.signInAtProvider(browser, 'own'), 'disabled')
    await service.changeSettings({ LOGIN_ENABLE_SSO: true })
  })
})

describe('GET /api/auth/social/{provider}/callback/: the second factor', () => {
  it('is required, and POST /api/auth/login/ with only the code completes the sign-in', async () => {
    const { username, secret, pk } = await enroll(service, 'careful')
    await link(username, providers.own, own.createPerson())
    const browser = new Browser()
    assert.equal(await service.signInAtProvider(browser, 'own', { next: '/part/7/' }), '/?sso=code_required&next=%2Fpart%2F7%2F')
    assert.equal(browser.cookie(service.site, 'sessionid'), undefined)
    assert.equal(await service.readSignedInUsername(browser), undefined)
    const send = (code: string) =>
      browser.visit(`${service.site}/api/auth/login/`, { method: 'POST', from: service.site, json: { code } })
    assert.equal((await send(generateWrongCode(secret))).status, 400)
    assert.equal(await service.readSignedInUsername(browser), undefined)
    const browserCopy = browser.copy()
    assert.equal((await send(generateCode(secret))).status, 200)
    assert.equal(await service.readSignedInUsername(browser), username)
    const [session] = await service.rows('select second_factor from user_session where "user" = $1 order by pk desc', [pk])
    assert.equal(session.second_factor, true)
    assert.equal(browser.cookie(service.site, 'pending_sign_in'), undefined)
    // a code without the cookie, and the cookie with a used code, are worthless
    await clearLastUse(service, pk)
    assert.equal(
      (await new Browser().visit(`${service.site}/api/auth/login/`, { method: 'POST', json: { code: generateCode(secret) } }))
        .status,
      400,
    )
    assert.equal(await service.readSignedInUsername(browserCopy), undefined)
  })
})

describe('GET /api/auth/social/{provider}/callback/: a sign-in that waits for a code', () => {
  const sendCode = (browser: Browser, code: string) =>
    browser.visit(`${service.site}/api/auth/login/`, { method: 'POST', from: service.site, json: { code } })

  /** Creates an account with a second factor, and a browser that has returned from the provider and must enter a code. */
  async function startPendingSignIn(username: string) {
    const enrolled = await enroll(service, username)
    const sub = own.createPerson()
    await link(username, providers.own, sub)
    const browser = new Browser()
    assert.match(await service.signInAtProvider(browser, 'own'), /code_required/)
    return { ...enrolled, browser, sub }
  }

  it('is completed once, even with a copy of its cookie in another browser', async () => {
    const { browser, secret, pk } = await startPendingSignIn('once')
    const copy = browser.copy()
    assert.equal((await sendCode(browser, generateWrongCode(secret))).status, 400)
    assert.equal((await sendCode(browser, generateCode(secret))).status, 200)
    await clearLastUse(service, pk)
    assert.equal((await sendCode(copy, generateCode(secret))).status, 400)
    assert.equal(await service.readSignedInUsername(copy), undefined)
  })

  it('ends when the state that it depends on changes', async () => {
    const changes: [description: string, text: string][] = [
      ['password', `update user_account set password = 'another' where pk = $1`],
      ['link', 'delete from social_account where "user" = $1'],
      ['factor', 'delete from second_factor where "user" = $1'],
      ['account', 'update user_account set is_active = false where pk = $1'],
    ]
    for (const [description, text] of changes) {
      const { browser, secret, pk } = await startPendingSignIn(`without-${description}`)
      await service.rows(text, [pk])
      for (const code of [generateWrongCode(secret), generateCode(secret)])
        assert.equal((await sendCode(browser, code)).status, 400, description)
      assert.equal(await service.readSignedInUsername(browser), undefined, description)
    }
  })

  it('ends on a change while it waits for the account', async () => {
    for (const change of [`password = 'another'`, 'delete from second_factor where "user" = ']) {
      const { browser, secret, pk } = await startPendingSignIn(`late-${change.length}`)
      const cookie = `pending_sign_in=${browser.cookie(service.site, 'pending_sign_in')}`
      const code = generateCode(secret)
      const send = () => service.anonymous.post('/api/auth/login/', { code }, { cookie })
      const { status } = await sendWhileLocked(service, pk, send, change.startsWith('delete') ? `${change}${pk}` : change)
      assert.equal(status, 400, change)
    }
  })
})

describe('GET /api/auth/social/{provider}/callback/: while the account changes', () => {
  /** Follows the callback from the provider while another transaction locks the account and changes it. */
  async function signInDuringChange(username: string, change: (pk: number) => string) {
    const [{ pk }] = await service.rows('insert into user_account (username) values ($1) returning pk', [username])
    await link(username, providers.own, own.createPerson())
    const browser = new Browser()
    const callbackUrl = await service.followToCallback(browser, 'own')
    let path = ''
    const send = async () => {
      path = await service.followCallback(browser, callbackUrl)
      return {} as TestResponse
    }
    await sendWhileLocked(service, pk, send, change(pk))
    const sessions = await service.rows('select from user_session where "user" = $1', [pk])
    return { path, sessions: sessions.length }
  }

  it('opens no session for an account that is closed in the meantime', async () => {
    const outcome = await signInDuringChange('closing', () => 'is_active = false')
    assert.deepEqual(outcome, { path: '/?sso_error=inactive', sessions: 0 })
  })

  it('opens no session for a link that is removed in the meantime', async () => {
    const outcome = await signInDuringChange('leaving', (pk) => `delete from social_account where "user" = ${pk}`)
    assert.deepEqual(outcome, { path: '/?sso_error=expired', sessions: 0 })
  })
})

describe('GET /api/auth/social/{provider}/callback/: signing up', () => {
  const allowSignUp = () => service.changeSettings({ LOGIN_ENABLE_SSO_REG: true })
  const resetSettings = () =>
    service.changeSettings({
      LOGIN_ENABLE_SSO_REG: false,
      LOGIN_SIGNUP_SSO_AUTO: true,
      LOGIN_MAIL_REQUIRED: false,
      LOGIN_SIGNUP_MAIL_RESTRICTION: '',
      SIGNUP_GROUP: '',
    })

  it('is disabled by default', async () => {
    own.createPerson()
    const browser = new Browser()
    await assertRejected(browser, () => service.signInAtProvider(browser, 'own'), 'registration_closed')
  })

  it('creates an account without a password, with an address verified by the provider', async () => {
    await allowSignUp()
    const sub = own.createPerson()
    const browser = new Browser()
    assert.equal(await service.signInAtProvider(browser, 'own'), '/')
    assert.equal(await service.readSignedInUsername(browser), sub)
    const email = `${sub}@works.example`
    assert.deepEqual(await findLinkedAccount(sub), { username: sub, email, password: '', provider: 'own', issuer: own.issuer })
    assert.deepEqual(await listAddresses(sub), [{ email, verified: true, primary: true }])
    assert.deepEqual(await listEvents(sub), [
      'registered own',
      'address_added',
      'address_verified',
      'address_primary',
      'social_linked own',
      'sign_in own',
    ])
    const { body } = await service.superuser.get(`/api/user/?search=${sub}`)
    assert.deepEqual(
      [body.results[0].groups.map(({ name }: { name: string }) => name), body.results[0].is_staff, body.results[0].is_superuser],
      [['Members'], false, false],
    )
  })

  it('signs in to the same account the next time', async () => {
    const sub = own.createPerson()
    await service.signInAtProvider(new Browser(), 'own')
    const before = await listAccounts()
    const browser = new Browser()
    await service.signInAtProvider(browser, 'own')
    assert.equal(await service.readSignedInUsername(browser), sub)
    assert.deepEqual(await listAccounts(), before)
  })

  it('creates one account for one person in two browsers at the same time', async () => {
    const sub = own.createPerson()
    const browsers = [new Browser(), new Browser()]
    const callbackUrls = [
      await service.followToCallback(browsers[0] as Browser, 'own'),
      await service.followToCallback(browsers[1] as Browser, 'own'),
    ]
    const paths = await Promise.all(browsers.map((browser, index) => service.followCallback(browser, callbackUrls[index] as URL)))
    assert.deepEqual(paths, ['/', '/'])
    for (const browser of browsers) assert.equal(await service.readSignedInUsername(browser), sub)
  })

  it('adds the account to the group of the setting', async () => {
    await service.changeSettings({ SIGNUP_GROUP: 'viewers' })
    const sub = own.createPerson()
    await service.signInAtProvider(new Browser(), 'own')
    const { body } = await service.superuser.get(`/api/user/?search=${sub}`)
    assert.deepEqual(
      body.results[0].groups.map(({ name }: { name: string }) => name),
      ['viewers'],
    )
    await service.changeSettings({ SIGNUP_GROUP: '' })
  })

  const names: [description: string, claims: Partial<Claims>, expected: RegExp][] = [
    ['the preferred one', { preferred_username: 'Grace' }, /^Grace$/],
    ['with a number if it is taken', { preferred_username: 'GRACE' }, /^GRACE-2$/],
    ['with a number if it looks like a taken one', { preferred_username: 'memb\u00e9r' }, /^member-2$/],
    ['without letters of other scripts', { preferred_username: '\u0430dmin' }, /^dmin$/],
    ['the part of an address before the @', { preferred_username: 'joan@works.example' }, /^joan$/],
    ['only allowed characters', { preferred_username: '<b>Mary  Ann</b>\r\n' }, /^bMary\.Annb$/],
    ['from the address if no name is sent', { preferred_username: undefined, email: 'kay@works.example' }, /^kay$/],
    ['from the provider if neither can be used', { preferred_username: '\u5b6b', email: undefined }, /^own$/],
    ['from the provider if neither is a string', { preferred_username: { a: 1 } as never, email: ['x'] as never }, /^own-2$/],
  ]
  for (const [description, claims, expected] of names) {
    it(`derives the username: ${description}`, async () => {
      const sub = own.createPerson(claims)
      assert.equal(await service.signInAtProvider(new Browser(), 'own'), '/')
      assert.match((await findLinkedAccount(sub))?.username ?? '', expected)
    })
  }

  it('accepts an unverified address as such, and emails a link to verify it', async () => {
    for (const email_verified of [false, undefined, 'true' as never]) {
      const email = `unverified-${typeof email_verified}@works.example`
      const sub = own.createPerson({ email, email_verified })
      await service.signInAtProvider(new Browser(), 'own')
      assert.deepEqual(await listAddresses(sub), [{ email, verified: false, primary: true }])
      assert.match((await mail.next(email)).subject, /confirm/i)
    }
  })

  it('ignores an invalid address', async () => {
    for (const email of ['x', 'a@b.example\r\nBcc: c@d.example', `${'a'.repeat(250)}@b.example`]) {
      const sub = own.createPerson({ email })
      assert.equal(await service.signInAtProvider(new Browser(), 'own'), '/')
      assert.deepEqual(await listAddresses(sub), [])
    }
  })

  it('never signs in to an existing account with the same address', async () => {
    const email = 'shared@works.example'
    await service.rows('insert into email_address ("user", email, verified, "primary") values ($1, $2, true, true)', [
      service.getPk('staff'),
      email,
    ])
    // not verified by the provider: it gets an account of its own, and the owner of the address is notified
    const sub = own.createPerson({ email: 'Shared@Works.example', email_verified: false })
    const browser = new Browser()
    assert.equal(await service.signInAtProvider(browser, 'own'), '/')
    assert.equal(await service.readSignedInUsername(browser), sub)
    assert.deepEqual(await listAddresses(sub), [{ email: 'Shared@Works.example', verified: false, primary: true }])
    assert.match((await mail.next(email)).text, /somebody|someone|account/i)
    // verified by the provider: the address is theirs, and they are asked to sign in to their existing account
    own.createPerson({ email, email_verified: true })
    const secondBrowser = new Browser()
    await assertRejected(secondBrowser, () => service.signInAtProvider(secondBrowser, 'own'), 'address_taken')
  })

  it('never signs in to an account that was given the address by an administrator', async () => {
    await service.rows(`insert into user_account (username, email) values ('imported', 'imported@works.example')`)
    own.createPerson({ email: 'imported@works.example' })
    const browser = new Browser()
    await assertRejected(browser, () => service.signInAtProvider(browser, 'own'), 'address_taken')
  })

  it('requires an address if the setting does', async () => {
    await service.changeSettings({ LOGIN_MAIL_REQUIRED: true })
    own.createPerson({ email: undefined })
    const browser = new Browser()
    await assertRejected(browser, () => service.signInAtProvider(browser, 'own'), 'address_missing')
    await service.changeSettings({ LOGIN_MAIL_REQUIRED: false })
  })

  it('allows only the permitted domains, and only verified addresses of them', async () => {
    await service.changeSettings({ LOGIN_SIGNUP_MAIL_RESTRICTION: '@works.example' })
    for (const [claims, code] of [
      [{ email: 'a@elsewhere.example' }, 'address_refused'],
      [{ email: 'mallory@works.example', email_verified: false }, 'address_refused'],
      [{ email: undefined }, 'address_missing'],
    ] as const) {
      own.createPerson(claims)
      const browser = new Browser()
      await assertRejected(browser, () => service.signInAtProvider(browser, 'own'), code)
    }
    own.createPerson({ email: 'carol@works.example' })
    assert.equal(await service.signInAtProvider(new Browser(), 'own'), '/')
    await service.changeSettings({ LOGIN_SIGNUP_MAIL_RESTRICTION: '' })
  })

  it('takes neither name nor address from the provider if the setting disables it', async () => {
    await service.changeSettings({ LOGIN_SIGNUP_SSO_AUTO: false })
    const sub = own.createPerson()
    assert.equal(await service.signInAtProvider(new Browser(), 'own'), '/')
    const account = await findLinkedAccount(sub)
    assert.ok(account)
    assert.match(account.username, /^own-\d+$/)
    assert.equal(account.email, '')
    assert.deepEqual(await listAddresses(account.username), [])
    await resetSettings()
  })
})
