import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { createTestDatabase, testServer } from '../../testing/database.ts'
import { startDatabaseProxy } from '../../testing/servers/database-proxy.ts'
import { waitUntil } from '../../testing/until.ts'
import { Listener } from './listener.ts'

const { name, pool, url, drop } = await createTestDatabase()
// a database cannot be closed from a connection to it
const server = new pg.Client({ connectionString: process.env[testServer.urlVariable] })
await server.connect()
const logMessages: string[] = []
const log = pino({ level: 'info' }, { write: (line) => void logMessages.push(JSON.parse(line).msg) })
const notifications: (string | undefined)[] = []
const listener = new Listener(url, ['news'], (channel, payload) => notifications.push(channel && payload), log)
after(async () => {
  await listener.stop()
  await server.end()
  await drop()
})

test('a listener reports when it lost its connection and when it is back, and logs each once', async () => {
  await listener.start()
  assert.ok(listener.isCurrent)
  await pool.query(`select pg_notify('news', 'one')`)
  await waitUntil(() => notifications.length === 2, 'the notification does not arrive')
  assert.deepEqual(notifications, [undefined, 'one'])

  await server.query(`alter database ${name} allow_connections false`)
  const startTime = Date.now()
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'stockroom listener' and datname = $1`,
    [name],
  )
  await waitUntil(() => !listener.isCurrent, 'a lost connection is not noticed')
  assert.deepEqual(notifications, [undefined, 'one', undefined], 'the lost connection is reported')
  await waitUntil(() => logMessages.length > 0 && Date.now() > startTime + 2_000, 'a failed connection attempt is not logged')
  assert.deepEqual(notifications, [undefined, 'one', undefined])

  await server.query(`alter database ${name} allow_connections true`)
  await waitUntil(() => listener.isCurrent, 'it does not connect again')
  await pool.query(`select pg_notify('news', 'two')`)
  await waitUntil(() => notifications.includes('two'), 'it does not listen again')
  assert.deepEqual(notifications, [undefined, 'one', undefined, undefined, 'two'])
  assert.deepEqual(logMessages, ['cannot listen for changes; retrying', 'listening for changes again'])
})

test('a listener notices a hanging connection within two seconds, discards it and opens a new one', async () => {
  const proxy = await startDatabaseProxy(url)
  const payloads: (string | undefined)[] = []
  const lines: string[] = []
  const node = new Listener(
    proxy.url,
    ['news'],
    (channel, payload) => payloads.push(channel && payload),
    pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line).msg) }),
  )
  try {
    await node.start()
    assert.ok(node.isCurrent)
    proxy.freeze()
    await pause(2_000)
    assert.ok(!node.isCurrent, 'it still counts as current')
    await waitUntil(() => payloads.length === 2, 'the lost connection is not reported')
    await waitUntil(() => proxy.connectionCount > 2, 'it does not retry while everything hangs')
    assert.ok(!node.isCurrent)
    proxy.thaw()
    await waitUntil(() => node.isCurrent, 'it does not listen again')
    await pool.query(`select pg_notify('news', 'after')`)
    await waitUntil(() => payloads.includes('after'), 'the notification does not arrive')
    assert.deepEqual(payloads, [undefined, undefined, undefined, 'after'])
    assert.deepEqual(lines, ['cannot listen for changes; retrying', 'listening for changes again'])
  } finally {
    await node.stop()
  }
})

test('a listener never trusts a connection over which nothing is delivered', async () => {
  const proxy = await startDatabaseProxy(url)
  const isolatedListener = new Listener(proxy.url, [], () => assert.fail('it received a notification'), pino({ level: 'silent' }))
  proxy.withhold()
  try {
    await isolatedListener.start()
    assert.ok(!isolatedListener.isCurrent)
    await waitUntil(() => proxy.connectionCount > 1, 'it does not retry')
    assert.ok(!isolatedListener.isCurrent)
  } finally {
    await isolatedListener.stop()
  }
})

test('a listener keeps its connection if its own process was busy for longer than the heartbeat timeout', async () => {
  const payloads: (string | undefined)[] = []
  const node = new Listener(url, ['news'], (channel, payload) => payloads.push(channel && payload), pino({ level: 'silent' }))
  try {
    await node.start()
    for (const end = performance.now() + 2_500; performance.now() < end; );
    assert.ok(!node.isCurrent, 'it still counts as current')
    await waitUntil(() => node.isCurrent, 'it does not become current again')
    assert.deepEqual(payloads, [undefined], 'the connection was lost')
  } finally {
    await node.stop()
  }
})

test('a stop does not wait for a server that hangs', async () => {
  const proxy = await startDatabaseProxy(url)
  const node = new Listener(proxy.url, [], () => {}, pino({ level: 'silent' }))
  await node.start()
  proxy.freeze()
  const startTime = Date.now()
  await node.stop()
  assert.ok(Date.now() - startTime < 1_500)
})
