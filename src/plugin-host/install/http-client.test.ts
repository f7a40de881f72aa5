import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { InstallError } from './cannot-install.ts'
import { HttpClient } from './http-client.ts'

async function startServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const credentials = { username: 'buyer', password: 'secret' }
const basicHeader = `Basic ${Buffer.from('buyer:secret').toString('base64')}`
const createBudget = (remaining: number) => ({ remaining, error: () => new InstallError('too much') })
const fetchWith = async (
  url: string,
  access: Partial<ConstructorParameters<typeof HttpClient>[0]> = {},
  options: { isZippable?: boolean; bytes?: number; environment?: NodeJS.ProcessEnv; namedHost?: string } = {},
) => {
  const signal = AbortSignal.timeout(10_000)
  const allowedHosts = options.namedHost === undefined ? ['127.0.0.0/8'] : []
  const client = new HttpClient({ signal, allowedHosts, ...access }, options.environment ?? {})
  if (options.namedHost !== undefined) client.allowHost(options.namedHost)
  try {
    const { isZippable = false, bytes = 1000 } = options
    return (await client.fetch(url, { accept: '*/*', isZippable, budget: createBudget(bytes) })).toString()
  } finally {
    client.close()
  }
}

describe('HttpClient', () => {
  it('sends credentials only to their own origin, and not to the target of a redirect', async () => {
    const otherServer = await startServer((request, response) => response.end(String(request.headers.authorization)))
    const origin = await startServer((request, response) => {
      if (request.url === '/away') response.writeHead(302, { location: `${otherServer}/` })
      if (request.url === '/here') response.writeHead(302, { location: '/end' })
      response.end(String(request.headers.authorization))
    })
    const access = { credentials, url: `${origin}/registry/` }
    assert.equal(await fetchWith(`${origin}/`, access), basicHeader)
    assert.equal(await fetchWith(`${origin}/here`, access), basicHeader)
    assert.equal(await fetchWith(`${origin}/away`, access), 'undefined')
    assert.equal(await fetchWith(`${otherServer}/`, access), 'undefined')
    const token = { credentials: { username: 'token', password: '' }, url: origin }
    assert.equal(await fetchWith(`${origin}/`, token), 'Bearer token')
  })

  it('connects to an internal host that the user named, and not to others by redirect', async () => {
    let requestCount = 0
    const otherServer = await startServer((_request, response) => {
      requestCount++
      response.end('internal')
    })
    const { port } = new URL(otherServer)
    const redirectTargets = [
      otherServer,
      ...[
        'localhost',
        '2130706433',
        '0x7f.1',
        '0177.0.0.1',
        '0.0.0.0',
        '127.1',
        '[::1]',
        '[::ffff:127.0.0.1]',
        '[::]',
        '10.0.0.1',
      ].map((host) => `http://${host}:${port}`),
    ]
    const redirector = await startServer((request, response) => {
      const index = Number(request.url?.slice(1))
      if (Number.isNaN(index)) return response.end('named')
      response.writeHead(302, { location: `${redirectTargets[index]}/` }).end()
    })
    assert.equal(await fetchWith(`${redirector}/end`, {}, { namedHost: redirector }), 'named')
    for (const [index, redirectTarget] of redirectTargets.entries()) {
      await assert.rejects(
        fetchWith(`${redirector}/${index}`, {}, { namedHost: redirector }),
        /not on the public internet \(FETCH_ALLOWED_HOSTS\)/,
        redirectTarget,
      )
      await assert.rejects(
        fetchWith(`${redirectTarget}/`, {}, { namedHost: redirector }),
        /not on the public internet/,
        redirectTarget,
      )
    }
    assert.equal(requestCount, 0)
    assert.equal(await fetchWith(`${redirector}/0`, { allowedHosts: ['127.0.0.1'] }, { namedHost: redirector }), 'internal')
    assert.equal(await fetchWith(`${redirector}/1`, { allowedHosts: ['localhost'] }, { namedHost: redirector }), 'internal')
  })

  it('uses the proxy of the environment, except for hosts in NO_PROXY', async () => {
    const target = await startServer((_request, response) => response.end('direct'))
    const proxy = await startServer((request, response) => response.end(`by proxy to ${request.url}`))
    const environment = { HTTP_PROXY: proxy }
    assert.equal(await fetchWith('http://registry.example/a', {}, { environment }), 'by proxy to http://registry.example/a')
    assert.equal(await fetchWith(target, {}, { environment: { ...environment, NO_PROXY: '127.0.0.1' } }), 'direct')
  })

  it('reads no more than the budget, compressed or not', async () => {
    const url = await startServer((request, response) => {
      const body = Buffer.alloc(100_000, 'a')
      if (request.headers['accept-encoding'] !== 'gzip') return response.end(body)
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(body))
    })
    assert.equal((await fetchWith(url, {}, { bytes: 100_000 })).length, 100_000)
    assert.equal((await fetchWith(url, {}, { bytes: 100_000, isZippable: true })).length, 100_000)
    await assert.rejects(fetchWith(url, {}, { bytes: 99_999 }), /too much/)
    await assert.rejects(fetchWith(url, {}, { bytes: 99_999, isZippable: true }), /too much/)
  })

  it('retries a failed request once, and reports the failure without the query of the URL', async () => {
    let requests = 0
    const url = await startServer((request, response) => {
      requests++
      if (request.url === '/breaks' && requests === 1) return request.socket.destroy()
      if (request.url?.startsWith('/busy')) response.writeHead(503)
      if (request.url?.startsWith('/absent')) response.writeHead(404)
      if (request.url === '/loop') response.writeHead(302, { location: '/loop' })
      if (request.url === '/file') response.writeHead(302, { location: 'file:///etc/hostname' })
      if (request.url === '/junk') response.writeHead(302, { location: 'http://' })
      response.end('content')
    })
    const assertFails = async (path: string, text: RegExp, times: number) => {
      requests = 0
      await assert.rejects(fetchWith(`${url}${path}`), (error: Error) => {
        assert.match(error.message, text)
        assert.ok(error instanceof InstallError && !error.message.includes('key'))
        return true
      })
      assert.equal(requests, times, path)
    }
    assert.equal(await fetchWith(`${url}/breaks`), 'content')
    assert.equal(requests, 2)
    await assertFails('/busy?key=1', /503/, 2)
    await assertFails('/absent?key=1', /404 Not Found/, 1)
    await assertFails('/loop', /too many times/, 6)
    await assertFails('/file', /neither http nor https/, 1)
    await assertFails('/junk', /invalid address/, 1)
    await assert.rejects(fetchWith('http://127.0.0.1:1/'), /ECONNREFUSED/)
  })
})
