import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { returning } from '../../../testing/objects/returning.ts'
import { testService } from '../../../testing/service.ts'
import { until } from '../../../testing/until.ts'
import { assertAccounts, fillStock, locations } from '../../stock/fixture.ts'

const service = await testService()
const { superuser } = service
const { coming, receive, sold } = returning(service)
beforeEach(() => fillStock(service))
afterEach(async () => {
  for (const check of ['verify_quantities', 'verify_return_line_counts', 'verify_allocations'])
    assert.deepEqual(await service.rows(`select * from ${check}()`), [], check)
  await assertAccounts(service)
})

/** How many wait for a lock of somebody else. */
const waiting = async () =>
  (
    await service.rows(
      `select count(*)::integer as many from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    )
  )[0].many

describe('a stock item that is deleted while it comes back with a return order', () => {
  // whoever receives holds the order, and locks the item then
  it('is not locked as long as somebody writes who may need it, also inside another item', async () => {
    for (const isInside of [false, true]) {
      const { order, item } = await coming()
      const box = await sold()
      if (isInside) await service.rows('update stock_item set belongs_to = $2, customer = null where pk = $1', [item, box])
      const other = await service.pool.connect()
      try {
        await other.query(`begin; select pg_advisory_xact_lock_shared(hashtext('quantities'), 0)`)
        await other.query('select from return_order where pk = $1 for no key update', [order])
        const deletion = superuser.delete(`/api/stock/${isInside ? box : item}/`)
        await until(async () => (await waiting()) === 1, 'the deletion waits for what is written')
        await other.query('select from stock_item where pk = any($1::integer[]) for update nowait', [[item, box]])
        await other.query('commit')
        assert.equal((await deletion).status, 204)
      } finally {
        await other.query('rollback')
        other.release()
      }
    }
  })

  it('is received or gone, whoever is first, however many do either at once', async () => {
    const all = await Promise.all(Array.from({ length: 12 }, () => coming()))
    const answers = await Promise.all(
      all.map(({ order, line, item }) =>
        Promise.all([receive(order, [line], locations.box), superuser.delete(`/api/stock/${item}/`)]),
      ),
    )
    for (const [received, deleted] of answers) {
      assert.ok([201, 400].includes(received.status), received.text)
      assert.equal(deleted.status, 204, deleted.text)
    }
    const left = await service.rows('select pk from return_order_line where "order" = any($1::integer[])', [
      all.map(({ order }) => order),
    ])
    assert.deepEqual(left, [])
  })

  it('is no part of what the order comes to any more', async () => {
    const { order, line, item } = await coming()
    const total = async () => Number((await superuser.get(`/api/order/ro/${order}/`)).body.total_price)
    assert.equal((await superuser.patch(`/api/order/ro-line/${line}/`, { price: 7 })).status, 200)
    assert.equal(await total(), 7)
    assert.equal((await superuser.delete(`/api/stock/${item}/`)).status, 204)
    assert.equal(await total(), 0)
  })
})
