import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createPool } from '../database/connect.ts'
import { Database } from '../kit/sql/tx.ts'
import { createTestDatabase } from '../testing/database.ts'
import { startDatabaseProxy } from '../testing/servers/database-proxy.ts'
import { LiveSettings } from './live.ts'

const database = await createTestDatabase()
const proxy = await startDatabaseProxy(database.url)
const pool = createPool(proxy.url, 5, { responseTimeout: 1_500 })
after(async () => {
  await pool.end()
  await database.drop()
})

const NAME = 'INVENTREE_INSTANCE'
const rename = (name: string) =>
  database.pool.query(`insert into setting (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value`, [
    NAME,
    name,
  ])

let isListening = true
const settings = new LiveSettings(new Database(pool), { withHook: () => [], missingFor: () => [] }, () => isListening)

test('settings are awaited once with a connected listener', async () => {
  assert.ok(settings.upToDate(), 'nothing was read yet')
  await settings.upToDate()
  assert.equal(settings.upToDate(), undefined)
  await rename('Heard')
  const reading = settings.reload()
  assert.ok(settings.upToDate(), 'a read in progress is not awaited')
  await reading
  assert.equal(settings.get(NAME), 'Heard')
  assert.equal(settings.upToDate(), undefined)
})

test('each request sees the values committed before it, without a listener', async () => {
  isListening = false
  for (let round = 0; round < 20; round++) {
    const earlier = settings.upToDate()
    await rename(`Round ${round}`)
    await settings.upToDate()
    assert.equal(settings.get(NAME), `Round ${round}`)
    await earlier
  }
  isListening = true
})

test('a failed read rejects every caller that waits for it, and the next caller reads again', async () => {
  isListening = false
  proxy.freeze()
  const startedAt = Date.now()
  const first = settings.upToDate()
  // the first read has started by now
  await new Promise(setImmediate)
  const waiting = [first, settings.upToDate(), settings.upToDate()]
  assert.notEqual(waiting[0], waiting[1])
  const results = await Promise.allSettled(waiting)
  assert.ok(results.every(({ status }) => status === 'rejected'))
  assert.ok(Date.now() - startedAt < 2_900, 'it took as long as two reads')
  proxy.thaw()
  await rename('Afterwards')
  await settings.upToDate()
  assert.equal(settings.get(NAME), 'Afterwards')
})
