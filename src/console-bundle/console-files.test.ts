import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { testService } from '../testing/service.ts'
import { getBundleFolder } from './bundled.ts'

const { anonymous } = await testService()
const BROWSER = { accept: 'text/html,application/xhtml+xml' }
const folder = getBundleFolder()
const page = readFileSync(join(folder, 'index.html'), 'utf8')
const files = readdirSync(folder)
const findFiles = (pattern: RegExp) => files.filter((name) => pattern.test(name))

/** Limit of compressed script for the first load of a page, in kilobytes. */
const MAX_SCRIPT_KB = 200
/** The template editor and its viewer of PDFs, which no other page loads. */
const EDITOR = /^(template-page|pdf-pages)-/

/** Collects a script and its static imports, without those that it loads later. */
function collectImports(name: string, collected = new Set<string>()): Set<string> {
  if (collected.has(name)) return collected
  collected.add(name)
  const text = readFileSync(join(folder, name), 'utf8')
  for (const [, other] of text.matchAll(/(?:from|import)\s*"\/console\/([^"]+\.js)"/g)) collectImports(String(other), collected)
  return collected
}

describe('the page of the console', () => {
  for (const path of ['/', '/company/', '/company/7/?search=x', '/stock/location/3/', '/no/such/page'])
    it(`is served at ${path}`, async () => {
      const response = await anonymous.get(path, BROWSER)
      assert.equal(response.status, 200)
      assert.equal(response.text, page)
      assert.equal(response.headers['content-type'], 'text/html; charset=utf-8')
      assert.equal(response.headers['cache-control'], 'no-cache')
      assert.equal(response.headers['x-content-type-options'], 'nosniff')
      const policy = String(response.headers['content-security-policy'])
      for (const part of [
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
      ])
        assert.ok(policy.split('; ').includes(part), policy)
      assert.ok(!policy.includes("'unsafe"), policy)
      const secondResponse = await anonymous.get(path, { ...BROWSER, 'if-none-match': String(response.headers.etag) })
      assert.equal(secondResponse.status, 304)
    })

  it('is not served under the paths of the API and other pages, nor to programs that request an unknown path', async () => {
    for (const path of ['/api/nothing/', '/media/nothing.png', '/static/nothing.png', '/plugin/nothing/x', '/accounts/nothing/'])
      assert.notEqual((await anonymous.get(path, BROWSER)).text, page, path)
    assert.equal((await anonymous.get('/api/nothing/', BROWSER)).status, 404)
    assert.deepEqual((await anonymous.get('/company/')).status, 404)
    assert.equal((await anonymous.post('/company/', {}, BROWSER)).status, 404)
  })

  it('has nothing inline and nothing from other hosts', () => {
    assert.ok(!/<script(?![^>]* src=)|<style|\son\w+=|\sstyle=|https?:/.test(page), page)
  })
})

describe('/service-worker.js', () => {
  it('caches the files of this bundle alone, and is revalidated each time', async () => {
    const { status, headers, text } = await anonymous.get('/service-worker.js')
    assert.equal(status, 200)
    assert.equal(headers['cache-control'], 'no-cache')
    assert.equal(headers['content-type'], 'text/javascript; charset=utf-8')
    assert.equal(headers['content-security-policy'], "default-src 'none'; connect-src 'self'")
    const cachedFiles = [...text.matchAll(/"\/console\/([^"]+\.\w+)"/g)].map(([, name]) => name)
    // of the typeface only what German, English and units need; others load when a page shows them
    const expected = files.filter(
      (name) => !EDITOR.test(name) && /-[A-Z0-9]{8}\.(js|css|svg)$|^inter-(latin|latin-ext|greek)-wght.*\.woff2$/.test(name),
    )
    assert.equal(expected.filter((name) => name.endsWith('.woff2')).length, 3)
    assert.deepEqual(cachedFiles.toSorted(), expected.toSorted())
  })

  it('unregisters itself when CONSOLE_OFFLINE is off', async () => {
    const { anonymous: other } = await testService({ CONSOLE_OFFLINE: 'false' })
    const { status, text } = await other.get('/service-worker.js')
    assert.equal(status, 200)
    assert.match(text, /unregister/)
    assert.ok(!text.includes('fetch'))
  })
})

describe('/console/', () => {
  it('has files with a content hash in their names, which browsers cache', async () => {
    for (const [, path = ''] of page.matchAll(/(?:src|href)="(\/console\/[^"]+)"/g)) {
      assert.match(path, /-[A-Z0-9]{8}\.(js|css|svg|woff2)$/)
      const response = await anonymous.get(path, { 'accept-encoding': 'identity' })
      assert.equal(response.status, 200, path)
      assert.equal(response.headers['cache-control'], 'public, max-age=31536000, immutable')
      assert.match(String(response.headers['content-type']), /javascript|css|svg|woff2/)
    }
  })

  it('sends files compressed to clients that accept that', async () => {
    const [main] = findFiles(/^main-.*\.js$/)
    for (const encoding of ['br', 'gzip']) {
      const response = await anonymous.get(`/console/${main}`, { 'accept-encoding': encoding })
      assert.equal(response.headers['content-encoding'], encoding)
    }
    assert.equal(
      gunzipSync(readFileSync(join(folder, `${main}.gz`))).toString(),
      readFileSync(join(folder, String(main)), 'utf8'),
    )
  })

  it('has no other files', async () => {
    for (const path of [
      '/console/',
      '/console/service-worker.js',
      '/console/index.html',
      '/console/nothing.js',
      '/console/..%2Fpackage.json',
    ])
      assert.equal((await anonymous.get(path, BROWSER)).status, 404, path)
  })

  it(`needs less than ${MAX_SCRIPT_KB} KB of compressed script, whichever page is opened first`, () => {
    const [main = ''] = findFiles(/^main-.*\.js$/)
    const sizes = findFiles(/\.js$/)
      .filter((name) => !EDITOR.test(name))
      .map((name) => {
        const scripts = new Set([...collectImports(main), ...collectImports(name)])
        const bytes = [...scripts].reduce((sum, script) => sum + gzipSync(readFileSync(join(folder, script))).length, 0)
        return { name, kilobytes: Math.round(bytes / 1_000) }
      })
    assert.ok(sizes.length > 10)
    assert.deepEqual(
      sizes.filter(({ kilobytes }) => kilobytes >= MAX_SCRIPT_KB),
      [],
    )
  })
})
