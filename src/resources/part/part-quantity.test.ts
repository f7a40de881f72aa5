import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import fc from 'fast-check'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'

let database: TestDatabase
before(async () => {
  database = await createTestDatabase(16)
})
after(() => database.drop())

/** Eight parts, some of them variants; four locations, one external; six supplier parts; three orders; some stock and lines. */
beforeEach(async () => {
  await database.pool.query(`
    truncate company, part, stock_location, purchase_order restart identity cascade;
    insert into company (name, currency) values ('Supplier', 'USD');
    insert into part (name) select 'Part ' || n from generate_series(1, 8) n;
    update part set variant_of = 8 where pk in (5, 6);
    update part set variant_of = 6 where pk in (2, 3);
    insert into stock_location (name, external) select 'Place ' || n, n = 2 from generate_series(1, 4) n;
    insert into supplier_part (part, supplier, "SKU", pack_quantity_native) select n, 1, 'SKU ' || n, n * 2.5 from generate_series(1, 6) n;
    insert into purchase_order (reference, total_price_currency, status) select 'PO-' || n, 'USD', n * 10 from generate_series(1, 3) n;
    insert into purchase_order_line ("order", part, quantity, purchase_price_currency)
      select 1 + n % 3, 1 + n % 6, n, 'USD' from generate_series(1, 12) n;
    insert into stock_item (part, location, quantity, purchase_price_currency)
      select 1 + n % 8, nullif(n % 5, 0), n, 'USD' from generate_series(1, 24) n`)
})

/** Reads the sums that differ from a recount. */
async function readDifferences(): Promise<unknown[]> {
  const quantities = await database.pool.query('select * from verify_quantities()')
  const lines = await database.pool.query('select * from verify_line_counts()')
  const trees = await database.pool.query('select * from verify_trees()')
  return [...quantities.rows, ...lines.rows, ...trees.rows]
}

const arbitraryKey = (highest: number) => fc.integer({ min: 1, max: highest })
const amount = fc.integer({ min: 0, max: 5000000 }).map((hundredThousandths) => (hundredThousandths / 100000).toFixed(5))
const orNull = (arbitrary: fc.Arbitrary<number>) => fc.option(arbitrary).map((value) => value ?? 'null')

const stockWrites = [
  fc.tuple(arbitraryKey(8), orNull(arbitraryKey(4)), amount).map(([part, location, quantity]) => {
    const row = `(${part}, ${location}, ${quantity}, 'USD')`
    return `insert into stock_item (part, location, quantity, purchase_price_currency) values ${row}, ((${part} % 8) + 1, ${location}, 2, 'USD')`
  }),
  fc.tuple(amount, arbitraryKey(30)).map(([quantity, item]) => `update stock_item set quantity = ${quantity} where pk = ${item}`),
  fc
    .tuple(orNull(arbitraryKey(4)), arbitraryKey(30))
    .map(([location, item]) => `update stock_item set location = ${location} where pk = ${item}`),
  fc
    .tuple(fc.constantFrom(10, 50, 65, 75), arbitraryKey(30))
    .map(([status, item]) => `update stock_item set status = ${status} where pk = ${item}`),
  fc.tuple(arbitraryKey(8), arbitraryKey(30)).map(([part, item]) => `update stock_item set part = ${part} where pk = ${item}`),
  fc
    .tuple(orNull(arbitraryKey(1)), arbitraryKey(30))
    .map(([customer, item]) => `update stock_item set customer = ${customer}, notes = 'x' where pk = ${item}`),
]
const orderWrites = [
  fc
    .tuple(arbitraryKey(3), orNull(arbitraryKey(6)), amount)
    .map(
      ([order, part, quantity]) =>
        `insert into purchase_order_line ("order", part, quantity, purchase_price_currency) values (${order}, ${part}, ${quantity}, 'USD')`,
    ),
  fc
    .tuple(amount, amount, arbitraryKey(15))
    .map(
      ([quantity, received, line]) =>
        `update purchase_order_line set quantity = ${quantity}, received = ${received} where pk = ${line}`,
    ),
  fc
    .tuple(fc.constantFrom(10, 20, 30, 40), arbitraryKey(3))
    .map(([status, order]) => `update purchase_order set status = ${status} where pk = ${order}`),
  fc
    .tuple(amount, arbitraryKey(6))
    .map(([packs, part]) => `update supplier_part set pack_quantity_native = ${packs} + 1 where pk = ${part}`),
]
const moves = [
  fc
    .tuple(orNull(arbitraryKey(8)), arbitraryKey(8))
    .map(([template, part]) => `update part set variant_of = ${template} where pk = ${part}`),
  fc
    .tuple(fc.boolean(), arbitraryKey(4))
    .map(([external, locationKey]) => `update stock_location set external = ${external} where pk = ${locationKey}`),
]
const rareWrites = [
  fc
    .tuple(arbitraryKey(8), arbitraryKey(6))
    .map(([part, supplierPart]) => `update supplier_part set part = ${part} where pk = ${supplierPart}`),
  fc.tuple(arbitraryKey(3), orNull(arbitraryKey(6)), arbitraryKey(15)).map(([order, part, line]) => {
    return `update purchase_order_line set "order" = ${order}, part = ${part} where pk = ${line}`
  }),
  fc
    .tuple(orNull(arbitraryKey(8)), arbitraryKey(8), arbitraryKey(8))
    .map(([template, one, other]) => `update part set variant_of = ${template} where pk in (${one}, ${other})`),
  fc
    .tuple(arbitraryKey(24), arbitraryKey(24))
    .map(([host, item]) => `update stock_item set belongs_to = ${host} where pk = ${item}`),
  fc
    .constantFrom('stock_item', 'purchase_order_line', 'supplier_part', 'part', 'stock_location', 'purchase_order')
    .chain((table) => arbitraryKey(8).map((pk) => `delete from ${table} where pk in (${pk}, ${pk + 4})`)),
]

test('the sums are right after any sequence of writes', async () => {
  const writes = fc.array(fc.oneof(...stockWrites, ...orderWrites, ...moves, ...rareWrites), { minLength: 1, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(writes, async (statements) => {
      const client = await database.pool.connect()
      try {
        // as deletions that end with LK001 are repeated: with the exclusive lock of all writes
        await client.query('begin; set local stockroom.exclusive = on')
        for (const statement of statements) {
          await client.query('savepoint write')
          // Variant loops and references to missing rows are rejected.
          await client.query(statement).catch((error) => {
            if (error.code !== '23514' && error.code !== '23503') throw error
            return client.query('rollback to savepoint write')
          })
        }
        const { rows } = await client.query('select part, what, stored, counted from verify_quantities()')
        const { rows: lines } = await client.query('select * from verify_line_counts()')
        const { rows: trees } = await client.query('select * from verify_trees()')
        assert.deepEqual([...rows, ...lines, ...trees], [])
      } finally {
        await client.query('rollback')
        client.release()
      }
    }),
    { numRuns: 150 },
  )
})

test('the sums are right after concurrent writes on many connections, none of which fails', async () => {
  const lists = fc.sample(fc.array(fc.oneof(...stockWrites, ...orderWrites, ...moves), { minLength: 120, maxLength: 120 }), 8)
  const failures: string[] = []
  await Promise.all(
    lists.map(async (statements) => {
      for (const statement of statements) {
        await database.pool.query(statement).catch((error) => {
          if (error.constraint !== 'part_variant_of_cycle') failures.push(`${error.message}: ${statement}`)
        })
      }
    }),
  )
  assert.deepEqual(failures, [])
  assert.deepEqual(await readDifferences(), [])
})

test('transactions on many parts do not deadlock when they lock the sums first', async () => {
  const { pool } = database
  const receive = async (parts: number[]) => {
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query('select lock_quantities($1)', [parts])
      for (const part of parts) {
        await client.query(
          `insert into stock_item (part, location, quantity, purchase_price_currency) values ($1, 2, 1, 'USD')`,
          [part],
        )
      }
      await client.query('commit')
    } finally {
      client.release()
    }
  }
  const orders = [
    [1, 2, 3, 4, 5],
    [5, 4, 3, 2, 1],
    [8, 2, 6, 3],
    [3, 6, 2, 8],
  ]
  await Promise.all(Array.from({ length: 40 }, (_, n) => receive(orders[n % orders.length] ?? [])))
  assert.deepEqual(await readDifferences(), [])
})

test('deleting a part subtracts its stock from its templates and clears the template of its variants', async () => {
  const { pool } = database
  await pool.query('delete from part where pk = 6')
  assert.deepEqual(await readDifferences(), [])
  const { rows } = await pool.query('select pk, variant_of, path from part where pk in (2, 3) order by pk')
  assert.deepEqual(rows, [
    { pk: 2, variant_of: null, path: [2] },
    { pk: 3, variant_of: null, path: [3] },
  ])
})

test('a write that changes no sum does not wait for other writes', async () => {
  const { pool } = database
  const other = await pool.connect()
  try {
    await other.query('begin')
    await other.query('select lock_quantities(array(select pk from part))')
    const client = await pool.connect()
    await client.query("begin; set local lock_timeout = '1s'")
    await client.query('update stock_item set notes = $1, location = 3 where location = 1', ['moved'])
    await client.query('update purchase_order_line set notes = $1', ['noted'])
    await client.query('rollback')
    client.release()
  } finally {
    await other.query('rollback')
    other.release()
  }
})

test('an item split from a deleted one counts as split from that item’s origin', async () => {
  const { pool } = database
  await pool.query('update stock_item set parent = 1 where pk = 2; update stock_item set parent = 2 where pk in (3, 4)')
  await pool.query('delete from stock_item where pk = 2')
  const { rows } = await pool.query('select parent from stock_item where pk in (3, 4)')
  assert.deepEqual(rows, [{ parent: 1 }, { parent: 1 }])
})
