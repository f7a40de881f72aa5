import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, beforeEach, describe, it } from 'node:test'
import { createDownload } from '../../kit/services/download.ts'
import { assertCallers, CALLERS, testService } from '../../testing/service.ts'
import { enqueueNewsFetch, fetchNews } from './fetch-news.ts'
import { readFeed } from './read-feed.ts'

let feedText = ''
const feed = createServer((_request, response) => response.end(feedText))
await new Promise<void>((resolve) => feed.listen(0, '127.0.0.1', resolve))
after(() => feed.close())
const NEWS_FEED_URL = `http://127.0.0.1:${(feed.address() as AddressInfo).port}/feed`

const service = await testService({ NEWS_FEED_URL }, { runsBackgroundWork: false })
const { staff } = service
const { services } = service.app.routes
/** Services that may fetch from this machine, which serves the tests' feed. */
const near = { ...services, download: createDownload({ allowedHosts: ['127.0.0.1'] }) }
const NEWS = '/api/news/'
const allowedCallers = ['staff', 'superuser'] as const

const now = Date.now()
const day = (days: number) => new Date(now - days * 86_400_000)
const rss = (...items: string[]) =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>x</title>${items.join('')}</channel></rss>`
const item = (id: string, days: number, more = '') =>
  `<item><guid isPermaLink="false">${id}</guid><title>News ${id}</title><link>https://example.com/${id}</link>
   <pubDate>${day(days).toUTCString()}</pubDate>${more}</item>`

const stored = () => service.rows('select * from news_entry order by feed_id')
const ids = async (query = '') =>
  (await staff.get(`${NEWS}?${query}`)).body.results.map(({ feed_id }: { feed_id: string }) => feed_id)
async function fill(): Promise<number[]> {
  feedText = rss(item('a', 3), item('b', 2), item('c', 1))
  await fetchNews(near)
  return (await stored()).map(({ pk }) => pk)
}

beforeEach(() => service.pool.query('delete from news_entry'))

describe('the feed', () => {
  it('is read as RSS and as Atom', () => {
    assert.deepEqual(readFeed(rss(item('a', 1, '<dc:creator>Ann</dc:creator><description>Short</description>')))[0], {
      ...{ feed_id: 'a', title: 'News a', link: 'https://example.com/a', author: 'Ann', summary: 'Short' },
      published: new Date(Math.floor(day(1).getTime() / 1000) * 1000).toISOString(),
    })
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>tag:1</id><title type="html">One &amp;amp; two</title>
      <link rel="self" href="https://example.com/self"/><link href="https://example.com/1"/><updated>2026-01-02T03:04:05Z</updated>
      <author><name>Ben</name></author><summary>Short</summary></entry></feed>`
    assert.deepEqual(readFeed(atom), [
      {
        ...{ feed_id: 'tag:1', link: 'https://example.com/1', author: 'Ben', summary: 'Short' },
        ...{ title: 'One &amp; two', published: '2026-01-02T03:04:05.000Z' },
      },
    ])
  })

  it('yields no HTML whatever it contains, and only links to web addresses', () => {
    const [entry] = readFeed(
      rss(
        item(
          'a',
          1,
          '<description><![CDATA[<p onclick="x()">Hello <b>you</b><script>alert(1)</script><img src=x]]></description>',
        ),
      ),
    )
    assert.equal(entry?.summary, 'Hello you img src=x')
    assert.equal(
      readFeed(rss(item('a', 1, `<description>${'&lt;b&gt;x&lt;/b&gt; '.repeat(500)}</description>`)))[0]?.summary.length,
      249,
    )
    for (const link of ['javascript:alert(1)', 'ftp://example.com/', '/here', `https://example.com/${'x'.repeat(300)}`])
      assert.deepEqual(readFeed(rss(item('a', 1).replace('https://example.com/a', link))), [])
    assert.deepEqual(
      readFeed(rss(item('a', 1).replace(/<pubDate>.*<\/pubDate>/, '<pubDate>soon</pubDate>'), item('b', -3), 'text')),
      [],
    )
  })

  it('is rejected if invalid, or if its entities would expand', () => {
    for (const text of ['', 'nothing', '<html><body/></html>', '[]', '<!DOCTYPE x [<!ENTITY a "aaa">]><rss><channel/></rss>'])
      assert.throws(() => readFeed(text))
    assert.equal(readFeed(rss(...Array.from({ length: 300 }, (_, at) => item(String(at), 1)))).length, 100)
  })

  it('is stored once, from the newest stored entry on', async () => {
    await fill()
    await fill()
    assert.deepEqual(await ids(), ['c', 'b', 'a'])
    feedText = rss(item('old', 40), item('late', 1.5), item('new', 0.5))
    await fetchNews(near)
    assert.deepEqual(await ids(), ['new', 'c', 'b', 'a'])
    await service.rows('delete from news_entry')
    await fetchNews(near)
    assert.deepEqual(await ids(), ['new', 'late'])
  })

  it('is not fetched from internal addresses, and changes nothing if unreadable', async () => {
    await fill()
    await assert.rejects(fetchNews(services), /not on the public internet/)
    feedText = 'nothing'
    await assert.rejects(fetchNews(near))
    feedText = `${rss(item('x', 0))}${' '.repeat(1_000_001)}`
    await assert.rejects(fetchNews(near), /bytes/)
    assert.equal((await stored()).length, 3)
  })

  it('is requested once a day by all nodes together, and not if none is configured', async () => {
    const jobs = () => service.rows(`select from pgboss.job where name = 'news'`)
    await enqueueNewsFetch({ ...services, config: { ...services.config, newsFeedUrl: undefined } })
    assert.equal((await jobs()).length, 0)
    await Promise.all([enqueueNewsFetch(services), enqueueNewsFetch(services)])
    await enqueueNewsFetch(services)
    assert.equal((await jobs()).length, 1)
    const { results } = (await staff.get('/api/background-task/scheduled/?search=news')).body
    assert.equal(results[0].minutes, 1_440)
  })
})

describe('GET /api/news/', () => {
  it('lists news, newest first', async () => {
    const [first] = await fill()
    await service.rows('update news_entry set read = true where pk = $1', [first])
    assert.deepEqual(await ids(), ['c', 'b', 'a'])
    assert.deepEqual(await ids('read=false'), ['c', 'b'])
    assert.deepEqual(await ids('ordering=published'), ['a', 'b', 'c'])
    assert.deepEqual(await ids('ordering=-read&limit=1'), ['a'])
  })

  it('requires a staff account', () => assertCallers(service, (client) => client.get(NEWS), allowedCallers))
})

describe('GET /api/news/{id}/', () => {
  it('returns one entry', async () => {
    const [pk] = await fill()
    const { body } = await staff.get(`${NEWS}${pk}/`)
    assert.deepEqual(body, {
      ...{ pk, feed_id: 'a', title: 'News a', link: 'https://example.com/a', author: '', summary: '', read: false },
      published: body.published,
    })
    assert.equal((await staff.get(`${NEWS}99999/`)).status, 404)
  })

  it('requires a staff account', async () => {
    const [pk] = await fill()
    await assertCallers(service, (client) => client.get(`${NEWS}${pk}/`), allowedCallers)
  })
})

for (const method of ['PUT', 'PATCH'])
  describe(`${method} /api/news/{id}/`, () => {
    it('marks an entry as read, and changes nothing else', async () => {
      const [pk] = await fill()
      const { status, body } = await staff.send(method, `${NEWS}${pk}/`, { read: true, title: 'x', link: 'javascript:x' })
      assert.deepEqual([status, body.read, body.title, body.link], [200, true, 'News a', 'https://example.com/a'])
      assert.equal((await staff.send(method, `${NEWS}${pk}/`, { read: 'perhaps' })).status, 400)
    })

    it('requires a staff account', async () => {
      const [pk] = await fill()
      await assertCallers(service, (client) => client.send(method, `${NEWS}${pk}/`, { read: true }), allowedCallers, stored)
    })
  })

describe('DELETE /api/news/{id}/', () => {
  it('deletes an entry, which does not return', async () => {
    const [pk] = await fill()
    assert.equal((await staff.delete(`${NEWS}${pk}/`)).status, 204)
    await fetchNews(near)
    assert.deepEqual(await ids(), ['c', 'b'])
  })

  it('requires a staff account', async () => {
    const [pk] = await fill()
    for (const name of CALLERS.filter((one) => !allowedCallers.some((who) => who === one)))
      assert.equal((await service[name].delete(`${NEWS}${pk}/`)).status, name === 'anonymous' ? 401 : 403)
    assert.equal((await stored()).length, 3)
  })
})

describe('DELETE /api/news/', () => {
  it('deletes several entries', async () => {
    const [first] = await fill()
    assert.equal((await staff.delete(NEWS, {})).status, 400)
    assert.equal((await staff.delete(NEWS, { items: [first] })).status, 204)
    assert.equal((await staff.delete(NEWS, { filters: { feed_id: 'b' } })).status, 204)
    assert.deepEqual(await ids(), ['c'])
  })

  it('requires a staff account', async () => {
    const [pk] = await fill()
    for (const name of CALLERS.filter((one) => !allowedCallers.some((who) => who === one)))
      assert.equal((await service[name].delete(NEWS, { items: [pk] })).status, name === 'anonymous' ? 401 : 403)
    assert.equal((await stored()).length, 3)
  })
})
