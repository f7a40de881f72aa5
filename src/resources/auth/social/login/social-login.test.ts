import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, describe, it } from 'node:test'
import { Browser } from '../../../../testing/servers/browser.ts'
import { startTestOpenidProvider } from '../../../../testing/servers/openid.ts'
import { CALLERS } from '../../../../testing/service.ts'
import { reserveSite, startTestSite } from '../../../../testing/single-sign-on.ts'
import { toDestination } from '../destination.ts'

const reservedSite = await reserveSite()
const own = await startTestOpenidProvider({ redirectUris: [reservedSite.callback('own'), reservedSite.callback('down')] })
const down = await startTestOpenidProvider({ redirectUris: [reservedSite.callback('down')] })
await down.stop()
/** Accepts connections and never responds. */
const unresponsiveServer = createServer(() => {}).listen(0, '127.0.0.1')
await once(unresponsiveServer, 'listening')
after(() => unresponsiveServer.close())
const client = { client_id: own.clientId, client_secret: own.clientSecret }
const service = await startTestSite(reservedSite, [
  { id: 'own', issuer: own.issuer, ...client },
  { id: 'down', issuer: down.issuer, ...client },
  { id: 'silent', issuer: `http://127.0.0.1:${(unresponsiveServer.address() as AddressInfo).port}`, ...client },
  { id: 'named', issuer: own.issuer },
  { id: 'bare', issuer: `${own.issuer}/bare`, ...client },
  { id: 'liar', issuer: `${own.issuer}/other`, ...client },
])
const PATH = '/api/auth/social/own/login/'

describe('GET /api/auth/social/{provider}/login/', () => {
  it('sends the browser to the provider, with state, nonce and the challenge of a verifier', async () => {
    const { status, headers } = await service.anonymous.get(PATH)
    assert.equal(status, 302)
    assert.equal(headers['cache-control'], 'no-store')
    const url = new URL(headers.location as string)
    assert.equal(url.origin + url.pathname, `${own.issuer}/auth`)
    const { state, nonce, code_challenge, ...rest } = Object.fromEntries(url.searchParams)
    assert.deepEqual(rest, {
      client_id: own.clientId,
      redirect_uri: reservedSite.callback('own'),
      response_type: 'code',
      scope: 'openid profile email',
      code_challenge_method: 'S256',
    })
    for (const value of [state, nonce, code_challenge]) assert.match(value as string, /^[\w-]{43}$/)
    const secondUrl = new URL((await service.anonymous.get(PATH)).headers.location as string)
    for (const name of ['state', 'nonce', 'code_challenge'])
      assert.notEqual(secondUrl.searchParams.get(name), url.searchParams.get(name), name)
  })

  it('stores the state for the callback in a cookie that no script and no other site can read', async () => {
    const { headers } = await service.anonymous.get(PATH)
    const line = headers['set-cookie'] as string
    assert.match(line, /^single_sign_on=[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/)
    const value = Buffer.from(/=([\w-]+)/.exec(line)?.[1] as string, 'base64url').toString('latin1')
    const url = new URL(headers.location as string)
    for (const name of ['state', 'nonce']) assert.ok(!value.includes(url.searchParams.get(name) as string))
  })

  it('is available to everyone', async () => {
    for (const name of CALLERS) assert.equal((await service[name].get(PATH)).status, 302, name)
  })

  it('returns 404 for an unknown provider', async () => {
    for (const id of ['none', '7', '__proto__', 'OWN']) {
      const { status, headers } = await service.anonymous.get(`/api/auth/social/${id}/login/`)
      assert.deepEqual([status, headers['set-cookie']], [404, undefined], id)
    }
  })

  it('does not wait for a provider that never responds', async () => {
    const startedAt = Date.now()
    const { headers } = await service.anonymous.get('/api/auth/social/silent/login/')
    assert.equal(headers.location, `${service.site}/?sso_error=provider_unavailable`)
    assert.ok(Date.now() - startedAt < 8_000)
  })

  it('redirects back with an error code when the provider is down, and retries it the next time', async () => {
    const browser = new Browser()
    await service.assertRejected(browser, () => service.signInAtProvider(browser, 'down'), 'provider_unavailable')
    await down.restart()
    down.createPerson()
    await service.link('viewer', { id: 'down', issuer: down.issuer }, down.current as string)
    assert.equal(await service.signInAtProvider(browser, 'down'), '/')
  })

  it('redirects back with an error code from a provider that is not configured, or whose metadata is wrong', async () => {
    const browser = new Browser()
    await service.assertRejected(browser, () => service.signInAtProvider(browser, 'named'), 'not_configured')
    own.replace('/other/.well-known/openid-configuration', { issuer: own.issuer, authorization_endpoint: own.issuer })
    await service.assertRejected(browser, () => service.signInAtProvider(browser, 'liar'), 'provider_unavailable')
    for (const authorization_endpoint of [undefined, 'javascript:alert(1)', 7, '']) {
      own.replace('/bare/.well-known/openid-configuration', { issuer: `${own.issuer}/bare`, authorization_endpoint })
      const newBrowser = new Browser()
      await service.assertRejected(newBrowser, () => service.signInAtProvider(newBrowser, 'bare'), 'provider_unavailable')
    }
    own.restore()
  })

  it('is disabled by the setting, without a request to the provider', async () => {
    await service.changeSettings({ LOGIN_ENABLE_SSO: false })
    const response = await service.anonymous.get(PATH)
    assert.equal(response.headers.location, `${service.site}/?sso_error=disabled`)
    assert.equal(response.headers['set-cookie'], undefined)
    await service.changeSettings({ LOGIN_ENABLE_SSO: true })
  })
})

describe('the redirect target after a sign-in', () => {
  const validTargets: [next: string, path: string][] = [
    ['/', '/'],
    ['/part/7/', '/part/7/'],
    ['/part/?search=a%2Fb&x=//y', '/part/?search=a%2Fb&x=//y'],
    ['/stock/é/', '/stock/%C3%A9/'],
    ['/@evil.example/', '/@evil.example/'],
    ['/https://evil.example/', '/https://evil.example/'],
  ]
  const invalidTargets = [
    '',
    'https://evil.example/',
    '//evil.example/',
    '///evil.example/',
    '/\\evil.example/',
    '/..//evil.example/',
    '/part/..//evil.example/',
    '/.//evil.example/',
    '/%2e%2E//evil.example/',
    '\\\\evil.example/',
    '/\t/evil.example/',
    '/\n/evil.example/',
    '/part/\r\nset-cookie: a=b',
    '.evil.example/',
    '@evil.example/',
    ':80@evil.example/',
    'javascript:alert(1)',
    'part/7/',
    ' //evil.example/',
    `/${'x'.repeat(2000)}`,
  ]
  it('is a path of the service', () => {
    for (const [next, path] of validTargets) assert.equal(toDestination('https://stock.example', next), path)
    for (const next of [...invalidTargets, undefined]) assert.equal(toDestination('https://stock.example', next), '/', next)
  })

  it('is below the address of the service, if that has a path', () => {
    assert.equal(toDestination('https://example.com/stock', '/part/7/'), '/part/7/')
    for (const next of invalidTargets) assert.equal(toDestination('https://example.com/stock', next), '/', next)
    for (const next of ['/../elsewhere/', '/part/../../elsewhere/', '/%2e%2e/elsewhere/'])
      assert.equal(toDestination('https://example.com/stock', next), '/', next)
  })

  it('is never on another site', async () => {
    own.createPerson()
    await service.link('viewer', { id: 'own', issuer: own.issuer }, own.current as string)
    for (const next of invalidTargets.slice(1)) {
      const address = `${service.site}${PATH}?next=${encodeURIComponent(next)}`
      const page = await new Browser().visit(address, {
        until: (url) => !url.pathname.includes('/social/') && url.origin !== own.issuer,
      })
      assert.equal(page.url.href, `${service.site}/`, next)
    }
    for (const [next, path] of validTargets) assert.equal(await service.signInAtProvider(new Browser(), 'own', { next }), path)
  })
})
