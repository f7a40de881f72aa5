import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { waitForListeners } from '../../../testing/listeners-caught-up.ts'
import { assertCallers, testService } from '../../../testing/service.ts'

const service = await testService()
const { staff, superuser } = service
const EVENTS = '/api/user/security-event/'

const [viewer, actor] = [service.getPk('viewer'), service.getPk('superuser')]
await service.rows(
  `insert into security_event (created, kind, "user", username, actor, address, details) values
     ('2026-01-01T10:00:00Z', 'sign_in_failed', null, 'intruder', null, '10.0.0.1', '{}'),
     ('2026-01-02T23:59:59Z', 'sign_in', $1, 'viewer', $1, '10.0.0.2', '{}'),
     ('2026-01-03T00:00:00Z', 'rights_changed', $1, 'viewer', $2, '', '{"is_staff": {"before": false, "after": true}}')`,
  [viewer, actor],
)
const readKinds = async (query: string) =>
  (await staff.get(`${EVENTS}?${query}`)).body.results.map(({ kind }: { kind: string }) => kind)

describe('GET /api/user/security-event/', () => {
  it('lists events, newest first', async () => {
    const { body } = await staff.get(EVENTS)
    assert.deepEqual(
      body.results.map(({ kind }: { kind: string }) => kind),
      ['rights_changed', 'sign_in', 'sign_in_failed'],
    )
    const [latest] = body.results
    assert.deepEqual(latest, {
      pk: latest.pk,
      created: '2026-01-03T00:00:00Z',
      kind: 'rights_changed',
      user: viewer,
      username: 'viewer',
      actor,
      address: '',
      user_agent: '',
      details: { is_staff: { before: false, after: true } },
    })
    assert.deepEqual((await staff.get(`${EVENTS}${latest.pk}/`)).body, latest)
  })

  it('filters by kind, account, actor, address and days, and searches the name', async () => {
    assert.deepEqual(await readKinds('kind=sign_in'), ['sign_in'])
    assert.deepEqual(await readKinds(`user=${viewer}`), ['rights_changed', 'sign_in'])
    assert.deepEqual(await readKinds(`actor=${actor}`), ['rights_changed'])
    assert.deepEqual(await readKinds('address=10.0.0.1'), ['sign_in_failed'])
    assert.deepEqual(await readKinds('created_after=2026-01-02&created_before=2026-01-02'), ['sign_in'])
    assert.deepEqual(await readKinds('created_before=2026-01-01'), ['sign_in_failed'])
    assert.deepEqual(await readKinds('search=intrud'), ['sign_in_failed'])
    assert.deepEqual(await readKinds('ordering=created&limit=1'), ['sign_in_failed'])
    for (const query of ['created_after=yesterday', 'user=x', 'user=99999'])
      assert.equal((await staff.get(`${EVENTS}?${query}`)).status, 400)
  })

  it('shows the origin of a change of rights', async () => {
    await superuser.patch(`/api/user/${viewer}/`, { is_staff: true }, { 'user-agent': 'the browser\u0007 of tests' })
    const [event] = (await staff.get(`${EVENTS}?kind=rights_changed&limit=1`)).body.results
    assert.deepEqual([event.address, event.user_agent, event.actor], ['127.0.0.1', 'the browser of tests', actor])
    await superuser.patch(`/api/user/${viewer}/`, { is_staff: false })
  })

  it('requires a staff account', async () => {
    await waitForListeners(service)
    await assertCallers(service, (client) => client.get(EVENTS), ['staff', 'superuser'])
    await assertCallers(service, (client) => client.get(`${EVENTS}1/`), ['staff', 'superuser'])
  })

  it('is read-only for every account', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE']) assert.equal((await superuser.send(method, `${EVENTS}1/`, {})).status, 405)
    assert.equal((await superuser.post(EVENTS, {})).status, 405)
  })
})
