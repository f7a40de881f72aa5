import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { enroll } from '../../../testing/second-factor.ts'
import { assertCallers, CALLERS, testService } from '../../../testing/service.ts'

const service = await testService({ TRUST_PROXY: 'true' })
const { member, viewer, anonymous } = service
const TOKENS = '/api/user/tokens/'

const toHeaders = (token: string) => ({ authorization: `Token ${token}` })
const readTokens = () => service.rows('select pk, name, revoked from api_token order by pk')

describe('POST /api/user/tokens/', () => {
  it('creates a token that works, is recorded, and whose key is never returned again', async () => {
    const { status, body, headers } = await member.post(TOKENS, { name: 'label-printer' })
    assert.equal(status, 201)
    const { pk, token, expiry, ...rest } = body
    assert.deepEqual(rest, { name: 'label-printer', read_only: false })
    const inAYear = new Date(Date.now() + 365 * 86_400_000).toISOString().slice(0, 10)
    assert.equal(expiry, inAYear)
    assert.match(String(headers['cache-control']), /no-store/)
    assert.equal((await anonymous.patch('/api/user/me/', { first_name: 'Mia' }, toHeaders(token))).status, 200)
    const list = await member.get(TOKENS)
    assert.ok(!list.text.includes(token.slice(4, 44)))
    assert.equal(list.body.results.find((row: { pk: number }) => row.pk === pk).active, true)
    const events = await service.rows(`select "user", details from security_event where kind = 'token_made'`)
    assert.deepEqual(events, [{ user: service.getPk('member'), details: { name: 'label-printer' } }])
    // the same name at the older operation is another token
    const older = (await member.get('/api/user/token/?name=label-printer')).body
    assert.notEqual(older.token, token)
    const [row] = await service.rows('select salt from api_token where pk = $1', [pk])
    assert.equal(row.salt.length, 0)
  })

  it('takes a last day, or none', async () => {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    assert.equal((await member.post(TOKENS, { name: 'short', expiry: tomorrow })).body.expiry, tomorrow)
    const { token, expiry } = (await member.post(TOKENS, { name: 'unlimited', expiry: null })).body
    assert.equal(expiry, null)
    assert.equal((await anonymous.get('/api/user/me/', toHeaders(token))).status, 200)
  })

  it('rejects a missing or used name, and a day in the past', async () => {
    await member.post(TOKENS, { name: 'used' })
    const before = await readTokens()
    for (const [body, field] of [
      [{}, 'name'],
      [{ name: '' }, 'name'],
      [{ name: '<b>tool</b>' }, 'name'],
      [{ name: 'used' }, 'name'],
      [{ name: 'late', expiry: '2020-01-01' }, 'expiry'],
      [{ name: 'late', expiry: 'soon' }, 'expiry'],
      [{ name: 'late', read_only: 'perhaps' }, 'read_only'],
    ] as const) {
      const response = await member.post(TOKENS, body)
      assert.deepEqual([response.status, Object.keys(response.body)], [400, [field]], JSON.stringify(body))
    }
    assert.deepEqual(await readTokens(), before)
    assert.equal((await viewer.post(TOKENS, { name: 'used' })).status, 201)
  })

  it('lets a revoked name be used again', async () => {
    const { pk } = (await member.post(TOKENS, { name: 'again' })).body
    assert.equal((await member.delete(`${TOKENS}${pk}/`)).status, 204)
    assert.equal((await member.post(TOKENS, { name: 'again' })).status, 201)
  })

  it('requires the second factor of an account that has one', async () => {
    const { cookie, username, pk } = await enroll(service, 'two.factors')
    const created = await anonymous.post(TOKENS, { name: 'tool' }, { cookie })
    assert.equal(created.status, 201, created.text)
    const response = await anonymous.post(TOKENS, { name: 'other' }, toHeaders(created.body.token))
    assert.equal(response.status, 401, username)
    assert.equal((await service.rows('select from api_token where "user" = $1 and name = $2', [pk, 'other'])).length, 0)
  })

  it('requires an account', () => assertCallers(service, (client) => client.post(TOKENS, { name: 'mine' }), CALLERS.slice(1)))
})

describe('a token that may only read', () => {
  it('reads and searches, and changes nothing', async () => {
    const { token, read_only } = (await member.post(TOKENS, { name: 'dashboard', read_only: true })).body
    assert.equal(read_only, true)
    const headers = toHeaders(token)
    for (const path of ['/api/part/', '/api/user/me/', TOKENS]) assert.equal((await anonymous.get(path, headers)).status, 200)
    assert.equal((await anonymous.post('/api/search/', { search: 'x', part: {} }, headers)).status, 200)
    const reads = await anonymous.post('/api/web/read/', { requests: { parts: '/api/part/' } }, headers)
    assert.equal(reads.body.parts.status, 200)
    const before = await service.rows('select (select count(*) from part) as parts, (select count(*) from api_token) as tokens')
    for (const [method, path, body] of [
      ['POST', '/api/part/', { name: 'Screw', description: 'M3' }],
      ['PATCH', '/api/user/me/', { first_name: 'Mia' }],
      ['DELETE', '/api/user/me/'],
      ['POST', TOKENS, { name: 'full' }],
      // a GET that creates a full token
      ['GET', '/api/user/token/?name=full'],
      ['GET', '/api/user/token/?name=dashboard'],
      ['POST', '/api/notifications/readall/', {}],
    ] as const) {
      const response = await anonymous.send(method, path, body, { ...headers, accept: 'application/problem+json' })
      assert.deepEqual([response.status, response.body.code], [403, 'read_only_token'], `${method} ${path}`)
    }
    const after = await service.rows('select (select count(*) from part) as parts, (select count(*) from api_token) as tokens')
    assert.deepEqual(after, before)
  })

  it('is not the token that the older operation returns', async () => {
    const { token } = (await viewer.post(TOKENS, { name: 'reader', read_only: true })).body
    const older = (await viewer.get('/api/user/token/?name=reader')).body
    assert.notEqual(older.token, token)
    assert.equal((await anonymous.patch('/api/user/me/', { first_name: 'Vera' }, toHeaders(older.token))).status, 200)
  })
})
