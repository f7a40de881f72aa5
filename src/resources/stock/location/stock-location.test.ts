import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import fc from 'fast-check'
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts'

let database: TestDatabase
before(async () => {
  database = await createTestDatabase()
})
after(() => database.drop())

/** House / Room / Shelf / Box, and Garage. */
beforeEach(async () => {
  await database.pool.query(`
    truncate stock_location restart identity cascade;
    insert into stock_location (name, parent) values ('House', null), ('Room', 1), ('Shelf', 2), ('Box', 3), ('Garage', null)`)
})

const readLocations = async () => {
  const { rows } = await database.pool.query('select pk, path, level, pathstring from stock_location order by name_path')
  return rows
}

test('a location has its path, and a tree is sorted depth-first by name', async () => {
  assert.deepEqual(await readLocations(), [
    { pk: 5, path: [5], level: 0, pathstring: 'Garage' },
    { pk: 1, path: [1], level: 0, pathstring: 'House' },
    { pk: 2, path: [1, 2], level: 1, pathstring: 'House/Room' },
    { pk: 3, path: [1, 2, 3], level: 2, pathstring: 'House/Room/Shelf' },
    { pk: 4, path: [1, 2, 3, 4], level: 3, pathstring: 'House/Room/Shelf/Box' },
  ])
})

test('locations below a location are moved and renamed with it', async () => {
  await database.pool.query(`update stock_location set parent = 5, name = 'Chamber' where pk = 2`)
  assert.deepEqual((await readLocations())[3], { pk: 4, path: [5, 2, 3, 4], level: 3, pathstring: 'Garage/Chamber/Shelf/Box' })
})

test('locations below a deleted location become roots', async () => {
  await database.pool.query('delete from stock_location where pk = 2')
  assert.deepEqual(
    (await readLocations()).map(({ path }) => path),
    [[5], [1], [3], [3, 4]],
  )
})

test('a cycle violates stock_location_parent_cycle', async () => {
  for (const parent of [2, 4]) {
    await assert.rejects(database.pool.query('update stock_location set parent = $1 where pk = 2', [parent]), {
      code: '23514',
      constraint: 'stock_location_parent_cycle',
    })
  }
})

test('a name is available again under another parent, and unique at the root', async () => {
  await database.pool.query(`insert into stock_location (name, parent) values ('Shelf', 5)`)
  await assert.rejects(database.pool.query(`insert into stock_location (name, parent) values ('Shelf', 5)`), {
    constraint: 'stock_location_parent_name_key',
  })
  await assert.rejects(database.pool.query(`insert into stock_location (name) values ('Garage')`), {
    constraint: 'stock_location_root_name_key',
  })
})

test('a long path is shortened in the middle', async () => {
  await database.pool.query(`update stock_location set name = repeat('x', 100) where pk < 5`)
  assert.deepEqual(
    (await readLocations()).map(({ pathstring }) => pathstring.length),
    [6, 100, 201, 249, 249],
  )
})

test('two concurrent moves cannot create a cycle', async () => {
  const { pool } = database
  for (let round = 0; round < 20; round++) {
    await pool.query('update stock_location set parent = null where pk in (1, 5)')
    const moves = await Promise.allSettled([
      pool.query('update stock_location set parent = 5 where pk = 1'),
      pool.query('update stock_location set parent = 4 where pk = 5'),
    ])
    assert.equal(moves.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.deepEqual((await pool.query('select * from verify_trees()')).rows, [])
  }
})

test('any sequence of moves keeps every path correct', async () => {
  const key = fc.integer({ min: 1, max: 8 })
  const move = fc.record({ rows: fc.array(key, { minLength: 1, maxLength: 3 }), parent: fc.option(key), renamed: fc.boolean() })
  await database.pool.query(`insert into stock_location (name, parent) values ('Bin', 4), ('Bag', 6), ('Case', 5)`)
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 8 }), async (moves) => {
      for (const { rows, parent, renamed } of moves) {
        await database.pool
          .query(
            `update stock_location set parent = $1, name = case when $2 then pk || ' renamed' else name end where pk = any ($3)`,
            [parent, renamed, rows],
          )
          .catch((error) => assert.equal(error.constraint, 'stock_location_parent_cycle'))
      }
      assert.deepEqual((await database.pool.query('select * from verify_trees()')).rows, [])
    }),
    { numRuns: 60 },
  )
})
