import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PASSWORD, testService } from '../../../testing/service.ts'
import { sendWhileLocked } from '../../../testing/while-locked.ts'

const service = await testService({ SIGN_IN_RATE: '1000' })
const TOKEN = '/api/user/token/'

/** Creates an account, and returns request headers for each of the three ways to authenticate. */
async function createAccount(username: string) {
  const [{ pk }] = await service.rows(
    `insert into user_account (username, password) select $1, password from user_account where username = 'member' returning pk`,
    [username],
  )
  const login = await service.anonymous.post('/api/auth/login/', { username, password: PASSWORD })
  const cookie = ([login.headers['set-cookie']].flat() as string[]).map((line) => line.split(';')[0]).join('; ')
  return {
    pk: pk as number,
    session: { cookie },
    token: { authorization: `Token ${login.body.key}` },
    basic: { authorization: `Basic ${btoa(`${username}:${PASSWORD}`)}` },
  }
}
const listTokenNames = async (pk: number) =>
  (await service.rows('select name from api_token where "user" = $1 and name <> $2 order by pk', [pk, ''])).map(
    ({ name }) => name,
  )

describe('GET /api/user/token/', () => {
  it('creates a token for a caller with a session, a token or a password', async () => {
    const { pk, session, token, basic } = await createAccount('ways')
    for (const [name, headers] of Object.entries({ session, token, basic }))
      assert.equal((await service.anonymous.get(`${TOKEN}?name=${name}`, headers)).status, 200, name)
    assert.deepEqual(await listTokenNames(pk), ['session', 'token', 'basic'])
  })

  it('creates at most a hundred live tokens, without blocking log-ins', async () => {
    const { pk, session } = await createAccount('collector')
    const requestToken = (name: string) => service.anonymous.get(`${TOKEN}?name=${name}`, session)
    const responses = await Promise.all(Array.from({ length: 104 }, (_, index) => requestToken(`number-${index}`)))
    assert.equal(responses.filter(({ status }) => status === 200).length, 100)
    const rejections = responses.filter(({ status }) => status === 400)
    assert.equal(rejections.length, 4)
    assert.deepEqual(Object.keys(rejections[0]?.body), ['name'])
    const [{ name }] = await service.rows(`select name from api_token where "user" = $1 and name <> '' limit 1`, [pk])
    assert.equal((await requestToken(name)).status, 200, 'a live token is returned again')
    assert.equal((await service.anonymous.post('/api/auth/login/', { username: 'collector', password: PASSWORD })).status, 200)
    await service.rows('update api_token set revoked = true where "user" = $1 and name = $2', [pk, name])
    assert.equal((await requestToken('another')).status, 200)
  })

  it('creates no token if the credentials were revoked while the request waited', async () => {
    const revocations = {
      session: (pk: number) => `delete from user_session where "user" = ${pk}`,
      token: (pk: number) => `update api_token set revoked = true where "user" = ${pk}`,
      basic: () => `password = '!'`,
    }
    for (const [method, revocation] of Object.entries(revocations) as [keyof typeof revocations, (pk: number) => string][]) {
      const { pk, [method]: headers } = await createAccount(`closed ${method}`)
      const response = await sendWhileLocked(
        service,
        pk,
        () => service.anonymous.get(`${TOKEN}?name=more`, headers),
        revocation(pk),
      )
      assert.equal(response.status, 401, method)
      assert.deepEqual(await listTokenNames(pk), [], method)
    }
  })

  it('creates no token for an account that was deactivated while the request waited', async () => {
    const { pk, token } = await createAccount('leaving')
    const response = await sendWhileLocked(
      service,
      pk,
      () => service.anonymous.get(`${TOKEN}?name=more`, token),
      'is_active = false',
    )
    assert.equal(response.status, 401)
    assert.deepEqual(await listTokenNames(pk), [])
  })
})
