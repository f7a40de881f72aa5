import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { getEmptyStatement, refill } from '../../../testing/refill.ts'
import { createRoundTripCounter } from '../../../testing/round-trips.ts'
import { assertCallers, CALLERS, type Client, testService } from '../../../testing/service.ts'
import { waitUntil } from '../../../testing/until.ts'

const service = await testService({ DATABASE_POOL_SIZE: '4' })
const { superuser, viewer, nobody } = service
const READ = '/api/web/read/'

type CombinedResponse = { status: number; body: any; etag?: string }

async function read(client: Client, requests: Record<string, string>, headers?: Record<string, string>) {
  const { status, body, text } = await client.post(READ, { requests }, headers)
  assert.equal(status, 200, text)
  return body as Record<string, CombinedResponse>
}

beforeEach(async () => {
  await refill(service, await getEmptyStatement(service, 'company', 'project_code'))
  await service.rows(
    `insert into company (name, currency, is_supplier) select 'Company ' || n, 'USD', n % 2 = 0 from generate_series(1, 30) n`,
  )
})

describe('POST /api/web/read/', () => {
  it('is open to every account', () =>
    assertCallers(service, (client) => client.post(READ, { requests: { a: '/api/' } }), CALLERS.slice(1)))

  it('returns results under the given names, in their order, each with its status and ETag', async () => {
    const { body: projectCode } = await superuser.post('/api/project-code/', { code: 'ONE' })
    const { text } = await superuser.post(READ, {
      requests: {
        'a "name"': `/api/project-code/${projectCode.pk}/`,
        list: '/api/company/?limit=2&is_supplier=true',
        1: '/api/units/all/',
      },
    })
    assert.deepEqual(Object.keys(JSON.parse(text)), ['1', 'a "name"', 'list'])
    const { 'a "name"': one, list } = JSON.parse(text)
    const alone = await superuser.get(`/api/project-code/${projectCode.pk}/`)
    assert.deepEqual(one, { status: 200, body: alone.body, etag: alone.headers.etag })
    assert.deepEqual(list, { status: 200, body: (await superuser.get('/api/company/?limit=2&is_supplier=true')).body })
    const changed = await superuser.patch(
      `/api/project-code/${projectCode.pk}/`,
      { description: 'new' },
      { 'if-match': String(one.etag) },
    )
    assert.equal(changed.status, 200)
  })

  it("reports the error of each GET, within the caller's permissions, and the results of the others", async () => {
    const requests = {
      good: '/api/company/?limit=1',
      filter: '/api/company/?is_supplier=perhaps',
      regex: '/api/company/?search=(&search_regex=true',
      good_regex: '/api/company/?search=y.1%24&search_regex=true',
      missing: '/api/company/999999/',
      huge: '/api/company/99999999999/',
      unknown: '/api/nothing/?a=1',
      slash: '/api/company',
      encoding: '/api/company/%zz/',
      method: READ,
      staff: '/api/settings/global/',
      secret: '/api/user/token/',
      sign_out: '/api/auth/logout/',
      print: '/api/report/test/1/print/',
      nul: '/api/company/?search=%00',
    }
    for (const client of [superuser, viewer, nobody]) {
      const responses = await read(client, requests)
      for (const [name, url] of Object.entries(requests)) {
        if (['secret', 'sign_out', 'print'].includes(name)) {
          assert.equal(responses[name]?.status, 403, name)
          continue
        }
        const alone = await client.get(url)
        assert.deepEqual(responses[name], { status: alone.status, body: alone.body }, name)
      }
    }
    const statuses = Object.values(await read(superuser, requests)).map(({ status }) => status)
    assert.deepEqual(statuses, [200, 400, 400, 200, 404, 404, 404, 404, 404, 405, 200, 403, 403, 403, 400])
    assert.equal((await read(nobody, { a: '/api/company/' })).a?.status, 403)
  })

  it('rejects invalid requests without reading anything', async () => {
    const tooMany = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`n${index}`, '/api/']))
    for (const requests of [
      undefined,
      null,
      [],
      {},
      'x',
      tooMany,
      { a: 1 },
      { a: null },
      { a: 'http://elsewhere/api/' },
      { a: 'api/part/' },
      { a: '' },
      { a: '/api/../livez' },
      { a: '/api/%2e%2e/media/x' },
      { a: '/api/..\\plugin/x/' },
      { a: `/api/?${'x'.repeat(4_000)}` },
      { ['x'.repeat(101)]: '/api/' },
    ]) {
      const { status, body } = await superuser.post(READ, { requests })
      assert.deepEqual([status, Object.keys(body)], [400, ['requests']], JSON.stringify(requests)?.slice(0, 80))
    }
    assert.deepEqual((await superuser.post(READ, { requests: { good: '/api/', bad: 'x' } })).body, {
      requests: { bad: ['A URL of this API starts with /api/.'] },
    })
  })

  it('makes one database round trip, however much is read', async () => {
    const count = createRoundTripCounter(service.pool)
    const requests = Object.fromEntries(
      ['/api/company/', '/api/part/', '/api/stock/', '/api/order/po/', '/api/order/so/', '/api/build/', '/api/stock/location/']
        .flatMap((path) => [`${path}?limit=25`, `${path}?limit=5&search=x`])
        .map((url, index) => [`n${index}`, url]),
    )
    await read(superuser, requests)
    assert.equal(await count(() => read(superuser, requests)), 1)
  })

  it('reads pages from the cache and stores them there, like a GET', async () => {
    const path = '/api/company/?limit=25&ordering=name'
    const first = (await superuser.get(path)).body
    assert.deepEqual((await read(superuser, { path })).path?.body, first)
    // a change without a notification: cached data still counts as current
    await service.rows(
      `begin; set local session_replication_role = replica; update company set name = 'Unseen' where name = 'Company 1'; commit`,
    )
    assert.deepEqual((await read(superuser, { path })).path?.body, first)
    const { other } = await read(superuser, { other: '/api/company/?limit=24&ordering=name' })
    assert.equal(other?.body.results.at(-1).name, 'Company 4')
    await service.rows(
      `begin; set local session_replication_role = replica; update company set name = 'Unseen' where name = 'Company 10'; commit`,
    )
    assert.deepEqual((await superuser.get('/api/company/?limit=24&ordering=name')).body, other?.body)
    await service.rows(`update company set name = 'Aardvark' where name = 'Company 9'`)
    assert.equal((await read(superuser, { path })).path?.body.results[0].name, 'Aardvark')
    assert.equal((await superuser.get(path)).body.results[0].name, 'Aardvark')
  })

  it('creates missing settings on the first read, like a GET', async () => {
    await service.rows('delete from user_setting')
    const { settings, one } = await read(viewer, { settings: '/api/settings/user/', one: '/api/company/?limit=1' })
    assert.deepEqual([settings?.status, one?.status], [200, 200])
    assert.deepEqual(settings?.body, (await viewer.get('/api/settings/user/')).body)
  })

  it('includes rows that were buffered until the read', async () => {
    await superuser.post('/api/barcode/', { barcode: 'nothing known' })
    const { scans } = await read(superuser, { scans: '/api/barcode/history/?limit=1' })
    assert.equal(scans?.body.results[0].data, 'nothing known')
  })

  it('uses the requested host in URLs, and the requested format for errors', async () => {
    const headers = { host: 'localhost:1234', accept: 'application/problem+json' }
    const { list, missing } = await read(superuser, { list: '/api/company/?limit=2', missing: '/api/company/0/' }, headers)
    assert.equal(list?.body.next, (await superuser.get('/api/company/?limit=2', headers)).body.next)
    assert.ok(list?.body.next.startsWith('http://localhost:1234/api/company/?'))
    assert.equal(missing?.body.status, 404)
    const other = await superuser.post(READ, { requests: { a: '/api/' } }, { host: 'evil.example' })
    assert.equal(other.status, 400)
  })

  it('uses the requested host however the URL is encoded', async () => {
    const requests = { list: '/api/company/?limit=2' }
    const { status, body } = await superuser.post('/api/web/%72ead/', { requests })
    assert.equal(status, 200)
    assert.equal(body.list.body.next, (await superuser.get(requests.list)).body.next)
  })

  it('returns at most 16 MB in total, rejecting results above that, which can be read alone', async () => {
    await service.rows(
      `insert into company (name, currency, description)
        select 'Large ' || n, 'USD', repeat('x', 500) from generate_series(1, 3500) n`,
    )
    const url = '/api/company/?limit=3500&search=large'
    const alone = await superuser.get(url)
    const fitting = Math.floor((16 * 1024 * 1024) / Buffer.byteLength(alone.text))
    assert.ok(fitting < 10)
    const names = Array.from({ length: 10 }, (_, index) => `n${index}`)
    const responses = await read(superuser, {
      ...Object.fromEntries(names.map((name) => [name, url])),
      small: '/api/company/?limit=1',
    })
    const large = names.map((name) => responses[name] as CombinedResponse)
    const good = large.filter(({ status }) => status === 200)
    assert.equal(good.length, fitting)
    for (const { body } of good) assert.deepEqual(body, alone.body)
    for (const { status, body } of large.filter((response) => !good.includes(response))) {
      assert.equal(status, 413)
      assert.deepEqual(body, { detail: 'The responses together exceed 16 MB; read this URL separately.' })
    }
    assert.equal(responses.small?.status, 200)
  })

  it('occupies a slot for regular expressions only while it searches with one', async () => {
    const client = await service.pool.connect()
    let combined: Promise<Record<string, CombinedResponse>>
    try {
      await client.query('begin; lock table company in access exclusive mode')
      const code = '/api/project-code/?search=x&search_regex=true'
      combined = read(superuser, { companies: '/api/company/?limit=1', code })
      await waitUntil(async () => {
        const text = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        return (await service.rows(text)).length === 1
      }, 'the request does not wait for the companies')
      // at most one of four connections searches with regular expressions
      assert.equal((await superuser.get(code)).status, 200)
    } finally {
      await client.query('rollback')
      client.release()
    }
    const { companies, code } = await combined
    assert.deepEqual([companies?.status, code?.status], [200, 200])
  })

  it('works with a single database connection', async () => {
    const small = await testService({ DATABASE_POOL_SIZE: '1' })
    const { settings, one } = await read(small.viewer, { settings: '/api/settings/user/', one: '/api/company/?limit=1' })
    assert.deepEqual([settings?.status, one?.status], [200, 200])
    assert.equal(small.pool.totalCount, 1)
  })

  it('stays within the connection limit for all callers', async () => {
    const requests = { a: '/api/settings/user/', b: '/api/company/?limit=2', c: '/api/stock/?limit=5' }
    const responses = await Promise.all(Array.from({ length: 24 }, (_, index) => read(index % 2 ? superuser : viewer, requests)))
    for (const response of responses)
      assert.deepEqual(
        Object.values(response).map(({ status }) => status),
        [200, 200, 200],
      )
    // and each connection is returned in a clean state
    assert.equal((await superuser.post('/api/project-code/', { code: 'AFTER' })).status, 201)
    assert.equal(service.pool.waitingCount, 0)
  })
})
