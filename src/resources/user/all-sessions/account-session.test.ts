import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { waitForListeners } from '../../../testing/listeners-caught-up.ts'
import { getSessionCookie, signIn } from '../../../testing/second-factor.ts'
import { assertCallers, testService } from '../../../testing/service.ts'

const service = await testService({ SIGN_IN_RATE: '1000', TRUST_PROXY: 'true' })
const { anonymous, superuser } = service
const SESSIONS = '/api/user/all-sessions/'
const [viewer, member] = [service.getPk('viewer'), service.getPk('member')]

const openSession = async (username: string) => ({ cookie: getSessionCookie(await signIn(service, username)) as string })
const getStatus = async (headers: Record<string, string>) => (await anonymous.get('/api/user/me/', headers)).status
const readSessions = () => service.rows('select pk from user_session order by pk')
const readEvents = () =>
  service.rows(`select "user", actor, details from security_event where kind = 'session_ended' order by pk`)

describe('/api/user/all-sessions/', () => {
  it('lists the sessions of an account, and ends one at once, which is recorded', async () => {
    const [phone, desk, other] = [await openSession('viewer'), await openSession('viewer'), await openSession('member')]
    const { body, text } = await superuser.get(`${SESSIONS}?user=${viewer}&ordering=created`)
    assert.equal(body.count, 2)
    const [{ pk, address, ...session }] = body.results
    assert.deepEqual([session.user, session.active, session.in_use], [viewer, true, false])
    assert.ok(!text.includes(phone.cookie.slice('sessionid='.length)))
    assert.equal((await superuser.delete(`${SESSIONS}${pk}/`)).status, 204)
    await waitForListeners(service)
    assert.deepEqual([await getStatus(phone), await getStatus(desk), await getStatus(other)], [401, 200, 200])
    assert.deepEqual((await readEvents()).at(-1), { user: viewer, actor: service.getPk('superuser'), details: { address } })
    assert.equal((await superuser.delete(`${SESSIONS}${pk}/`)).status, 404)
  })

  it('require a superuser', async () => {
    await openSession('member')
    const [{ pk }] = await service.rows('select pk from user_session limit 1')
    await assertCallers(service, (client) => client.get(SESSIONS), ['superuser'])
    await assertCallers(service, (client) => client.get(`${SESSIONS}${pk}/`), ['superuser'])
    await assertCallers(service, (client) => client.delete(`${SESSIONS}${pk}/`), ['superuser'], readSessions)
  })
})

describe('POST /api/user/{id}/end-sessions/', () => {
  it('ends all sessions of an account, and those of no other', async () => {
    const [phone, desk, other] = [await openSession('viewer'), await openSession('viewer'), await openSession('member')]
    const count = (await service.rows('select from user_session where "user" = $1', [viewer])).length
    const before = (await readEvents()).length
    assert.deepEqual((await superuser.post(`/api/user/${viewer}/end-sessions/`, {})).body, { ended: count })
    await waitForListeners(service)
    assert.deepEqual([await getStatus(phone), await getStatus(desk), await getStatus(other)], [401, 401, 200])
    assert.equal((await readEvents()).length, before + count)
    assert.deepEqual((await superuser.post(`/api/user/${viewer}/end-sessions/`, {})).body, { ended: 0 })
    assert.equal((await superuser.post('/api/user/999999/end-sessions/', {})).status, 404)
  })

  it("keeps the session of the request, if it is the caller's own account", async () => {
    const [here, there] = [await openSession('superuser'), await openSession('superuser')]
    assert.deepEqual((await anonymous.post(`/api/user/${service.getPk('superuser')}/end-sessions/`, {}, here)).body, { ended: 1 })
    await waitForListeners(service)
    assert.deepEqual([await getStatus(here), await getStatus(there)], [200, 401])
  })

  it('requires a superuser', async () => {
    await openSession('member')
    await assertCallers(service, (client) => client.post(`/api/user/${member}/end-sessions/`, {}), ['superuser'], readSessions)
  })
})
