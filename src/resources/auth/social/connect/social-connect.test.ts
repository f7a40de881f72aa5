import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Browser } from '../../../../testing/servers/browser.ts'
import { startTestOpenidProvider } from '../../../../testing/servers/openid.ts'
import type { TestResponse } from '../../../../testing/service.ts'
import { reserveSite, startTestSite } from '../../../../testing/single-sign-on.ts'
import { sendWhileLocked } from '../../../../testing/while-locked.ts'

const reservedSite = await reserveSite()
const own = await startTestOpenidProvider({ redirectUris: [reservedSite.callback('own')] })
const service = await startTestSite(
  reservedSite,
  [{ id: 'own', issuer: own.issuer, client_id: own.clientId, client_secret: own.clientSecret }],
  { CORS_ORIGINS: 'https://pages.example' },
)
const PATH = '/api/auth/social/own/connect/'
const step = 'connect'
const { assertRejected } = service

describe('GET /api/auth/social/{provider}/connect/', () => {
  it('links the account at the provider, which signs in from then on', async () => {
    const sub = own.createPerson()
    const browser = await service.openSignedInBrowser('viewer')
    const session = browser.cookie(service.site, 'sessionid')
    assert.equal(await service.signInAtProvider(browser, 'own', { step, next: '/settings/' }), '/settings/')
    assert.equal(browser.cookie(service.site, 'sessionid'), session)
    assert.equal((await service.findLinkedAccount(sub))?.username, 'viewer')
    assert.deepEqual(await service.listEvents('viewer'), ['sign_in', 'token_made', 'social_linked own'])
    const otherBrowser = new Browser()
    assert.equal(await service.signInAtProvider(otherBrowser, 'own'), '/')
    assert.equal(await service.readSignedInUsername(otherBrowser), 'viewer')
  })

  it('changes no address of the account', async () => {
    const sub = own.createPerson({ email: 'new@works.example' })
    await service.signInAtProvider(await service.openSignedInBrowser('member'), 'own', { step })
    assert.equal((await service.findLinkedAccount(sub))?.email, '')
    assert.deepEqual(await service.rows('select from email_address'), [])
  })

  it('has no effect when repeated', async () => {
    const sub = own.createPerson()
    const browser = await service.openSignedInBrowser('nobody')
    for (let time = 0; time < 2; time++) assert.equal(await service.signInAtProvider(browser, 'own', { step }), '/')
    assert.equal((await service.findLinkedAccount(sub))?.username, 'nobody')
    assert.deepEqual(await service.listEvents('nobody'), ['sign_in', 'token_made', 'social_linked own'])
  })

  it('never takes over an account at a provider that is linked to another account', async () => {
    const sub = own.createPerson()
    await service.link('staff', { id: 'own', issuer: own.issuer }, sub)
    const browser = await service.openSignedInBrowser('viewer')
    const { rows } = service
    const before = await rows('select pk, "user" from social_account order by pk')
    assert.equal(await service.signInAtProvider(browser, 'own', { step }), '/?sso_error=already_linked')
    assert.deepEqual(await rows('select pk, "user" from social_account order by pk'), before)
  })

  it('returns 401 for an anonymous caller', async () => {
    assert.equal((await service.anonymous.get(PATH)).status, 401)
    assert.equal((await new Browser().visit(service.site + PATH, { from: service.site })).status, 401)
  })

  it('requires a session: a token or a password is not enough', async () => {
    const { status, headers } = await service.member.get(PATH, { 'sec-fetch-site': 'same-origin' })
    assert.deepEqual([status, headers.location], [302, `${service.site}/?sso_error=not_signed_in`])
  })

  it('is rejected unless one of our own pages requests it', async () => {
    own.createPerson()
    const browser = await service.openSignedInBrowser('viewer')
    const cookie = `sessionid=${browser.cookie(service.site, 'sessionid')}`
    const requestConnect = async (headers: Record<string, string>) => {
      const response = await service.anonymous.get(PATH, { cookie, ...headers })
      assert.equal(response.status, 302)
      return (response.headers.location as string).startsWith(own.issuer)
        ? 'redirected'
        : new URL(response.headers.location as string).search
    }
    const errorQuery = '?sso_error=cross_site'
    // a link on another site, on a sibling site, in an email, and requests without these headers
    assert.equal(await requestConnect({ 'sec-fetch-site': 'cross-site', referer: 'https://evil.example/' }), errorQuery)
    assert.equal(await requestConnect({ 'sec-fetch-site': 'same-site', referer: 'https://evil.localhost/' }), errorQuery)
    assert.equal(await requestConnect({ 'sec-fetch-site': 'none' }), errorQuery)
    assert.equal(await requestConnect({}), errorQuery)
    assert.equal(await requestConnect({ referer: 'https://evil.example/?http://localhost' }), errorQuery)
    assert.equal(await requestConnect({ referer: `${service.site}.evil.example/` }), errorQuery)
    assert.equal(await requestConnect({ referer: 'null' }), errorQuery)
    // our own page, the same in a browser that sends only a referrer, and a page of an origin in CORS_ORIGINS
    assert.equal(await requestConnect({ 'sec-fetch-site': 'same-origin' }), 'redirected')
    assert.equal(await requestConnect({ referer: `${service.site}/settings/` }), 'redirected')
    assert.equal(await requestConnect({ 'sec-fetch-site': 'cross-site', referer: 'https://pages.example/' }), 'redirected')
  })

  it("links nothing when the caller follows an attacker's link", async () => {
    // the attack: the victim is signed in at the provider as the attacker, and follows the attacker's link
    const attacker = own.createPerson()
    const victim = await service.openSignedInBrowser('viewer')
    const page = await victim.visit(service.site + PATH, {
      from: 'https://evil.example/',
      until: (url) => url.search.includes('sso_error'),
    })
    assert.equal(page.url.search, '?sso_error=cross_site')
    assert.equal(await service.findLinkedAccount(attacker), undefined)
  })

  it('links to the account that requested it, in the same session', async () => {
    const sub = own.createPerson()
    for (const name of ['member', 'viewer'] as const) {
      const browser = await service.openSignedInBrowser('viewer')
      const response = await service.followToCallback(browser, 'own', { step })
      // another sign-in in the same browser, before the callback
      const laterBrowser = await service.openSignedInBrowser(name)
      for (const [key, cookie] of laterBrowser.cookies) browser.cookies.set(key, cookie)
      await assertRejected(browser, () => service.followCallback(browser, response), 'not_signed_in')
      assert.equal(await service.findLinkedAccount(sub), undefined)
    }
    const browser = await service.openSignedInBrowser('viewer')
    const response = await service.followToCallback(browser, 'own', { step })
    browser.cookies.delete('localhost sessionid')
    await assertRejected(browser, () => service.followCallback(browser, response), 'not_signed_in')
  })

  it("notifies the account's owner by email, once", async () => {
    const [before] = await service.rows(`select email from user_account where username = 'staff'`)
    await service.rows(`update user_account set email = 'staff@stock.example' where username = 'staff'`)
    own.createPerson()
    const browser = await service.openSignedInBrowser('staff')
    for (let time = 0; time < 2; time++) await service.signInAtProvider(browser, 'own', { step })
    const emails = await service.rows(`select "user", address from outgoing_mail where kind = 'social_linked' and "user" = $1`, [
      service.getPk('staff'),
    ])
    assert.deepEqual(emails, [{ user: service.getPk('staff'), address: 'staff@stock.example' }])
    await service.rows(`update user_account set email = $1 where username = 'staff'`, [before.email])
  })

  it('does not link when the session ends while waiting for the account', async () => {
    const sub = own.createPerson()
    const browser = await service.openSignedInBrowser('member')
    const response = await service.followToCallback(browser, 'own', { step })
    let path = ''
    const send = async () => {
      path = await service.followCallback(browser, response)
      return {} as TestResponse
    }
    const pk = service.getPk('member')
    await sendWhileLocked(service, pk, send, `delete from user_session where "user" = ${pk}`)
    assert.equal(path, '/?sso_error=not_signed_in')
    assert.equal(await service.findLinkedAccount(sub), undefined)
  })

  it('creates no account', async () => {
    await service.changeSettings({ LOGIN_ENABLE_SSO_REG: true })
    const sub = own.createPerson()
    const browser = await service.openSignedInBrowser('viewer')
    const [{ count }] = await service.rows('select count(*) from user_account')
    await service.signInAtProvider(browser, 'own', { step })
    assert.equal((await service.findLinkedAccount(sub))?.username, 'viewer')
    assert.equal((await service.rows('select count(*) from user_account'))[0].count, count)
  })

  it('is disabled by the setting', async () => {
    const browser = await service.openSignedInBrowser('viewer')
    await service.changeSettings({ LOGIN_ENABLE_SSO: false })
    await assertRejected(browser, () => service.signInAtProvider(browser, 'own', { step }), 'disabled')
    await service.changeSettings({ LOGIN_ENABLE_SSO: true })
  })
})
