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
const localServices = { ...services, download: createDownload({ allowedHosts: ['127.0.0.1'] }) }
const NEWS = '/api/news/'
const allowedCallers = ['staff', 'superuser'] as const

const now = Date.now()
const daysAgo = (days: number) => new Date(now - days * 86_400_000)
const createRss = (...items: string[]) =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>x</title>${items.join('')}</channel></rss>`
const createItem = (id: string, days: number, more = '') =>
  `<item><guid isPermaLink="false">${id}</guid><title>News ${id}</title><link>https://example.com/${id}</link>
   <pubDate>${daysAgo(days).toUTCString()}</pubDate>${more}</item>`

const readEntries = () => service.rows('select * from news_entry order by feed_id')
const listIds = async (query = '') =>
  (await staff.get(`${NEWS}?${query}`)).body.results.map(({ feed_id }: { feed_id: string }) => feed_id)
async function storeEntries(): Promise<number[]> {
  feedText = createRss(createItem('a', 3), createItem('b', 2), createItem('c', 1))
  await fetchNews(localServices)
  return (await readEntries()).map(({ pk }) => pk)
}

beforeEach(() => service.pool.query('delete from news_entry'))

describe('the feed', () => {
  it('is read as RSS and as Atom', () => {
    assert.deepEqual(readFeed(createRss(createItem('a', 1, '<dc:creator>Ann</dc:creator><description>Short</description>')))[0], {
      ...{ feed_id: 'a', title: 'News a', link: 'https://example.com/a', author: 'Ann', summary: 'Short' },
      published: new Date(Math.floor(daysAgo(1).getTime() / 1000) * 1000).toISOString(),
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
      createRss(
        createItem(
          'a',
          1,
          '<description><![CDATA[<p onclick="x()">Hello <b>you</b><script>alert(1)</script><img src=x]]></description>',
        ),
      ),
    )
    assert.equal(entry?.summary, 'Hello you img src=x')
    assert.equal(
      readFeed(createRss(createItem('a', 1, `<description>${'&lt;b&gt;x&lt;/b&gt; '.repeat(500)}</description>`)))[0]?.summary
        .length,
      249,
    )
    for (const link of ['javascript:alert(1)', 'ftp://example.com/', '/here', `https://example.com/${'x'.repeat(300)}`])
      assert.deepEqual(readFeed(createRss(createItem('a', 1).replace('https://example.com/a', link))), [])
    assert.deepEqual(
      readFeed(
        createRss(createItem('a', 1).replace(/<pubDate>.*<\/pubDate>/, '<pubDate>soon</pubDate>'), createItem('b', -3), 'text'),
      ),
      [],
    )
  })

  it('is rejected if invalid, or if its entities would expand', () => {
    for (const text of ['', 'nothing', '<html><body/></html>', '[]', '<!DOCTYPE x [<!ENTITY a "aaa">]><rss><channel/></rss>'])
      assert.throws(() => readFeed(text))
    assert.equal(readFeed(createRss(...Array.from({ length: 300 }, (_, index) => createItem(String(index), 1)))).length, 100)
  })

  it('is stored without duplicates, and only entries newer than the newest stored one', async () => {
    await storeEntries()
    await storeEntries()
    assert.deepEqual(await listIds(), ['c', 'b', 'a'])
    feedText = createRss(createItem('old', 40), createItem('late', 1.5), createItem('new', 0.5))
    await fetchNews(localServices)
    assert.deepEqual(await listIds(), ['new', 'c', 'b', 'a'])
    await service.rows('delete from news_entry')
    await fetchNews(localServices)
    assert.deepEqual(await listIds(), ['new', 'late'])
  })

  it('is not fetched from internal addresses, and changes nothing if unreadable', async () => {
    await storeEntries()
    await assert.rejects(fetchNews(services), /not on the public internet/)
    feedText = 'nothing'
    await assert.rejects(fetchNews(localServices))
    feedText = `${createRss(createItem('x', 0))}${' '.repeat(1_000_001)}`
    await assert.rejects(fetchNews(localServices), /bytes/)
    assert.equal((await readEntries()).length, 3)
  })

  it('is requested once a day by all nodes together, and not if none is configured', async () => {
    const listJobs = () => service.rows(`select from pgboss.job where name = 'news'`)
    await enqueueNewsFetch({ ...services, config: { ...services.config, newsFeedUrl: undefined } })
    assert.equal((await listJobs()).length, 0)
    await Promise.all([enqueueNewsFetch(services), enqueueNewsFetch(services)])
    await enqueueNewsFetch(services)
    assert.equal((await listJobs()).length, 1)
    const { results } = (await staff.get('/api/background-task/scheduled/?search=news')).body
    assert.equal(results[0].minutes, 1_440)
  })
})

describe('GET /api/news/', () => {
  it('lists news, newest first', async () => {
    const [first] = await storeEntries()
    await service.rows('update news_entry set read = true where pk = $1', [first])
    assert.deepEqual(await listIds(), ['c', 'b', 'a'])
    assert.deepEqual(await listIds('read=false'), ['c', 'b'])
    assert.deepEqual(await listIds('ordering=published'), ['a', 'b', 'c'])
    assert.deepEqual(await listIds('ordering=-read&limit=1'), ['a'])
  })

  it('requires a staff account', () => assertCallers(service, (client) => client.get(NEWS), allowedCallers))
})

describe('GET /api/news/{id}/', () => {
  it('returns one entry', async () => {
    const [pk] = await storeEntries()
    const { body } = await staff.get(`${NEWS}${pk}/`)
    assert.deepEqual(body, {
      ...{ pk, feed_id: 'a', title: 'News a', link: 'https://example.com/a', author: '', summary: '', read: false },
      published: body.published,
    })
    assert.equal((await staff.get(`${NEWS}99999/`)).status, 404)
  })

  it('requires a staff account', async () => {
    const [pk] = await storeEntries()
    await assertCallers(service, (client) => client.get(`${NEWS}${pk}/`), allowedCallers)
  })
})

for (const method of ['PUT', 'PATCH'])
  describe(`${method} /api/news/{id}/`, () => {
    it('marks an entry as read, and changes nothing else', async () => {
      const [pk] = await storeEntries()
      const { status, body } = await staff.send(method, `${NEWS}${pk}/`, { read: true, title: 'x', link: 'javascript:x' })
      assert.deepEqual([status, body.read, body.title, body.link], [200, true, 'News a', 'https://example.com/a'])
      assert.equal((await staff.send(method, `${NEWS}${pk}/`, { read: 'perhaps' })).status, 400)
    })

    it('requires a staff account', async () => {
      const [pk] = await storeEntries()
      await assertCallers(service, (client) => client.send(method, `${NEWS}${pk}/`, { read: true }), allowedCallers, readEntries)
    })
  })

describe('DELETE /api/news/{id}/', () => {
  it('deletes an entry, which the next fetch does not add back', async () => {
    const [pk] = await storeEntries()
    assert.equal((await staff.delete(`${NEWS}${pk}/`)).status, 204)
    await fetchNews(localServices)
    assert.deepEqual(await listIds(), ['c', 'b'])
  })

  it('requires a staff account', async () => {
    const [pk] = await storeEntries()
    for (const name of CALLERS.filter((caller) => !allowedCallers.some((allowedCaller) => allowedCaller === caller)))
      assert.equal((await service[name].delete(`${NEWS}${pk}/`)).status, name === 'anonymous' ? 401 : 403)
    assert.equal((await readEntries()).length, 3)
  })
})

describe('DELETE /api/news/', () => {
  it('deletes several entries', async () => {
    const [first] = await storeEntries()
    assert.equal((await staff.delete(NEWS, {})).status, 400)
    assert.equal((await staff.delete(NEWS, { items: [first] })).status, 204)
    assert.equal((await staff.delete(NEWS, { filters: { feed_id: 'b' } })).status, 204)
    assert.deepEqual(await listIds(), ['c'])
  })

  it('requires a staff account', async () => {
    const [pk] = await storeEntries()
    for (const name of CALLERS.filter((caller) => !allowedCallers.some((allowedCaller) => allowedCaller === caller)))
      assert.equal((await service[name].delete(NEWS, { items: [pk] })).status, name === 'anonymous' ? 401 : 403)
    assert.equal((await readEntries()).length, 3)
  })
})
