import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { waitForListeners } from '../../../testing/listeners-caught-up.ts'
import { startTestMailServer } from '../../../testing/servers/mail.ts'
import { assertCallers, CALLERS, type TestResponse, testService } from '../../../testing/service.ts'
import { createLink } from '../../auth/links.ts'

const server = await startTestMailServer()
const service = await testService({ SMTP_URL: server.url, MAIL_AGAIN_SECONDS: '0', SIGN_IN_RATE: '100' })
const PATH = '/api/email/login/'

await service.rows("update user_account set email = username || '@example.com'")
const viewer = service.getPk('viewer')

const createToken = (user = viewer, address = 'viewer@example.com') =>
  service.app.routes.services.database.transaction((tx) => createLink(tx, { kind: 'sign_in', user, address })) as Promise<string>
const followLink = (token: string, headers?: Record<string, string>) => service.anonymous.get(`${PATH}?token=${token}`, headers)
const readCookies = ({ headers }: TestResponse) =>
  Object.fromEntries([headers['set-cookie'] ?? []].flat().map((text) => (text as string).split(';')[0]?.split('=') ?? []))
const readSessions = () => service.rows('select "user", second_factor from user_session order by pk')
const assertInvalidToken = ({ status, body }: TestResponse) =>
  assert.deepEqual([status, body], [400, { token: ['Invalid value'] }])

describe('GET /api/email/login/', () => {
  test('opens a session with the emailed link, once, and redirects to the site', async () => {
    await service.anonymous.post('/api/email/generate/', { email: 'viewer@example.com' })
    const link = new URL((await server.next('viewer@example.com')).links[0] as string)
    const response = await service.anonymous.get(link.pathname + link.search)
    assert.equal(response.status, 302)
    assert.equal(response.headers.location, `${service.app.siteUrl}/`)
    const cookie = `sessionid=${readCookies(response).sessionid}`
    const me = await service.anonymous.get('/api/user/me/', { cookie })
    assert.equal(me.body.username, 'viewer')
    assertInvalidToken(await service.anonymous.get(link.pathname + link.search))
    assert.deepEqual(await readSessions(), [{ user: viewer, second_factor: false }])
    const events = await service.rows(`select kind, "user" from security_event where kind like 'sign_in%' order by pk`)
    assert.deepEqual(events, [
      { kind: 'sign_in', user: viewer },
      { kind: 'sign_in_failed', user: null },
    ])
  })

  test('rejects an invalid or expired link and one of another type, and opens no session', async () => {
    const before = await readSessions()
    const old = await createToken()
    await service.rows("update account_link set expires = now() - interval '1 second'")
    const reset = await service.app.routes.services.database.transaction((tx) =>
      createLink(tx, { kind: 'reset', user: viewer, address: 'viewer@example.com' }),
    )
    for (const token of ['', 'x', old, reset as string]) assertInvalidToken(await followLink(token))
    assertInvalidToken(await service.anonymous.get(PATH))
    assert.equal((await followLink('%00')).status, 400)
    assert.deepEqual(await readSessions(), before)
  })

  test('rejects a link of a closed account', async () => {
    const token = await createToken(service.getPk('nobody'), 'nobody@example.com')
    await service.rows("update user_account set is_active = false where username = 'nobody'")
    assertInvalidToken(await followLink(token))
    await service.rows("update user_account set is_active = true where username = 'nobody'")
  })

  test('does not sign in an account with a second factor by email alone', async () => {
    const staff = service.getPk('staff')
    await service.rows(`insert into second_factor ("user", sealed_secret, confirmed) values ($1, '', now())`, [staff])
    const before = await readSessions()
    const response = await followLink(await createToken(staff, 'staff@example.com'))
    assert.deepEqual([response.status, response.headers.location], [302, `${service.app.siteUrl}/?mfa_required=true`])
    assert.equal(readCookies(response).sessionid, undefined)
    assert.ok(readCookies(response).pending_sign_in)
    assert.deepEqual(await readSessions(), before)
    await service.rows('delete from second_factor')
  })

  test('invalidates a session that was planted beforehand', async () => {
    const plantedSession = readCookies(await followLink(await createToken())).sessionid as string
    const response = await followLink(await createToken(), { cookie: `sessionid=${plantedSession}` })
    assert.notEqual(readCookies(response).sessionid, plantedSession)
    await waitForListeners(service)
    assert.equal((await service.anonymous.get('/api/user/me/', { cookie: `sessionid=${plantedSession}` })).status, 401)
  })

  test('does not use up a link that is only previewed', async () => {
    const token = await createToken()
    const before = await readSessions()
    assert.equal((await service.anonymous.send('HEAD', `${PATH}?token=${token}`)).status, 200)
    for (const dest of ['image', 'iframe', 'empty'])
      assert.equal((await followLink(token, { 'sec-fetch-dest': dest, 'sec-fetch-site': 'cross-site' })).status, 403)
    assert.deepEqual(await readSessions(), before)
    assert.equal((await followLink(token, { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' })).status, 302)
  })

  test('is open to everyone', async () => {
    await assertCallers(service, (client) => client.get(`${PATH}?token=x`), CALLERS)
  })
})
