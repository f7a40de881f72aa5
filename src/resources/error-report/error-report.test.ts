import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { Pool } from 'pg'
import { pino } from 'pino'
import { Database } from '../../kit/sql/tx.ts'
import { waitForListeners } from '../../testing/listeners-caught-up.ts'
import { assertCallers, testService } from '../../testing/service.ts'
import { waitUntil } from '../../testing/until.ts'
import { deliverNotifications } from '../notifications/deliver-notifications.ts'
import { ErrorReports, reportLostJobs } from './error-reports.ts'
import { describeSafely, redactSecrets } from './redact-secrets.ts'

const service = await testService()
const { staff, superuser, pool } = service
const { database, jobs } = service.app.routes.services
const REPORTS = '/api/error-report/'
const log = pino({ level: 'silent' })

const readReports = async (): Promise<any[]> => service.rows('select * from error_report order by pk')
const insertReports = async (...infos: string[]): Promise<number[]> =>
  (
    await service.rows(
      `insert into error_report (info, data, "when") select info, 'at ' || info, now() - make_interval(mins => ordinal::integer)
       from unnest($1::text[]) with ordinality t (info, ordinal) order by ordinal returning pk`,
      [infos],
    )
  ).map(({ pk }) => pk)

beforeEach(() => pool.query('delete from error_report'))

/** Requests project codes while their table is missing, a failure that no client can cause. */
async function sendFailingRequest(query = ''): Promise<{ status: number; body: any }> {
  await pool.query('alter table project_code rename to gone')
  try {
    const authorization = `Basic ${Buffer.from('superuser:a password of tests').toString('base64')}`
    const payload = { code: 'drum', description: 'a body that nobody keeps' }
    const url = `/api/project-code/?token=inv-hunter2${query}`
    const { statusCode, body } = await service.app.inject({ method: 'POST', url, headers: { authorization }, payload })
    return { status: statusCode, body: JSON.parse(body) }
  } finally {
    await pool.query('alter table gone rename to project_code')
  }
}

describe('an error in the service', () => {
  it('is stored with its request id, and without any contents of the request', async () => {
    const { status, body } = await sendFailingRequest()
    assert.equal(status, 500)
    await waitUntil(async () => (await readReports()).length === 1, 'no report was stored')
    const [report] = (await staff.get(`${REPORTS}?request=${body.request_id}`)).body.results
    assert.equal(report.path, '/api/project-code/')
    assert.match(report.info, /\(42P01\): relation .* does not exist/)
    assert.match(report.data, /^\s+at .*:\d+/)
    const errorReports = JSON.stringify(await readReports())
    for (const secret of ['hunter2', 'a body that nobody keeps', 'a password of tests', 'Basic ', 'drum'])
      assert.ok(!errorReports.includes(secret), secret)
  })

  it('notifies staff once a day, except accounts that opted out', async () => {
    const readNotifications = () =>
      service.rows(`select u.username, n.message from notification n join user_account u on u.pk = n."user"
      where n.category = 'inventree.error_log' order by 1`)
    await pool.query(`delete from notification; delete from told_notice`)
    const optOutResponse = await superuser.patch('/api/settings/user/NOTIFICATION_ERROR_REPORT/', { value: false })
    assert.equal(optOutResponse.status, 200, optOutResponse.text)
    for (let attempt = 0; attempt < 2; attempt++) {
      await sendFailingRequest()
      await waitUntil(async () => (await readReports()).length === attempt + 1, 'no report was stored')
      await deliverNotifications(service.app.routes.services)
      await waitUntil(async () => (await service.rows('select from notice')).length === 0, 'the notification was not delivered')
    }
    const all = await readNotifications()
    assert.deepEqual(
      all.map(({ username }) => username),
      ['staff'],
    )
    assert.match(all[0].message, /^The service failed at \/api\/project-code\/: /)
    await superuser.patch('/api/settings/user/NOTIFICATION_ERROR_REPORT/', { value: true })
  })

  it('is stored once for background work that is not retried any more', async () => {
    await pool.query(`insert into pgboss.job (name, data, retry_limit) values ('currency-rates', '{"key": "hunter2"}', 0)`)
    jobs.wake('currency-rates')
    await waitUntil(async () => (await readReports()).length === 1, 'no report was stored')
    const [job] = await service.rows(`select id::text from pgboss.job where name = 'currency-rates'`)
    const [report] = await readReports()
    assert.equal(report.request, job.id)
    assert.equal(report.path, null)
    assert.match(report.info, /^currency-rates: /)
    await waitUntil(
      async () => (await service.rows(`select from pgboss.job where state = 'failed'`)).length === 1,
      'the job has not failed',
    )
    await reportLostJobs(database)
    assert.equal((await readReports()).length, 1)
    assert.ok(!JSON.stringify(await readReports()).includes('hunter2'))
  })

  it('is stored for background work whose process died on its last attempt', async () => {
    await pool.query(`delete from pgboss.job`)
    const [job] = await service.rows(
      `insert into pgboss.job (name, state, completed_on, output) values
        ('plugin-schedule', 'failed', now() - interval '1 minute', null),
        ('print', 'failed', now() - interval '2 minutes', '{"value": {"message": "job heartbeat timeout"}}'),
        ('plugin-schedule', 'failed', now() - interval '3 hours', null) returning id::text`,
    )
    await reportLostJobs(database)
    await reportLostJobs(database)
    assert.deepEqual((await readReports()).map(({ info }) => info).toSorted(), [
      'plugin-schedule: it exceeded its time limit, or the process that ran it ended',
      'print: the process that ran it ended without a message',
    ])
    assert.ok((await readReports()).some(({ request }) => request === job.id))
  })

  it('is not stored for mistakes of clients', async () => {
    await superuser.post('/api/units/', { name: 'drum', definition: 'nonsense' })
    await staff.get('/api/units/99999/')
    await sendFailingRequest()
    await waitUntil(async () => (await readReports()).length > 0, 'no report was stored')
    assert.equal((await readReports()).length, 1)
  })

  it('is dropped while the database is unavailable, and stored once it is back', async () => {
    const unreachablePool = new Pool({ host: '127.0.0.1', port: 1 })
    after(() => unreachablePool.end())
    const errorReports = new ErrorReports(new Database(unreachablePool), { isLow: false }, log)
    for (let count = 0; count < 5; count++) errorReports.reportRequest(new Error('lost'), { id: 'a', path: '/' })
    await errorReports.waitUntilWritten()
    errorReports.reportRequest(new Error('lost too'), { id: 'b', path: '/' })
    await errorReports.waitUntilWritten()
    assert.equal((await readReports()).length, 0)
  })

  it('is not written on a nearly full disk', async () => {
    const disk = { isLow: true }
    const errorReports = new ErrorReports(database, disk, log)
    errorReports.reportRequest(new Error('no room'), { id: 'a', path: '/' })
    await errorReports.waitUntilWritten()
    assert.equal((await readReports()).length, 0)
    disk.isLow = false
    errorReports.reportRequest(new Error('room'), { id: 'b', path: '/' })
    await errorReports.waitUntilWritten()
    assert.deepEqual(
      (await readReports()).map(({ request }) => request),
      ['b'],
    )
  })

  it('is truncated if too long, and dropped if too frequent', async () => {
    const errorReports = new ErrorReports(database, { isLow: false }, log)
    errorReports.reportRequest(new Error('ü\u0000 '.repeat(10_000)), { id: 'a', path: `/${'x/'.repeat(1_000)}` })
    await errorReports.waitUntilWritten()
    const [report] = await readReports()
    assert.deepEqual([[...report.info].length, report.path.length], [500, 200])
    assert.ok(report.data.length <= 8_000)
    for (let count = 0; count < 100; count++) errorReports.reportRequest(new Error('again'), { id: 'b', path: '/' })
    await errorReports.waitUntilWritten()
    assert.ok((await readReports()).length <= 12)
    for (let round = 0; round < 20; round++) {
      for (let count = 0; count < 5; count++) errorReports.reportRequest(new Error('again'), { id: 'c', path: '/' })
      await errorReports.waitUntilWritten()
    }
    // a new minute may begin during the test
    assert.ok((await readReports()).length <= 60)
  })

  it('contains no value that could be a secret', () => {
    for (const [text, cleaned] of [
      ['invalid input syntax for type integer: "hunter2"', 'invalid input syntax for type integer: "..."'],
      ['Unexpected token \'p\', "{"password": "hunter2"" is not valid JSON', undefined],
      ['value "two\nlines hunter2', 'value "..."'],
      ['could not reach postgres://me:hunter2@db:5432/stock', 'could not reach postgres://db:5432/stock'],
      ['GET https://example.com/a?token=hunter2&x=1 failed', 'GET https://example.com/a?... failed'],
      ['Authorization: Token inv-hunter2', 'Authorization: Token ...'],
      ['password=hunter2 refused', 'password=... refused'],
      ['550 hunter2@example.com is unknown', '550 ...@... is unknown'],
      [`key inv-hunter2${'a1'.repeat(20)}-20260101`, 'key ...'],
      [`digest ${'hunter2'.repeat(8)}`, 'digest ...'],
      ['Key (name)=(hunter2) already exists.', 'Key (...)'],
    ] as const) {
      assert.ok(!redactSecrets(text).includes('hunter2'), redactSecrets(text))
      if (cleaned) assert.equal(redactSecrets(text), cleaned)
    }
    for (const [text, cleaned] of [
      ['broken with password=hunter2 and more', 'broken with password ...'],
      ['the secret is "a b" or hunter2\nand more', 'the secret ...\nand more'],
      ['no API_KEY hunter2', 'no API_KEY ...'],
      ['tokens: hunter2', 'tokens ...'],
    ] as const)
      assert.equal(describeSafely(new Error(text)), cleaned)
    const plain = "TypeError: Cannot read properties of undefined (reading 'pk')"
    assert.equal(redactSecrets(plain), plain)
    assert.equal(describeSafely(new Error(plain)), plain)
  })
})

describe('an error of the database', () => {
  /** Returns the error of a statement. */
  const provokeError = async (text: string): Promise<Error> => {
    try {
      await pool.query(text)
    } catch (error) {
      return error as Error
    }
    return assert.fail('the statement was not rejected')
  }

  it('is stored with its code and the names of its objects, without its message', async () => {
    await pool.query(`insert into project_code (code) values ('hunter2') on conflict do nothing`)
    for (const [text, expected] of [
      [`do $$ begin raise exception 'broken by hunter2 with password=%', 'hunter2'; end $$`, 'rejected by the database'],
      [
        `do $$ begin raise exception 'no hunter2' using errcode = 'check_violation', table = 'part', column = 'name'; end $$`,
        'rejected by the database, table part, column name',
      ],
      [
        `insert into project_code (code) values ('hunter2')`,
        'rejected by the database, constraint project_code_code_key, table project_code',
      ],
      [`select 'hunter2'::integer`, 'rejected by the database'],
      ['select * from nowhere', 'relation "..." does not exist'],
    ] as const) {
      const error = await provokeError(text)
      assert.equal(describeSafely(error), expected)
      // the form that is stored for a background job
      assert.equal(describeSafely(JSON.parse(JSON.stringify({ ...error, message: error.message }))), expected)
    }
    const errorReports = new ErrorReports(database, { isLow: false }, log)
    const cause = await provokeError(`do $$ begin raise exception 'broken by hunter2'; end $$`)
    errorReports.reportJob({ queue: 'mail', id: 'a', error: cause })
    errorReports.reportJob({ queue: 'mail', id: 'b', error: new Error('it did not work', { cause }) })
    await errorReports.waitUntilWritten()
    const [own, caused] = await readReports()
    assert.equal(own.info, 'mail: error (P0001): rejected by the database')
    assert.match(caused.data, /caused by error \(P0001\): rejected by the database/)
    assert.doesNotMatch(JSON.stringify([own, caused]), /hunter2/)
  })
})

describe('GET /api/error-report/', () => {
  it('lists reports, newest first, and searches them', async () => {
    const [first, second] = await insertReports('first', 'second')
    const listKeys = async (query: string) =>
      (await staff.get(`${REPORTS}?${query}`)).body.results.map(({ pk }: { pk: number }) => pk)
    assert.deepEqual(await listKeys(''), [first, second])
    assert.deepEqual(await listKeys('ordering=when'), [second, first])
    assert.deepEqual(await listKeys('ordering=-info'), [second, first])
    assert.deepEqual(await listKeys('search=sec'), [second])
  })

  it('requires a staff account', async () => {
    await waitForListeners(service)
    await assertCallers(service, (client) => client.get(REPORTS), ['staff', 'superuser'])
  })
})

describe('GET /api/error-report/{id}/', () => {
  it('returns one report', async () => {
    const [pk] = await insertReports('one')
    const { body } = await staff.get(`${REPORTS}${pk}/`)
    assert.deepEqual(body, { when: body.when, info: 'one', data: 'at one', path: null, request: '', pk })
    assert.equal((await staff.get(`${REPORTS}99999/`)).status, 404)
  })

  it('requires a staff account', async () => {
    const [pk] = await insertReports('one')
    await assertCallers(service, (client) => client.get(`${REPORTS}${pk}/`), ['staff', 'superuser'])
  })
})

for (const method of ['PUT', 'PATCH'])
  describe(`${method} /api/error-report/{id}/`, () => {
    it('changes nothing', async () => {
      const [pk] = await insertReports('one')
      const { status, body } = await staff.send(method, `${REPORTS}${pk}/`, { info: 'another', data: '', path: '/' })
      assert.equal(status, 200)
      assert.equal(body.info, 'one')
    })

    it('requires a staff account', async () => {
      const [pk] = await insertReports('one')
      await assertCallers(service, (client) => client.send(method, `${REPORTS}${pk}/`, {}), ['staff', 'superuser'], readReports)
    })
  })

describe('DELETE /api/error-report/{id}/', () => {
  it('deletes one report', async () => {
    const [first, second] = await insertReports('first', 'second')
    assert.equal((await staff.delete(`${REPORTS}${first}/`)).status, 204)
    assert.deepEqual(
      (await readReports()).map(({ pk }) => pk),
      [second],
    )
  })

  it('requires a staff account', async () => {
    const [pk] = await insertReports('one')
    await assertCallers(service, (client) => client.delete(`${REPORTS}${pk}/`), ['staff', 'superuser'])
  })
})

describe('DELETE /api/error-report/', () => {
  it('deletes several reports, and all that match given filters', async () => {
    const [first, second, third] = await insertReports('one', 'one', 'two')
    assert.equal((await staff.delete(REPORTS, { items: [first, 99999] })).status, 204)
    assert.deepEqual(
      (await readReports()).map(({ pk }) => pk),
      [second, third],
    )
    assert.equal((await staff.delete(REPORTS, { filters: { info: 'one' } })).status, 204)
    assert.deepEqual(
      (await readReports()).map(({ pk }) => pk),
      [third],
    )
  })

  it('rejects a body that names nothing', async () => {
    await insertReports('one')
    for (const [body, field] of [
      [{}, 'non_field_errors'],
      [{ items: 1 }, 'items'],
      [{ filters: [] }, 'non_field_errors'],
      [{ filters: { secret: 1 } }, 'filters'],
    ] as const) {
      const response = await staff.delete(REPORTS, body)
      assert.deepEqual([response.status, Object.keys(response.body)], [400, [field]])
    }
    assert.equal((await readReports()).length, 1)
  })

  it('requires a staff account', async () => {
    const [pk] = await insertReports('one')
    await assertCallers(
      service,
      (client) => client.delete(REPORTS, { items: [pk] }),
      ['staff', 'superuser'],
      async () => undefined,
    )
  })
})
