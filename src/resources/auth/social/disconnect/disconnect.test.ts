import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertCallers, CALLERS, type Client, testService } from '../../../../testing/service.ts'

const service = await testService({
  SSO_PROVIDERS: JSON.stringify([
    { id: 'works', issuer: 'https://id.works.example', client_id: 'stock', client_secret: 'hunter2' },
    { id: 'other', issuer: 'https://id.other.example', client_id: 'stock', client_secret: 'hunter2' },
    { id: 'named', issuer: 'https://id.named.example' },
  ]),
})
const LIST = '/api/auth/social/'
const setSingleSignOn = async (value: boolean) =>
  assert.equal((await service.superuser.patch('/api/settings/global/LOGIN_ENABLE_SSO/', { value })).status, 200)
await setSingleSignOn(true)

let linkCount = 0
async function linkAccount(username: string, provider = 'works'): Promise<number> {
  const [row] = await service.rows(
    `insert into social_account ("user", provider, issuer, uid, email)
     select pk, $2::varchar, 'https://id.' || $2::varchar || '.example', $3, 'told@works.example' from user_account where username = $1 returning pk`,
    [username, provider, `sub-${++linkCount}`],
  )
  return row.pk
}
const disconnect = (client: Client, pk: number, body?: object) => client.post(`${LIST}${pk}/disconnect/`, body)
const isLinked = async (pk: number) => (await service.rows('select from social_account where pk = $1', [pk])).length === 1

/** Creates an account that signs in only at providers, with a session. */
async function createAccountWithoutPassword(
  username: string,
  password = '',
): Promise<{ pk: number; disconnect: (pk: number) => ReturnType<Client['post']> }> {
  const [row] = await service.rows('insert into user_account (username, password) values ($1, $2) returning pk', [
    username,
    password,
  ])
  const id = `session-of-${username}`
  await service.rows(
    `insert into user_session ("user", id_hash, expires) values ($1, sha256(convert_to($2, 'UTF8')), now() + interval '1 hour')`,
    [row.pk, id],
  )
  return { pk: row.pk, disconnect: (pk) => service.anonymous.post(`${LIST}${pk}/disconnect/`, {}, { cookie: `sessionid=${id}` }) }
}
const LAST_METHOD_ERROR = { non_field_errors: ['Your account has no password set up.'] }

describe('GET /api/auth/social/', () => {
  it("lists the caller's own accounts, each with its details", async () => {
    const pk = await linkAccount('viewer')
    await linkAccount('member')
    const { status, body } = await service.viewer.get(LIST)
    assert.equal(status, 200)
    const [{ last_login, date_joined, ...rest }] = body.results
    assert.deepEqual([body.count, rest], [1, { id: pk, provider: 'works', uid: `sub-${linkCount - 1}` }])
    for (const timestamp of [last_login, date_joined]) assert.match(timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  })

  it('never shows accounts of others, not even to a superuser', async () => {
    const pk = await linkAccount('member')
    for (const name of ['nobody', 'staff', 'superuser'] as const) {
      const { body } = await service[name].get(`${LIST}?limit=100`)
      assert.deepEqual(
        body.results.filter(({ id }: { id: number }) => id === pk),
        [],
        name,
      )
    }
  })

  it('is available to everyone with an account', () => assertCallers(service, (client) => client.get(LIST), CALLERS.slice(1)))

  it('rejects requests to create, change or delete one', async () => {
    const pk = await linkAccount('viewer')
    assert.equal((await service.viewer.post(LIST, { provider: 'works', uid: 'x' })).status, 405)
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'])
      assert.equal((await service.viewer.send(method, `${LIST}${pk}/`, method === 'GET' ? undefined : {})).status, 404)
    assert.ok(await isLinked(pk))
  })
})

describe('POST /api/auth/social/{id}/disconnect/', () => {
  it('removes the account, and records it in the events', async () => {
    const pk = await linkAccount('viewer')
    const { status, body } = await disconnect(service.viewer, pk, { access_token: 'x', code: 'x', id_token: 'x' })
    assert.deepEqual([status, body], [200, {}])
    assert.ok(!(await isLinked(pk)))
    const [event] = await service.rows(
      `select "user", details from security_event where kind = 'social_unlinked' order by pk desc`,
    )
    assert.deepEqual([event.user, event.details], [service.getPk('viewer'), { provider: 'works' }])
    assert.equal((await disconnect(service.viewer, pk)).status, 404)
  })

  it("returns 404 for another's account, even for a superuser", async () => {
    const pk = await linkAccount('viewer')
    for (const name of ['nobody', 'member', 'staff', 'superuser'] as const)
      assert.equal((await disconnect(service[name], pk)).status, 404, name)
    assert.equal((await disconnect(service.viewer, 99_999_999)).status, 404)
    assert.ok(await isLinked(pk))
  })

  it('is available to everyone with an account', async () => {
    const pk = await linkAccount('viewer')
    await assertCallers(
      service,
      (client) => disconnect(client, pk),
      CALLERS.slice(1),
      () => isLinked(pk),
    )
  })

  it('keeps the last sign-in method', async () => {
    const account = await createAccountWithoutPassword('alone')
    const pk = await linkAccount('alone')
    for (let time = 0; time < 2; time++) {
      const { status, body } = await account.disconnect(pk)
      assert.deepEqual([status, body], [400, LAST_METHOD_ERROR])
    }
    assert.ok(await isLinked(pk))
    const second = await linkAccount('alone', 'other')
    assert.equal((await account.disconnect(pk)).status, 200)
    assert.deepEqual((await account.disconnect(second)).body, LAST_METHOD_ERROR)
    assert.ok(await isLinked(second))
  })

  it('treats an imported marker of an unusable password as none, and an imported hash as a password', async () => {
    const marked = await createAccountWithoutPassword('marked', '!nOuSaBlEpAsSwOrD')
    assert.deepEqual((await marked.disconnect(await linkAccount('marked'))).body, LAST_METHOD_ERROR)
    const imported = await createAccountWithoutPassword('imported', `pbkdf2_sha256$1000$salt$${'A'.repeat(43)}=`)
    assert.equal((await imported.disconnect(await linkAccount('imported'))).status, 200)
  })

  it('ignores accounts at providers that are not usable for sign-in', async () => {
    const account = await createAccountWithoutPassword('elsewhere')
    const pk = await linkAccount('elsewhere')
    await linkAccount('elsewhere', 'named')
    await linkAccount('elsewhere', 'gone')
    assert.deepEqual((await account.disconnect(pk)).body, LAST_METHOD_ERROR)
  })

  it('ignores other accounts while single sign-on is disabled', async () => {
    const account = await createAccountWithoutPassword('off')
    const [pk] = [await linkAccount('off'), await linkAccount('off', 'other')]
    await setSingleSignOn(false)
    assert.deepEqual((await account.disconnect(pk)).body, LAST_METHOD_ERROR)
    await setSingleSignOn(true)
    assert.equal((await account.disconnect(pk)).status, 200)
  })

  it('keeps one of two that are removed concurrently', async () => {
    const account = await createAccountWithoutPassword('twice')
    for (let round = 0; round < 10; round++) {
      await service.rows('delete from social_account where "user" = $1', [account.pk])
      const [first, second] = [await linkAccount('twice'), await linkAccount('twice', 'other')]
      const statuses = (await Promise.all([account.disconnect(first), account.disconnect(second)])).map(({ status }) => status)
      assert.deepEqual(statuses.toSorted(), [200, 400])
    }
  })
})
