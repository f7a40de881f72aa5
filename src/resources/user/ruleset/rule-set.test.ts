import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { waitForListeners } from '../../../testing/listeners-caught-up.ts'
import { assertCallers, testService } from '../../../testing/service.ts'

const service = await testService()
const { superuser, viewer } = service
const RULES = '/api/user/ruleset/'
const SIGNED_IN = ['nobody', 'viewer', 'member', 'staff', 'superuser'] as const

const readRules = () => service.rows('select * from rule_set order by pk')
const [{ pk: viewerGroup }] = await service.rows(`select pk from user_group where name = 'viewers'`)
const findRule = async (role: string) =>
  (await service.rows('select pk from rule_set where "group" = $1 and name = $2', [viewerGroup, role]))[0].pk as number
const listRights = ({ can_view, can_add, can_change, can_delete }: Record<string, boolean>) =>
  [can_view && 'view', can_add && 'add', can_change && 'change', can_delete && 'delete'].filter(Boolean).join(' ')

describe('GET /api/user/ruleset/', () => {
  it('lists the permissions of each group in each role', async () => {
    const { body } = await viewer.get(`${RULES}?group=${viewerGroup}`)
    assert.equal(body.count, 12)
    assert.deepEqual(body.results[1], {
      pk: body.results[1].pk,
      name: 'part_category',
      label: 'Part Categories',
      group: viewerGroup,
      can_view: true,
      can_add: false,
      can_change: false,
      can_delete: false,
    })
    assert.ok(body.results.every(({ label }: { label: string }) => label !== ''))
    assert.deepEqual((await viewer.get(`${RULES}${body.results[1].pk}/`)).body, body.results[1])
  })

  it('filters by group and name', async () => {
    assert.equal((await viewer.get(`${RULES}?name=stock`)).body.count, 2)
    assert.equal((await viewer.get(`${RULES}?name=stock&group=${viewerGroup}`)).body.count, 1)
    assert.equal((await viewer.get(`${RULES}?name=none`)).body.count, 0)
    assert.deepEqual(Object.keys((await viewer.get(`${RULES}?group=99999`)).body), ['group'])
  })

  it('is open to every account', () => assertCallers(service, (client) => client.get(RULES), SIGNED_IN))
})

describe('PATCH /api/user/ruleset/{id}/', () => {
  for (const [changes, expected] of [
    [{ can_add: true }, 'view add change'],
    [{ can_change: true }, 'view change'],
    [{ can_delete: true }, 'view change delete'],
    [{ can_view: false }, ''],
    [{ can_view: false, can_change: true }, 'view change'],
    [{ can_delete: true, can_change: false, can_view: false }, 'view change delete'],
  ] as const) {
    it(`${JSON.stringify(changes)} gives: ${expected || 'nothing'}`, async () => {
      const path = `${RULES}${await findRule('build')}/`
      await service.rows(
        `update rule_set set can_view = true, can_add = false, can_change = false, can_delete = false where name = 'build'`,
      )
      assert.equal(listRights((await superuser.patch(path, changes)).body), expected)
      assert.equal(listRights((await superuser.get(path)).body), expected)
    })
  }

  it('changes neither role nor group', async () => {
    const path = `${RULES}${await findRule('stocktake')}/`
    const before = (await superuser.get(path)).body
    assert.deepEqual((await superuser.patch(path, { name: 'admin', group: 99, label: 'x' })).body, before)
  })

  it('takes effect with the next request, and is recorded once', async () => {
    const path = `${RULES}${await findRule('part')}/`
    assert.equal((await viewer.post('/api/part/', {})).status, 403)
    assert.equal((await superuser.patch(path, { can_add: true })).status, 200)
    await waitForListeners(service)
    assert.equal((await viewer.post('/api/part/', {})).status, 400)
    assert.equal((await superuser.patch(path, { can_add: true })).status, 200)
    assert.equal((await superuser.patch(path, { can_add: false, can_change: false, can_view: false })).status, 200)
    await waitForListeners(service)
    assert.equal((await viewer.get('/api/part/')).status, 403)
    const events = await service.rows(
      `select "user", actor, details from security_event where details->>'role' = 'part' order by pk`,
    )
    const event = (rights: object) => ({
      user: null,
      actor: service.getPk('superuser'),
      details: { group: 'viewers', role: 'part', ...rights },
    })
    const [granted, revoked] = [
      { before: false, after: true },
      { before: true, after: false },
    ]
    assert.deepEqual(events, [
      event({ can_add: granted, can_change: granted }),
      event({ can_view: revoked, can_add: revoked, can_change: revoked }),
    ])
  })

  it('reports invalid fields', async () => {
    const response = await superuser.patch(`${RULES}${await findRule('stock')}/`, { can_add: 'perhaps', can_view: null })
    assert.deepEqual([response.status, Object.keys(response.body).sort()], [400, ['can_add', 'can_view']])
  })
})

for (const method of ['PUT', 'PATCH']) {
  describe(`${method} /api/user/ruleset/{id}/`, () => {
    it('requires a superuser', async () => {
      const path = `${RULES}${await findRule('sales_order')}/`
      await assertCallers(service, (client) => client.send(method, path, { can_add: true }), ['superuser'], readRules)
      assert.equal((await superuser.send(method, `${RULES}999999/`, {})).status, 404)
    })
  })
}

describe('PUT /api/user/ruleset/{id}/', () => {
  it('resets omitted permissions to their defaults', async () => {
    const path = `${RULES}${await findRule('return_order')}/`
    await superuser.patch(path, { can_add: true, can_delete: true })
    assert.equal(listRights((await superuser.put(path, {})).body), 'view')
  })
})

describe('POST /api/user/ruleset/', () => {
  it('is not allowed, as each group always has one row per role', async () => {
    assert.equal((await superuser.post(RULES, {})).status, 405)
  })
})

describe('DELETE /api/user/ruleset/{id}/', () => {
  it('revokes all permissions of the group in the role, and keeps the rule set', async () => {
    const pk = await findRule('build')
    await superuser.patch(`${RULES}${pk}/`, { can_delete: true, can_add: true })
    const { body: before } = await superuser.get(`${RULES}${pk}/`)
    assert.equal((await superuser.delete(`${RULES}${pk}/`)).status, 204)
    const revoked = { can_view: false, can_add: false, can_change: false, can_delete: false }
    assert.deepEqual((await superuser.get(`${RULES}${pk}/`)).body, { ...before, ...revoked })
    const [event] = await service.rows(`select kind, details from security_event order by pk desc limit 1`)
    assert.deepEqual(
      [event.kind, Object.keys(event.details).sort()],
      ['rights_changed', [...Object.keys(revoked), 'group', 'role'].sort()],
    )
    assert.equal((await superuser.delete(`${RULES}${pk}/`)).status, 204)
  })

  it('rejects another version and an unknown rule set', async () => {
    const pk = await findRule('purchase_order')
    assert.equal((await superuser.delete(`${RULES}${pk}/`, undefined, { 'if-match': '"0"' })).status, 412)
    assert.equal((await superuser.delete(`${RULES}999999/`)).status, 404)
    assert.equal(listRights((await superuser.get(`${RULES}${pk}/`)).body), 'view')
  })

  it('requires a superuser', async () => {
    const path = `${RULES}${await findRule('admin')}/`
    await assertCallers(service, (client) => client.delete(path), ['superuser'], readRules)
  })
})
