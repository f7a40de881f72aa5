import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { waitForListeners } from '../testing/listeners-caught-up.ts'
import { startTestMailServer } from '../testing/servers/mail.ts'
import { PASSWORD, type TestResponse, testService } from '../testing/service.ts'

const mailServer = await startTestMailServer()
const SITE = 'http://stock.example'
const service = await testService({ SMTP_URL: mailServer.url, MAIL_AGAIN_SECONDS: '0', SITE_URL: SITE, TRUST_PROXY: 'true' })
const NEW_PASSWORD = 'Tr0ub4dor-3x'

let lastHost = 0
/** Returns a new client address each time, so that one test does not use up the quota of another. */
const createAddressHeader = () => ({ 'x-forwarded-for': `10.7.0.${++lastHost}` })

/** Opens a page, like a browser that follows a link. */
const openPage = (path: string) => service.anonymous.get(path, { host: 'stock.example' })

/** Submits the form of a page, like a browser. */
const submitForm = (path: string, fields: Record<string, string> = {}, headers = {}): Promise<TestResponse> =>
  service.anonymous.post(path, new URLSearchParams(fields).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
    host: 'stock.example',
    origin: SITE,
    ...createAddressHeader(),
    ...headers,
  })

function assertSafe({ headers, text }: TestResponse): void {
  assert.equal(headers['content-type'], 'text/html; charset=utf-8')
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['referrer-policy'], 'same-origin')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  const policy = String(headers['content-security-policy'])
  for (const part of ["default-src 'none'", "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'"])
    assert.ok(policy.includes(part), policy)
  assert.ok(!/<script|javascript:| on\w+=/i.test(text), text)
}

describe('/accounts/confirm-email/{key}/', () => {
  const isVerified = async (email: string) =>
    (await service.rows('select verified from email_address where email = $1', [email]))[0].verified

  /** Registers an account, and returns the path of the link in the email. */
  async function registerAccount(name: string) {
    const email = `${name}@x.example`
    const body = { username: name, password1: NEW_PASSWORD, password2: NEW_PASSWORD, email }
    assert.equal((await service.anonymous.post('/api/auth/registration/', body)).status, 201)
    const link = (await mailServer.next(email)).links[0] as string
    assert.ok(link.startsWith(`${SITE}/accounts/confirm-email/`))
    return { email, path: link.slice(SITE.length) }
  }

  it('asks for confirmation, and confirms the address once, when its button is pressed', async () => {
    const { email, path } = await registerAccount('page.a')
    const page = await openPage(path)
    assert.equal(page.status, 200)
    assertSafe(page)
    assert.match(page.text, /<form method="post">/)
    assert.equal(await isVerified(email), false)
    const result = await submitForm(path)
    assert.equal(result.status, 200)
    assertSafe(result)
    assert.equal(await isVerified(email), true)
    const repeated = await submitForm(path)
    assert.equal(repeated.status, 404)
    assertSafe(repeated)
    assert.match(repeated.text, /no longer valid/)
  })

  it('rejects forms of other sites', async () => {
    const { email, path } = await registerAccount('page.b')
    assert.equal((await submitForm(path, {}, { origin: 'https://evil.example' })).status, 403)
    assert.equal(await isVerified(email), false)
  })

  it('counts wrong keys', async () => {
    const addressHeader = { 'x-forwarded-for': '10.8.0.1' }
    for (let attempt = 0; attempt < 10; attempt++)
      assert.equal((await submitForm('/accounts/confirm-email/x/', {}, addressHeader)).status, 404)
    const response = await submitForm('/accounts/confirm-email/x/', {}, addressHeader)
    assert.equal(response.status, 429)
    assert.ok(response.headers['retry-after'])
    assertSafe(response)
  })
})

describe('/platform/set-password', () => {
  it('reports a weak password, and sets a valid one', async () => {
    await service.rows(`update user_account set email = 'page.c@x.example' where username = 'member'`)
    await service.anonymous.post('/api/auth/password/reset/', { email: 'page.c@x.example' })
    const link = (await mailServer.next('page.c@x.example')).links[0] as string
    const { pathname, search, searchParams } = new URL(link)
    const page = await openPage(pathname + search)
    assert.equal(page.status, 200)
    assertSafe(page)
    const hiddenFields = Object.fromEntries(
      [...page.text.matchAll(/name="(uid|token)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    )
    assert.deepEqual(hiddenFields, Object.fromEntries(searchParams))
    const weakResult = await submitForm(pathname, { ...hiddenFields, new_password1: '1234', new_password2: '1234' })
    assert.equal(weakResult.status, 400)
    assertSafe(weakResult)
    assert.match(weakResult.text, /too short.*too common/s)
    assert.match(weakResult.text, /name="token"/)
    const result = await submitForm(pathname, { ...hiddenFields, new_password1: ` ${NEW_PASSWORD}`, new_password2: NEW_PASSWORD })
    assert.equal(result.status, 200)
    assertSafe(result)
    // the page links to the sign-in
    assert.match(result.text, /<a href="\/">sign in<\/a>/)
    await waitForListeners(service)
    const login = (password: string) =>
      service.anonymous.post('/api/auth/login/', { username: 'member', password }, createAddressHeader())
    assert.deepEqual([(await login(PASSWORD)).status, (await login(NEW_PASSWORD)).status], [400, 200])
    assert.match(
      (await submitForm(pathname, { ...hiddenFields, new_password1: NEW_PASSWORD, new_password2: NEW_PASSWORD })).text,
      /no longer valid/,
    )
  })

  it('escapes everything from the link', async () => {
    const page = await openPage(
      `/platform/set-password?uid=${encodeURIComponent('"><script>alert(1)</script>')}&token=%27%3E%3Cb%3E&token=2`,
    )
    assert.equal(page.status, 200)
    assertSafe(page)
    assert.match(page.text, /&quot;&gt;&lt;script&gt;/)
  })

  it('accepts forms only', async () => {
    assert.equal((await submitForm('/platform/set-password')).status, 400)
    const response = await service.anonymous.post('/platform/set-password', {}, { host: 'stock.example', origin: SITE })
    assert.equal(response.status, 415)
    assert.equal((await submitForm('/api/auth/password/reset/confirm/')).status, 415)
  })
})
