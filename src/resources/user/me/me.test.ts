import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { waitForListeners } from '../../../testing/listeners-caught-up.ts'
import { startTestMailServer } from '../../../testing/servers/mail.ts'
import { assertCallers, type CallerName, testService } from '../../../testing/service.ts'
import { hashPassword } from '../password.ts'

const mail = await startTestMailServer()
const service = await testService({ SMTP_URL: mail.url, MAIL_AGAIN_SECONDS: '0' })
const { member, staff, superuser, viewer } = service
const ME = '/api/user/me/'
const PASSWORD = 'seven blue horses'
const SIGNED_IN: readonly CallerName[] = ['nobody', 'viewer', 'member', 'staff', 'superuser']

const readAccounts = () => service.rows('select * from user_account order by pk')

/** Creates an account that may be deleted, and returns its credentials. */
async function createOtherAccount(username: string): Promise<{ pk: number; authorization: string }> {
  const [{ pk }] = await service.rows('insert into user_account (username, password) values ($1, $2) returning pk', [
    username,
    await hashPassword(PASSWORD),
  ])
  return { pk, authorization: `Basic ${btoa(`${username}:${PASSWORD}`)}` }
}

describe('GET /api/user/me/', () => {
  it("shows all fields of the caller's account, with its version", async () => {
    const response = await member.get(ME)
    const [{ pk: group }] = await service.rows(`select pk from user_group where name = 'members'`)
    assert.deepEqual(response.body, {
      pk: service.getPk('member'),
      username: 'member',
      first_name: '',
      last_name: '',
      email: '',
      groups: [{ pk: group, name: 'members' }],
      is_staff: false,
      is_superuser: false,
      is_active: true,
    })
    assert.match(String(response.headers.etag), /^"\d+"$/)
  })

  it('is open to every account', () => assertCallers(service, (client) => client.get(ME), SIGNED_IN))
})

describe('OPTIONS /api/user/me/', () => {
  it('describes every field of the account, and which of them its owner may write', async () => {
    const { PUT } = (await viewer.send('OPTIONS', ME)).body.actions
    assert.deepEqual(Object.keys(PUT), [
      ...Object.keys((await viewer.get(ME)).body).toSpliced(6, 0, 'group_ids'),
      'profile',
      'password',
    ])
    const writableFields = Object.entries<{ read_only: boolean }>(PUT).filter(([, { read_only }]) => !read_only)
    assert.deepEqual(Object.fromEntries(writableFields), {
      first_name: PUT.first_name,
      last_name: PUT.last_name,
      email: PUT.email,
    })
  })
})

for (const method of ['PUT', 'PATCH']) {
  describe(`${method} /api/user/me/`, () => {
    it("changes the caller's name", async () => {
      const names = { first_name: 'Vi', last_name: `Ewer ${method}` }
      const response = await viewer.send(method, ME, names)
      assert.equal(response.status, 200)
      assert.deepEqual(response.body, { ...(await viewer.get(ME)).body, ...names })
    })

    it('rejects changes of permissions from every caller, and then changes nothing', async () => {
      const before = await readAccounts()
      const rights: [CallerName, object][] = [
        ['viewer', { is_superuser: true }],
        ['viewer', { is_staff: true }],
        ['viewer', { is_staff: 'true' }],
        ['viewer', { is_active: false }],
        ['viewer', { group_ids: [1] }],
        ['viewer', { group_ids: [] }],
        ['viewer', { password: PASSWORD }],
        ['staff', { is_superuser: true }],
        ['staff', { is_staff: false }],
        ['superuser', { is_superuser: false }],
      ]
      for (const [name, body] of rights) {
        const response = await service[name].send(method, ME, { first_name: 'Sly', ...body })
        assert.equal(response.status, 403, `${name} ${JSON.stringify(body)}`)
        assert.equal(typeof response.body.detail, 'string')
      }
      assert.deepEqual(await readAccounts(), before)
    })

    it('accepts its own response, and ignores the username and the groups', async () => {
      for (const client of [viewer, staff, superuser]) {
        const { body } = await client.get(ME)
        assert.deepEqual((await client.send(method, ME, body)).body, body)
        assert.deepEqual((await client.send(method, ME, { ...body, username: 'other', groups: [], pk: 1 })).body, body)
      }
    })

    it('reports invalid fields', async () => {
      const bad = { first_name: 'x'.repeat(151), last_name: '<b>x</b>', email: 'none' }
      const response = await viewer.send(method, ME, bad)
      assert.deepEqual([response.status, Object.keys(response.body).sort()], [400, Object.keys(bad).sort()])
    })

    it('is open to every account', () => assertCallers(service, (client) => client.send(method, ME, {}), SIGNED_IN, readAccounts))
  })
}

describe('PUT /api/user/me/', () => {
  it('clears omitted names, and keeps permissions and address', async () => {
    await service.rows(`update user_account set first_name = 'S', email = 's@example.com' where username = 'staff'`)
    const { body } = await staff.put(ME, {})
    assert.deepEqual([body.first_name, body.email, body.is_staff], ['', 's@example.com', true])
  })
})

describe('PATCH /api/user/me/', () => {
  it('honors If-Match', async () => {
    assert.equal((await viewer.patch(ME, { first_name: 'Late' }, { 'if-match': '"1"' })).status, 412)
  })

  it('applies a new address after its verification', async () => {
    await service.rows(`update user_account set email = 'old@example.com' where username = 'viewer'`)
    assert.equal((await viewer.patch(ME, { email: 'new@example.com' })).body.email, 'old@example.com')
    const { token } = await mail.next('new@example.com')
    assert.equal((await viewer.get(ME)).body.email, 'old@example.com')
    assert.equal((await service.anonymous.post('/api/auth/registration/verify-email/', { key: token })).status, 200)
    assert.equal((await viewer.get(ME)).body.email, 'new@example.com')
  })

  it('responds the same for an address of another account, and leaves that unchanged', async () => {
    await service.rows(
      `insert into email_address ("user", email, verified, "primary") values ($1, 'hers@example.com', true, true)`,
      [service.getPk('member')],
    )
    const before = (await viewer.get(ME)).body
    const responses = [
      await viewer.patch(ME, { email: 'hers@example.com' }),
      await viewer.patch(ME, { email: 'nobodys@example.com' }),
    ]
    for (const response of responses) assert.deepEqual([response.status, response.body], [200, before])
    await service.rows(`delete from email_address where email = 'hers@example.com'`)
  })
})

describe('DELETE /api/user/me/', () => {
  it("deletes the caller's account, records it, and keeps all others", async () => {
    const { pk, authorization } = await createOtherAccount('leaving')
    const before = (await readAccounts()).filter((account) => account.pk !== pk)
    const response = await service.anonymous.delete(ME, undefined, { authorization })
    assert.equal(response.status, 204)
    assert.equal(response.text, '')
    assert.deepEqual(await readAccounts(), before)
    await waitForListeners(service)
    assert.equal((await service.anonymous.get(ME, { authorization })).status, 401)
    const [event] = await service.rows(
      `select "user", actor from security_event where kind = 'account_deleted' and username = 'leaving'`,
    )
    assert.deepEqual(event, { user: null, actor: null })
  })

  it("clears the browser's cookies", async () => {
    await createOtherAccount('browsing')
    const signedIn = await service.anonymous.post('/api/auth/login/', { username: 'browsing', password: PASSWORD })
    const listCookies = (lines: unknown) => [lines].flat() as string[]
    const cookie = listCookies(signedIn.headers['set-cookie'])
      .find((line) => line.startsWith('sessionid='))
      ?.split(';')[0] as string
    const response = await service.anonymous.delete(ME, undefined, { cookie })
    assert.equal(response.status, 204)
    assert.ok(listCookies(response.headers['set-cookie']).some((line) => line.startsWith('sessionid=;')))
    assert.equal((await service.anonymous.get(ME, { cookie })).status, 401)
  })

  it('rejects a request from another site with a cookie', async () => {
    await createOtherAccount('tricked')
    const signedIn = await service.anonymous.post('/api/auth/login/', { username: 'tricked', password: PASSWORD })
    const cookie = String(signedIn.headers['set-cookie']).split(';')[0] as string
    const response = await service.anonymous.delete(ME, undefined, { cookie, 'sec-fetch-site': 'cross-site' })
    assert.equal(response.status, 403)
    assert.equal((await service.rows(`select from user_account where username = 'tricked'`)).length, 1)
  })

  it('rejects the last active superuser', async () => {
    const before = await readAccounts()
    const response = await superuser.delete(ME)
    assert.deepEqual([response.status, Object.keys(response.body)], [400, ['non_field_errors']])
    assert.deepEqual(await readAccounts(), before)
  })

  it('is open to every account', async () => {
    assert.equal((await service.anonymous.delete(ME)).status, 401)
    for (const name of ['nobody', 'viewer', 'member', 'staff'] as const)
      assert.equal((await service[name].delete(ME)).status, 204)
  })
})
