import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { partSettings } from '../../settings/global/part.definitions.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'

let database: TestDatabase
before(async () => {
  database = await createTestDatabase()
})
after(() => database.drop())

const formatName = async (format: string, part: Record<string, unknown>): Promise<string> => {
  const { rows } = await database.pool.query('select part_full_name($1, $2) as name', [format, part])
  return rows[0].name
}
const readStoredNames = async () =>
  (await database.pool.query('select full_name from part order by pk')).rows.map((row) => row.full_name)

test('the default format joins IPN, name and revision, and omits empty ones', async () => {
  const format = partSettings.PART_NAME_FORMAT.default
  assert.equal(await formatName(format, { IPN: 'B-1', name: 'Buffer', revision: 'A' }), 'B-1 | Buffer | A')
  assert.equal(await formatName(format, { IPN: '', name: 'Buffer', revision: null }), 'Buffer')
  assert.equal(await formatName(format, { IPN: 'B-1', name: 'Buffer', revision: '' }), 'B-1 | Buffer')
  const { rows } = await database.pool.query('select part_name_format() as format')
  assert.equal(rows[0].format, format, 'the database has the same default')
})

test('a format shows fields and literal text, with conditions', async () => {
  const part = { pk: 7, name: 'Bolt', IPN: null, active: false, units: 'mm' }
  assert.equal(await formatName('{{part.name}} #{{ part.id }}', part), 'Bolt #7')
  assert.equal(await formatName(`{{ part.name if part.active else "old " }}{{ part.units }}`, part), 'old mm')
  assert.equal(await formatName('{{ part.IPN }}', part), 'Bolt', 'a name is never empty')
  assert.equal(await formatName('{{ part.name', part), '{{ part.name')
})

test('a part stores its name in the format of the setting', async () => {
  const { pool } = database
  await pool.query(`insert into part (name, "IPN") values ('Nut', 'N-1'), ('Washer', null)`)
  assert.deepEqual(await readStoredNames(), ['N-1 | Nut', 'Washer'])
  await pool.query(`insert into setting (key, value) values ('PART_NAME_FORMAT', '{{ part.name }} {{ part.IPN }}')`)
  assert.deepEqual(await readStoredNames(), ['Nut N-1', 'Washer'])
  await pool.query(`update part set "IPN" = 'W-1', revision = 'B' where name = 'Washer'`)
  assert.deepEqual(await readStoredNames(), ['Nut N-1', 'Washer W-1'])
  await pool.query(`delete from setting where key = 'PART_NAME_FORMAT'`)
  assert.deepEqual(await readStoredNames(), ['N-1 | Nut', 'W-1 | Washer | B'])
})

test('startup reads the parts only if the setting changes their names', async () => {
  const { pool } = database
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('set local session_replication_role = replica')
    await client.query(`update part set full_name = 'untouched'`)
    await client.query('commit')
  } finally {
    client.release()
  }
  const untouched = ['untouched', 'untouched']
  // as the service does at startup, and as saving the setting unchanged does
  await pool.query(`insert into setting (key, value) values ('PART_NAME_FORMAT', $1)`, [partSettings.PART_NAME_FORMAT.default])
  assert.deepEqual(await readStoredNames(), untouched)
  await pool.query(`update setting set value = '' where key = 'PART_NAME_FORMAT'`)
  await pool.query(`delete from setting where key = 'PART_NAME_FORMAT'`)
  assert.deepEqual(await readStoredNames(), untouched)
  await pool.query(`insert into setting (key, value) values ('PART_NAME_FORMAT', '{{ part.name }}')`)
  assert.deepEqual(await readStoredNames(), ['Nut', 'Washer'])
})
