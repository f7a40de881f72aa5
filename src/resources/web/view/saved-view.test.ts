import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { assertCallers, CALLERS, type TestResponse, testService } from '../../../testing/service.ts'
import { waitUntil } from '../../../testing/until.ts'

const service = await testService()
const { nobody, viewer, member, staff, superuser } = service
const VIEWS = '/api/web/view/'
const LOW_STOCK_VIEW = { name: 'Low', path: '/parts', query: 'low_stock=true&ordering=name' }

beforeEach(() => service.rows('truncate saved_view'))

const readNames = async (client: typeof viewer, query = '') =>
  (await client.get(`${VIEWS}?${query}`)).body.results.map(({ name }: { name: string }) => name)

describe('POST /api/web/view/', () => {
  it('is open to every account', () => assertCallers(service, (client) => client.post(VIEWS, LOW_STOCK_VIEW), CALLERS.slice(1)))

  it('saves a view for the caller, even if the body names another owner', async () => {
    const { status, body } = await nobody.post(VIEWS, { ...LOW_STOCK_VIEW, user: service.getPk('superuser') })
    assert.equal(status, 201)
    assert.deepEqual(body, { pk: body.pk, user: service.getPk('nobody'), ...LOW_STOCK_VIEW, shared: false })
    assert.deepEqual((await nobody.get(`${VIEWS}${body.pk}/`)).body, body)
  })

  it('rejects URLs of other sites, invalid queries, and a second view with the same name', async () => {
    await viewer.post(VIEWS, LOW_STOCK_VIEW)
    for (const [field, value] of [
      ['name', ''],
      ['name', 'x'.repeat(101)],
      ['name', 'Low'],
      ['path', 'parts'],
      ['path', '//evil.example/'],
      ['path', '/\\evil.example'],
      ['path', 'javascript:alert(1)'],
      ['path', '/parts?x=1'],
      ['path', '/parts#x'],
      ['path', `/${'x'.repeat(200)}`],
      ['query', '?x=1'],
      ['query', 'x=1#y'],
      ['query', 'x=1 2'],
      ['query', 'x'.repeat(2001)],
      ['shared', 'perhaps'],
    ] as const) {
      const { status, body } = await viewer.post(VIEWS, { ...LOW_STOCK_VIEW, name: 'Other', path: '/parts', [field]: value })
      assert.deepEqual([status, Object.keys(body)], [400, [field]], `${field} ${value}`)
    }
    assert.equal((await viewer.post(VIEWS, { ...LOW_STOCK_VIEW, path: '/stock' })).status, 201)
    assert.equal((await member.post(VIEWS, LOW_STOCK_VIEW)).status, 201)
  })

  it('creates one view for two requests with the same key', async () => {
    const first = await viewer.post(VIEWS, LOW_STOCK_VIEW, { 'idempotency-key': 'one' })
    const second = await viewer.post(VIEWS, LOW_STOCK_VIEW, { 'idempotency-key': 'one' })
    assert.deepEqual([second.status, second.body], [201, first.body])
    assert.deepEqual(await readNames(viewer), ['Low'])
  })

  it('rejects more than 500 views per account', async () => {
    await service.rows(`insert into saved_view ("user", name, path) select $1, 'V' || n, '/x' from generate_series(1, 500) n`, [
      service.getPk('viewer'),
    ])
    const { status, body } = await viewer.post(VIEWS, LOW_STOCK_VIEW)
    assert.deepEqual([status, Object.keys(body)], [400, ['non_field_errors']])
    assert.equal((await member.post(VIEWS, LOW_STOCK_VIEW)).status, 201)
  })
})

describe('concurrent POST /api/web/view/', () => {
  it('creates only one view when only one more is allowed', async () => {
    await service.rows(`insert into saved_view ("user", name, path) select $1, 'V' || n, '/x' from generate_series(1, 499) n`, [
      service.getPk('viewer'),
    ])
    const client = await service.pool.connect()
    let responses: Promise<TestResponse[]>
    try {
      // others can count the views, but not add one
      await client.query('begin; lock table saved_view in share mode')
      responses = Promise.all(['One', 'Other'].map((name) => viewer.post(VIEWS, { ...LOW_STOCK_VIEW, name })))
      await waitUntil(async () => {
        const text = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        return (await service.rows(text)).length === 2
      }, 'the requests do not wait')
    } finally {
      await client.query('rollback')
      client.release()
    }
    assert.deepEqual((await responses).map(({ status }) => status).toSorted(), [201, 400])
    assert.equal((await service.rows('select from saved_view')).length, 500)
  })
})

describe('GET /api/web/view/', () => {
  it("lists the caller's own and the shared views, filtered by page and sorted by name", async () => {
    await viewer.post(VIEWS, { ...LOW_STOCK_VIEW, name: 'B' })
    await viewer.post(VIEWS, { ...LOW_STOCK_VIEW, name: 'C', path: '/stock' })
    await member.post(VIEWS, { ...LOW_STOCK_VIEW, name: 'A', shared: true })
    await member.post(VIEWS, { ...LOW_STOCK_VIEW, name: 'D' })
    assert.deepEqual(await readNames(viewer), ['A', 'B', 'C'])
    assert.deepEqual(await readNames(viewer, 'path=/parts'), ['A', 'B'])
    assert.deepEqual(await readNames(viewer, 'shared=true'), ['A'])
    assert.deepEqual(await readNames(viewer, `user=${service.getPk('viewer')}&ordering=-name`), ['C', 'B'])
    assert.deepEqual(await readNames(superuser), ['A'])
    assert.equal((await viewer.get(`${VIEWS}?user_detail=true&shared=true`)).body.results[0].user_detail.username, 'member')
    assert.equal((await service.anonymous.get(VIEWS)).status, 401)
  })
})

describe('PATCH, PUT, DELETE /api/web/view/{id}/', () => {
  it('are allowed for the owner, and for staff if the view is shared; a private view does not exist for others', async () => {
    const { pk } = (await viewer.post(VIEWS, LOW_STOCK_VIEW)).body
    const path = `${VIEWS}${pk}/`
    for (const client of [member, staff, superuser])
      for (const method of ['GET', 'PATCH', 'PUT', 'DELETE'])
        assert.equal((await client.send(method, path, LOW_STOCK_VIEW)).status, 404)
    assert.equal((await viewer.patch(path, { shared: true })).status, 200)
    for (const method of ['PATCH', 'PUT', 'DELETE'])
      assert.equal((await member.send(method, path, LOW_STOCK_VIEW)).status, 403, method)
    assert.deepEqual((await member.get(path)).body.query, LOW_STOCK_VIEW.query)
    const changed = await staff.patch(path, { query: 'active=true' })
    assert.deepEqual([changed.status, changed.body.user], [200, service.getPk('viewer')])
    assert.equal((await viewer.put(path, { name: 'Mine', path: '/parts' })).body.shared, false)
    assert.equal((await superuser.get(path)).status, 404)
    assert.equal((await viewer.delete(path)).status, 204)
    assert.deepEqual(await service.rows('select * from saved_view'), [])
  })

  it('let only the owner stop sharing, and report that to staff', async () => {
    const { body } = await viewer.post(VIEWS, { ...LOW_STOCK_VIEW, shared: true })
    const path = `${VIEWS}${body.pk}/`
    const errors = { shared: ['Only the owner can stop sharing it.'] }
    for (const client of [staff, superuser])
      for (const response of [
        await client.patch(path, { shared: false }),
        // omitted fields return to their defaults
        await client.put(path, { name: 'Taken', path: '/parts' }),
      ])
        assert.deepEqual([response.status, response.body], [400, errors])
    assert.deepEqual((await viewer.get(path)).body, body)
    assert.equal((await staff.put(path, { ...LOW_STOCK_VIEW, name: 'Better', shared: true })).body.name, 'Better')
    assert.equal((await viewer.patch(path, { shared: false })).body.shared, false)
  })

  it('detect conflicting changes of two accounts by If-Match', async () => {
    const { pk } = (await viewer.post(VIEWS, { ...LOW_STOCK_VIEW, shared: true })).body
    const [{ etag }] = (await staff.get(`${VIEWS}?etag=true`)).body.results
    assert.equal((await viewer.patch(`${VIEWS}${pk}/`, { query: 'a=1' }, { 'if-match': etag })).status, 200)
    assert.equal((await staff.patch(`${VIEWS}${pk}/`, { query: 'b=1' }, { 'if-match': etag })).status, 412)
  })

  it('do not find the views of a deleted account, which are deleted with it', async () => {
    const { body } = await superuser.post('/api/user/', {
      username: 'leaver',
      email: 'l@x.example',
      password: 'a password of leavers',
    })
    await service.rows(`insert into saved_view ("user", name, path, shared) values ($1, 'X', '/parts', true)`, [body.pk])
    assert.equal((await superuser.delete(`/api/user/${body.pk}/`)).status, 204)
    assert.deepEqual(await service.rows('select * from saved_view'), [])
  })
})
