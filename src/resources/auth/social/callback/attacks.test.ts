import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { describe, it } from 'node:test'
import { Browser } from '../../../../testing/servers/browser.ts'
import { startTestOpenidProvider } from '../../../../testing/servers/openid.ts'
import { reserveSite, startTestSite } from '../../../../testing/single-sign-on.ts'

// Sign-up is open: an attack that passes the checks creates an account, which the tests detect.

const reservedSite = await reserveSite()
const own = await startTestOpenidProvider({ redirectUris: [reservedSite.callback('own')] })
// a provider that also accepts the callback URL of the other
const otherProvider = await startTestOpenidProvider({
  redirectUris: [reservedSite.callback('other'), reservedSite.callback('own')],
})
const forger = await startTestOpenidProvider({ redirectUris: [reservedSite.callback('forger')] })
const providers = { own: { id: 'own', issuer: own.issuer } }
const client = { client_id: own.clientId, client_secret: own.clientSecret }
const service = await startTestSite(
  reservedSite,
  Object.entries({ own, other: otherProvider, forger }).map(([id, { issuer }]) => ({ id, issuer, ...client })),
)
await service.changeSettings({ LOGIN_ENABLE_SSO_REG: true })
const { link, assertRejected } = service

const replaceParameters = (url: URL, parameters: Record<string, string>): URL => {
  const copy = new URL(url)
  for (const [name, value] of Object.entries(parameters)) copy.searchParams.set(name, value)
  return copy
}

describe('GET /api/auth/social/{provider}/callback/: a response', () => {
  it('is accepted once, even with a copy of the cookie', async () => {
    own.createPerson()
    const browser = new Browser()
    const callbackUrl = await service.followToCallback(browser, 'own')
    const copy = browser.copy()
    assert.equal(await service.followCallback(browser, callbackUrl), '/')
    const requestsBefore = own.requestedPaths.length
    await assertRejected(browser, () => service.followCallback(browser, callbackUrl), 'expired')
    await assertRejected(copy, () => service.followCallback(copy, callbackUrl), 'expired')
    // the provider would reject the code too: it received no request
    assert.equal(own.requestedPaths.length, requestsBefore)
  })

  it('is rejected in another browser', async () => {
    own.createPerson()
    const attacker = new Browser()
    const callbackUrl = await service.followToCallback(attacker, 'own')
    const victim = new Browser()
    await assertRejected(victim, () => service.followCallback(victim, callbackUrl), 'expired')
    // nor while that browser is signing in at the provider itself
    await service.followToCallback(victim, 'own')
    await assertRejected(victim, () => service.followCallback(victim, callbackUrl), 'invalid_answer')
  })

  it('is rejected with a different state, or with none', async () => {
    own.createPerson()
    for (const state of ['x', '']) {
      const browser = new Browser()
      const callbackUrl = await service.followToCallback(browser, 'own')
      await assertRejected(
        browser,
        () => service.followCallback(browser, replaceParameters(callbackUrl, { state })),
        'invalid_answer',
      )
    }
    const browser = new Browser()
    const callbackUrl = await service.followToCallback(browser, 'own')
    callbackUrl.searchParams.delete('state')
    await assertRejected(browser, () => service.followCallback(browser, callbackUrl), 'invalid_answer')
  })

  it('is rejected after ten minutes, however long the browser keeps the cookie', async (test) => {
    own.createPerson()
    const browser = new Browser()
    test.mock.timers.enable({ apis: ['Date'], now: Date.now() - 601_000 })
    const providerVisit = await browser.visit(`${service.site}/api/auth/social/own/login/`, {
      from: service.site,
      until: () => true,
    })
    test.mock.timers.reset()
    const { url: callbackUrl } = await browser.visit(providerVisit.url, { until: (url) => url.origin === service.site })
    assert.ok(callbackUrl.searchParams.has('code'))
    await assertRejected(browser, () => service.followCallback(browser, callbackUrl), 'expired')
  })

  it('is rejected with a cookie that was not sealed by this service', async () => {
    own.createPerson()
    const browser = new Browser()
    const callbackUrl = await service.followToCallback(browser, 'own')
    const [key, cookie] = [...browser.cookies].find(([name]) => name.endsWith('single_sign_on')) as [string, { value: string }]
    for (const value of [
      cookie.value.replace(/.$/, (end) => (end === 'A' ? 'B' : 'A')),
      'x',
      Buffer.from('{"value":{}}').toString('base64url'),
    ]) {
      const forged = browser.copy()
      forged.cookies.set(key, { host: 'localhost', path: '/', value })
      // changing the last letter may change no bit of the value
      if (Buffer.from(value, 'base64url').equals(Buffer.from(cookie.value, 'base64url'))) continue
      await assertRejected(forged, () => service.followCallback(forged, callbackUrl), 'expired')
    }
  })

  it('is rejected with a code of another request, which does not match the verifier', async () => {
    own.createPerson()
    const [attacker, victim] = [new Browser(), new Browser()]
    const stolen = await service.followToCallback(victim, 'own')
    const callbackUrl = await service.followToCallback(attacker, 'own')
    const mixedUrl = replaceParameters(callbackUrl, { code: stolen.searchParams.get('code') as string })
    await assertRejected(attacker, () => service.followCallback(attacker, mixedUrl), 'invalid_answer')
  })

  it('is rejected with a token for another request, whose nonce is wrong', async () => {
    own.createPerson()
    const browser = new Browser()
    const isProviderPage = (url: URL) => url.origin === own.issuer && url.pathname === '/auth'
    const providerVisit = await browser.visit(`${service.site}/api/auth/social/own/login/`, {
      from: service.site,
      until: isProviderPage,
    })
    assert.match(providerVisit.url.searchParams.get('nonce') as string, /^[\w-]{43}$/)
    const { url: callbackUrl } = await browser.visit(replaceParameters(providerVisit.url, { nonce: 'x' }), {
      until: (url) => url.origin === service.site,
    })
    assert.ok(callbackUrl.searchParams.has('code'))
    await assertRejected(browser, () => service.followCallback(browser, callbackUrl), 'invalid_answer')
  })

  it('is rejected as that of another provider', async () => {
    own.createPerson()
    otherProvider.createPerson()
    const browser = new Browser()
    const callbackUrl = await service.followToCallback(browser, 'other')
    const redirected = new URL(callbackUrl.href.replace('/other/', '/own/'))
    await assertRejected(browser, () => service.followCallback(browser, redirected), 'invalid_answer')
  })

  it('is rejected when the browser was sent to another provider, which forwarded it with the same parameters', async () => {
    own.createPerson()
    const browser = new Browser()
    const providerVisit = await browser.visit(`${service.site}/api/auth/social/other/login/`, {
      from: service.site,
      until: (url) => url.origin === otherProvider.issuer,
    })
    const forwardedUrl = replaceParameters(new URL(providerVisit.url.href.replace(otherProvider.issuer, own.issuer)), {
      redirect_uri: reservedSite.callback('own'),
    })
    const { url: callbackUrl } = await browser.visit(forwardedUrl, { until: (url) => url.origin === service.site })
    // state, nonce, challenge and issuer are all right
    assert.equal(callbackUrl.searchParams.get('iss'), own.issuer)
    await assertRejected(browser, () => service.followCallback(browser, callbackUrl), 'invalid_answer')
  })

  it('is rejected by its issuer when the browser was redirected to another provider', async () => {
    own.createPerson()
    otherProvider.createPerson()
    const browser = new Browser()
    const isProviderPage = (url: URL) => url.origin === own.issuer
    const providerVisit = await browser.visit(`${service.site}/api/auth/social/own/login/`, {
      from: service.site,
      until: isProviderPage,
    })
    // the code would be sent to the wrong provider
    const otherProviderUrl = new URL(providerVisit.url.href.replace(own.issuer, otherProvider.issuer))
    const { url: callbackUrl } = await browser.visit(otherProviderUrl, { until: (url) => url.origin === service.site })
    assert.equal(callbackUrl.searchParams.get('iss'), otherProvider.issuer)
    const requestsBefore = own.requestedPaths.length
    await assertRejected(browser, () => service.followCallback(browser, callbackUrl), 'invalid_answer')
    assert.equal(own.requestedPaths.length, requestsBefore)
    // without the issuer too: this provider declares that it always sends it
    const secondBrowser = new Browser()
    const urlWithoutIssuer = await service.followToCallback(secondBrowser, 'own')
    urlWithoutIssuer.searchParams.delete('iss')
    await assertRejected(secondBrowser, () => service.followCallback(secondBrowser, urlWithoutIssuer), 'invalid_answer')
  })

  it('is rejected if it repeats a parameter', async () => {
    own.createPerson()
    for (const name of ['state', 'code', 'iss']) {
      const browser = new Browser()
      const callbackUrl = await service.followToCallback(browser, 'own')
      const text = callbackUrl.href.replace('?', `?${name}=x&`)
      await assertRejected(browser, () => service.followCallback(browser, text), 'invalid_answer')
    }
  })

  it('is rejected when malformed', async () => {
    own.createPerson()
    for (const query of [
      '',
      '?',
      '?code=x',
      '?error=server_error',
      '?response=x',
      '?id_token=x',
      '?code=%00',
      '?state[]=x',
      '?__proto__=x',
    ]) {
      const browser = new Browser()
      const callbackUrl = await service.followToCallback(browser, 'own')
      const page = await browser.visit(callbackUrl.origin + callbackUrl.pathname + query, {
        until: (url) => url.search.includes('sso_error'),
      })
      assert.ok(page.status === 302 || page.status === 400, `${query}: ${page.status} ${page.text}`)
      assert.equal(browser.cookie(service.site, 'sessionid'), undefined)
    }
  })

  it('may state that the user denied access', async () => {
    own.current = undefined
    const browser = new Browser()
    await assertRejected(browser, () => service.signInAtProvider(browser, 'own'), 'denied')
  })

  it('redirects to the page with nothing but the error code', async () => {
    own.createPerson()
    const browser = new Browser()
    const callbackUrl = await service.followToCallback(browser, 'own')
    const { state, code } = Object.fromEntries(callbackUrl.searchParams)
    const page = await browser.visit(replaceParameters(callbackUrl, { code: 'wrong' }), {
      until: (url) => url.search.includes('sso_error'),
    })
    assert.equal(page.url.href, `${service.site}/?sso_error=invalid_answer`)
    assert.ok(state && code)
    assert.equal(page.headers.get('cache-control'), 'no-store')
  })
})

describe('GET /api/auth/social/{provider}/callback/: a token', () => {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const publishedKey = { ...keys.publicKey.export({ format: 'jwk' }), kid: 'forger', alg: 'RS256', use: 'sig' }
  const encodePart = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signToken = (
    claims: object,
    header: object = { alg: 'RS256', kid: 'forger' },
    key: KeyObject | null = keys.privateKey,
  ) => {
    const text = `${encodePart(header)}.${encodePart(claims)}`
    return `${text}.${key ? sign('sha256', Buffer.from(text), key).toString('base64url') : ''}`
  }
  const now = () => Math.floor(Date.now() / 1000)
  const createClaims = (nonce: string) => ({
    iss: forger.issuer,
    sub: 'forged',
    aud: forger.clientId,
    nonce,
    iat: now(),
    exp: now() + 60,
    email: 'forged@works.example',
    email_verified: true,
  })
  type Claims = ReturnType<typeof createClaims>

  /** Signs in at a provider that responds with this token. */
  async function signInWithToken(browser: Browser, token: (claims: Claims) => string | undefined): Promise<string> {
    forger.createPerson()
    const isProviderPage = (url: URL) => url.origin === forger.issuer
    const providerVisit = await browser.visit(`${service.site}/api/auth/social/forger/login/`, {
      from: service.site,
      until: isProviderPage,
    })
    const { url: callbackUrl } = await browser.visit(providerVisit.url, { until: (url) => url.origin === service.site })
    const id_token = token(createClaims(providerVisit.url.searchParams.get('nonce') as string))
    forger.replace('/token', { access_token: 'x', token_type: 'Bearer', id_token })
    return service.followCallback(browser, callbackUrl)
  }
  forger.replace('/jwks', { keys: [publishedKey] })

  it('is accepted if it is valid', async () => {
    assert.equal(await signInWithToken(new Browser(), (claims) => signToken(claims)), '/')
    assert.ok(await service.findLinkedAccount('forged'))
    await service.rows(`delete from user_account where username like 'forged%'`)
  })

  const unknownKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const invalidTokens: [description: string, token: (claims: Claims) => string | undefined][] = [
    ['with the signature of another key', (claims) => signToken(claims, undefined, unknownKey)],
    [
      'with the signature of a key that is not published',
      (claims) => signToken(claims, { alg: 'RS256', kid: 'other' }, unknownKey),
    ],
    [
      'whose claims were changed',
      (claims) => signToken(claims).replace(/\.[^.]+\./, `.${encodePart({ ...claims, sub: 'admin' })}.`),
    ],
    ['without a signature', (claims) => signToken(claims, { alg: 'none' }, null)],
    ['of another issuer', (claims) => signToken({ ...claims, iss: own.issuer })],
    ['for another client', (claims) => signToken({ ...claims, aud: 'other' })],
    ['for several clients, issued to another', (claims) => signToken({ ...claims, aud: ['other', claims.aud], azp: 'other' })],
    ['that has expired', (claims) => signToken({ ...claims, iat: now() - 3600, exp: now() - 60 })],
    ['without an expiry time', (claims) => signToken({ ...claims, exp: undefined })],
    ['without a subject', (claims) => signToken({ ...claims, sub: undefined })],
    ['with the nonce of another request', (claims) => signToken({ ...claims, nonce: 'x' })],
    ['without a nonce', (claims) => signToken({ ...claims, nonce: undefined })],
    ['that is not a token', () => 'x'],
    ['that is missing', () => undefined],
  ]
  for (const [description, token] of invalidTokens) {
    it(`${description} is rejected`, async () => {
      const browser = new Browser()
      await assertRejected(browser, () => signInWithToken(browser, token), 'invalid_answer')
    })
  }
})

describe('GET /api/auth/social/{provider}/callback/: a provider', () => {
  it('results in an error code while it is down, and works when it is up again', async () => {
    await link('viewer', providers.own, own.createPerson())
    const browser = new Browser()
    const callbackUrl = await service.followToCallback(browser, 'own')
    await own.stop()
    await assertRejected(browser, () => service.followCallback(browser, callbackUrl), 'provider_unavailable')
    await own.restart()
    assert.equal(await service.signInAtProvider(browser, 'own'), '/')
  })
})
