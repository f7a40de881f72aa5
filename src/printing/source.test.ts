import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { loadConfig } from '../config.ts'
import { createDownload } from '../kit/services/download.ts'
import type { Services } from '../kit/services/services.ts'
import { readSource, SourceError } from './source.ts'

/** Another site, and the requests that it received. */
const requestedUrls: string[] = []
const site = createServer(({ url = '' }, response) => {
  requestedUrls.push(url)
  if (url === '/away') response.writeHead(302, { location: '/label.html' }).end()
  else if (url === '/large') response.end('x'.repeat(5_000))
  else if (url === '/gone') response.writeHead(404).end('<p>there is nothing here</p>')
  else response.end('<p>{{ name }}</p>')
})
let host: string
before(async () => {
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  host = `127.0.0.1:${(site.address() as AddressInfo).port}`
})
after(() => site.close())

const read = (url: string, FILE_HOSTS: string) => {
  const config = loadConfig({ SECRET_KEY: 'a test secret of thirty-two bytes or more', FILE_HOSTS, MAX_FILE_BYTES: '4096' })
  return readSource({ config, files: {} as Services['files'], download: createDownload() }, url)
}

describe('a template on another host', () => {
  it('is fetched from the configured hosts', async () => {
    assert.equal(await read(`http://${host}/label.html`, `files.example,${host}`), '<p>{{ name }}</p>')
  })

  it('is never fetched from other hosts, and no request is sent there', async () => {
    const requestCount = requestedUrls.length
    for (const url of [
      `http://${host}/label.html`,
      `http://files.example@${host}/label.html`,
      `http://${host}./label.html`,
      'file:///etc/passwd',
      'ftp://files.example/label.html',
      'javascript:files.example',
    ])
      await assert.rejects(read(url, 'files.example'), SourceError, url)
    await assert.rejects(read(`http://127.0.0.1:1@${host}/label.html`, '127.0.0.1:1'), SourceError)
    assert.equal(requestedUrls.length, requestCount)
  })

  it('is rejected when it redirects, is missing, or is too large', async () => {
    for (const path of ['away', 'gone', 'large']) await assert.rejects(read(`http://${host}/${path}`, host), SourceError, path)
    assert.deepEqual(requestedUrls.slice(-3), ['/away', '/gone', '/large'])
  })
})
