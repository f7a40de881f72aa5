import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { sendRaw } from './testing/raw.ts'
import { PASSWORD, testService } from './testing/service.ts'

const service = await testService({ CORS_ORIGINS: 'https://shop.example.com', BODY_LIMIT: '1048576' })
const { staff, viewer, anonymous } = service

const formatBasicAuth = (name: string) => `Basic ${btoa(`${name}:${PASSWORD}`)}`
const codes = '/api/project-code/'
const createProjectCode = async (code: string) => (await staff.post(codes, { code })).body.pk as number
const countProjectCodes = async () => (await viewer.get(codes)).body.count as number

describe('a request body', () => {
  it('is rejected when it is not JSON, without partial changes', async () => {
    const before = await countProjectCodes()
    for (const body of ['{"code": ', '{code: 1}', 'code=A', '\u0000', '{"code":"A"}}']) {
      const response = await staff.send('POST', codes, body, { 'content-type': 'application/json' })
      assert.equal(response.status, 400, body)
      assert.equal(typeof response.body.detail, 'string')
    }
    assert.equal(await countProjectCodes(), before)
  })

  it('is rejected with 415 in another content type', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']) {
      assert.equal((await staff.send('POST', codes, 'code=A', { 'content-type': type })).status, 415)
    }
  })

  it('is rejected with 413 above the limit', async () => {
    assert.equal((await staff.post(codes, { code: 'A', description: 'x'.repeat(1_100_000) })).status, 413)
  })

  it('accepts a charset, and treats an empty body as an empty object', async () => {
    const response = await staff.send('POST', codes, '{"code":"CHARSET"}', { 'content-type': 'application/json; charset=utf-8' })
    assert.equal(response.status, 201)
    assert.deepEqual((await staff.send('POST', codes)).body, { code: ['This field is required.'] })
  })

  it('must be an object: every operation rejects a list, a string, a number or null, and changes nothing', async () => {
    const pk = await createProjectCode('WHOLE')
    const before = (await staff.get(`${codes}${pk}/`)).text
    for (const [method, path] of [
      ['POST', codes],
      ['PUT', `${codes}${pk}/`],
      ['PATCH', `${codes}${pk}/`],
      ['DELETE', `${codes}${pk}/`],
      ['PUT', `${codes}${pk}/metadata/`],
      ['PATCH', `${codes}${pk}/metadata/`],
      ['DELETE', '/api/company/address/'],
      ['POST', '/api/stock/'],
      ['POST', '/api/stock/count/'],
      ['POST', '/api/order/po/99/issue/'],
      ['PATCH', '/api/user/me/'],
      ['PATCH', '/api/settings/user/DATE_DISPLAY_FORMAT/'],
      ['POST', '/api/auth/login/'],
      ['POST', '/api/auth/logout/'],
    ] as const) {
      for (const body of ['[]', '[1]', '[{"code":"A"}]', '"x"', '1', 'null', 'true']) {
        const response = await service.superuser.send(method, path, body, { 'content-type': 'application/json' })
        assert.deepEqual(
          [response.status, response.body],
          [400, { non_field_errors: ['An object is expected.'] }],
          `${method} ${path} ${body}`,
        )
      }
    }
    assert.equal((await staff.get(`${codes}${pk}/`)).text, before)
  })

  it('is optional: without one, no field is set', async () => {
    const pk = await createProjectCode('MISSING')
    assert.equal((await staff.send('PATCH', `${codes}${pk}/`)).status, 200)
    assert.equal((await staff.send('PATCH', `${codes}${pk}/`, '', { 'content-type': 'application/json' })).status, 200)
    assert.equal((await staff.send('DELETE', `${codes}${pk}/`)).status, 204)
  })

  it('is not read when the caller is rejected, or the path or method is unknown', async () => {
    const formatHead = (method: string, path: string, extraHeaders = '') =>
      `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n${extraHeaders}\r\n{`
    const viewerHeader = `Authorization: Basic ${btoa('viewer:a password of tests')}\r\n`
    assert.equal((await sendRaw(service, formatHead('POST', codes)))?.status, 401)
    assert.equal((await sendRaw(service, formatHead('POST', codes, viewerHeader)))?.status, 403)
    assert.equal((await sendRaw(service, formatHead('PUT', codes)))?.status, 401)
    assert.equal((await sendRaw(service, formatHead('PUT', codes, viewerHeader)))?.status, 405)
    for (const path of ['/api/nothing/here/', '/livez', '/', '/api-doc/', '/api/%zz/'])
      assert.equal((await sendRaw(service, formatHead('POST', path)))?.status, 404, path)
    assert.equal((await sendRaw(service, formatHead('OPTIONS', codes)))?.status, 401)
  })

  it('has a limit of 64 kB for anonymous callers: 413 before it is read', async () => {
    const login = '/api/auth/login/'
    const body = (length: number) =>
      JSON.stringify({ username: 'x', password: 'y', padding: '' }).replace('""', `"${'z'.repeat(length)}"`)
    const size = body(0).length
    assert.equal((await anonymous.send('POST', login, body(65_536 - size), { 'content-type': 'application/json' })).status, 400)
    assert.equal((await anonymous.send('POST', login, body(65_537 - size), { 'content-type': 'application/json' })).status, 413)
    const chunked = `POST ${login} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n11000\r\n${' '.repeat(0x11000)}\r\n`
    assert.equal((await sendRaw(service, chunked))?.status, 413)
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    assert.equal((await anonymous.send('POST', '/platform/set-password', `x=${'z'.repeat(65_536)}`, form)).status, 413)
    assert.equal((await staff.post(codes, { code: 'LARGE', padding: 'z'.repeat(900_000) })).status, 201)
  })

  it('gets 400, not an internal error, when it is nested deeply', async () => {
    const pk = await createProjectCode('DEEP')
    const deep = `{"metadata":${'['.repeat(50_000)}${']'.repeat(50_000)}}`
    assert.equal((await staff.send('PUT', `${codes}${pk}/metadata/`, deep, { 'content-type': 'application/json' })).status, 400)
    const object = `{"code":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`
    assert.deepEqual(Object.keys((await staff.send('POST', codes, object, { 'content-type': 'application/json' })).body), [
      'code',
    ])
  })

  it('keeps all digits of numbers in metadata; other fields round or reject them', async () => {
    const pk = await createProjectCode('NUMBERS')
    const metadataPath = `${codes}${pk}/metadata/`
    const send = (method: string, path: string, text: string) =>
      service.superuser.send(method, path, text, { 'content-type': 'application/json' })
    const numbers = '[12345678901234567890,0.1234567890123456789,1e400,-1e-400,1.5]'
    assert.equal((await send('PUT', metadataPath, `{"metadata":{"a":${numbers}}}`)).text, `{"metadata":{"a":${numbers}}}`)
    assert.equal((await send('PATCH', metadataPath, `{"metadata":{"b":9007199254740993}}`)).status, 200)
    assert.equal((await viewer.get(metadataPath)).text, `{"metadata":{"a":${numbers},"b":9007199254740993}}`)
    assert.equal(
      (await send('PATCH', metadataPath, '{"metadata":12345678901234567890}')).text,
      '{"metadata":12345678901234567890}',
    )

    const category = (await service.member.post('/api/part/category/', { name: 'Measures' })).body.pk
    const part = (await service.member.post('/api/part/', { name: 'Measured', category })).body.pk
    const createStockItem = async (text: string) =>
      (
        await service.member.send('POST', '/api/stock/', `{"part":${part},"quantity":${text}}`, {
          'content-type': 'application/json',
        })
      ).body
    assert.equal((await createStockItem('0.1234567890123456789')).quantity, 0.12346)
    // a double would be exactly halfway between two values, and be rounded down
    assert.equal((await createStockItem('0.1234450000000000000001')).quantity, 0.12345)
    assert.equal((await createStockItem('1234567890.12345')).quantity, 1234567890.12345)
    for (const text of ['12345678901234567.891', '12345678901234567890', '1e400'])
      assert.deepEqual(Object.keys(await createStockItem(text)), ['quantity'], text)
    for (const text of ['1.00000000000000000001', '12345678901234567890', '1e400'])
      assert.equal((await send('POST', '/api/company/contact/', `{"name":"A","company":${text}}`)).status, 400, text)
    assert.equal((await send('POST', codes, '{"code":12345678901234567890}')).body.code, '12345678901234567890')
    assert.deepEqual((await send('POST', codes, '12345678901234567890')).body, { non_field_errors: ['An object is expected.'] })
    const nested = `{"metadata":${'['.repeat(50_000)}12345678901234567890${']'.repeat(50_000)}}`
    assert.equal((await send('PUT', metadataPath, nested)).status, 400)
  })

  it('accepts null as metadata', async () => {
    const metadataPath = `${codes}${await createProjectCode('NULL')}/metadata/`
    for (const method of ['PUT', 'PATCH']) {
      assert.equal((await staff.put(metadataPath, { metadata: { a: 1 } })).status, 200)
      const response = await staff.send(method, metadataPath, { metadata: null })
      assert.deepEqual([response.status, response.body], [200, { metadata: null }])
      assert.deepEqual((await viewer.get(metadataPath)).body, { metadata: null })
    }
    assert.deepEqual((await staff.patch(metadataPath, { metadata: { b: 2 } })).body, { metadata: { b: 2 } })
    assert.deepEqual((await staff.put(metadataPath, {})).body, { metadata: ['This field is required.'] })
  })

  it('is rejected when a string contains HTML, even without the closing bracket, but can contain a less-than sign', async () => {
    for (const description of ['<b>x</b>', '<script', '<img src=x onerror=alert(1)'])
      assert.deepEqual(
        (await staff.post(codes, { code: 'HTML', description })).body,
        { description: ['Remove HTML tags from this value.'] },
        description,
      )
    for (const description of ['a < b', '<3', 'x<5mm', 'x<y'])
      assert.equal((await staff.post(codes, { code: description, description })).body.description, description)
    assert.equal((await staff.get('/api/user/token/?name=%3Cscript')).status, 400)
    assert.equal((await service.superuser.patch('/api/settings/global/INVENTREE_INSTANCE/', { value: '<script' })).status, 400)
  })

  it('is stripped of control characters and NUL in strings, but rejected with NUL in JSON fields', async () => {
    const pk = (await staff.post(codes, { code: 'A\u0000B\u0007C' })).body.pk
    assert.equal((await viewer.get(`${codes}${pk}/`)).body.code, 'ABC')
    assert.equal((await staff.put(`${codes}${pk}/metadata/`, { metadata: { a: 'x\u0000y' } })).status, 400)
  })

  it('is rejected for a JSON field only when that contains what PostgreSQL cannot store: NUL, or half a surrogate pair', async () => {
    const url = `${codes}${(await staff.post(codes, { code: 'JSON' })).body.pk}/metadata/`
    for (const metadata of ['\ud800', { a: 'x\udfff' }, { '\udc00': 1 }, ['\ude00\ud83d'], '\\\u0000', '\\\ud800'])
      for (const response of [await staff.put(url, { metadata }), await staff.patch(url, { metadata })])
        assert.deepEqual([response.status, response.body], [400, { metadata: ['Not a valid string.'] }], JSON.stringify(metadata))
    for (const metadata of ['😀', { '😀': '\\u0000' }, '\\ud800', 'ud800'])
      assert.deepEqual((await staff.put(url, { metadata })).body, { metadata })
  })

  it('is ignored on GET, even when it is malformed', async () => {
    const { port } = service.app.server.address() as AddressInfo
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const clientRequest = httpRequest(
        {
          port,
          host: '127.0.0.1',
          path: '/api/',
          method: 'GET',
          headers: { 'content-type': 'application/json', 'content-length': 3 },
        },
        (response) => {
          response.resume()
          resolve(response.statusCode)
        },
      )
      clientRequest.on('error', reject)
      clientRequest.end('{"a')
    })
    assert.equal(status, 200)
  })

  it('is rejected when it is not UTF-8, when it is compressed, and when a string contains half a surrogate pair', async () => {
    const before = await countProjectCodes()
    const send = (payload: Buffer | string, headers: Record<string, string> = {}) =>
      service.app.inject({
        method: 'POST',
        url: codes,
        headers: { 'content-type': 'application/json', authorization: formatBasicAuth('staff'), ...headers },
        payload,
      })
    assert.equal((await send(Buffer.from('{"code": "\xff\xfe"}', 'latin1'))).statusCode, 400)
    assert.equal((await send('{"code": "\\ud800"}')).statusCode, 400)
    assert.equal((await send(gzipSync('{"code": "PACKED"}'), { 'content-encoding': 'gzip' })).statusCode, 415)
    assert.equal(await countProjectCodes(), before)
  })
})

describe('the target of a request', () => {
  const get = (target: string, host = 'localhost') =>
    sendRaw(
      service,
      `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${formatBasicAuth('viewer')}\r\nConnection: close\r\n\r\n`,
    )

  it('can be an absolute URL, which then determines the host', async () => {
    await createProjectCode('ONE')
    await createProjectCode('TWO')
    const response = await get('http://127.0.0.1/api/project-code/?limit=1', 'elsewhere.example')
    assert.equal(response?.status, 200)
    assert.equal(JSON.parse(response.body).next, 'http://127.0.0.1/api/project-code/?limit=1&offset=1')
    assert.equal((await get('http://elsewhere.example/api/project-code/'))?.status, 400)
  })

  it('is unknown when it is neither absolute nor a path', async () => {
    for (const target of ['*', 'ftp://127.0.0.1/api/']) assert.equal((await get(target))?.status, 404, target)
  })
})

describe('a proxy', () => {
  it('sets the scheme to https or http; any other value counts as http', async () => {
    const proxiedService = await testService({ TRUST_PROXY: 'true' })
    for (const [forwardedProto, scheme] of [
      ['https', 'https'],
      ['HTTPS', 'https'],
      ['javascript', 'http'],
    ] as const) {
      for (const code of ['A', 'B']) await proxiedService.staff.post(codes, { code: `${forwardedProto}${code}` })
      const { body } = await proxiedService.viewer.get(`${codes}?limit=1`, { 'x-forwarded-proto': forwardedProto })
      assert.ok(body.next.startsWith(`${scheme}://`), body.next)
    }
  })
})
