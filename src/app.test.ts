import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { waitForListeners } from './testing/listeners-caught-up.ts'
import { testService } from './testing/service.ts'

const service = await testService({ CORS_ORIGINS: 'https://shop.example.com', BODY_LIMIT: '1048576' })
const { staff, viewer, anonymous } = service

const codes = '/api/project-code/'
const createProjectCode = async (code: string) => (await staff.post(codes, { code })).body.pk as number
const countProjectCodes = async () => (await viewer.get(codes)).body.count as number

describe('a path', () => {
  it('returns 404 when it is unknown, for every method', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
      const response = await staff.send(method, '/api/nothing/here/', method === 'GET' ? undefined : {})
      assert.equal(response.status, 404)
      assert.match(response.body.url, /^http.*\/api\/nothing\/here\/$/)
    }
    assert.equal((await anonymous.get('/nowhere')).status, 404)
  })

  it('returns 404 when it cannot be decoded, like any unknown one', async () => {
    const response = await staff.get('/api/project-code/%zz/')
    assert.equal(response.status, 404)
    assert.equal(typeof response.body.detail, 'string')
    assert.ok(response.headers['x-request-id'])
  })

  it('returns 404 with a hint when its trailing slash is missing', async () => {
    const response = await staff.get('/api/project-code')
    assert.equal(response.status, 404)
    assert.match(response.body.detail, /slash/)
  })

  it('returns 404 for a key that is not a number, or larger than any key', async () => {
    for (const key of [
      'abc',
      '-1',
      '0',
      '1.5',
      '99999999999',
      '9223372036854775808',
      '1e3',
      '%00',
      '1%00',
      '٣',
      ' 1',
      '1;drop',
    ]) {
      assert.equal((await staff.get(`${codes}${encodeURIComponent(key).replaceAll('%25', '%')}/`)).status, 404, key)
    }
  })

  it('rejects an unsupported method with 405 and Allow', async () => {
    const response = await staff.put(codes)
    assert.equal(response.status, 405)
    assert.match(String(response.headers.allow), /GET.*POST/)
    assert.equal((await anonymous.put(codes)).status, 401)
  })

  it('supports HEAD wherever it supports GET', async () => {
    const head = await viewer.send('HEAD', codes)
    assert.equal(head.status, 200)
    assert.equal(head.text, '')
  })

  it("returns the caller's actions and every field for OPTIONS", async () => {
    const options = await staff.send('OPTIONS', codes)
    assert.deepEqual(Object.keys(options.body.actions), ['GET', 'POST'])
    assert.deepEqual(options.body.actions.POST.code, {
      type: 'string',
      max_length: 50,
      required: true,
      read_only: false,
      label: 'Project Code',
      help_text: 'A short unique code of the project, such as a number or an abbreviation.',
    })
    assert.deepEqual(Object.keys((await viewer.send('OPTIONS', codes)).body.actions), ['GET'])
    assert.equal((await anonymous.send('OPTIONS', codes)).status, 401)
  })
})

describe('a query', () => {
  it('is rejected with 400 and the name of the parameter when a value cannot be parsed', async () => {
    for (const value of ['abc', '99999999', '-1', '9223372036854775808', 'NaN', '1e9', '1.5']) {
      assert.deepEqual(Object.keys((await viewer.get(`/api/company/contact/?company=${value}`)).body), ['company'], value)
    }
    assert.deepEqual(Object.keys((await viewer.get('/api/user/?is_staff=perhaps')).body), ['is_staff'])
    assert.deepEqual(Object.keys((await viewer.get('/api/company/contact/?search=a%00b')).body), ['search'])
  })

  it('ignores unknown parameters, unknown orderings and invalid paging values', async () => {
    const all = await countProjectCodes()
    for (const query of [
      '?nonsense=1',
      '?ordering=nonsense',
      '?limit=abc',
      '?limit=-1',
      '?limit=0',
      '?offset=-5',
      '?offset=abc',
      '?limit=99999999999999999999',
      '?ordering=__proto__,constructor,-toString',
      '?ordering=,,,-,',
    ]) {
      const response = await viewer.get(`${codes}${query}`)
      assert.equal(response.status, 200, query)
      assert.equal(response.body.count, all)
    }
    assert.deepEqual((await viewer.get(`${codes}?limit=5&offset=99999999999`)).body.results, [])
  })

  it('searches for special characters literally', async () => {
    await createProjectCode('50%_OFF\\')
    for (const term of ['50%25_', '%25_OFF', 'OFF\\'])
      assert.equal((await viewer.get(`${codes}?search=${term}`)).body.count, 1, term)
    assert.equal((await viewer.get(`${codes}?search=50X_OFF`)).body.count, 0)
    assert.equal((await viewer.get(`${codes}?search=(&search_regex=true`)).status, 400)
  })

  it('pages without repeating or dropping a row, and links to the previous and next page', async () => {
    for (let index = 0; index < 7; index++) await createProjectCode(`PAGE-${index}`)
    const seenKeys: number[] = []
    let next = `${codes}?limit=3&search=PAGE&ordering=description`
    let pages = 0
    while (next) {
      const page = (await viewer.get(next.replace(/^https?:\/\/[^/]+/, ''))).body
      seenKeys.push(...page.results.map((row: { pk: number }) => row.pk))
      next = page.next
      pages++
    }
    assert.equal(pages, 3)
    assert.equal(new Set(seenKeys).size, 7)
    const second = (await viewer.get(`${codes}?limit=3&offset=3&search=PAGE`)).body
    assert.match(second.previous, /\?limit=3&search=PAGE$/)
    assert.match(second.next, /\?limit=3&offset=6&search=PAGE$/)
  })
})

describe('a bulk deletion', () => {
  it('accepts keys, and rejects values that only resemble one', async () => {
    for (const items of [[true], [[1]], ['0x1'], ['1e0'], [1.5], [null], ['']]) {
      assert.deepEqual(
        Object.keys((await service.member.delete('/api/company/address/', { items })).body),
        ['items'],
        JSON.stringify(items),
      )
    }
    for (const name of ['constructor', '__proto__', 'toString', 'nothing']) {
      const response = await service.member.send('DELETE', '/api/company/address/', `{"filters": {"${name}": "1"}}`, {
        'content-type': 'application/json',
      })
      assert.deepEqual(Object.keys(response.body), ['filters'], name)
    }
    assert.equal((await service.member.delete('/api/company/address/', { items: [1, '2', 99_999_999_999] })).status, 204)
  })

  it('is rejected when it selects nothing, in any form', async () => {
    const remove = (body: object) => service.member.delete('/api/company/address/', body)
    for (const emptyValue of [null, '', [], {}])
      for (const body of [{ items: emptyValue }, { filters: emptyValue }, { items: emptyValue, filters: emptyValue }]) {
        const response = await remove(body)
        assert.deepEqual([response.status, Object.keys(response.body)], [400, ['non_field_errors']], JSON.stringify(body))
      }
    for (const [body, name] of [
      [{ items: {}, filters: { company: 1 } }, 'items'],
      [{ items: [1], filters: [] }, 'filters'],
    ] as const)
      assert.deepEqual(Object.keys((await remove(body)).body), [name])
    assert.equal((await remove({ items: [99_999_999], filters: null })).status, 204)
  })
})

describe('a response', () => {
  it('is application/json without a charset, and carries the id of the request', async () => {
    const response = await viewer.get(codes)
    assert.equal(response.headers['content-type'], 'application/json')
    assert.match(String(response.headers['x-request-id']), /^[0-9a-f-]{36}$/)
  })

  it('is problem+json for an error when the client requests it', async () => {
    const response = await staff.post(codes, {}, { accept: 'application/problem+json' })
    assert.equal(response.headers['content-type'], 'application/problem+json')
    const { type, status, code, errors } = response.body
    assert.deepEqual(
      { type, status, code, errors },
      { type: 'about:blank', status: 400, code: 'invalid', errors: { code: ['This field is required.'] } },
    )
  })

  it('has the exact count immediately after a change', async () => {
    for (let index = 0; index < 5; index++) {
      const before = await countProjectCodes()
      const pk = await createProjectCode(`COUNT-${index}`)
      assert.equal(await countProjectCodes(), before + 1)
      if (index % 2) {
        assert.equal((await staff.delete(`${codes}${pk}/`)).status, 204)
        assert.equal(await countProjectCodes(), before)
      }
    }
  })

  it('is readable by browsers of an allowed origin', async () => {
    const response = await viewer.get(codes, { origin: 'https://shop.example.com' })
    assert.equal(response.headers['access-control-allow-origin'], 'https://shop.example.com')
    assert.equal(
      (await viewer.get(codes, { origin: 'https://evil.example.com' })).headers['access-control-allow-origin'],
      undefined,
    )
    const preflight = await anonymous.send('OPTIONS', codes, undefined, {
      origin: 'https://shop.example.com',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    })
    assert.equal(preflight.status, 204)
  })
})

describe('If-Match', () => {
  it('rejects changes and deletions when the object has changed since', async () => {
    const pk = await createProjectCode('TAGGED')
    const { etag } = (await viewer.get(`${codes}${pk}/`)).headers as { etag: string }
    const changed = await staff.patch(`${codes}${pk}/`, { description: 'first' }, { 'if-match': etag })
    assert.equal(changed.status, 200)
    assert.notEqual(changed.headers.etag, etag)
    assert.equal((await staff.patch(`${codes}${pk}/`, { description: 'second' }, { 'if-match': etag })).status, 412)
    assert.equal((await staff.delete(`${codes}${pk}/`, undefined, { 'if-match': etag })).status, 412)
    assert.equal((await viewer.get(`${codes}${pk}/`)).body.description, 'first')
    assert.equal((await staff.delete(`${codes}${pk}/`, undefined, { 'if-match': String(changed.headers.etag) })).status, 204)
  })
})

describe('Idempotency-Key', () => {
  it('runs a request once, however many are sent in parallel', async () => {
    const responses = await Promise.all(
      Array.from({ length: 12 }, () => staff.post(codes, { code: 'ONCE' }, { 'idempotency-key': 'once' })),
    )
    assert.deepEqual([...new Set(responses.map((response) => response.status))], [201])
    assert.equal(new Set(responses.map((response) => response.text)).size, 1)
    assert.equal((await viewer.get(`${codes}?search=ONCE`)).body.count, 1)
    assert.equal(responses.filter((response) => response.headers['idempotency-replayed'] === 'true').length, 11)
  })

  it('rejects another body or URL under the same key', async () => {
    assert.equal((await staff.post(codes, { code: 'TWICE' }, { 'idempotency-key': 'once' })).status, 422)
  })

  it('recognizes the same request in differently formatted JSON', async () => {
    const send = (text: string) =>
      staff.send('POST', codes, text, { 'content-type': 'application/json', 'idempotency-key': 'written' })
    const first = await send('{"code":"WRITTEN","description":"d","more":{"a":1,"b":[10,2]}}')
    assert.equal(first.status, 201)
    const repeated = await send('{ "more": {"b": [1e1, 2.0], "a":1.0}, "description": "\\u0064", "code": "WRITTEN" }')
    assert.deepEqual([repeated.status, repeated.text, repeated.headers['idempotency-replayed']], [201, first.text, 'true'])
    for (const text of [
      '{"code":"WRITTEN","description":"d","more":{"a":1,"b":[2,10]}}',
      '{"code":"WRITTEN","description":"d","more":{"a":"1","b":[10,2]}}',
      '{"code":"WRITTEN","description":"d"}',
    ])
      assert.equal((await send(text)).status, 422, text)
  })

  it('belongs to one account, and can be reused after an error', async () => {
    assert.equal((await service.superuser.post(codes, { code: 'OTHER' }, { 'idempotency-key': 'once' })).status, 201)
    assert.equal((await staff.post(codes, {}, { 'idempotency-key': 'free' })).status, 400)
    assert.equal((await staff.post(codes, { code: 'FREE' }, { 'idempotency-key': 'free' })).status, 201)
  })
})

describe('credentials', () => {
  it('are rejected with 401 when they are wrong, even where anonymous access is allowed', async () => {
    for (const authorization of [
      'Token nonsense',
      'Token',
      'Token a b',
      'Basic !!!',
      'Basic',
      `Basic ${btoa('staff:wrong')}`,
      `Basic ${btoa('nobody-here:wrong')}`,
      `Basic ${btoa('no colon')}`,
      `Basic ${btoa('sta\0ff:x')}`,
    ]) {
      const response = await anonymous.get('/api/', { authorization })
      assert.equal(response.status, 401, authorization)
      assert.match(String(response.headers['www-authenticate']), /Token/)
    }
  })

  it('count as anonymous with an unknown scheme', async () => {
    assert.equal((await anonymous.get(codes, { authorization: 'Bearer x' })).status, 401)
    assert.equal((await anonymous.get('/api/', { authorization: 'Bearer x' })).status, 200)
  })

  it('include tokens: requesting one twice returns the same token, and a revoked one is rejected', async () => {
    const { body } = await viewer.get('/api/user/token/?name=my%20script')
    assert.match(body.token, /^inv-[0-9a-f]{40}-\d{8}$/)
    assert.equal(body.name, 'my-script')
    assert.deepEqual((await viewer.get('/api/user/token/?name=my%20script')).body, body)
    const authorization = `Token ${body.token}`
    assert.equal((await anonymous.get('/api/user/me/', { authorization })).body.username, 'viewer')
    const { rows } = await service.pool.query('select * from api_token')
    assert.ok(!JSON.stringify(rows).includes(body.token), 'the database must not hold the key')
    await service.pool.query('update api_token set revoked = true')
    await waitForListeners(service)
    assert.equal((await anonymous.get('/api/user/me/', { authorization })).status, 401)
    assert.notEqual((await viewer.get('/api/user/token/?name=my%20script')).body.token, body.token)
  })

  it('include the same token for every parallel request with the same name', async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => viewer.get('/api/user/token/?name=parallel')))
    assert.equal(new Set(responses.map((response) => response.body.token)).size, 1)
  })

  it('lose their permissions as soon as a group loses them', async () => {
    assert.equal((await viewer.get('/api/company/contact/')).status, 200)
    await service.pool.query(
      `update rule_set set can_view = false where name in ('purchase_order', 'sales_order', 'return_order')`,
    )
    await waitForListeners(service)
    assert.equal((await viewer.get('/api/company/contact/')).status, 403)
  })
})

describe('information about the service', () => {
  it('is public at GET /api/, with more fields for staff', async () => {
    const publicInfo = (await anonymous.get('/api/')).body
    assert.equal(publicInfo.server, 'Stockroom')
    assert.equal(publicInfo.apiVersion, 196)
    assert.equal(publicInfo.database, null)
    assert.equal(publicInfo.plugins_enabled, true)
    assert.equal(publicInfo.email_configured, false)
    const exchange = { name: 'InvenTreeCurrencyExchange', slug: 'inventreecurrencyexchange', version: '1.0.0' }
    const filterExchange = (plugins: { slug: string }[]) => plugins.filter(({ slug }) => slug === exchange.slug)
    assert.deepEqual(filterExchange(publicInfo.active_plugins), [exchange])
    await service.superuser.patch('/api/plugins/activate/', { plugin: exchange.slug, active: false })
    assert.deepEqual(filterExchange((await anonymous.get('/api/')).body.active_plugins), [])
    await service.superuser.patch('/api/plugins/activate/', { plugin: exchange.slug })
    assert.equal((await staff.get('/api/')).body.database, 'postgresql')
  })

  it('is public at GET /api/schema/ and /api-doc/, which loads nothing from other hosts', async () => {
    const schema = (await anonymous.get('/api/schema/')).body
    assert.equal(schema.openapi, '3.1.0')
    const page = await anonymous.get('/api-doc/')
    assert.equal(page.status, 200)
    const loadedUrls = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] as string)
    assert.deepEqual(
      loadedUrls.filter((address) => /^(https?:)?\/\//.test(address)),
      [],
    )
  })

  it('is available at GET /livez, /readyz and /metrics', async () => {
    assert.equal((await anonymous.get('/livez')).status, 200)
    assert.equal((await anonymous.get('/readyz')).status, 200)
    assert.match((await anonymous.get('/metrics')).text, /http_request_duration_seconds_count\{/)
  })
})
