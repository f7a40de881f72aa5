import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databasePerTest } from '../../testing/database.ts'

const pool = databasePerTest(2)

test('many lines inserted at once are looked up by index, although statistics report an empty table', async () => {
  const client = await pool().connect()
  try {
    await client.query(
      `insert into part (name, assembly, component) select 'Part ' || number, true, true from generate_series(1, 2000) number`,
    )
    await client.query('analyze')
    const { rows } = await client.query<{ first_part: number }>('select min(pk) as first_part from part')
    const insert = (from: number, to: number) =>
      client.query(
        'insert into bom_item (part, sub_part, quantity) select $1 + number, $1 + 1000 + number, 1 from generate_series($2::int, $3::int) number',
        [rows[0]?.first_part, from, to],
      )
    // the connection plans its statements while the table is almost empty
    await insert(0, 1)
    await insert(2, 999)
    await client.query('select pg_stat_force_next_flush()')
    const read = await client.query<{ read: string }>(
      `select sum(idx_tup_read + idx_tup_fetch)::text as read from pg_stat_user_indexes where relname = 'bom_item'`,
    )
    assert.ok(Number(read.rows[0]?.read) < 100_000, `${read.rows[0]?.read} rows were read for 1,000 lines`)
  } finally {
    client.release()
  }
})
