import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import fc from 'fast-check'
import { refill } from '../../../testing/refill.ts'
import { testService } from '../../../testing/service.ts'
import { sweep } from '../../background-task/housekeeping.ts'

const service = await testService()

/** House > Shelf > Box, and Yard next to House; categories likewise. */
beforeEach(() =>
  refill(
    service,
    `
    truncate part, part_category, stock_location, stock_item restart identity cascade;
    insert into stock_location (name, parent) values ('House', null), ('Shelf', 1), ('Box', 2), ('Yard', null);
    insert into part_category (name, parent) values ('Top', null), ('Middle', 1), ('Leaf', 2), ('Other', null);
    insert into part (name, category) select 'Part ' || n, n from generate_series(1, 4) n`,
  ),
)

const readItemCounts = async () => {
  const { body } = await service.superuser.get('/api/stock/location/?ordering=pk&limit=10')
  return body.results.map((location: { items: number }) => location.items)
}
const findWrongCounts = () => service.rows('select * from verify_holdings()')
const createInsertStatement = (location: number | null, count = 1, part = 1) =>
  `insert into stock_item (part, location, quantity, purchase_price_currency) select ${part}, ${location}, 1, 'USD' from generate_series(1, ${count})`

const locationKey = fc.integer({ min: 1, max: 4 })
const key = fc.integer({ min: 1, max: 12 })
const changes = fc.oneof(
  fc
    .tuple(fc.option(locationKey), fc.integer({ min: 0, max: 3 }))
    .map(([location, count]) => createInsertStatement(location, count)),
  fc
    .tuple(key, fc.option(locationKey))
    .map(([pk, newLocation]) => `update stock_item set location = ${newLocation} where pk = ${pk}`),
  fc
    .tuple(locationKey, locationKey)
    .map(([oldLocation, newLocation]) => `update stock_item set location = ${newLocation} where location = ${oldLocation}`),
  key.map((pk) => `update stock_item set quantity = quantity + 1, belongs_to = null where pk >= ${pk}`),
  fc.tuple(key, key).map(([pk, host]) => `update stock_item set belongs_to = ${host} where pk = ${pk} and pk <> ${host}`),
  fc.tuple(key, fc.constantFrom(10, 60)).map(([pk, status]) => `update stock_item set status = ${status} where pk >= ${pk}`),
  key.map((pk) => `delete from stock_item where pk = ${pk}`),
  locationKey.map((pk) => `delete from stock_location where pk = ${pk}`),
  fc.tuple(locationKey, locationKey).map(([pk, category]) => `update part set category = ${category} where pk = ${pk}`),
  locationKey.map((pk) => `delete from part where pk = ${pk}`),
  locationKey.map((pk) => `delete from part_category where pk = ${pk}`),
  fc.constant('truncate stock_item cascade'),
)

describe('the item count of a location', () => {
  it('includes the items in it and below it', async () => {
    await service.rows(createInsertStatement(3, 2))
    await service.rows(createInsertStatement(1))
    assert.deepEqual(await readItemCounts(), [3, 2, 2, 0])
    await service.rows('update stock_item set location = 4 where location = 3')
    assert.deepEqual(await readItemCounts(), [1, 0, 0, 2])
    await service.rows('update stock_location set parent = 1 where pk = 4')
    assert.deepEqual(await readItemCounts(), [3, 0, 0, 2])
  })

  it('is correct after any concurrent writes', async () => {
    const script = fc.array(fc.tuple(changes, fc.constantFrom('commit', 'commit', 'rollback')), { minLength: 1, maxLength: 6 })
    const property = fc.asyncProperty(fc.array(script, { minLength: 1, maxLength: 3 }), async (scripts) => {
      await Promise.all(
        scripts.map(async (script) => {
          const client = await service.pool.connect()
          await client.query(`set deadlock_timeout = '20ms'`)
          for (const [change, end] of script) {
            await client.query('begin')
            try {
              await client.query(change)
              await client.query(end)
            } catch (error) {
              // a missing reference, a name in use at the root, or a deadlock
              assert.match((error as { code: string }).code, /^(23503|23505|40P01|P0001|23514)$/, `${change}: ${error}`)
              await client.query('rollback')
            }
          }
          client.release()
        }),
      )
      assert.deepEqual(await findWrongCounts(), [])
    })
    await fc.assert(property, { numRuns: 25 })
  })

  it('does not block concurrent additions to the same location, and locks no parent location', async () => {
    const client = await service.pool.connect()
    const other = await service.pool.connect()
    await client.query(`begin; ${createInsertStatement(3)}; update stock_item set location = 2`)
    await other.query(
      `begin; set local lock_timeout = '1s'; ${createInsertStatement(3, 1, 2)}; ${createInsertStatement(2, 1, 2)}`,
    )
    await other.query('select 1 from stock_location where pk = 1 for update nowait')
    await other.query('commit')
    await client.query('commit')
    for (const connection of [client, other]) connection.release()
    assert.deepEqual(await readItemCounts(), [3, 3, 1, 0])
  })

  it('is corrected by housekeeping after writes that bypassed the triggers', async () => {
    await service.rows(createInsertStatement(3))
    await service.rows(
      `update holding set rows = 5 where "of" = 'stock_item'; insert into holding values ('part', 2, 1000000007, 3)`,
    )
    assert.equal((await findWrongCounts()).length, 2)
    await sweep(service.app.routes.services)
    assert.deepEqual(await findWrongCounts(), [])
    assert.deepEqual(await readItemCounts(), [1, 1, 1, 0])
    assert.deepEqual(await service.rows('select from holding where slot > 1000000000'), [])
  })
})
