import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { startSecondNode } from '../../../testing/second-node.ts'
import { assertCallers, testService } from '../../../testing/service.ts'

const service = await testService({ SIGN_IN_RATE: '1000' })
const { member, anonymous, superuser, viewer } = service
const SESSIONS = '/api/user/session/'
const SIGNED_IN = ['nobody', 'viewer', 'member', 'staff', 'superuser'] as const

/** Signs a browser in as `viewer`; returns the session's key, and headers with its cookie. */
async function signIn(agent: string) {
  const body = { username: 'viewer', password: 'a password of tests' }
  const response = await anonymous.post('/api/auth/login/', body, { 'user-agent': agent })
  const cookies = [response.headers['set-cookie']].flat() as string[]
  const cookie = cookies.find((line) => line.startsWith('sessionid='))?.split(';')[0] as string
  const { results } = (await viewer.get(SESSIONS)).body
  const { pk } = results.find(({ user_agent }: { user_agent: string }) => user_agent === agent)
  return { pk: pk as number, headers: { cookie } }
}
const readSessions = () => service.rows('select pk from user_session order by pk')

describe('GET /api/user/session/', () => {
  it("lists the caller's sessions, marks the current one, and omits cookies", async () => {
    const [home, work] = [await signIn('home'), await signIn('work')]
    const response = await anonymous.get(`${SESSIONS}?ordering=created`, home.headers)
    const summarize = (entry: Record<string, unknown>) => [
      entry.pk,
      entry.user_agent,
      entry.active,
      entry.in_use,
      entry.second_factor,
    ]
    assert.deepEqual(response.body.results.map(summarize), [
      [home.pk, 'home', true, true, false],
      [work.pk, 'work', true, false, false],
    ])
    assert.ok(!response.text.includes(home.headers.cookie.slice('sessionid='.length)))
    const other = await anonymous.get(`${SESSIONS}${home.pk}/`, work.headers)
    assert.deepEqual([other.body.in_use, other.body.address], [false, '127.0.0.1'])
  })

  it("hides sessions of other accounts, whatever the caller's permissions", async () => {
    const { pk } = await signIn('own')
    for (const client of [member, service.staff, superuser]) {
      assert.equal((await client.get(SESSIONS)).body.count, 0)
      assert.equal((await client.get(`${SESSIONS}${pk}/`)).status, 404)
    }
  })

  it('is open to every account', () => assertCallers(service, (client) => client.get(SESSIONS), SIGNED_IN))
})

describe('DELETE /api/user/session/{id}/', () => {
  it('signs a browser out on every node within a second, and records it', async () => {
    const [phone, desk] = [await signIn('phone'), await signIn('desk')]
    const node = await startSecondNode(service)
    const getStatusOnOtherNode = async () => (await node.inject({ url: '/api/user/me/', headers: phone.headers })).statusCode
    for (let round = 0; round < 2; round++) assert.equal(await getStatusOnOtherNode(), 200)
    const response = await anonymous.delete(`${SESSIONS}${phone.pk}/`, undefined, desk.headers)
    assert.deepEqual([response.status, response.headers['set-cookie']], [204, undefined])
    const endedAt = Date.now()
    while ((await getStatusOnOtherNode()) === 200 && Date.now() - endedAt < 1000) await pause(10)
    assert.equal(await getStatusOnOtherNode(), 401)
    assert.equal((await anonymous.get('/api/user/me/', desk.headers)).status, 200)
    const [event] = await service.rows(`select "user", address from security_event where kind = 'session_ended' order by pk`)
    assert.deepEqual(event, { user: service.getPk('viewer'), address: '127.0.0.1' })
  })

  it('clears the cookies of the requesting browser', async () => {
    const { pk, headers } = await signIn('asking')
    const response = await anonymous.delete(`${SESSIONS}${pk}/`, undefined, headers)
    assert.equal(response.status, 204)
    assert.match(String(response.headers['set-cookie']), /sessionid=;/)
    assert.equal((await anonymous.get('/api/user/me/', headers)).status, 401)
  })

  it('returns 404 for a session of another account, even to a superuser', async () => {
    const { pk } = await signIn('kept')
    const before = await readSessions()
    for (const client of [member, service.staff, superuser]) assert.equal((await client.delete(`${SESSIONS}${pk}/`)).status, 404)
    assert.deepEqual(await readSessions(), before)
  })

  it('is open to every account', () =>
    assertCallers(service, (client) => client.delete(`${SESSIONS}999999/`), SIGNED_IN, readSessions))
})

describe('POST /api/user/session/end-others/', () => {
  const END_OTHERS = `${SESSIONS}end-others/`

  it('signs all other browsers of the account out, and records each', async () => {
    await service.rows('delete from security_event')
    await service.rows('delete from user_session')
    const [phone, desk] = [await signIn('phone'), await signIn('desk')]
    const other = await anonymous.post('/api/auth/login/', { username: 'member', password: 'a password of tests' })
    assert.equal(other.status, 200)
    const before = await readSessions()
    const { status, body } = await anonymous.post(END_OTHERS, {}, desk.headers)
    assert.deepEqual([status, body], [200, { ended: 1 }])
    assert.equal((await anonymous.get('/api/user/me/', phone.headers)).status, 401)
    assert.equal((await anonymous.get('/api/user/me/', desk.headers)).status, 200)
    assert.deepEqual(
      await readSessions(),
      before.filter(({ pk }) => pk !== phone.pk),
    )
    const events = await service.rows(`select "user" from security_event where kind = 'session_ended'`)
    assert.deepEqual(events, [{ user: service.getPk('viewer') }])
    assert.deepEqual((await anonymous.post(END_OTHERS, {}, desk.headers)).body, { ended: 0 })
  })

  it('ends all sessions for a caller without one', async () => {
    const { headers } = await signIn('left behind')
    await viewer.post(END_OTHERS)
    assert.equal((await anonymous.get('/api/user/me/', headers)).status, 401)
  })

  it('is open to every account', () => assertCallers(service, (client) => client.post(END_OTHERS), SIGNED_IN))
})
