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
const state = async () => (await superuser.get(DEMO)).body
const readState = async () => {
  const { status, percent, detail } = await state()
  return { status, percent, detail }
}
const failed =
  'Loading the sample data stopped, and incomplete data remains: start again with another DATA_DIR, or delete the data.'

describe('GET /api/web/demo/', () => {
  it('requires a superuser', () => assertCallers(service, (client) => client.get(DEMO), ['superuser']))

  it('reports whether the demo is available, and if not, why', async () => {
    assert.deepEqual(await state(), { status: 'available', percent: 0, detail: '', field_errors: [] })
    for (const [make, remove, detail] of [
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
      await service.rows(make)
      const { status, detail: why } = await state()
      assert.equal(status, 'refused')
      assert.match(why, detail)
      const { status: postStatus, body } = await superuser.post(DEMO)
      assert.deepEqual([postStatus, body], [400, { non_field_errors: [why] }])
      await service.rows(remove)
    }
    assert.equal((await state()).status, 'available')
  })
})

describe('POST /api/web/demo/', () => {
  it('fills the inventory once, reports its progress, and leaves no accounts that can sign in', {
    timeout: scaleTimeout(110_000),
  }, async () => {
    // previously used keys make no difference
    await service.rows(`insert into part (name, description) values ('gone', '')`)
    await service.rows('delete from part')
    const responses = await Promise.all([1, 2, 3].map(() => superuser.post(DEMO)))
    assert.deepEqual(responses.map(({ status }) => status).sort(), [202, 400, 400])
    const percentages: number[] = []
    await waitUntil(
      async () => {
        const { status, percent, detail } = await state()
        assert.ok(['running', 'done'].includes(status), `${status} ${detail}`)
        percentages.push(percent)
        return status === 'done'
      },
      'the demo',
      100_000,
    )
    assert.deepEqual(
      percentages,
      percentages.toSorted((one, other) => one - other),
    )
    assert.ok(new Set(percentages).size > 3, String(percentages))
    assert.equal((await superuser.post(DEMO)).status, 400)
    assert.equal((await superuser.get('/api/order/po/')).body.count, 16)
    assert.equal((await superuser.get('/api/part/25/')).status, 200)
    const opened = await service.rows(
      `select username from user_account where username in ('demo', 'buyer', 'storekeeper') and (is_active or is_superuser or is_staff)`,
    )
    assert.deepEqual(opened, [])
    assert.ok((await superuser.get('/api/notifications/?read=false')).body.count > 0)
    assert.ok((await superuser.get('/api/web/view/')).body.count > 0)
    assert.deepEqual(await service.rows('select * from verify_quantities()'), [])
  })

  it('is not restarted by a duplicate job, and reports an interrupted run', async () => {
    const before = await service.rows('select * from part order by pk')
    await service.rows(`update demo_run set finished = null, percent = 40`)
    const { database, jobs } = service.app.routes.services
    /** Resends the job, as the queue does when its worker has stopped responding. */
    const tryAgain = async () => {
      await database.transaction((tx) => jobs.send(tx, 'demo', { asker: service.getPk('superuser') }))
      const waiting = `select from pgboss.job where name = 'demo' and state in ('created', 'active', 'retry')`
      await waitUntil(async () => (await service.rows(waiting)).length === 0, 'the job')
    }
    await service.rows(`update user_account set is_active = true, is_superuser = true where username = 'demo'`)
    const open = () => service.rows(`select username from user_account where username = 'demo' and (is_active or is_superuser)`)
    await tryAgain()
    assert.deepEqual([(await state()).status, (await open()).length], ['running', 1], 'somebody is at it')
    await service.rows(`update demo_run set heard = now() - interval '5 minutes'`)
    assert.deepEqual(await readState(), { status: 'failed', percent: 40, detail: failed })
    assert.deepEqual((await state()).field_errors, [{ pointer: '', code: 'demo_stopped', message: failed, parameters: {} }])
    await tryAgain()
    const detail = `${failed.replace('stopped,', 'stopped with an error,')} The process that filled it in ended.`
    assert.deepEqual([await readState(), await open()], [{ status: 'failed', percent: 40, detail }, []])
    assert.deepEqual(await service.rows('select * from part order by pk'), before)
    assert.equal((await superuser.post(DEMO)).status, 400)
  })
})
