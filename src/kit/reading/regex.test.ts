import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Client, type TestResponse, testService } from '../../testing/service.ts'
import { scaleTimeout } from '../../testing/slowness.ts'
import { waitUntil } from '../../testing/until.ts'

const service = await testService()
const { viewer } = service
await service.rows(`insert into part (name, "IPN") select 'Part ' || n, 'P' || n from generate_series(1, 20) n`)

const buildQuery = (parameters: Record<string, string>) => `?${new URLSearchParams(parameters)}`
const search = (path: string, term: string) => viewer.get(`${path}${buildQuery({ search: term, search_regex: 'true' })}`)
const listParts = (parameters: Record<string, string>) => viewer.get(`/api/part/${buildQuery(parameters)}`)

/** Runs a callback while the parts are locked: every reader waits, holding a connection. */
async function runWhileLocked<T>(callback: () => Promise<T>): Promise<T> {
  const client = await service.pool.connect()
  try {
    await client.query('begin; lock table part in access exclusive mode')
    return await callback()
  } finally {
    await client.query('rollback')
    client.release()
  }
}

const countWaiting = async () =>
  (
    await service.rows(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '% from "part"%'`,
    )
  ).length

describe('a regular expression in a request', () => {
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
      assert.deepEqual(
        await listParts({ name_regex: expression, IPN_regex: '^P' }).then(({ body }) => body),
        rejections,
        expression,
      )
    assert.deepEqual(Object.keys((await listParts({ name_regex: '(', IPN_regex: '[' })).body), ['name_regex', 'IPN_regex'])
    assert.deepEqual((await search('/api/part/', '(')).body, { search: rejections.name_regex })
  })

  it('returns 400 before PostgreSQL sees it if it could take long', async () => {
    for (const expression of ['(.*)(.*)\\1\\2x', '((a{1,100}){1,100}){1,5}', '(?=.*(?=.*x))', '***=a', 'x'.repeat(501)]) {
      assert.deepEqual(Object.keys((await listParts({ name_regex: expression })).body), ['name_regex'], expression)
      const path = `/api/stock/${buildQuery({ batch_regex: expression, search: 'x' })}`
      assert.deepEqual(Object.keys((await viewer.get(path)).body), ['batch_regex'], expression)
    }
    assert.deepEqual(Object.keys((await search('/api/part/', '(.*)\\1')).body), ['search'])
    // a search term is not a regular expression
    assert.equal((await listParts({ search: '(.*)\\1' })).status, 200)
  })

  it('finds the rows that it matches', async () => {
    const readNames = async (response: Promise<TestResponse>) =>
      (await response).body.results.map(({ name }: { name: string }) => name)
    assert.deepEqual(await readNames(listParts({ name_regex: '^part 1$' })), ['Part 1'])
    assert.deepEqual(await readNames(listParts({ name_regex: '^Part (?!1)[12]$', IPN_regex: 'P.' })), ['Part 2'])
    assert.deepEqual(await readNames(search('/api/part/', '^P1[34]$')), ['Part 13', 'Part 14'])
  })

  it('is canceled after two seconds with 400, holds few connections until then, and leaves turns to waiting requests', async () => {
    const responses = await runWhileLocked(async () => {
      const startTime = Date.now()
      const requests = Array.from({ length: 8 }, async (_, number) => {
        const response = await listParts({ name_regex: `x{${number}}`, search: 'part' })
        return { ...response, after: Date.now() - startTime }
      })
      await waitUntil(async () => (await countWaiting()) === 2, 'no search is waiting')
      for (let round = 0; round < 10; round++) {
        const before = performance.now()
        assert.equal((await viewer.get('/api/company/')).status, 200)
        assert.ok(performance.now() - before < scaleTimeout(1_500), 'other requests wait')
        assert.ok((await countWaiting()) <= 2)
      }
      return await Promise.all(requests)
    })
    const rejections = responses.filter(({ status }) => status === 400)
    // of eight, two at a time, the last would begin after six seconds
    assert.ok(rejections.length >= 4 && rejections.length < 8, `${rejections.length} were rejected`)
    for (const { body, after } of rejections) {
      assert.deepEqual(body, { name_regex: ['This regular expression takes too long.'] })
      assert.ok(after >= 2_000)
    }
    for (const { status, headers, body } of responses.filter((response) => !rejections.includes(response))) {
      assert.equal(status, 503)
      assert.equal(headers['retry-after'], '5')
      assert.match(body.detail, /regular expression/)
    }
    assert.equal((await listParts({ name_regex: '^Part 1$' })).body.count, 1)
  })

  it('waits for the turn of its account, however many requests another one sends', async () => {
    const completedNames: string[] = []
    // its account is known then, so that its search is not behind in reading it
    await service.member.get(`/api/part/${buildQuery({ name_regex: 'Part' })}`)
    const sendSearch = async (client: Client, name: string) => {
      await client.get(`/api/part/${buildQuery({ name_regex: `${name}|Part` })}`)
      completedNames.push(name)
    }
    const all = await runWhileLocked(async () => {
      const viewerRequests = Array.from({ length: 30 }, (_, index) => sendSearch(viewer, `v${index}`))
      await waitUntil(async () => (await countWaiting()) === 2, 'no search is waiting')
      const other = sendSearch(service.member, 'other')
      // it has arrived when requests sent after it return
      for (let count = 0; count < 3; count++) await service.member.get('/api/company/')
      return [...viewerRequests, other]
    })
    await Promise.all(all)
    assert.ok(completedNames.indexOf('other') < 5, completedNames.join(' '))
  })

  it('does not affect the time limit of other lists', async () => {
    await runWhileLocked(async () => {
      const plainRequest = listParts({ search: 'part' })
      assert.equal((await listParts({ name_regex: 'x' })).status, 400)
      assert.equal(await Promise.race([plainRequest, 'waits']), 'waits')
      await service.rows(
        `select pg_cancel_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      )
      assert.equal((await plainRequest).status, 503)
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
        for (const response of [await listParts({ name_regex: text }), await search('/api/stock/', text)])
          assert.ok([200, 400].includes(response.status), response.text)
      }),
      { numRuns: 150 },
    )
  })
})
