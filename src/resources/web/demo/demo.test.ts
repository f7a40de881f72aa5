import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { assertCallers, testService } from '../../../testing/service.ts'
import { scaleTimeout } from '../../../testing/slowness.ts'
import { waitUntil } from '../../../testing/until.ts'

const DEMO = '/api/web/demo/'
const folder = mkdtempSync(join(tmpdir(), 'stockroom-demo-'))
after(() => rmSync(folder, { recursive: true }))
const service = await testService({ DATA_DIR: folder })
const { superuser } = service
const readDemo = async () => (await superuser.get(DEMO)).body
const readSummary = async () => {
  const { status, percent, detail } = await readDemo()
  return { status, percent, detail }
}
const FAILED_MESSAGE =
  'Loading the sample data stopped, and incomplete data remains: start again with another DATA_DIR, or delete the data.'

describe('GET /api/web/demo/', () => {
  it('requires a superuser', () => assertCallers(service, (client) => client.get(DEMO), ['superuser']))

  it('reports whether the demo is available, and if not, why', async () => {
    assert.deepEqual(await readDemo(), { status: 'available', percent: 0, detail: '', field_errors: [] })
    for (const [insertion, deletion, detail] of [
      [`insert into company (name, currency) values ('Own', 'EUR')`, 'delete from company', /company is not empty/],
      [
        `insert into user_account (username, password) values ('buyer', 'x')`,
        `delete from user_account where username = 'buyer'`,
        /account buyer/,
      ],
      // sales orders are kept when their company is deleted
      [
        `insert into sales_order (reference, reference_int, total_price_currency) values ('SO-7', 7, 'EUR')`,
        'delete from sales_order',
        /sales order is not empty/,
      ],
      [`insert into user_group (name) values ('Stores')`, `delete from user_group where name = 'Stores'`, /group Stores/],
    ] as const) {
      await service.rows(insertion)
      const { status, detail: reason } = await readDemo()
      assert.equal(status, 'refused')
      assert.match(reason, detail)
      const { status: postStatus, body } = await superuser.post(DEMO)
      assert.deepEqual([postStatus, body], [400, { non_field_errors: [reason] }])
      await service.rows(deletion)
    }
    assert.equal((await readDemo()).status, 'available')
  })
})

describe('POST /api/web/demo/', () => {
  it('fills the inventory once, reports its progress, and leaves no accounts that can sign in', {
    timeout: scaleTimeout(110_000),
  }, async () => {
    // it makes no difference that keys were used before
    await service.rows(`insert into part (name, description) values ('gone', '')`)
    await service.rows('delete from part')
    const responses = await Promise.all([1, 2, 3].map(() => superuser.post(DEMO)))
    assert.deepEqual(responses.map(({ status }) => status).sort(), [202, 400, 400])
    const percentages: number[] = []
    await waitUntil(
      async () => {
        const { status, percent, detail } = await readDemo()
        assert.ok(['running', 'done'].includes(status), `${status} ${detail}`)
        percentages.push(percent)
        return status === 'done'
      },
      'the demo',
      100_000,
    )
    assert.deepEqual(
      percentages,
      percentages.toSorted((a, b) => a - b),
    )
    assert.ok(new Set(percentages).size > 3, String(percentages))
    assert.equal((await superuser.post(DEMO)).status, 400)
    assert.equal((await superuser.get('/api/order/po/')).body.count, 16)
    assert.equal((await superuser.get('/api/part/25/')).status, 200)
    const activeAccounts = await service.rows(
      `select username from user_account where username in ('demo', 'buyer', 'storekeeper') and (is_active or is_superuser or is_staff)`,
    )
    assert.deepEqual(activeAccounts, [])
    assert.ok((await superuser.get('/api/notifications/?read=false')).body.count > 0)
    assert.ok((await superuser.get('/api/web/view/')).body.count > 0)
    assert.deepEqual(await service.rows('select * from verify_quantities()'), [])
  })

  it('is not restarted by a duplicate job, and reports an interrupted run', async () => {
    const before = await service.rows('select * from part order by pk')
    await service.rows(`update demo_run set finished = null, percent = 40`)
    const { database, jobs } = service.app.routes.services
    /** Resends the job, as the queue does when its worker has stopped responding. */
    const resendJob = async () => {
      await database.transaction((tx) => jobs.send(tx, 'demo', { asker: service.getPk('superuser') }))
      const pendingQuery = `select from pgboss.job where name = 'demo' and state in ('created', 'active', 'retry')`
      await waitUntil(async () => (await service.rows(pendingQuery)).length === 0, 'the job')
    }
    await service.rows(`update user_account set is_active = true, is_superuser = true where username = 'demo'`)
    const listActiveAccounts = () =>
      service.rows(`select username from user_account where username = 'demo' and (is_active or is_superuser)`)
    await resendJob()
    assert.deepEqual(
      [(await readDemo()).status, (await listActiveAccounts()).length],
      ['running', 1],
      'the first run counts as still running',
    )
    await service.rows(`update demo_run set heard = now() - interval '5 minutes'`)
    assert.deepEqual(await readSummary(), { status: 'failed', percent: 40, detail: FAILED_MESSAGE })
    assert.deepEqual((await readDemo()).field_errors, [
      { pointer: '', code: 'demo_stopped', message: FAILED_MESSAGE, parameters: {} },
    ])
    await resendJob()
    const detail = `${FAILED_MESSAGE.replace('stopped,', 'stopped with an error,')} The process that filled it in ended.`
    assert.deepEqual([await readSummary(), await listActiveAccounts()], [{ status: 'failed', percent: 40, detail }, []])
    assert.deepEqual(await service.rows('select * from part order by pk'), before)
    assert.equal((await superuser.post(DEMO)).status, 400)
  })
})
