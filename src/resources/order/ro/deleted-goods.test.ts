import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createReturnHelpers } from '../../../testing/objects/returning.ts'
import { testService } from '../../../testing/service.ts'
import { waitUntil } from '../../../testing/until.ts'
import { assertHistorySums, fillStock, locations, parts } from '../../stock/fixture.ts'

const service = await testService()
const { superuser } = service
const { coming, receive, sold } = createReturnHelpers(service)
beforeEach(() => fillStock(service))
afterEach(async () => {
  for (const check of ['verify_quantities', 'verify_return_line_counts', 'verify_allocations'])
    assert.deepEqual(await service.rows(`select * from ${check}()`), [], check)
  await assertHistorySums(service)
})

/** Counts the sessions that wait for a lock. */
const countWaiting = async () =>
  (
    await service.rows(
      `select count(*)::integer as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    )
  )[0].count

describe('a stock item that is deleted while it is received with a return order', () => {
  // receiving locks the order first, and then the item
  it('is not locked while a concurrent transaction may need it, also inside another item', async () => {
    for (const isInside of [false, true]) {
      const { order, item } = await coming()
      const box = await sold()
      if (isInside) await service.rows('update stock_item set belongs_to = $2, customer = null where pk = $1', [item, box])
      const other = await service.pool.connect()
      try {
        await other.query(`begin; select pg_advisory_xact_lock_shared(hashtext('quantities'), 0)`)
        await other.query('select from return_order where pk = $1 for no key update', [order])
        const deletion = superuser.delete(`/api/stock/${isInside ? box : item}/`)
        await waitUntil(async () => (await countWaiting()) === 1, 'the deletion does not wait for the transaction')
        await other.query('select from stock_item where pk = any($1::integer[]) for update nowait', [[item, box]])
        await other.query('commit')
        assert.equal((await deletion).status, 204)
      } finally {
        await other.query('rollback')
        other.release()
      }
    }
  })

  it('is received or deleted, whichever is first, for many concurrent requests', async () => {
    const orders = await Promise.all(Array.from({ length: 12 }, () => coming()))
    const responses = await Promise.all(
      orders.map(({ order, line, item }) =>
        Promise.all([receive(order, [line], locations.box), superuser.delete(`/api/stock/${item}/`)]),
      ),
    )
    for (const [received, deleted] of responses) {
      assert.ok([201, 400].includes(received.status), received.text)
      assert.equal(deleted.status, 204, deleted.text)
    }
    const remainingLines = await service.rows('select pk from return_order_line where "order" = any($1::integer[])', [
      orders.map(({ order }) => order),
    ])
    assert.deepEqual(remainingLines, [])
  })

  it('does not count in the order’s total once deleted', async () => {
    const { order, line, item } = await coming()
    const total = async () => Number((await superuser.get(`/api/order/ro/${order}/`)).body.total_price)
    assert.equal((await superuser.patch(`/api/order/ro-line/${line}/`, { price: 7 })).status, 200)
    assert.equal(await total(), 7)
    assert.equal((await superuser.delete(`/api/stock/${item}/`)).status, 204)
    assert.equal(await total(), 0)
  })

  it('does not count in the order’s total when deleted with its part, category, location or build order', async () => {
    /** Creates a build order with the item as an incomplete output. */
    const createBuild = async (item: number): Promise<number> => {
      await service.rows('update part set assembly = true where pk = $1', [parts.board])
      const build = await superuser.post('/api/build/', {
        part: parts.board,
        quantity: 1,
        reference: `BO-${7000 + item}`,
        title: 'Returned',
      })
      assert.equal(build.status, 201, build.text)
      await service.rows('update stock_item set build = $2, is_building = true, customer = null where pk = $1', [
        item,
        build.body.pk,
      ])
      return build.body.pk
    }
    const methods: Record<string, (item: number) => Promise<{ status: number; text: string }>> = {
      async part(item) {
        const { part } = (await superuser.get(`/api/stock/${item}/`)).body
        await service.rows('update part set active = false where pk = $1', [part])
        return await superuser.delete(`/api/part/${part}/`)
      },
      async category(item) {
        const category = await superuser.post('/api/part/category/', { name: 'Going' })
        await service.rows('update part set category = $2 where pk = (select part from stock_item where pk = $1)', [
          item,
          category.body.pk,
        ])
        return await superuser.delete(`/api/part/category/${category.body.pk}/`, { delete_parts: 1 })
      },
      async location(item) {
        const location = await superuser.post('/api/stock/location/', { name: 'Going' })
        await service.rows('update stock_item set location = $2, customer = null where pk = $1', [item, location.body.pk])
        return await superuser.delete(`/api/stock/location/${location.body.pk}/`, { delete_stock_items: 1 })
      },
      async output(item) {
        return await superuser.post(`/api/build/${await createBuild(item)}/delete-outputs/`, { outputs: [{ output: item }] })
      },
      async cancelled(item) {
        return await superuser.post(`/api/build/${await createBuild(item)}/cancel/`, { remove_incomplete_outputs: true })
      },
    }
    for (const [name, remove] of Object.entries(methods)) {
      await fillStock(service)
      const { order, line, item } = await coming()
      assert.equal((await superuser.patch(`/api/order/ro-line/${line}/`, { price: 7 })).status, 200)
      const removed = await remove(item)
      assert.ok([200, 201, 204].includes(removed.status), `${name}: ${removed.text}`)
      assert.deepEqual(await service.rows('select pk from stock_item where pk = $1', [item]), [], name)
      assert.equal(Number((await superuser.get(`/api/order/ro/${order}/`)).body.total_price), 0, name)
    }
  })
})

describe('a stock item on a return order line', () => {
  it('is not deleted when depleted, and not merged into another', async () => {
    const { line, item } = await coming()
    // possible once its serial number is removed
    await service.rows(
      'update stock_item set customer = null, serial = null, delete_on_deplete = true, location = $2 where pk = $1',
      [item, locations.box],
    )
    const { part } = (await superuser.get(`/api/stock/${item}/`)).body
    const other = await superuser.post('/api/stock/', { part, quantity: 3, location: locations.box })
    assert.equal(other.status, 201, other.text)
    const otherPk = other.body.pk ?? other.body[0].pk
    const merged = await superuser.post('/api/stock/merge/', {
      items: [{ item: otherPk }, { item }],
      location: locations.box,
      allow_mismatched_status: true,
      allow_mismatched_suppliers: true,
    })
    assert.equal(merged.status, 400, merged.text)
    assert.match(merged.text, /Stock item is listed on a return order/)
    const removed = await superuser.post('/api/stock/remove/', { items: [{ pk: item, quantity: 1 }] })
    assert.equal(removed.status, 201, removed.text)
    assert.equal((await superuser.get(`/api/order/ro-line/${line}/`)).body.item, item)
    assert.equal(Number((await superuser.get(`/api/stock/${item}/`)).body.quantity), 0)
  })
})
