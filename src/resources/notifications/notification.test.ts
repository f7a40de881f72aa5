import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { assertCallers, CALLERS, type CallerName, type Client, PASSWORD, testService } from '../../testing/service.ts'
import { waitUntil } from '../../testing/until.ts'

const service = await testService()
const { member, superuser, viewer } = service
const path = '/api/notifications/'
const everyone = CALLERS.slice(1)

type Account = Exclude<CallerName, 'anonymous'>

const target = { name: 'PO-7 - Acme', model: 'purchaseorder', pk: 7, link: '/order/purchase-order/7/' }

/** Adds a notification of an account. @param seconds its age */
async function createNotification(
  account: Account,
  fields: { name?: string; category?: string; read?: boolean; seconds?: number } = {},
) {
  const { name = 'News', category = 'order.new_purchaseorder', read = false, seconds = 0 } = fields
  const [row] = await service.rows(
    `insert into notification ("user", category, name, message, target, creation, read)
     values ($1, $2, $3::varchar, $3::varchar || ' of an order', $4, now() - make_interval(secs => $5), $6) returning pk`,
    [service.getPk(account), category, name, target, seconds, read],
  )
  return row.pk as number
}

const readRows = () => service.rows('select pk, "user", read from notification order by pk')
const listNames = async (query: string, client: Client = member) =>
  (await client.get(`${path}${query}`)).body.results.map(({ name }: { name: string }) => name)

beforeEach(() => service.rows('delete from notification'))

describe('GET /api/notifications/', () => {
  it("lists the caller's notifications, and none of others", async () => {
    const pk = await createNotification('member', { seconds: 3 })
    await createNotification('viewer')
    const { status, body } = await member.get(path)
    assert.equal(status, 200)
    assert.equal(body.count, 1)
    const { creation, age, ...rest } = body.results[0]
    assert.match(creation, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    assert.ok(age >= 3 && age < 60)
    assert.deepEqual(rest, {
      pk,
      target,
      source: null,
      user: service.getPk('member'),
      category: 'order.new_purchaseorder',
      name: 'News',
      message: 'News of an order',
      age_human: 'just now',
      read: false,
    })
    assert.equal((await superuser.get(path)).body.count, 0)
  })

  it('states in words how long ago each was', async () => {
    const minute = 60
    const day = 86_400
    const ages = { 90: '1 minute ago', [3 * minute]: '3 minutes ago', [5 * 3_600]: '5 hours ago', [day]: '1 day ago' }
    for (const [seconds, expectedAge] of Object.entries({ ...ages, [15 * day]: '2 weeks ago', [70 * day]: '2 months ago' })) {
      const pk = await createNotification('member', { seconds: Number(seconds) })
      assert.equal((await member.get(`${path}${pk}/`)).body.age_human, expectedAge)
    }
  })

  it('filters, orders and searches', async () => {
    await createNotification('member', { name: 'Second', read: true, seconds: 20 })
    await createNotification('member', { name: 'First', category: 'part.notify_low_stock', seconds: 10 })
    await createNotification('viewer', { name: 'Second' })
    assert.deepEqual(await listNames('?read=false'), ['First'])
    assert.deepEqual(await listNames('?read=true'), ['Second'])
    assert.deepEqual(await listNames('?category=part.notify_low_stock'), ['First'])
    assert.deepEqual(await listNames('?search=second%20of'), ['Second'])
    for (const name of ['name', '-creation', 'read', '-category'])
      assert.deepEqual(await listNames(`?ordering=${name}`), ['First', 'Second'], name)
    assert.deepEqual(await listNames(''), ['Second', 'First'])
    assert.equal((await member.get(`${path}?read=maybe`)).status, 400)
    const { count, results } = (await member.get(`${path}?read=false&limit=1`)).body
    assert.deepEqual([count, results.length], [1, 1])
  })

  it('requires an account', () => assertCallers(service, (client) => client.get(path), everyone))
})

describe('GET /api/notifications/{id}/', () => {
  it("shows the caller's own; another's is not found, even for a superuser", async () => {
    const pk = await createNotification('member')
    const { body } = await member.get(`${path}${pk}/`)
    assert.deepEqual([body.pk, body.read], [pk, false])
    for (const caller of ['viewer', 'staff', 'superuser'] as const)
      assert.equal((await service[caller].get(`${path}${pk}/`)).status, 404)
  })
})

for (const method of ['PUT', 'PATCH'])
  describe(`${method} /api/notifications/{id}/`, () => {
    it('changes whether it is read, and nothing else', async () => {
      const pk = await createNotification('member')
      const before = (await member.get(`${path}${pk}/`)).body
      const sent = { read: true, name: 'Other', user: service.getPk('viewer'), message: 'other', target: null, category: 'x' }
      const { status, body } = await member.send(method, `${path}${pk}/`, sent)
      assert.deepEqual([status, { ...body, age: 0 }], [200, { ...before, age: 0, read: true }])
      assert.equal((await member.send(method, `${path}${pk}/`, { read: false })).body.read, false)
      assert.equal((await member.send(method, `${path}${pk}/`, { read: 'maybe' })).status, 400)
    })

    it("returns 404 for another's, and changes nothing", async () => {
      const pk = await createNotification('member')
      const before = await readRows()
      for (const caller of ['viewer', 'staff', 'superuser'] as const)
        assert.equal((await service[caller].send(method, `${path}${pk}/`, { read: true })).status, 404)
      assert.deepEqual(await readRows(), before)
    })
  })

describe('DELETE /api/notifications/{id}/', () => {
  it("deletes the caller's own; another's is not found", async () => {
    const pk = await createNotification('member')
    const otherPk = await createNotification('viewer')
    assert.equal((await member.delete(`${path}${otherPk}/`)).status, 404)
    assert.equal((await superuser.delete(`${path}${otherPk}/`)).status, 404)
    assert.equal((await member.delete(`${path}${pk}/`)).status, 204)
    assert.deepEqual(
      (await readRows()).map((row) => row.pk),
      [otherPk],
    )
  })
})

describe('DELETE /api/notifications/', () => {
  it("deletes several of the caller's own, and never those of others", async () => {
    const own = [
      await createNotification('member'),
      await createNotification('member', { read: true }),
      await createNotification('member', { read: true }),
    ]
    const others = await createNotification('viewer', { read: true })
    assert.equal((await member.delete(path, { items: [own[0], others] })).status, 204)
    assert.deepEqual(
      (await readRows()).map(({ pk }) => pk),
      [own[1], own[2], others],
    )
    assert.equal((await superuser.delete(path, { filters: { read: true } })).status, 204)
    assert.equal((await superuser.delete(path, { filters: { user: service.getPk('viewer') } })).status, 204)
    assert.equal((await member.delete(path, { items: [own[1], others], filters: { read: 'Yes' } })).status, 204)
    assert.deepEqual(
      (await readRows()).map(({ pk }) => pk),
      [own[2], others],
    )
  })

  it('rejects a body without valid items or filters', async () => {
    for (const [body, field] of [
      [{}, 'non_field_errors'],
      [{ items: 3 }, 'items'],
      [{ items: ['x'] }, 'items'],
      [{ filters: [] }, 'non_field_errors'],
      [{ filters: { nothing: 1 } }, 'filters'],
      [{ filters: { read: 'maybe' } }, 'filters'],
      [{ filters: { read: '' } }, 'filters'],
    ] as const) {
      const response = await member.delete(path, body)
      assert.deepEqual([response.status, Object.keys(response.body)], [400, [field]], JSON.stringify(body))
    }
  })

  it('requires an account', () =>
    assertCallers(service, (client) => client.delete(path, { items: [999_999] }), everyone, readRows))
})

describe('POST /api/notifications/readall/', () => {
  it("marks all of the caller's own as read, and none of others", async () => {
    await createNotification('member')
    await createNotification('member')
    await createNotification('viewer')
    const { status, body } = await member.post(`${path}readall/`)
    assert.deepEqual([status, body], [200, { status: 'ok' }])
    assert.equal((await member.get(`${path}?read=false`)).body.count, 0)
    assert.equal((await viewer.get(`${path}?read=false`)).body.count, 1)
  })

  it('rejects GET, except for existing clients (WIRE_FORM=inventree)', async () => {
    const { status, headers } = await member.get(`${path}readall/`)
    assert.deepEqual([status, headers.allow], [405, 'POST, OPTIONS'])
    const compatService = await testService({ WIRE_FORM: 'inventree' })
    await compatService.rows(`insert into notification ("user", category, name) values ($1, 'x', 'x')`, [
      compatService.getPk('member'),
    ])
    const response = await compatService.member.get(`${path}readall/`)
    assert.deepEqual([response.status, response.body], [200, { status: 'ok' }])
    assert.deepEqual((await compatService.member.get(path)).body[0].read, true)
    // it changes data, so a page of another site must not trigger it
    const signIn = await compatService.anonymous.post('/api/auth/login/', { username: 'member', password: PASSWORD })
    const [cookie] = [signIn.headers['set-cookie']].flat().map((line) => String(line).split(';', 1)[0] as string)
    const crossSiteResponse = await compatService.anonymous.get(`${path}readall/`, {
      cookie: cookie as string,
      'sec-fetch-site': 'cross-site',
    })
    assert.equal(crossSiteResponse.status, 403)
  })

  it('requires an account', () => assertCallers(service, (client) => client.post(`${path}readall/`), everyone, readRows))
})

describe('the unread count', () => {
  it('is read from an index of unread notifications, however many notifications exist', async () => {
    await service.rows(
      `insert into notification ("user", category, name, read) select $1, 'x', 'x', n % 200 <> 0 from generate_series(1, 20000) n`,
      [service.getPk('viewer')],
    )
    await service.rows('analyze notification')
    const countScans = async () =>
      (await service.rows(`select idx_scan from pg_stat_user_indexes where indexrelname = 'notification_unread_idx'`))[0].idx_scan
    const before = Number(await countScans())
    assert.equal((await viewer.get(`${path}?read=false&limit=1`)).body.count, 100)
    // one scan for the row and one for the count
    await waitUntil(async () => Number(await countScans()) >= before + 2, 'the index is not used')
  })
})
