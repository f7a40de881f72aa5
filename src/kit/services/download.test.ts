import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it, test } from 'node:test'
import { ROOT } from '../../paths.ts'
import { createDownload, FetchError, isPublic } from './download.ts'

const requests: string[] = []
let server: Server
let port = 0
before(async () => {
  server = createServer((request, response) => {
    requests.push(`${request.socket.localAddress} ${request.headers.host} ${request.url}`)
    const url = request.url ?? ''
    if (url.startsWith('/to/')) response.writeHead(302, { location: decodeURIComponent(url.slice(4)) }).end()
    else if (url === '/missing') response.writeHead(404).end()
    else if (url === '/endless') {
      response.writeHead(200)
      const writeMore = () => response.destroyed || response.write(Buffer.alloc(65_536), writeMore)
      writeMore()
    } else if (url === '/silent') response.writeHead(200).flushHeaders()
    else response.end('a picture')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
after(() => {
  server.closeAllConnections()
  server.close()
})

const hosts: Record<string, string[]> = {
  'public.test': ['127.0.0.1'],
  'inside.test': ['127.0.0.2'],
  'both.test': ['127.0.0.1', '10.0.0.1'],
  'mapped.test': ['::ffff:127.0.0.2'],
}
const resolve = async (host: string) => {
  const addresses = hosts[host]
  if (!addresses) throw new Error('none')
  return addresses
}
/** In these tests 127.0.0.1 represents the public internet, and everything else is internal. */
const allowedHosts = ['127.0.0.1']
const download = createDownload({ allowedHosts, resolve })
const fetchText = async (address: string, limit = 1_000) => String(await download(address, { limit, milliseconds: 2_000 }))
const assertRejected = async (address: string, limit?: number) => {
  const before = requests.length
  await assert.rejects(fetchText(address, limit), FetchError, address)
  return requests.slice(before)
}
/** Asserts that the check rejects an address, since a failure could also mean that nothing listens there. */
const assertRejectedByCheck = async (address: string) => {
  const before = requests.length
  await assert.rejects(
    fetchText(address),
    (error) => error instanceof FetchError && /FETCH_ALLOWED_HOSTS|the host .* does not exist|invalid URL/.test(error.message),
    address,
  )
  assert.equal(requests.length, before, address)
}

describe('the checked download', () => {
  it('fetches only from addresses of the public internet', async () => {
    assert.equal(await fetchText(`http://127.0.0.1:${port}/x`), 'a picture')
    assert.equal(await fetchText(`http://public.test:${port}/x`), 'a picture')
    for (const host of [
      ...[
        '127.0.0.2',
        'inside.test',
        'both.test',
        'mapped.test',
        '[::1]',
        '[::ffff:127.0.0.2]',
        '[::ffff:7f00:2]',
        '0.0.0.0',
        '0',
      ],
      ...[
        '2130706434',
        '0x7f000002',
        '017700000002',
        '0x7f.2',
        '127.2',
        '0177.0.0.2',
        '%3127.0.0.2',
        '①27.0.0.2',
        '169.254.169.254',
      ],
      ...['nobody.test', 'localhost', 'public.test.', '[fe80::1%25lo]'],
    ])
      await assertRejectedByCheck(`http://${host}:${port}/x`)
    // the addresses of this machine are internal, whatever they are
    const ownAddresses = ['8.8.8.8', '2606:4700::1111']
    const internalDownload = createDownload({ own: () => ownAddresses, resolve: async () => ownAddresses })
    for (const host of ['8.8.8.8', '[2606:4700::1111]', '[2606:4700:0::1111]', 'here.test'])
      await assert.rejects(
        internalDownload(`http://${host}:${port}/x`, { limit: 100, milliseconds: 100 }),
        /FETCH_ALLOWED_HOSTS/,
        host,
      )
  })

  it('rejects redirects to an internal address or another scheme', async () => {
    const redirectTo = (target: string) => `http://127.0.0.1:${port}/to/${encodeURIComponent(target)}`
    assert.equal(await fetchText(redirectTo('/x')), 'a picture')
    assert.equal(await fetchText(redirectTo(`http://public.test:${port}/x`)), 'a picture')
    for (const target of [
      `http://127.0.0.2:${port}/x`,
      `http://inside.test:${port}/x`,
      'file:///etc/passwd',
      'ftp://public.test/x',
      'http://',
      `//127.0.0.2:${port}/x`,
    ])
      assert.equal((await assertRejected(redirectTo(target))).length, 1, target)
    assert.equal((await assertRejected(redirectTo(redirectTo(redirectTo(redirectTo(redirectTo('/x'))))))).length, 4)
  })

  it('looks a host up once, and connects to the address that it checked', async () => {
    let lookupCount = 0
    // a name that resolves to a different address the second time
    const rebindingDownload = createDownload({
      allowedHosts,
      resolve: async () => (lookupCount++ === 0 ? ['127.0.0.1'] : ['127.0.0.2']),
    })
    assert.equal(String(await rebindingDownload(`http://turning.test:${port}/x`, { limit: 100 })), 'a picture')
    assert.equal(lookupCount, 1)
    assert.equal(requests.at(-1), `127.0.0.1 turning.test:${port} /x`)
    await assert.rejects(rebindingDownload(`http://turning.test:${port}/x`, { limit: 100 }), FetchError)
  })

  it('limits size and time', async () => {
    await assertRejected(`http://127.0.0.1:${port}/endless`, 100_000)
    const defaultDownload = createDownload({ allowedHosts })
    await assert.rejects(defaultDownload(`http://127.0.0.1:${port}/silent`, { limit: 100, milliseconds: 100 }), /too long/)
    for (const path of ['missing']) await assertRejected(`http://127.0.0.1:${port}/${path}`)
    for (const address of [`http://user:secret@127.0.0.1:${port}/x`, 'ftp://127.0.0.1/x', 'data:,x'])
      assert.deepEqual(await assertRejected(address), [])
  })

  it('allows listed internal hosts, addresses and networks, and no others', async () => {
    const fetchWith = async (
      options: { allowed?: string[]; internalHosts?: string[]; maxRedirects?: number },
      address: string,
    ) => {
      const { allowed = [], ...rest } = options
      const restrictedDownload = createDownload({ allowedHosts: [...allowedHosts, ...allowed], resolve })
      return restrictedDownload(address, { limit: 100, milliseconds: 2_000, ...rest }).then(String, (error) => {
        if (!(error instanceof FetchError)) throw error
        return error.message.includes('FETCH_ALLOWED_HOSTS') ? 'rejected' : error.message
      })
    }
    const [insideUrl, literalUrl] = [`http://inside.test:${port}/x`, `http://127.0.0.2:${port}/x`]
    // the fake server listens only at 127.0.0.1: an allowed address without a server cannot be connected to
    const mixedUrl = `http://two.test:${port}/x`
    hosts['two.test'] = ['127.0.0.1', '127.0.0.2']
    assert.equal(await fetchWith({}, mixedUrl), 'rejected')
    for (const allowed of [['two.test'], ['127.0.0.2'], ['127.0.0.0/8'], ['::ffff:127.0.0.0/104'], ['other.test', 'two.test']])
      assert.equal(await fetchWith({ allowed }, mixedUrl), 'a picture', allowed.join())
    for (const allowed of [['test'], ['wo.test'], ['two.test.org'], ['10.0.0.0/8'], ['::1']])
      assert.equal(await fetchWith({ allowed }, mixedUrl), 'rejected', allowed.join())
    // an allowed name does not allow its address, nor its redirects
    assert.equal(await fetchWith({ allowed: ['inside.test'] }, literalUrl), 'rejected')
    const redirectTo = (target: string) => `http://two.test:${port}/to/${encodeURIComponent(target)}`
    assert.equal(await fetchWith({ allowed: ['two.test'] }, redirectTo('/x')), 'a picture')
    assert.equal(await fetchWith({ allowed: ['two.test'] }, redirectTo(insideUrl)), 'rejected')
    // hosts of one fetch, with their port
    assert.equal(
      await fetchWith({ internalHosts: [`127.0.0.1:${port}`] }, `http://127.0.0.1:${port}/to/${encodeURIComponent(insideUrl)}`),
      'rejected',
    )
    assert.equal(await fetchWith({ internalHosts: ['two.test'] }, mixedUrl), 'rejected')
    const defaultDownload = createDownload()
    assert.equal(
      String(await defaultDownload(`http://127.0.0.1:${port}/x`, { limit: 100, internalHosts: [`127.0.0.1:${port}`] })),
      'a picture',
    )
    assert.match(await fetchWith({ maxRedirects: 0 }, `http://127.0.0.1:${port}/to/%2Fx`), /redirects/)
  })

  it('distinguishes public addresses from others', () => {
    for (const address of ['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700::1111']) assert.ok(isPublic(address), address)
    for (const address of [
      '127.0.0.1',
      '10.1.2.3',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '0.0.0.0',
      '224.0.0.1',
      '255.255.255.255',
      '::1',
      '::',
      'fe80::1',
      'fd00::1',
      'ff02::1',
      '::ffff:127.0.0.1',
      '::ffff:8.8.8.8',
      '::127.0.0.1',
      'fe80::1%eth0',
      '::ffff:0:127.0.0.1',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      '2001:db8::1',
      '2001::1',
      'x',
      '',
    ])
      assert.ok(!isPublic(address), address)
  })
})

/** Modules other than the checked download that open connections, and where their addresses come from. */
const OTHER_MODULES: Record<string, string> = {
  'doctor/probe.ts': 'the environment (HOST, PORT and SITE_URL)',
  'importing/from-service/source.ts': 'the command line (import --from)',
  'kit/services/bucket.ts': 'the environment (S3_ENDPOINT)',
  'resources/email/transport.ts': 'the environment (SMTP_URL)',
  'resources/auth/social/github.ts': 'the environment (SSO_PROVIDERS)',
  'resources/auth/social/provider-client.ts': 'the environment (SSO_PROVIDERS)',
  'plugin-host/install/http-client.ts': 'a superuser, who names the package and its registry',
  'plugin-host/install/registry.ts': 'a superuser, who names the package and its registry',
  'plugins/ippprinter.ts': 'the settings of a printer',
  'plugins/zplprinter.ts': 'the settings of a printer',
}
const CONNECTION_PATTERN =
  /(?<![.\w#])fetch\(|\bundici\b|'node:(tls|http2|dgram)'|\b(get|request)\b[^;\n]*'node:https?'|\bconnect\b[^;\n]*'node:net'|'(openid-client|nodemailer|@aws-sdk\/client-s3)'/

test('only the checked download fetches URLs that a client names', () => {
  const src = join(ROOT, 'src')
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/(^(console|testing)\/|\.test\.ts$)/.test(file))
    .filter((file) => CONNECTION_PATTERN.test(readFileSync(join(src, file), 'utf8').replace(/^\s*(\/\/|\/?\*).*$/gm, '')))
  assert.deepEqual(files.sort(), [...Object.keys(OTHER_MODULES), 'kit/services/download.ts'].sort())
})
