import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { pino } from 'pino'
import { testDatabase, testServer } from '../../testing/database.ts'
import { until } from '../../testing/until.ts'
import { Listener } from './listener.ts'

const { name, pool, url, drop } = await testDatabase()
// a database cannot be closed by those who are in it
const server = new pg.Client({ connectionString: process.env[testServer.urlVariable] })
await server.connect()
const said: string[] = []
const log = pino({ level: 'info' }, { write: (line) => void said.push(JSON.parse(line).msg) })
const heard: (string | undefined)[] = []
const listener = new Listener(url, ['news'], (channel, payload) => heard.push(channel && payload), log)
after(async () => {
  await listener.stop()
  await server.end()
  await drop()
})

test('a listener tells when it lost its connection and when it is back, and the log of each once', async () => {
  await listener.start()
  assert.ok(listener.connected)
  await pool.query(`select pg_notify('news', 'one')`)
  await until(() => heard.length === 2, 'what was announced is not heard')
  assert.deepEqual(heard, [undefined, 'one'])

  await server.query(`alter database ${name} allow_connections false`)
  const began = Date.now()
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'stockroom listener' and datname = $1`,
    [name],
  )
  await until(() => !listener.connected, 'a lost connection is not noticed')
  assert.deepEqual(heard, [undefined, 'one', undefined], 'what is remembered is given up')
  await until(() => said.length > 0 && Date.now() > began + 2_000, 'nothing is said of a connection that cannot be made')
  assert.deepEqual(heard, [undefined, 'one', undefined])

  await server.query(`alter database ${name} allow_connections true`)
  await until(() => listener.connected, 'it does not connect again')
  await pool.query(`select pg_notify('news', 'two')`)
  await until(() => heard.includes('two'), 'it does not listen again')
  assert.deepEqual(heard, [undefined, 'one', undefined, undefined, 'two'])
  assert.deepEqual(said, ['cannot listen for changes; trying again', 'listening for changes again'])
})
