import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { waitForListeners } from '../../../testing/listeners-caught-up.ts'
import { assertCallers, testService } from '../../../testing/service.ts'

const service = await testService()
const { member, nobody, staff, superuser, viewer } = service
const GROUPS = '/api/user/group/'
const SIGNED_IN = ['nobody', 'viewer', 'member', 'staff', 'superuser'] as const

const readGroups = () => service.rows('select * from user_group order by pk')
const getGroupKey = async (name: string) => (await service.rows('select pk from user_group where name = $1', [name]))[0].pk
const createGroup = async (name: string) => (await superuser.post(GROUPS, { name })).body.pk as number
const readLatestChange = () =>
  service.rows(`select details from security_event where kind = 'group_changed' and actor = $1 order by pk desc limit 1`, [
    service.getPk('superuser'),
  ])

describe('POST /api/user/group/', () => {
  it('creates a group with an owner and view permissions for every role, and records it', async () => {
    const created = await superuser.post(GROUPS, { name: 'Fitters' })
    assert.equal(created.status, 201)
    assert.deepEqual(created.body, { pk: created.body.pk, name: 'Fitters' })
    assert.deepEqual((await viewer.get(`${GROUPS}${created.body.pk}/`)).body, created.body)
    const rules = await service.rows(
      'select bool_and(can_view) as view, bool_or(can_add) as add, count(*)::int from rule_set where "group" = $1',
      [created.body.pk],
    )
    assert.deepEqual(rules, [{ view: true, add: false, count: 12 }])
    assert.deepEqual(await readLatestChange(), [
      { details: { group: created.body.pk, name: { before: null, after: 'Fitters' } } },
    ])
  })

  it('rejects a name that is taken, missing or too long', async () => {
    const before = await readGroups()
    for (const body of [{ name: 'Fitters' }, {}, { name: '' }, { name: 'x'.repeat(151) }, { name: '<b>x</b>' }, { name: null }]) {
      const response = await superuser.post(GROUPS, body)
      assert.deepEqual([response.status, Object.keys(response.body)], [400, ['name']])
    }
    assert.deepEqual(await readGroups(), before)
  })

  it('requires a superuser', () =>
    assertCallers(service, (client) => client.post(GROUPS, { name: 'callers' }), ['superuser'], readGroups))
})

describe('GET /api/user/group/', () => {
  it('searches and sorts by name', async () => {
    const readNames = async (query: string) =>
      (await viewer.get(`${GROUPS}?${query}`)).body.results.map(({ name }: { name: string }) => name)
    assert.deepEqual(await readNames('search=fitt'), ['Fitters'])
    assert.deepEqual(await readNames('ordering=-name&limit=1'), ['viewers'])
  })

  it('shows permissions on request, and members to staff alone', async () => {
    const path = `${GROUPS}${await getGroupKey('members')}/?role_detail=true&user_detail=true`
    const group = (await staff.get(path)).body
    assert.equal(group.roles.length, 12)
    assert.deepEqual(
      group.roles.map(({ can_delete }: { can_delete: boolean }) => can_delete),
      Array(12).fill(true),
    )
    assert.deepEqual(group.users, [{ pk: service.getPk('member'), username: 'member', first_name: '', last_name: '', email: '' }])
    for (const client of [nobody, viewer, member]) assert.deepEqual((await client.get(path)).body, { ...group, users: [] })
  })

  it('is open to every account', () => assertCallers(service, (client) => client.get(GROUPS), SIGNED_IN))
})

for (const method of ['PUT', 'PATCH']) {
  describe(`${method} /api/user/group/{id}/`, () => {
    it('renames a group, and records it', async () => {
      const pk = await createGroup(`Packers ${method}`)
      const response = await superuser.send(method, `${GROUPS}${pk}/`, { name: `Shippers ${method}` })
      assert.deepEqual(response.body, { pk, name: `Shippers ${method}` })
      const details = { group: pk, name: { before: `Packers ${method}`, after: `Shippers ${method}` } }
      assert.deepEqual(await readLatestChange(), [{ details }])
      assert.equal((await superuser.send(method, `${GROUPS}${pk}/`, { name: `Shippers ${method}` })).status, 200)
      const renameEvents = await service.rows(
        `select from security_event where details->>'group' = $1 and details->'name'->>'before' is not null`,
        [String(pk)],
      )
      assert.equal(renameEvents.length, 1)
    })

    it('rejects a name that is taken', async () => {
      const pk = await createGroup(`Taken ${method}`)
      const response = await superuser.send(method, `${GROUPS}${pk}/`, { name: 'viewers' })
      assert.deepEqual([response.status, Object.keys(response.body)], [400, ['name']])
    })

    it('requires a superuser', async () => {
      const path = `${GROUPS}${await createGroup(`Callers ${method}`)}/`
      await assertCallers(service, (client) => client.send(method, path, { name: `Called ${method}` }), ['superuser'], readGroups)
      assert.equal((await superuser.send(method, `${GROUPS}999999/`, { name: 'x' })).status, 404)
    })
  })
}

describe('DELETE /api/user/group/{id}/', () => {
  it('revokes the permissions of its members immediately, keeps the members, and records it', async () => {
    const pk = await createGroup('Buyers')
    await service.rows(`update rule_set set can_add = true, can_change = true where "group" = $1`, [pk])
    const [{ pk: owner }] = await service.rows('select pk from owner where "group" = $1', [pk])
    await service.rows(`insert into project_code (code, responsible) values ('P1', $1)`, [owner])
    await superuser.patch(`/api/user/${service.getPk('nobody')}/`, { group_ids: [pk] })
    await waitForListeners(service)
    assert.equal((await nobody.get('/api/part/')).status, 200)
    assert.equal((await superuser.delete(`${GROUPS}${pk}/`)).status, 204)
    await waitForListeners(service)
    assert.equal((await nobody.get('/api/part/')).status, 403)
    assert.deepEqual((await nobody.get('/api/user/me/')).body.groups, [])
    assert.deepEqual(await service.rows('select responsible from project_code'), [{ responsible: null }])
    const details = {
      group: pk,
      name: { before: 'Buyers', after: null },
      members: { before: ['nobody'], after: [] },
    }
    assert.deepEqual(await readLatestChange(), [{ details }])
  })

  it('requires a superuser', async () => {
    const path = `${GROUPS}${await createGroup('Gone')}/`
    await assertCallers(service, (client) => client.delete(path), ['superuser'], readGroups)
    assert.equal((await superuser.get(path)).status, 404)
  })
})
