import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { RawConnection, sendRaw } from '../../testing/raw.ts'
import { PASSWORD, testService } from '../../testing/service.ts'
import { scaleTimeout } from '../../testing/slowness.ts'
import { waitUntil } from '../../testing/until.ts'

const service = await testService()
const HOST = 'Host: localhost\r\n'
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Checks the documented form of an error: JSON with a message, and the ID of the request. */
async function assertRejected(text: string, status: number, detail: string, allow?: string): Promise<void> {
  const response = await sendRaw(service, text)
  assert.ok(response, text)
  assert.deepEqual(
    [response.status, response.headers['content-type'], JSON.parse(response.body)],
    [status, 'application/json', { detail }],
    text.slice(0, 100),
  )
  assert.match(response.headers['x-request-id'] ?? '', UUID)
  if (allow) assert.equal(response.headers.allow, allow)
}

describe('an invalid request', () => {
  it('returns 400 in the documented form', async () => {
    for (const text of [
      'GET /api/ HTTP/1.1 and more\r\n\r\n',
      'GET /api/ HTTQ/1.1\r\n\r\n',
      `GET /api/ HTTP/1.1\r\n${HOST}a b: c\r\n\r\n`,
      `GET /api/ HTTP/1.1\r\n${HOST}A: b\u0000\r\n\r\n`,
      `POST /api/auth/login/ HTTP/1.1\r\n${HOST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      `POST /api/auth/login/ HTTP/1.1\r\n${HOST}Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef`,
      `POST /api/auth/login/ HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
    ])
      await assertRejected(text, 400, 'The request is not valid HTTP.')
  })

  it('returns 431 if its headers are too long, even before they are complete', async () => {
    const long = `GET /api/ HTTP/1.1\r\n${HOST}X-Long: ${'x'.repeat(200_000)}\r\n\r\n`
    await assertRejected(long, 431, 'The URL and headers are longer than this service accepts.')
    await assertRejected(long.slice(0, 100_000), 431, 'The URL and headers are longer than this service accepts.')
  })

  it('is rejected without a Host header, and with two', async () => {
    const text = 'A request must have exactly one Host header.'
    for (const path of ['/api/', '/livez', '/nowhere/']) {
      await assertRejected(`GET ${path} HTTP/1.1\r\n\r\n`, 400, text)
      await assertRejected(`GET ${path} HTTP/1.1\r\n${HOST}host: localhost\r\n\r\n`, 400, text)
      await assertRejected(`GET ${path} HTTP/1.1\r\n${HOST}HOST: evil.example\r\n\r\n`, 400, text)
    }
    assert.equal((await sendRaw(service, 'GET /livez HTTP/1.0\r\n\r\n'))?.status, 200)
  })
})

describe('a method that no URL supports', () => {
  it('returns 405 with the allowed methods', async () => {
    await assertRejected(
      `TRACE /api/part/ HTTP/1.1\r\n${HOST}\r\n`,
      405,
      'Method "TRACE" not allowed.',
      'GET, POST, PUT, PATCH, HEAD, OPTIONS',
    )
    await assertRejected(`PROPFIND /api/part/ HTTP/1.1\r\n${HOST}\r\n`, 405, 'Method "PROPFIND" not allowed.', METHODS)
    await assertRejected(`QUERY /api/part/ HTTP/1.1\r\n${HOST}\r\n`, 405, 'Method "QUERY" not allowed.', METHODS)
    await assertRejected(`CONNECT localhost:80 HTTP/1.1\r\n${HOST}\r\n`, 405, 'Method "CONNECT" not allowed.', METHODS)
    const text = 'This method is not allowed here; the Allow header lists the allowed ones.'
    for (const method of ['BREW', 'get', 'NONSENSE-OF-A-METHOD'])
      await assertRejected(`${method} /api/part/ HTTP/1.1\r\n${HOST}\r\n`, 405, text, METHODS)
  })
})

describe('an Expect header', () => {
  it('is ignored if its expectation is unknown', async () => {
    const response = await sendRaw(service, `GET /api/ HTTP/1.1\r\n${HOST}Expect: a-miracle\r\n\r\n`)
    assert.equal(response?.status, 200)
  })
})

describe('a request that takes too long to arrive', async () => {
  const shortTimeoutService = await testService({ REQUEST_SECONDS: '1' })

  it('returns 408, and its connection ends', async () => {
    for (const text of [
      'GET /api/ HT',
      `POST /api/auth/login/ HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    ]) {
      const connection = new RawConnection(shortTimeoutService).send(text)
      const response = await connection.readResponse()
      assert.equal(response?.status, 408, text)
      assert.deepEqual(JSON.parse(response.body), { detail: 'The request did not arrive in time (REQUEST_SECONDS).' })
      assert.match(response.headers['x-request-id'] ?? '', UUID)
      await connection.waitForClose()
    }
  })

  it('is cut off even while the rest of a rejected body trickles in', async () => {
    const head = `POST /api/part/ HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n`
    const connection = new RawConnection(shortTimeoutService).send(head)
    assert.equal((await connection.readResponse())?.status, 401)
    const drip = setInterval(() => connection.send(' '), 100)
    await connection.waitForClose()
    clearInterval(drip)
    assert.equal(await connection.readResponse(), undefined, 'there is a second response')
  })

  it('gets no response if the client sends nothing: the connection is just closed', async () => {
    const connection = new RawConnection(shortTimeoutService)
    await connection.waitForClose()
    assert.equal(await connection.readResponse(), undefined)
  })
})

describe('the number of connections', () => {
  const requestText = `GET /api/ HTTP/1.1\r\n${HOST}\r\n`
  /** Opens a number of connections, and returns those that are served. */
  async function open(target: typeof service, count: number, localAddress?: string): Promise<RawConnection[]> {
    const connections = Array.from({ length: count }, () => new RawConnection(target, localAddress).send(requestText))
    const responses = await Promise.all(connections.map((connection) => connection.readResponse()))
    return connections.filter((_, index) => responses[index]?.status === 200)
  }
  const close = async (connections: RawConnection[]) => {
    for (const { socket } of connections) socket.destroy()
  }

  // other systems have just one loopback address
  const skip = process.platform !== 'linux'

  it('is limited for each address, while others are served', { skip }, async () => {
    const limitedService = await testService({ MAX_CONNECTIONS_PER_ADDRESS: '5' })
    const first = await open(limitedService, 8, '127.0.0.2')
    assert.equal(first.length, 5)
    const other = await open(limitedService, 1, '127.0.0.3')
    assert.equal(other.length, 1)
    await close(first.slice(0, 2))
    await waitUntil(async () => {
      const reopened = await open(limitedService, 1, '127.0.0.2')
      await close(reopened)
      return reopened.length === 1
    }, 'a connection that ended still counts')
    await close([...first, ...other])
  })

  it('is not limited for a trusted proxy, whose connections are those of its clients', { skip }, async () => {
    const proxiedService = await testService({ MAX_CONNECTIONS_PER_ADDRESS: '5', TRUST_PROXY: '10.0.0.0/8, 127.0.0.2' })
    const first = await open(proxiedService, 8, '127.0.0.2')
    assert.equal(first.length, 8)
    const other = await open(proxiedService, 8, '127.0.0.3')
    assert.equal(other.length, 5)
    await close([...first, ...other])
  })

  it('is limited in total', { skip }, async () => {
    const limitedService = await testService({ MAX_CONNECTIONS: '5' })
    const first = [...(await open(limitedService, 3, '127.0.0.2')), ...(await open(limitedService, 5, '127.0.0.3'))]
    assert.equal(first.length, 5)
    await close(first)
    await waitUntil(async () => (await open(limitedService, 1)).length === 1, 'no connection is accepted afterwards')
  })
})

describe('a service that shuts down', () => {
  const basic = `Authorization: Basic ${btoa(`superuser:${PASSWORD}`)}\r\n`
  const body = '{"code": "LAST"}'
  const post = `POST /api/project-code/ HTTP/1.1\r\n${HOST}${basic}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`

  it('waits for requests in flight, and for nothing else', async () => {
    const stoppingService = await testService()
    const idleConnection = new RawConnection(stoppingService)
    const partialRequest = new RawConnection(stoppingService).send('GET /api/ HT')
    const keepAlive = new RawConnection(stoppingService).send(`GET /api/ HTTP/1.1\r\n${HOST}\r\n`)
    assert.equal((await keepAlive.readResponse())?.status, 200)
    const requestArrival = once(stoppingService.app.server, 'request')
    const inFlight = new RawConnection(stoppingService).send(post)
    await requestArrival

    const startTime = performance.now()
    const stopDuration = stoppingService.app.close().then(() => performance.now() - startTime)
    await Promise.all([idleConnection.waitForClose(), partialRequest.waitForClose(), keepAlive.waitForClose()])
    assert.ok(performance.now() - startTime < scaleTimeout(2_000))
    inFlight.send(body)
    const response = await inFlight.readResponse()
    assert.equal(response?.status, 201)
    assert.equal(response.headers.connection, 'close')
    assert.equal(JSON.parse(response.body).code, 'LAST')
    await inFlight.waitForClose()
    assert.ok((await stopDuration) < 5_000)
  })
})
