import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { testService } from '../testing/service.ts'
import { getDocsFolder } from './bundled.ts'

const { anonymous } = await testService()
const folder = getDocsFolder()
/** The text of each page by its URL. */
const pages = new Map(
  globSync('**/index.html', { cwd: folder }).map((path) => {
    const name = dirname(path)
    return [name === '.' ? '/docs/' : `/docs/${name}/`, readFileSync(join(folder, path), 'utf8')] as const
  }),
)
const BROWSER = { accept: 'text/html', 'accept-encoding': 'identity' }

describe('/docs/', () => {
  it('has the getting started guide, and links to all pages', async () => {
    const { status, text } = await anonymous.get('/docs/', BROWSER)
    assert.equal(status, 200)
    for (const url of pages.keys()) assert.ok(text.includes(`href="${url}"`), url)
    assert.match((await anonymous.get('/docs/getting-started/', BROWSER)).text, /<h1 id="getting-started">Getting started<\/h1>/)
  })

  it('allows scripts, styles and images of this service alone, and needs nothing else', async () => {
    for (const [url, page] of pages) {
      const { headers } = await anonymous.get(url, BROWSER)
      assert.equal(headers['content-type'], 'text/html; charset=utf-8')
      assert.equal(headers['x-content-type-options'], 'nosniff')
      const policy = String(headers['content-security-policy']).split('; ')
      for (const part of [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
      ])
        assert.ok(policy.includes(part), part)
      assert.ok(!policy.some((part) => part.includes('unsafe')))
      assert.ok(!/<script(?![^>]* src=)|<style|<[^>]*\s(on\w+|style)=|src="https?:/.test(page), url)
    }
  })

  it('is compressed for browsers that accept it, and revalidated by each encoding', async () => {
    for (const encoding of ['br', 'gzip', 'identity']) {
      const response = await anonymous.get('/docs/getting-started/', { ...BROWSER, 'accept-encoding': encoding })
      assert.equal(response.headers['content-encoding'] ?? 'identity', encoding)
      assert.equal(response.headers['cache-control'], 'no-cache')
      const headers = { ...BROWSER, 'accept-encoding': encoding, 'if-none-match': String(response.headers.etag) }
      assert.equal((await anonymous.get('/docs/getting-started/', headers)).status, 304)
    }
    const [one, other] = await Promise.all(
      ['gzip', 'identity'].map((encoding) => anonymous.get('/docs/', { 'accept-encoding': encoding })),
    )
    assert.notEqual(one?.headers.etag, other?.headers.etag)
  })

  it('is also found without the slash at the end', async () => {
    for (const path of ['/docs', '/docs/getting-started']) {
      const { status, headers } = await anonymous.get(path, BROWSER)
      assert.equal(status, 301)
      assert.equal(headers.location, `${path}/`)
    }
  })

  it('has files with a hash in their names, which browsers cache', async () => {
    const files = new Set(
      [...pages.values()].flatMap((page) => [...page.matchAll(/"(\/docs\/files\/[^"]+)"/g)].map(([, path]) => path)),
    )
    assert.ok(files.size >= 4)
    for (const path of files) {
      assert.match(String(path), /-[A-Z0-9]{8}\.(js|css|svg|json|png|jpg|webp)$/)
      const { status, headers } = await anonymous.get(String(path), { 'accept-encoding': 'identity' })
      assert.equal(status, 200, path)
      assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    }
  })

  it('has no dead links between its pages', () => {
    const dead: string[] = []
    for (const [url, page] of pages)
      for (const [, href = ''] of page.matchAll(/<a [^>]*href="((?:\/docs\/|#)[^"]*)"/g)) {
        const [path, anchor] = href.split('#') as [string, string?]
        const target = pages.get(path || url)
        const id = decodeURIComponent(anchor ?? 'page')
        if (!target?.includes(`id="${id}"`)) dead.push(`${url}: ${href}`)
      }
    assert.deepEqual(dead, [])
  })

  it('has the text of each section in the index of the search', async () => {
    const [, path] = /data-index="([^"]+)"/.exec(pages.get('/docs/') ?? '') ?? []
    const { text } = await anonymous.get(String(path), { 'accept-encoding': 'identity' })
    const sections = JSON.parse(text) as { url: string; page: string; heading: string; text: string }[]
    assert.ok(
      sections.some(({ url, page, text }) => url === '/docs/getting-started/' && page === 'Getting started' && text.length > 20),
    )
    for (const { url } of sections) assert.ok(pages.has(String(url.split('#')[0])), url)
  })

  it('has no other pages, and the console has none of its paths', async () => {
    for (const path of [
      '/docs/nothing/',
      '/docs/files/nothing.js',
      '/docs/adr/',
      '/docs/architecture/',
      '/docs/..%2Fpackage.json',
    ])
      assert.equal((await anonymous.get(path, BROWSER)).status, 404, path)
  })
})
