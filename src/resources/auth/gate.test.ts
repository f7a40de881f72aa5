import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { loadConfig } from '../../config.ts'
import { createHostCheck } from '../../kit/request/hosts.ts'
import { listOwnAddresses } from '../../network.ts'
import { testService } from '../../testing/service.ts'

const service = await testService({
  SITE_URL: 'https://stock.example.com',
  ALLOWED_HOSTS: 'depot.local',
  CORS_ORIGINS: 'https://shop.example.com',
})
const { app } = service
const ME = '/api/user/me/'

let cookie: string
before(async () => {
  const { rows } = await service.pool.query('select pk from user_account where username = $1', ['superuser'])
  const response = await app.inject({
    method: 'POST',
    url: '/api/auth/login/',
    payload: { username: 'superuser', password: 'a password of tests' },
  })
  assert.equal(response.statusCode, 200, response.payload)
  assert.ok(rows[0].pk)
  cookie = response.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
})

/** Sends a request with a session, as a browser on that site would. */
const requestStatus = async (method: 'GET' | 'POST' | 'PATCH', headers: Record<string, string>, url = ME, withCookie = true) =>
  (
    await app.inject({
      method,
      url,
      headers: { ...(withCookie ? { cookie } : {}), ...headers },
      ...(method === 'GET' ? {} : { payload: { first_name: 'Ada' } }),
    })
  ).statusCode

describe('the host names of a service', () => {
  const createCheck = (environment: Record<string, string>) => createHostCheck(loadConfig(environment))
  const [ownAddress = ''] = listOwnAddresses().filter((address) => address.includes('.'))

  it('are those of this machine if it listens on all interfaces, unless SITE_URL names a site', () => {
    for (const HOST of ['0.0.0.0', '::']) {
      for (const SITE_URL of ['', 'http://localhost:9000'])
        assert.deepEqual(['localhost:8000', `${ownAddress}:8000`, '192.0.2.7'].map(createCheck({ HOST, SITE_URL })), [
          true,
          ownAddress !== '',
          false,
        ])
      assert.equal(createCheck({ HOST, SITE_URL: 'https://stock.example.com' })(ownAddress), false)
    }
    assert.equal(createCheck({})(ownAddress), false)
  })

  it('match every spelling of an address, and any host if ALLOWED_HOSTS allows it', () => {
    const isKnown = createCheck({ HOST: 'fd00::7', ALLOWED_HOSTS: 'Depot.local,fd00::8' })
    for (const host of ['[fd00::7]:8000', '[fd00::7]', 'DEPOT.local:80', '[fd00::8]']) assert.ok(isKnown(host), host)
    for (const host of ['[fd00::9]', 'depot.local.evil.example', '']) assert.ok(!isKnown(host), host)
    assert.ok(createCheck({ ALLOWED_HOSTS: '*' })('evil.example'))
  })
})

describe('a request to another host', () => {
  it('is rejected for every caller', async () => {
    for (const host of ['evil.example', 'stock.example.com.evil.example', 'stock.example.com@evil.example', '169.254.169.254']) {
      const response = await service.superuser.get(ME, { host })
      assert.equal(response.status, 400, host)
    }
  })

  it('is accepted for the host names of the service', async () => {
    for (const host of [
      'stock.example.com',
      'STOCK.example.com:443',
      'depot.local:8000',
      'localhost:8000',
      '127.0.0.1',
      '[::1]:8000',
    ])
      assert.equal((await service.superuser.get(ME, { host })).status, 200, host)
  })

  it('cannot change the host in the links of a response', async () => {
    const response = await service.superuser.get('/api/user/?limit=1', { 'x-forwarded-host': 'evil.example' })
    assert.equal(response.status, 200)
    assert.doesNotMatch(response.text, /evil/)
  })

  it('does not block the probes of an orchestrator', async () => {
    assert.equal((await app.inject({ url: '/livez', headers: { host: '10.1.2.3:8000' } })).statusCode, 200)
  })
})

/** Headers of requests from our own pages, from a typed address, or from a client that is not a browser. */
const OWN_ORIGIN_HEADERS: Record<string, string>[] = [
  { 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'none' },
  { origin: 'https://stock.example.com' },
  { origin: 'http://localhost:80', host: 'localhost:80' },
  { origin: 'https://shop.example.com', 'sec-fetch-site': 'cross-site' },
  {},
]

const CROSS_SITE_HEADERS: Record<string, string>[] = [
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  { 'sec-fetch-site': 'same-site', origin: 'https://evil.stock.example.com' },
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: 'https://stock.example.com.evil.example' },
  // a page on another port belongs to another site
  { origin: 'http://localhost:9999', host: 'localhost:8000' },
]

describe('an unsafe request with a session', () => {
  it('is accepted from our own pages, and from clients that are not browsers', async () => {
    for (const headers of OWN_ORIGIN_HEADERS) assert.equal(await requestStatus('PATCH', headers), 200, JSON.stringify(headers))
  })

  it('is rejected from another site, and changes nothing', async () => {
    const readFirstName = async () =>
      (await service.rows('select first_name from user_account where username = $1', ['superuser']))[0]
    await service.pool.query(`update user_account set first_name = 'Before' where username = 'superuser'`)
    for (const headers of CROSS_SITE_HEADERS) assert.equal(await requestStatus('PATCH', headers), 403, JSON.stringify(headers))
    assert.deepEqual(await readFirstName(), { first_name: 'Before' })
  })

  it('is rejected without a session too, so that another site cannot sign a user in to a different account', async () => {
    for (const url of ['/api/auth/login/', '/api/auth/registration/', '/api/auth/logout/', '/api/auth/password/reset/'])
      assert.equal(await requestStatus('POST', { 'sec-fetch-site': 'cross-site' }, url, false), 403, url)
  })

  it('needs no check when it is authenticated by a token or password', async () => {
    assert.equal((await service.superuser.patch(ME, { first_name: 'Ada' }, { origin: 'https://evil.example' })).status, 200)
  })

  it('needs the check for a form with Basic credentials, which a browser stores and adds to requests from other sites', async () => {
    const { member, superuser } = await testService({ WIRE_FORM: 'inventree' })
    const company = (await member.post('/api/company/', { name: 'Before' })).body.pk
    const send = async (headers: Record<string, string>) =>
      (
        await member.send('PATCH', `/api/company/${company}/`, 'name=After', {
          'content-type': 'application/x-www-form-urlencoded',
          ...headers,
        })
      ).status
    assert.equal(await send({ 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }), 403)
    assert.equal((await member.get(`/api/company/${company}/`)).body.name, 'Before')
    assert.equal(await send({ 'sec-fetch-site': 'same-origin' }), 200)
    assert.equal(await send({}), 200)
    const { token } = (await superuser.get('/api/user/token/?name=forms')).body
    assert.equal(await send({ authorization: `Token ${token}`, origin: 'https://evil.example' }), 200)
  })

  it('needs no check for a GET: a browser hides the response from other sites', async () => {
    assert.equal(await requestStatus('GET', { 'sec-fetch-site': 'cross-site' }), 200)
  })
})

describe('a GET that changes something, with a session', () => {
  const TOKEN = '/api/user/token/?name=foreign'
  const countTokens = async () => (await service.rows(`select 1 from api_token where name = 'foreign'`)).length
  const send = async (method: 'GET' | 'HEAD', url: string, headers: Record<string, string>) =>
    (await app.inject({ method, url, headers })).statusCode

  it('is one of the known operations', () => {
    const unsafePaths = app.routes.operations.filter(({ method, unsafe }) => method === 'GET' && unsafe).map(({ path }) => path)
    const otherPaths = unsafePaths.filter((path) => !/^\/api\/(label|report)\/.*\/print\/$/.test(path))
    assert.deepEqual(otherPaths.toSorted(), [
      '/api/auth/logout/',
      '/api/user/me/token/',
      '/api/user/token/',
      '/api/web/backup/{name}/download/',
    ])
    assert.ok(otherPaths.length < unsafePaths.length, 'print operations store their output')
  })

  it('is rejected from another site, and changes nothing', async () => {
    for (const headers of CROSS_SITE_HEADERS)
      for (const method of ['GET', 'HEAD'] as const)
        for (const url of [TOKEN, '/api/user/me/token/?name=foreign', '/api/auth/logout/'])
          assert.equal(await send(method, url, { cookie, ...headers }), 403, `${method} ${url} ${JSON.stringify(headers)}`)
    assert.equal(await countTokens(), 0)
    assert.equal(await requestStatus('GET', {}), 200, 'the session is still valid')
  })

  it('is accepted from our own pages, from a typed address, and from clients that are not browsers', async () => {
    for (const headers of OWN_ORIGIN_HEADERS)
      assert.equal(await send('GET', TOKEN, { cookie, ...headers }), 200, JSON.stringify(headers))
    assert.equal(await countTokens(), 1)
  })

  it('needs no check when it is authenticated by a token or password', async () => {
    assert.equal((await service.superuser.get(TOKEN, { 'sec-fetch-site': 'cross-site' })).status, 200)
  })
})

describe('authentication of a request', () => {
  it('ignores an empty Authorization header', async () => {
    const response = await app.inject({ url: ME, headers: { cookie, authorization: '' } })
    assert.equal(response.statusCode, 200)
  })

  it('rejects invalid credentials despite a valid session', async () => {
    for (const authorization of ['Token nonsense', `Basic ${btoa('superuser:wrong')}`, 'Token', 'Basic a b'])
      assert.equal((await app.inject({ url: ME, headers: { cookie, authorization } })).statusCode, 401, authorization)
  })

  it('treats an invalid session as anonymous', async () => {
    for (const value of ['', 'x', 'a'.repeat(5000), '%00', '../..'])
      assert.equal((await app.inject({ url: ME, headers: { cookie: `sessionid=${value}` } })).statusCode, 401, value)
  })
})

describe('TRUST_PROXY', () => {
  it('ignores addresses stated by clients if it is unset', async () => {
    await service.anonymous.post(
      '/api/auth/login/',
      { username: 'nobody-x', password: 'x' },
      { 'x-forwarded-for': '203.0.113.9' },
    )
    const [event] = await service.rows(
      `select address from security_event where kind = 'sign_in_failed' order by pk desc limit 1`,
    )
    assert.equal(event.address, '127.0.0.1')
  })

  it("takes the client's address from a trusted proxy if it is set, with or without a port", async () => {
    const proxiedService = await testService({ TRUST_PROXY: '127.0.0.1, 10.0.0.0/8, 2001:db8:1::/48' })
    const readRecordedAddress = async (forwarded: string) => {
      await proxiedService.anonymous.post(
        '/api/auth/login/',
        { username: 'nobody-x', password: 'x' },
        { 'x-forwarded-for': forwarded },
      )
      return (await proxiedService.rows('select host(address::inet) as address from security_event order by pk desc limit 1'))[0]
        .address
    }
    for (const [forwarded, address] of [
      ['203.0.113.9', '203.0.113.9'],
      ['203.0.113.9:5678', '203.0.113.9'],
      ['[2001:db8::1]:5678', '2001:db8::1'],
      ['[2001:db8::1]', '2001:db8::1'],
      ['2001:db8::1', '2001:db8::1'],
      // further proxies in the chain, each with a port
      ['203.0.113.9:5678, 10.1.2.3:80', '203.0.113.9'],
      ['203.0.113.9, [2001:db8:1::5]:80,10.1.2.3:80', '203.0.113.9'],
      // an untrusted address may have forged the entries before it
      ['198.51.100.7:1, 203.0.113.9:2', '203.0.113.9'],
      ['10.1.2.3:1, 203.0.113.9:2, 10.1.2.3:3', '203.0.113.9'],
      // an invalid address is ignored in favor of the proxy's own
      ['unknown', '127.0.0.1'],
      ['203.0.113.9:port', '127.0.0.1'],
      ['[203.0.113.9', '127.0.0.1'],
    ] as const)
      assert.equal(await readRecordedAddress(forwarded), address, forwarded)
  })
})
