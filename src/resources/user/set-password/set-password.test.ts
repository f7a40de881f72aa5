import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { waitForListeners } from '../../../testing/listeners-caught-up.ts'
import { startTestMailServer } from '../../../testing/servers/mail.ts'
import { assertCallers, testService } from '../../../testing/service.ts'

const mail = await startTestMailServer()
const service = await testService({ SMTP_URL: mail.url, REQUIRE_OLD_PASSWORD: 'true' })
const { anonymous, superuser } = service
const OLD = 'a password of tests'
const NEW = 'seven blue horses'

const buildUrl = (pk: number) => `/api/user/${pk}/set-password/`
const viewer = service.getPk('viewer')
const getStatus = async (headers: Record<string, string>) => (await anonymous.get('/api/user/me/', headers)).status
const createBasicHeaders = (password: string, name = 'viewer') => ({ authorization: `Basic ${btoa(`${name}:${password}`)}` })
const readHashes = () => service.rows('select pk, password from user_account order by pk')

describe('PATCH /api/user/{id}/set-password/', () => {
  it('requires a superuser', () =>
    assertCallers(service, (client) => client.patch(buildUrl(viewer), { password: 'short' }), ['superuser'], readHashes))
})

describe('PUT /api/user/{id}/set-password/', () => {
  it('requires a superuser', () =>
    assertCallers(
      service,
      (client) => client.put(buildUrl(service.getPk('nobody')), { password: NEW }),
      ['superuser'],
      readHashes,
    ))

  it('reports an invalid password, and changes nothing', async () => {
    const before = await readHashes()
    for (const password of ['short', '9182736455', 'password123', 'viewer12', '', null, 'x'.repeat(129), { a: 1 }, undefined]) {
      const response = await superuser.put(buildUrl(viewer), { password })
      assert.deepEqual([response.status, Object.keys(response.body)], [400, ['password']], String(password))
    }
    assert.deepEqual(await readHashes(), before)
  })

  it('sets the password, ends all sessions and tokens immediately, records it and notifies the owner', async () => {
    await service.rows(`update user_account set email = 'viewer@example.com' where pk = $1`, [viewer])
    const login = await anonymous.post('/api/auth/login/', { username: 'viewer', password: OLD })
    const cookie = ([login.headers['set-cookie']].flat() as string[]).find((line) => line.startsWith('sessionid='))
    const credentials = [
      createBasicHeaders(OLD),
      { authorization: `Token ${login.body.key}` },
      { cookie: cookie?.split(';')[0] as string },
    ]
    for (const headers of credentials) assert.equal(await getStatus(headers), 200)
    const response = await superuser.put(buildUrl(viewer), { password: NEW })
    assert.deepEqual([response.status, Object.keys(response.body)], [200, ['detail']])
    await waitForListeners(service)
    for (const headers of credentials) assert.equal(await getStatus(headers), 401)
    assert.equal(await getStatus(createBasicHeaders(NEW)), 200)
    const events = await service.rows(
      `select "user", actor, details::text from security_event where kind = 'password_changed' and "user" = $1`,
      [viewer],
    )
    assert.deepEqual(events, [{ user: viewer, actor: service.getPk('superuser'), details: '{}' }])
    assert.match((await mail.next('viewer@example.com')).subject, /password/i)
  })

  it("does not bypass the check of the caller's own old password", async () => {
    const before = await readHashes()
    assert.equal((await superuser.put(buildUrl(service.getPk('superuser')), { password: NEW })).status, 403)
    assert.deepEqual(await readHashes(), before)
  })

  it('returns 404 for a nonexistent account', async () => {
    assert.equal((await superuser.put(buildUrl(999_999), { password: NEW })).status, 404)
  })
})

describe('PATCH /api/user/{id}/set-password/, the same', () => {
  it('sets the password', async () => {
    const path = buildUrl(service.getPk('nobody'))
    assert.deepEqual(Object.keys((await superuser.patch(path, {})).body), ['password'])
    assert.equal((await superuser.patch(path, { password: 'four small clouds', override_warning: true })).status, 200)
    await waitForListeners(service)
    assert.equal(await getStatus(createBasicHeaders('four small clouds', 'nobody')), 200)
  })
})
