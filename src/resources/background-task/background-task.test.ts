import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { waitForListeners } from '../../testing/listeners-caught-up.ts'
import { assertCallers, testService } from '../../testing/service.ts'

// a process that enqueues jobs and runs none: they stay pending
const service = await testService({}, { runsBackgroundWork: false })
const { staff, pool } = service
const TASKS = '/api/background-task/'
const allowedAccounts = ['staff', 'superuser'] as const
const listJobs = async (): Promise<string[]> =>
  (await service.rows('select name, state from pgboss.job order by created_on, name')).map(
    ({ name, state }) => `${name} ${state}`,
  )

beforeEach(async () => {
  await pool.query('delete from pgboss.job')
  await pool.query(`
    insert into pgboss.job (name, state, data, created_on, start_after, retry_count, started_on, completed_on, output) values
      ('mail', 'created', '{"address": "hunter2@example.com"}', '2026-01-01', '2026-01-01T10:00:00Z', 0, null, null, null),
      ('currency-rates', 'retry', '{}', '2026-01-02', '2026-01-02T10:00:00Z', 1, '2026-01-02T09:00:00Z', null, '{"message": "down"}'),
      ('mail', 'active', '{}', '2026-01-03', '2026-01-03', 0, '2026-01-03', null, null),
      ('mail', 'completed', '{}', '2026-01-04', '2026-01-04', 0, '2026-01-04', '2026-01-04', null),
      ('currency-rates', 'failed', '{"key": "hunter2"}', '2026-01-05', '2026-01-05', 2, '2026-01-05T10:00:00Z', '2026-01-05T10:01:00Z',
        '{"message": "could not reach https://me:hunter2@example.com", "stack": "hunter2"}'),
      ('mail', 'failed', '{}', '2026-01-06', '2026-01-06', 2, '2026-01-06', '2026-01-06', '{"value": {"message": "job timed out"}}')`)
})

describe('GET /api/background-task/', () => {
  it('counts pending and failed tasks', async () => {
    const { body } = await staff.get(TASKS)
    assert.deepEqual(body, { is_running: false, scheduled_tasks: 3, pending_tasks: 2, failed_tasks: 2, running: [] })
  })

  it('is limited to staff', async () => {
    await waitForListeners(service)
    await assertCallers(service, (client) => client.get(TASKS), allowedAccounts)
  })
})

describe('GET /api/background-task/pending/', () => {
  it('lists pending tasks, without their data', async () => {
    const { body, text } = await staff.get(`${TASKS}pending/`)
    assert.equal(body.count, 2)
    const [mail, rates] = body.results
    assert.deepEqual(mail, {
      ...{ pk: mail.pk, key: 'mail', lock: '2026-01-01T10:00:00Z', task_id: mail.task_id, name: 'mail', func: 'mail' },
      ...{ args: '', kwargs: '', attempt_count: 0 },
    })
    assert.ok(Number.isSafeInteger(mail.pk))
    assert.deepEqual([rates.func, rates.attempt_count], ['currency-rates', 1])
    assert.ok(!text.includes('hunter2'))
  })

  it('supports pages, search and ordering', async () => {
    const { body } = await staff.get(`${TASKS}pending/?limit=1&offset=1`)
    assert.equal(body.count, 2)
    assert.equal(body.next, null)
    assert.match(body.previous, /limit=1$/)
    assert.deepEqual(
      body.results.map(({ func }: { func: string }) => func),
      ['currency-rates'],
    )
    const listFunctions = async (query: string) =>
      (await staff.get(`${TASKS}pending/?${query}`)).body.results.map(({ func }: { func: string }) => func)
    assert.deepEqual(await listFunctions('search=RAT'), ['currency-rates'])
    assert.deepEqual(await listFunctions('search=%25'), [])
    assert.deepEqual(await listFunctions('ordering=-func'), ['mail', 'currency-rates'])
    assert.deepEqual(await listFunctions('ordering=nonsense;drop'), ['mail', 'currency-rates'])
  })

  it('is limited to staff', () => assertCallers(service, (client) => client.get(`${TASKS}pending/`), allowedAccounts))
})

describe('DELETE /api/background-task/pending/', () => {
  it('deletes pending tasks, and nothing else', async () => {
    const [mail] = (await staff.get(`${TASKS}pending/`)).body.results
    const failed = (await staff.get(`${TASKS}failed/`)).body.results.map(({ pk }: { pk: string }) => pk)
    assert.equal((await staff.delete(`${TASKS}pending/`, { items: [mail.pk, ...failed, 5] })).status, 204)
    assert.deepEqual(await listJobs(), [
      'currency-rates retry',
      'mail active',
      'mail completed',
      'currency-rates failed',
      'mail failed',
    ])
    assert.equal((await staff.delete(`${TASKS}pending/`, { filters: { func: 'currency-rates' } })).status, 204)
    assert.deepEqual(await listJobs(), ['mail active', 'mail completed', 'currency-rates failed', 'mail failed'])
  })

  it('rejects a request that selects nothing', async () => {
    for (const [body, field] of [
      [{}, 'non_field_errors'],
      [{ items: 'all' }, 'items'],
      [{ items: [null] }, 'items'],
      [{ filters: { data: 'x' } }, 'filters'],
      [{ filters: { func: {} } }, 'filters'],
    ] as const) {
      const response = await staff.delete(`${TASKS}pending/`, body)
      assert.deepEqual([response.status, Object.keys(response.body)], [400, [field]])
    }
    assert.equal((await listJobs()).length, 6)
  })

  it('is limited to staff', () =>
    assertCallers(service, (client) => client.delete(`${TASKS}pending/`, { items: [1] }), allowedAccounts, listJobs))
})

describe('GET /api/background-task/failed/', () => {
  it('lists failed tasks, with their errors and no secret', async () => {
    const { body, text } = await staff.get(`${TASKS}failed/`)
    const [rates, mail] = body.results
    assert.deepEqual(rates, {
      ...{ pk: rates.pk, name: 'currency-rates', func: 'currency-rates', args: '', kwargs: '' },
      ...{ started: '2026-01-05T10:00:00Z', stopped: '2026-01-05T10:01:00Z', attempt_count: 3 },
      result: 'could not reach https://example.com',
    })
    assert.equal(mail.result, 'job timed out')
    await pool.query(`update pgboss.job set output = '{"message": "no hunter2", "code": "P0001", "severity": "ERROR", "table": "part"}'
      where name = 'mail' and state = 'failed'`)
    const [, rejectedJob] = (await staff.get(`${TASKS}failed/`)).body.results
    assert.equal(rejectedJob.result, 'rejected by the database, table part')
    assert.ok(!text.includes('hunter2'))
    const listFunctions = async (query: string) =>
      (await staff.get(`${TASKS}failed/?${query}`)).body.results.map(({ func }: { func: string }) => func)
    assert.deepEqual(await listFunctions('ordering=-stopped'), ['mail', 'currency-rates'])
    assert.deepEqual(await listFunctions('ordering=started'), ['currency-rates', 'mail'])
    assert.deepEqual(await listFunctions('search=mai'), ['mail'])
  })

  it('is limited to staff', () => assertCallers(service, (client) => client.get(`${TASKS}failed/`), allowedAccounts))
})

describe('DELETE /api/background-task/failed/', () => {
  it('deletes the records of failed tasks', async () => {
    const [rates] = (await staff.get(`${TASKS}failed/`)).body.results
    assert.equal((await staff.delete(`${TASKS}failed/`, { items: [rates.pk], filters: { func: 'mail' } })).status, 204)
    assert.equal((await listJobs()).length, 6)
    assert.equal((await staff.delete(`${TASKS}failed/`, { items: [rates.pk] })).status, 204)
    assert.deepEqual(await listJobs(), ['mail created', 'currency-rates retry', 'mail active', 'mail completed', 'mail failed'])
  })

  it('is limited to staff', () =>
    assertCallers(service, (client) => client.delete(`${TASKS}failed/`, { items: ['x'] }), allowedAccounts, listJobs))
})

describe('GET /api/background-task/scheduled/', () => {
  it('lists the scheduled tasks that are enabled', async () => {
    const listFunctions = async (query = '') =>
      (await staff.get(`${TASKS}scheduled/?${query}`)).body.results.map(({ func }: { func: string }) => func)
    assert.deepEqual(await listFunctions(), ['housekeeping', 'currency-rates', 'part-prices'])
    assert.deepEqual(
      (await staff.get(`${TASKS}scheduled/`)).body.results.map(({ next_run }: { next_run: string }) => next_run),
      [null, null, null],
    )
    await service.rows(
      `insert into currency_rate (base, currency, rate, updated) values ('USD', 'EUR', 1, '2026-01-01T12:00:00Z')`,
    )
    assert.deepEqual(
      (await staff.get(`${TASKS}scheduled/`)).body.results.map((task: { last_run: string; next_run: string }) => [
        task.last_run,
        task.next_run,
      ]),
      [
        [null, null],
        ['2026-01-01T12:00:00Z', '2026-01-02T12:00:00Z'],
        [null, null],
      ],
    )
    await service.rows(
      `insert into throttle (key, points, expire) values ('currency-rates:all', 1, extract(epoch from '2026-01-03T10:00:00Z'::timestamptz) * 1000)`,
    )
    const [rates] = (await staff.get(`${TASKS}scheduled/?search=rates`)).body.results
    assert.deepEqual(rates, {
      ...{ pk: 2, name: 'Exchange rates', func: 'currency-rates', args: null, kwargs: null, schedule_type: 'I', minutes: 1_440 },
      ...{ repeats: -1, last_run: '2026-01-02T10:00:00Z', next_run: '2026-01-03T10:00:00Z', success: false, task: null },
    })
    assert.deepEqual(await listFunctions('ordering=func'), ['currency-rates', 'housekeeping', 'part-prices'])
    assert.deepEqual(await listFunctions('ordering=-func&limit=1'), ['part-prices'])
    assert.equal((await service.superuser.patch('/api/settings/global/CURRENCY_UPDATE_INTERVAL/', { value: 0 })).status, 200)
    assert.deepEqual(await listFunctions(), ['housekeeping', 'part-prices'])
  })

  it('is limited to staff', () => assertCallers(service, (client) => client.get(`${TASKS}scheduled/`), allowedAccounts))
})

describe('GET /api/background-task/running/', () => {
  it('lists running tasks with their progress where it is known, for staff', async () => {
    await assertCallers(service, (client) => client.get(`${TASKS}running/`), allowedAccounts)
    await pool.query(`insert into pgboss.job (name, state, started_on) values ('stock-verification', 'active', '2026-01-04')`)
    await pool.query('insert into stock_verification (started, done) values (now(), 3)')
    const { body } = await staff.get(`${TASKS}running/`)
    assert.deepEqual(
      body.map(({ func, attempt_count, done, total }: any) => [func, attempt_count, done, total !== null]),
      [
        ['mail', 1, null, false],
        ['stock-verification', 1, 3, true],
      ],
    )
    await pool.query('delete from stock_verification')
  })
})

describe('POST /api/background-task/failed/retry/', () => {
  const path = `${TASKS}failed/retry/`
  const readFailed = async () => (await staff.get(`${TASKS}failed/`)).body.results

  it('makes failed tasks pending with one more attempt, and leaves out others', async () => {
    const [rates, mail] = await readFailed()
    const [{ id: active }] = await service.rows(`select id::text from pgboss.job where state = 'active'`)
    const { status, body } = await staff.post(path, { items: [rates.pk, active, '00000000-0000-4000-8000-000000000000'] })
    assert.deepEqual([status, body], [200, { retried: 1 }])
    assert.deepEqual(
      (await readFailed()).map(({ pk }: any) => pk),
      [mail.pk],
    )
    assert.deepEqual(
      await service.rows(
        `select state, retry_limit - retry_count as left, start_after <= now() as is_due from pgboss.job where id = $1`,
        [rates.pk],
      ),
      [{ state: 'retry', left: 1, is_due: true }],
    )
  })

  it('is limited to staff, and rejects what is no key, changing nothing', async () => {
    const [{ pk }] = await readFailed()
    await assertCallers(service, (client) => client.post(path, { items: [pk] }), allowedAccounts, listJobs)
    const before = await listJobs()
    for (const body of [{}, { items: ['1'] }, { items: 'all' }, { items: [pk, 7] }])
      assert.equal((await staff.post(path, body)).status, 400, JSON.stringify(body))
    assert.deepEqual(await listJobs(), before)
  })
})
