import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Client, type TestResponse, testService } from '../../testing/service.ts'
import { scaleTimeout } from '../../testing/slowness.ts'
import { waitUntil } from '../../testing/until.ts'

const service = await testService()
const { viewer } = service
await service.rows(`insert into part (name, "IPN") select 'Part ' || n, 'P' || n from generate_series(1, 20) n`)

const query = (parameters: Record<string, string>) => `?${new URLSearchParams(parameters)}`
const search = (path: string, term: string) => viewer.get(`${path}${query({ search: term, search_regex: 'true' })}`)
const parts = (parameters: Record<string, string>) => viewer.get(`/api/part/${query(parameters)}`)

/** Runs work while the parts are locked: every reader waits, holding a connection. */
async function whileLocked<T>(work: () => Promise<T>): Promise<T> {
  const client = await service.pool.connect()
  try {
    await client.query('begin; lock table part in access exclusive mode')
    return await work()
  } finally {
    await client.query('rollback')
    client.release()
  }
}

const waiting = async () =>
  (
    await service.rows(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '% from "part"%'`,
    )
  ).length

describe('a regular expression of a client', () => {
  it('returns 400 naming only its parameter if PostgreSQL rejects it', async () => {
    const rejections = { name_regex: ['Enter a valid regular expression.'] }
    for (const expression of [
      '(',
      '[',
      'a{2,1}',
      'a{256}',
      '*',
      'a**',
      '\\',
      '[[:foo:]]',
      '[b-a]',
      '(?z)a',
      '\\xdeadbeef',
      '(?<n>a)',
    ])
      assert.deepEqual(await parts({ name_regex: expression, IPN_regex: '^P' }).then(({ body }) => body), rejections, expression)
    assert.deepEqual(Object.keys((await parts({ name_regex: '(', IPN_regex: '[' })).body), ['name_regex', 'IPN_regex'])
    assert.deepEqual((await search('/api/part/', '(')).body, { search: rejections.name_regex })
  })

  it('returns 400 before PostgreSQL sees it if it could take long', async () => {
    for (const expression of ['(.*)(.*)\\1\\2x', '((a{1,100}){1,100}){1,5}', '(?=.*(?=.*x))', '***=a', 'x'.repeat(501)]) {
      assert.deepEqual(Object.keys((await parts({ name_regex: expression })).body), ['name_regex'], expression)
      const path = `/api/stock/${query({ batch_regex: expression, search: 'x' })}`
      assert.deepEqual(Object.keys((await viewer.get(path)).body), ['batch_regex'], expression)
    }
    assert.deepEqual(Object.keys((await search('/api/part/', '(.*)\\1')).body), ['search'])
    // a search term is not a regular expression
    assert.equal((await parts({ search: '(.*)\\1' })).status, 200)
  })

  it('finds the rows that it matches', async () => {
    const names = async (response: Promise<TestResponse>) =>
      (await response).body.results.map(({ name }: { name: string }) => name)
    assert.deepEqual(await names(parts({ name_regex: '^part 1$' })), ['Part 1'])
    assert.deepEqual(await names(parts({ name_regex: '^Part (?!1)[12]$', IPN_regex: 'P.' })), ['Part 2'])
    assert.deepEqual(await names(search('/api/part/', '^P1[34]$')), ['Part 13', 'Part 14'])
  })

  it('is canceled after two seconds with 400, holds few connections until then, and leaves turns to waiting requests', async () => {
    const slow = await whileLocked(async () => {
      const began = Date.now()
      const requests = Array.from({ length: 8 }, async (_, number) => {
        const response = await parts({ name_regex: `x{${number}}`, search: 'part' })
        return { ...response, after: Date.now() - began }
      })
      await waitUntil(async () => (await waiting()) === 2, 'no expression is looked for')
      for (let round = 0; round < 10; round++) {
        const before = performance.now()
        assert.equal((await viewer.get('/api/company/')).status, 200)
        assert.ok(performance.now() - before < scaleTimeout(1_500), 'other requests wait')
        assert.ok((await waiting()) <= 2)
      }
      return await Promise.all(requests)
    })
    const rejections = slow.filter(({ status }) => status === 400)
    // of eight, two at a time, the last would begin after six seconds
    assert.ok(rejections.length >= 4 && rejections.length < 8, `${rejections.length} were refused`)
    for (const { body, after } of rejections) {
      assert.deepEqual(body, { name_regex: ['This regular expression takes too long.'] })
      assert.ok(after >= 2_000)
    }
    for (const { status, headers, body } of slow.filter((response) => !rejections.includes(response))) {
      assert.equal(status, 503)
      assert.equal(headers['retry-after'], '5')
      assert.match(body.detail, /regular expression/)
    }
    assert.equal((await parts({ name_regex: '^Part 1$' })).body.count, 1)
  })

  it('waits for the turn of its account, however many requests another one sends', async () => {
    const completedNames: string[] = []
    const ask = async (client: Client, name: string) => {
      await client.get(`/api/part/${query({ name_regex: `${name}|Part` })}`)
      completedNames.push(name)
    }
    const all = await whileLocked(async () => {
      const viewerRequests = Array.from({ length: 7 }, (_, at) => ask(viewer, `v${at}`))
      await waitUntil(async () => (await waiting()) === 2, 'no expression is looked for')
      const other = ask(service.member, 'other')
      // it has arrived when a request sent after it returns
      await service.member.get('/api/company/')
      return [...viewerRequests, other]
    })
    await Promise.all(all)
    assert.ok(completedNames.indexOf('other') < 5, completedNames.join(' '))
  })

  it('does not affect the time limit of other lists', async () => {
    await whileLocked(async () => {
      const plain = parts({ search: 'part' })
      assert.equal((await parts({ name_regex: 'x' })).status, 400)
      assert.equal(await Promise.race([plain, 'waits']), 'waits')
      await service.rows(
        `select pg_cancel_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      )
      assert.equal((await plain).status, 503)
    })
    const [{ limit }] = await service.rows(`select current_setting('statement_timeout') as limit`)
    assert.equal(limit, '30s')
  })

  it('never causes a 500', async () => {
    const piece = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...'()[]{}*+?|^$.\\,-:=!<>#&1290abZ é\n') },
      fc.constantFrom(
        '(?:',
        '(?=',
        '(?!',
        '(?<=',
        '(?<!',
        '(?#',
        '[[:alpha:]]',
        '[[.',
        '[[=a=]]',
        '\\d',
        '\\Y',
        '\\m',
        '\\u00e9',
        '(?i)',
        '{1,9}',
        '{3,}',
        '***',
      ),
      fc.string({ maxLength: 3, unit: 'binary' }),
    )
    const expression = fc.array(piece, { minLength: 1, maxLength: 30 }).map((pieces) => pieces.join('').replaceAll('\0', ''))
    await fc.assert(
      fc.asyncProperty(expression, async (text) => {
        for (const response of [await parts({ name_regex: text }), await search('/api/stock/', text)])
          assert.ok([200, 400].includes(response.status), response.text)
      }),
      { numRuns: 150 },
    )
  })
})
