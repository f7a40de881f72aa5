import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { downloader, isPublic, NotFetched } from './download.ts'

const asked: string[] = []
let server: Server
let port = 0
before(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.socket.localAddress} ${request.headers.host} ${request.url}`)
    const url = request.url ?? ''
    if (url.startsWith('/to/')) response.writeHead(302, { location: decodeURIComponent(url.slice(4)) }).end()
    else if (url === '/missing') response.writeHead(404).end()
    else if (url === '/endless') {
      response.writeHead(200)
      const more = () => response.destroyed || response.write(Buffer.alloc(65_536), more)
      more()
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

/** Here 127.0.0.1 stands for the public internet, and everything else for the house. */
const isAllowed = (address: string) => address === '127.0.0.1'
const hosts: Record<string, string[]> = {
  'public.test': ['127.0.0.1'],
  'inside.test': ['127.0.0.2'],
  'both.test': ['127.0.0.1', '10.0.0.1'],
}
const download = downloader({
  isAllowed,
  resolve: async (host) => {
    const found = hosts[host]
    if (!found) throw new Error('none')
    return found
  },
})
const fetched = async (address: string, limit = 1_000) => String(await download(address, { limit, milliseconds: 2_000 }))
const refused = async (address: string, limit?: number) => {
  const before = asked.length
  await assert.rejects(fetched(address, limit), NotFetched, address)
  return asked.slice(before)
}

describe('what is fetched from elsewhere', () => {
  it('comes from addresses of the public internet alone', async () => {
    assert.equal(await fetched(`http://127.0.0.1:${port}/x`), 'a picture')
    assert.equal(await fetched(`http://public.test:${port}/x`), 'a picture')
    for (const host of ['127.0.0.2', 'inside.test', 'both.test', '[::1]', '2130706434', '0x7f.2', 'nobody.test', 'localhost'])
      assert.deepEqual(await refused(`http://${host}:${port}/x`), [], host)
  })

  it('is not reached by way of another address', async () => {
    const by = (to: string) => `http://127.0.0.1:${port}/to/${encodeURIComponent(to)}`
    assert.equal(await fetched(by('/x')), 'a picture')
    assert.equal(await fetched(by(`http://public.test:${port}/x`)), 'a picture')
    for (const to of [
      `http://127.0.0.2:${port}/x`,
      `http://inside.test:${port}/x`,
      'file:///etc/passwd',
      'ftp://public.test/x',
      'http://',
      `//127.0.0.2:${port}/x`,
    ])
      assert.equal((await refused(by(to))).length, 1, to)
    assert.equal((await refused(by(by(by(by(by('/x'))))))).length, 4)
  })

  it('is looked up once, and connected to as it was checked', async () => {
    let times = 0
    // a name that stands for something else when it is asked again
    const turning = downloader({ isAllowed, resolve: async () => (times++ === 0 ? ['127.0.0.1'] : ['127.0.0.2']) })
    assert.equal(String(await turning(`http://turning.test:${port}/x`, { limit: 100 })), 'a picture')
    assert.equal(times, 1)
    assert.equal(asked.at(-1), `127.0.0.1 turning.test:${port} /x`)
    await assert.rejects(turning(`http://turning.test:${port}/x`, { limit: 100 }), NotFetched)
  })

  it('is bounded in size and time', async () => {
    await refused(`http://127.0.0.1:${port}/endless`, 100_000)
    const slow = downloader({ isAllowed })
    await assert.rejects(slow(`http://127.0.0.1:${port}/silent`, { limit: 100, milliseconds: 100 }), /too long/)
    for (const path of ['missing']) await refused(`http://127.0.0.1:${port}/${path}`)
    for (const address of [`http://user:secret@127.0.0.1:${port}/x`, 'ftp://127.0.0.1/x', 'data:,x'])
      assert.deepEqual(await refused(address), [])
  })

  it('knows which addresses are public', () => {
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
