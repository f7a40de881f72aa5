import assert from 'node:assert/strict'
import { findFreePort } from './free-port.ts'
import { Browser, type Page } from './servers/browser.ts'
import { PASSWORD, type TestOptions, type TestService, testService } from './service.ts'

/** A service that browsers reach at its own URL, with helpers for sign-in at a provider. */
export type TestSite = TestService & {
  /** Its URL, without a trailing slash. */
  site: string
  changeSettings(settings: Record<string, unknown>): Promise<void>
  /** Returns a browser in which an account of the tests is signed in. */
  openSignedInBrowser(username: string): Promise<Browser>
  /** Signs in at a provider and returns to the site. Returns the final URL of the browser, as path and query. */
  signInAtProvider(browser: Browser, provider: string, options?: { step?: 'login' | 'connect'; next?: string }): Promise<string>
  /** Follows the link up to the redirect from the provider, and returns its URL without following it. */
  followToCallback(browser: Browser, provider: string, options?: { step?: 'login' | 'connect' }): Promise<URL>
  /** Follows a redirect from a provider, and returns the final URL of the browser. */
  followCallback(browser: Browser, response: string | URL): Promise<string>
  /** Returns the account that is signed in in a browser. */
  readSignedInUsername(browser: Browser): Promise<string | undefined>
  /** Links an account at a provider to an account here. */
  link(username: string, provider: { id: string; issuer: string }, sub: string): Promise<unknown>
  /** Returns the account that a subject is linked to. */
  findLinkedAccount(
    sub: string,
  ): Promise<{ username: string; email: string; password: string; provider: string; issuer: string } | undefined>
  /** Returns the events of an account, each with its provider. */
  listEvents(username: string): Promise<string[]>
  /** Asserts that a redirect from a provider is rejected with this code: nothing is created or changed, and no one is signed in. */
  assertRejected(browser: Browser, followRedirect: () => Promise<string>, code: string): Promise<void>
}

/** Returns the URL of a site that is about to start, and its redirect URLs for providers. */
export async function reserveSite(): Promise<{ PORT: string; SITE_URL: string; callback: (provider: string) => string }> {
  const port = await findFreePort()
  const site = `http://localhost:${port}`
  return { PORT: String(port), SITE_URL: site, callback: (provider) => `${site}/api/auth/social/${provider}/callback/` }
}

/** Starts the service at a reserved URL, with single sign-on enabled. */
export async function startTestSite(
  { PORT, SITE_URL: site }: Awaited<ReturnType<typeof reserveSite>>,
  providers: object[],
  environment: Record<string, string> = {},
  options: TestOptions = {},
): Promise<TestSite> {
  const variables = {
    PORT,
    SITE_URL: site,
    SIGN_IN_RATE: '1000',
    MAIL_AGAIN_SECONDS: '0',
    SSO_PROVIDERS: JSON.stringify(providers),
    ...environment,
  }
  const service = await testService(variables, options)
  const changeSettings = async (settings: Record<string, unknown>): Promise<void> => {
    for (const [key, value] of Object.entries(settings)) {
      const response = await service.superuser.patch(`/api/settings/global/${key}/`, { value })
      assert.equal(response.status, 200, response.text)
    }
  }
  await changeSettings({ LOGIN_ENABLE_SSO: true })
  const isOurs = (url: URL) => url.origin === site && !url.pathname.startsWith('/api/auth/social/')
  const isCallback = (url: URL) => url.origin === site && url.pathname.endsWith('/callback/')
  const getPath = ({ url }: Page) => url.pathname + url.search
  const readState = async () =>
    JSON.stringify([
      await service.rows('select pk, username, email, password from user_account order by pk'),
      await service.rows('select * from social_account order by pk'),
      await service.rows('select pk, "user" from user_session order by pk'),
    ])
  const buildStartUrl = (provider: string, step: string, next?: string) =>
    `${site}/api/auth/social/${provider}/${step}/${next === undefined ? '' : `?next=${encodeURIComponent(next)}`}`
  return {
    ...service,
    site,
    changeSettings,
    async openSignedInBrowser(username) {
      const browser = new Browser()
      const json = { username, password: PASSWORD }
      const page = await browser.visit(`${site}/api/auth/login/`, { method: 'POST', from: site, json })
      assert.equal(page.status, 200, page.text)
      return browser
    },
    signInAtProvider: async (browser, provider, { step = 'login', next } = {}) =>
      getPath(await browser.visit(buildStartUrl(provider, step, next), { from: site, until: isOurs })),
    async followToCallback(browser, provider, { step = 'login' } = {}) {
      const { url } = await browser.visit(buildStartUrl(provider, step), { from: site, until: isCallback })
      assert.ok(isCallback(url), url.href)
      return url
    },
    followCallback: async (browser, response) =>
      getPath(await browser.visit(response, { from: 'https://provider.example', until: isOurs })),
    async readSignedInUsername(browser) {
      const { status, text } = await browser.visit(`${site}/api/user/me/`, { from: site })
      return status === 200 ? JSON.parse(text).username : undefined
    },
    link: (username, { id, issuer }, sub) =>
      service.rows(
        'insert into social_account ("user", provider, issuer, uid) select pk, $2, $3, $4 from user_account where username = $1',
        [username, id, issuer, sub],
      ),
    findLinkedAccount: async (sub) =>
      (
        await service.rows(
          `select u.username, u.email, u.password, s.provider, s.issuer from social_account s join user_account u on u.pk = s."user" where s.uid = $1`,
          [sub],
        )
      )[0],
    async listEvents(username) {
      const rows = await service.rows(
        `select e.kind, e.details from security_event e join user_account u on u.pk = e."user" where u.username = $1 order by e.pk`,
        [username],
      )
      return rows.map(({ kind, details }) => `${kind} ${details.provider ?? ''}`.trim())
    },
    async assertRejected(browser, followRedirect, code) {
      const before = await readState()
      const session = browser.cookie(site, 'sessionid')
      assert.equal(await followRedirect(), `/?sso_error=${code}`)
      assert.equal(await readState(), before, 'a rejected sign-in changed something')
      assert.equal(browser.cookie(site, 'sessionid'), session)
    },
  }
}
