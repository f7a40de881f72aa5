import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request as requestHttp } from 'node:http'
import { Agent, request as requestHttps, type Server as SecureServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it, mock } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { pino } from 'pino'
import { buildApp } from './app.ts'
import { loadCertificate, watchCertificate } from './certificate.ts'
import { findNetworkUrl, loadConfig } from './config.ts'
import { listOwnAddresses } from './network.ts'
import { createTestDatabase } from './testing/database.ts'
import { waitUntil } from './testing/until.ts'

const folder = mkdtempSync(join(tmpdir(), 'stockroom-https-'))
after(() => rmSync(folder, { recursive: true }))
const DAY_MS = 86_400_000
const log = pino({ level: 'silent' })
const environment = { SECRET_KEY: 'a test secret of thirty-two bytes or more', DATA_DIR: folder }
const selfSignedConfig = loadConfig({ ...environment, TLS: 'self-signed', PORT: '0' })
const file = join(folder, 'https.pem')

const createCertificate = async (config = selfSignedConfig, now?: number) => {
  const certificate = await loadCertificate(config, now)
  assert.ok(certificate)
  return { ...certificate, parsed: new X509Certificate(certificate.cert) }
}

type HttpResponse = { status: number | undefined; headers: Record<string, unknown>; text: string }

function sendRequest(send: typeof requestHttp, options: object, body?: string): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const request = send({ host: '127.0.0.1', ...options }, (response) => {
      let text = ''
      response.on('data', (part) => (text += part))
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, text }))
    })
    request.on('error', reject)
    request.end(body)
  })
}

describe('a self-signed certificate', () => {
  it('is created once, for the names of this machine, and only its owner can read it', async () => {
    const { parsed, cert } = await createCertificate()
    assert.equal(statSync(file).mode & 0o777, 0o600)
    for (const name of ['localhost', 'LOCALHOST']) assert.ok(parsed.checkHost(name))
    for (const address of ['127.0.0.1', '::1', ...listOwnAddresses().filter((ip) => ip.includes('.'))])
      assert.ok(parsed.checkIP(address))
    assert.ok(Date.parse(parsed.validTo) - Date.parse(parsed.validFrom) <= 398 * DAY_MS)
    assert.equal((await createCertificate()).cert, cert)
  })

  it('is renewed before it expires, for a new name, and if the stored one is unusable', async () => {
    const first = await createCertificate()
    const end = Date.parse(first.parsed.validTo)
    assert.equal((await createCertificate(selfSignedConfig, end - 31 * DAY_MS)).cert, first.cert)
    assert.notEqual((await createCertificate(selfSignedConfig, end - 29 * DAY_MS)).cert, first.cert)
    const namedConfig = loadConfig({
      ...environment,
      TLS: 'self-signed',
      SITE_URL: 'https://stock.example.com:8443',
      ALLOWED_HOSTS: 'shelf.local',
    })
    const { parsed, cert, key } = await createCertificate(namedConfig)
    assert.ok(parsed.checkHost('stock.example.com') && parsed.checkHost('shelf.local'))
    for (const text of ['', 'nonsense', cert, key, `${cert}${first.key}`]) {
      writeFileSync(file, text)
      const second = await createCertificate(namedConfig)
      assert.ok(second.parsed.checkHost('stock.example.com'))
      assert.equal((await createCertificate(namedConfig)).cert, second.cert)
    }
  })
})

describe('a certificate that machines share', () => {
  const createConfig = (name: string) => loadConfig({ ...environment, TLS: 'self-signed', ALLOWED_HOSTS: name })

  it('eventually lists the names of all machines, and is then renewed by none of them', async () => {
    await createCertificate(createConfig('one.local,fd00::1'))
    const both = await createCertificate(createConfig('two.local'))
    for (const name of ['one.local', 'two.local', 'localhost']) assert.ok(both.parsed.checkHost(name), name)
    assert.ok(both.parsed.checkIP('fd00::1'))
    assert.equal((await createCertificate(createConfig('one.local,fd00::1'))).cert, both.cert)
    assert.equal((await createCertificate(createConfig('two.local'))).cert, both.cert)
  })

  it('does not grow without limit if a machine has a new name at each start', async () => {
    const listNames = (start: number) => Array.from({ length: 60 }, (_, index) => `pod-${start + index}.local`).join()
    await createCertificate(createConfig(listNames(0)))
    const { parsed } = await createCertificate(createConfig(listNames(100)))
    assert.ok(parsed.checkHost('pod-159.local'))
    assert.equal(parsed.subjectAltName?.split(', ').length, 100)
  })
})

describe('TLS_CERT and TLS_KEY', () => {
  it('are used as given, and rejected if they do not match', async () => {
    const [certPath, keyPath] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
    const { cert, key } = await createCertificate()
    writeFileSync(certPath, cert)
    writeFileSync(keyPath, key)
    const options = loadConfig({ ...environment, TLS_CERT: certPath, TLS_KEY: keyPath })
    assert.deepEqual(await loadCertificate(options), { cert, key })
    const { key: otherKey } = await createCertificate(selfSignedConfig, Date.now() + 380 * DAY_MS)
    writeFileSync(keyPath, otherKey)
    await assert.rejects(loadCertificate(options), /TLS_KEY.*the key belongs to another certificate/)
    writeFileSync(keyPath, 'no key')
    await assert.rejects(loadCertificate(options), /cannot be used/)
    rmSync(keyPath)
    await assert.rejects(loadCertificate(options), /TLS_KEY .* cannot be read/)
  })

  it('must be given together, and not with TLS=self-signed; without them the service speaks http', async () => {
    assert.throws(() => loadConfig({ TLS_CERT: 'x' }), /only one is set/)
    assert.throws(() => loadConfig({ TLS_CERT: 'x', TLS_KEY: 'y', TLS: 'self-signed' }), /allowed is one/)
    assert.throws(() => loadConfig({ TLS: 'yes' }), /TLS is/)
    assert.equal(loadConfig({}).siteUrl, 'http://127.0.0.1:8000')
    assert.equal(loadConfig({ TLS: 'self-signed' }).siteUrl, 'https://127.0.0.1:8000')
    assert.equal(await loadCertificate(loadConfig(environment)), undefined)
  })
})

describe('the service with a certificate', async () => {
  const database = await createTestDatabase()
  const { cert, key } = await createCertificate()
  const start = async (config = selfSignedConfig) => {
    const app = await buildApp({
      config,
      pool: database.pool,
      databaseUrl: database.url,
      certificate: { cert, key },
      runsBackgroundWork: false,
      log,
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    return app
  }
  const app = await start()
  after(async () => {
    await app.close()
    await database.drop()
  })
  const { port } = app.server.address() as AddressInfo
  const secure = { port, ca: cert, servername: 'localhost', headers: { host: `localhost:${port}` } }

  it('responds over https, and keeps links and cookies there', async () => {
    const { status, headers, text } = await sendRequest(requestHttps as typeof requestHttp, { ...secure, path: '/api/version/' })
    assert.equal(status, 401)
    assert.equal(headers['strict-transport-security'], undefined)
    const unknown = await sendRequest(requestHttps as typeof requestHttp, { ...secure, path: '/api/nothing/' })
    assert.equal(JSON.parse(unknown.text).url, `https://localhost:${port}/api/nothing/`)
    const response = await sendRequest(
      requestHttps as typeof requestHttp,
      {
        ...secure,
        path: '/api/web/ui_preference/',
        method: 'PUT',
        headers: { ...secure.headers, 'content-type': 'application/json' },
      },
      '{"preferred_method": "pui"}',
    )
    assert.match(String(response.headers['set-cookie']), /; Secure/)
    assert.ok(text)
  })

  it('handles several requests on one connection', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: cert, servername: 'localhost' })
    for (let round = 0; round < 5; round++)
      assert.equal((await sendRequest(requestHttps as typeof requestHttp, { ...secure, agent, path: '/livez' })).status, 200)
    agent.destroy()
  })

  it('redirects browsers from http to https, and accepts nothing else over http', async () => {
    const headers = { host: `localhost:${port}` }
    const redirect = await sendRequest(requestHttp, { port, path: '/part/7/?a=1', headers })
    assert.deepEqual([redirect.status, redirect.headers.location], [307, `https://localhost:${port}/part/7/?a=1`])
    const post = await sendRequest(requestHttp, { port, path: '/api/auth/login/', method: 'POST', headers }, '{}')
    assert.deepEqual([post.status, JSON.parse(post.text)], [400, { detail: 'This service requires HTTPS.' }])
    const invalidHost = await sendRequest(requestHttp, { port, path: '/', headers: { host: 'x/@evil.example' } })
    assert.equal(invalidHost.status, 400)
    const unknownHost = await sendRequest(requestHttp, { port, path: '/', headers: { host: 'evil.example' } })
    assert.deepEqual([unknownHost.status, unknownHost.headers.location], [400, undefined])
  })

  it('survives any other input', async () => {
    for (const bytes of [
      Buffer.from([22, 3, 1, 0, 5, 1, 2, 3, 4, 5]),
      Buffer.from('nonsense\r\n\r\n'),
      Buffer.alloc(70_000, 22),
      Buffer.from([0]),
    ]) {
      const socket = connect(port, '127.0.0.1', () => socket.end(bytes))
      socket.on('error', () => {})
      socket.resume()
      await new Promise((resolve) => socket.once('close', resolve))
    }
    const abortedSocket = connect(port, '127.0.0.1', () => abortedSocket.destroy())
    await new Promise((resolve) => abortedSocket.once('close', resolve))
    assert.equal((await sendRequest(requestHttps as typeof requestHttp, { ...secure, path: '/livez' })).status, 200)
  })

  it('sends HSTS only with a configured certificate, and if nothing else is on the host', async () => {
    for (const [SITE_URL, expected] of [
      ['https://stock.example.com', 'max-age=15552000'],
      ['https://stock.example.com:8443', undefined],
      ['http://stock.example.com', undefined],
    ] as const) {
      const otherApp = await start(loadConfig({ ...environment, SITE_URL, TLS_CERT: 'x', TLS_KEY: 'y' }))
      const { headers } = await otherApp.inject({ url: '/livez', headers: { host: 'stock.example.com' } })
      assert.equal(headers['strict-transport-security'], expected, SITE_URL)
      await otherApp.close()
    }
  })

  it('loads a new certificate without a restart', async () => {
    const setContext = mock.method(app.server as unknown as SecureServer, 'setSecureContext')
    mock.timers.enable({ apis: ['setInterval'] })
    const stop = watchCertificate(app.server, selfSignedConfig, { cert, key }, log)
    try {
      rmSync(file)
      mock.timers.tick(3_600_000)
    } finally {
      mock.timers.reset()
      stop()
    }
    const readFingerprint = () =>
      new Promise<string>((resolve) => {
        const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
          resolve(socket.getPeerX509Certificate()?.fingerprint256 ?? '')
          socket.destroy()
        })
      })
    const before = new X509Certificate(cert).fingerprint256
    await waitUntil(async () => (await readFingerprint()) !== before, 'the new certificate')
    assert.equal(new X509Certificate(readFileSync(file)).fingerprint256, await readFingerprint())
    assert.deepEqual(
      setContext.mock.calls.map(({ arguments: [options] }) => options.minVersion),
      ['TLSv1.2'],
    )
  })

  it('stops while connections are open, even those that have sent nothing', async () => {
    const otherApp = await start()
    const { port } = otherApp.server.address() as AddressInfo
    const plainSocket = connect(port, '127.0.0.1')
    const tlsSocket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
    await Promise.all([
      new Promise((resolve) => plainSocket.once('connect', resolve)),
      new Promise((resolve) => tlsSocket.once('secureConnect', resolve)),
    ])
    const closings = [plainSocket, tlsSocket].map(
      (socket) => new Promise((resolve) => socket.on('error', () => {}).once('close', resolve)),
    )
    await otherApp.close()
    await Promise.all(closings)
  })
})

describe('the URL for other machines', () => {
  it('is SITE_URL, otherwise that of a machine that listens on all interfaces, otherwise none', () => {
    const findUrl = (options: Record<string, string>, url: string) => findNetworkUrl(url, loadConfig(options))
    assert.equal(findUrl({}, 'http://127.0.0.1:8000'), undefined)
    assert.equal(findUrl({ HOST: 'localhost', SITE_URL: 'https://stock.example.com' }, 'x'), undefined)
    assert.equal(findUrl({ HOST: '0.0.0.0', SITE_URL: 'https://stock.example.com' }, 'x'), 'https://stock.example.com')
    assert.equal(findUrl({ HOST: '192.0.2.7', TLS: 'self-signed' }, 'x'), 'https://192.0.2.7:8000')
    const ownAddress = listOwnAddresses().find((ip) => ip.includes('.'))
    assert.equal(findUrl({ HOST: '0.0.0.0' }, 'https://localhost:8123'), ownAddress && `https://${ownAddress}:8123`)
  })
})
