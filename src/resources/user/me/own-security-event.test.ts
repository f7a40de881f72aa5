import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertCallers, CALLERS, testService } from '../../../testing/service.ts'

const service = await testService()
const { viewer, member, superuser } = service
const EVENTS = '/api/user/me/security-event/'

await service.rows(
  `insert into security_event (created, kind, "user", username, actor, address, details) values
     ('2026-01-02T10:00:00Z', 'sign_in', $1, 'viewer', $1, '10.0.0.2', '{}'),
     ('2026-01-03T00:00:00Z', 'rights_changed', $1, 'viewer', $2, '', '{}'),
     ('2026-01-04T00:00:00Z', 'sign_in', $2, 'superuser', $2, '10.0.0.3', '{}')`,
  [service.getPk('viewer'), service.getPk('superuser')],
)

describe('GET /api/user/me/security-event/', () => {
  it('lists the events of the caller, newest first, and filters them', async () => {
    const listKinds = async (query = '') =>
      (await viewer.get(`${EVENTS}${query}`)).body.results.map(({ kind }: { kind: string }) => kind)
    assert.deepEqual(await listKinds(), ['rights_changed', 'sign_in'])
    assert.deepEqual(await listKinds('?kind=sign_in'), ['sign_in'])
    assert.deepEqual(await listKinds('?created_after=2026-01-03'), ['rights_changed'])
    const [event] = (await viewer.get(`${EVENTS}?kind=sign_in`)).body.results
    assert.deepEqual([event.address, event.actor, 'user' in event], ['10.0.0.2', service.getPk('viewer'), false])
  })

  it("hides the events of other accounts, whatever the caller's permissions", async () => {
    const [event] = (await viewer.get(EVENTS)).body.results
    for (const client of [member, service.staff, superuser]) assert.equal((await client.get(`${EVENTS}${event.pk}/`)).status, 404)
    assert.equal((await member.get(EVENTS)).body.count, 0)
    assert.equal((await superuser.get(EVENTS)).body.count, 1)
  })

  it('is read-only, and requires an account', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE']) assert.equal((await superuser.send(method, `${EVENTS}1/`, {})).status, 405)
    await assertCallers(service, (client) => client.get(EVENTS), CALLERS.slice(1))
  })
})
