import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { Browser } from '../../../testing/servers/browser.ts'
import { startTestOpenidProvider } from '../../../testing/servers/openid.ts'
import { reserveSite, startTestSite } from '../../../testing/single-sign-on.ts'

// A real OpenID provider in place of Microsoft, as if DNS pointed there: it signs as one tenant.

const MICROSOFT = 'https://login.microsoftonline.com'
const TENANT = '11111111-2222-3333-4444-555555555555'
const ISSUER = `${MICROSOFT}/${TENANT}/v2.0`

const reservedSite = await reserveSite()
const microsoft = await startTestOpenidProvider({
  issuer: ISSUER,
  redirectUris: [reservedSite.callback('microsoft'), reservedSite.callback('works')],
  configuration: {
    conformIdTokenClaims: false,
    claims: { openid: ['sub', 'tid', 'email', 'email_verified', 'preferred_username'], profile: [], email: [] },
  },
})
const originalFetch = globalThis.fetch
globalThis.fetch = (input, init) => {
  const address = input instanceof Request ? input.url : String(input)
  return originalFetch(address.replace(/^https:\/\/login\.microsoftonline\.com\/[^/]+\/v2\.0/, microsoft.origin), init)
}
after(() => {
  globalThis.fetch = originalFetch
})

const client = { preset: 'microsoft', client_id: microsoft.clientId, client_secret: microsoft.clientSecret }
const service = await startTestSite(reservedSite, [
  { id: 'microsoft', ...client },
  { id: 'works', ...client, tenant: TENANT },
])
await service.changeSettings({ LOGIN_ENABLE_SSO_REG: true })

/** Metadata of the provider. The issuer is that of one tenant, or has a placeholder for any tenant. */
const metadata = (await (await originalFetch(`${microsoft.origin}/.well-known/openid-configuration`)).json()) as object
const setIssuer = (issuer: string) =>
  microsoft.replace('/.well-known/openid-configuration', {
    ...metadata,
    issuer,
    authorization_endpoint: `${ISSUER}/auth`,
    token_endpoint: `${ISSUER}/token`,
    jwks_uri: `${ISSUER}/jwks`,
    userinfo_endpoint: `${ISSUER}/me`,
    // Microsoft does not send its issuer in responses
    authorization_response_iss_parameter_supported: false,
  })

async function signIn(browser: Browser, provider: string): Promise<string> {
  const loginUrl = `${service.site}/api/auth/social/${provider}/login/`
  const providerVisit = await browser.visit(loginUrl, { from: service.site, until: (url) => url.origin === MICROSOFT })
  const providerUrl = providerVisit.url.href.replace(ISSUER, microsoft.origin)
  const { url: callbackUrl } = await browser.visit(providerUrl, { until: (url) => url.origin === service.site })
  callbackUrl.searchParams.delete('iss')
  return service.followCallback(browser, callbackUrl)
}

describe('a sign-in at Microsoft', () => {
  it('identifies an account of any tenant by the issuer of that tenant', async () => {
    setIssuer(`${MICROSOFT}/{tenantid}/v2.0`)
    const sub = microsoft.createPerson({ tid: TENANT })
    const browser = new Browser()
    assert.equal(await signIn(browser, 'microsoft'), '/')
    assert.equal(await service.readSignedInUsername(browser), sub)
    assert.equal((await service.findLinkedAccount(sub))?.issuer, ISSUER)
  })

  it('is rejected when the tenant in the token is not the one that signed it, or is invalid', async () => {
    for (const tid of ['99999999-2222-3333-4444-555555555555', undefined, '', '{tenantid}', 7 as never]) {
      microsoft.createPerson({ tid })
      const browser = new Browser()
      await service.assertRejected(browser, () => signIn(browser, 'microsoft'), 'invalid_answer')
    }
  })

  it('never trusts an address: every tenant can set any value', async () => {
    await service.rows(`insert into user_account (username, email) values ('victim', 'victim@works.example')`)
    const sub = microsoft.createPerson({ tid: TENANT, email: 'victim@works.example', email_verified: true })
    const browser = new Browser()
    assert.equal(await signIn(browser, 'microsoft'), '/')
    assert.equal(await service.readSignedInUsername(browser), sub)
    const rows = await service.rows('select verified from email_address where email = $1', ['victim@works.example'])
    assert.deepEqual(rows, [{ verified: false }])
  })

  it('accepts only the tenant that it is configured for', async () => {
    setIssuer(ISSUER)
    const sub = microsoft.createPerson({ tid: TENANT })
    assert.equal(await signIn(new Browser(), 'works'), '/')
    assert.equal((await service.findLinkedAccount(sub))?.provider, 'works')
  })
})
