import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { createTestDatabase } from './testing/database.ts'
import { type NodeProcess, startNodeProcess } from './testing/node-process.ts'
import { preparePrinting, printingUnsupported } from './testing/printing.ts'
import { scaleTimeout } from './testing/slowness.ts'
import { waitUntil } from './testing/until.ts'

// The real service in a separate process, killed without warning while it prints, and restarted.

const { DATA_DIR } = await preparePrinting()
const database = await createTestDatabase(6)
after(() => database.drop())
const { pool } = database
const rows = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows

const PASSWORD = 'a password of tests'
const startService = () => startNodeProcess(database.url, { DATA_DIR, ADMIN_USERNAME: 'admin', ADMIN_PASSWORD: PASSWORD })
let service: NodeProcess

async function sendRequest(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: { authorization: `Basic ${btoa(`admin:${PASSWORD}`)}`, 'content-type': 'application/json', ...headers },
    body: body && JSON.stringify(body),
  })
  return { status: response.status, location: response.headers.get('location') as string, body: (await response.json()) as any }
}

/** Requeues interrupted jobs immediately, instead of after their heartbeat timeout. */
const resumeJobs = () =>
  rows(`update pgboss.job set state = 'retry', start_after = now() where name = 'print' and state = 'active'`)
const isWaitingForLock = (table: string) => async () =>
  (
    await rows(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like $1`, [
      `%${table}%`,
    ])
  ).length > 0
const countFiles = async () => Number((await rows('select count(*) from printed_file'))[0].count)
const readStatus = async (location: string) => (await sendRequest('GET', location)).body.status
const waitUntilDone = (location: string) =>
  waitUntil(async () => (await readStatus(location)) === 'done', 'it is not done', 60_000)

let templateUrl: string
const print = (body: object = {}, query = '', headers: Record<string, string> = { prefer: 'respond-async' }) =>
  sendRequest('POST', `${templateUrl}print/${query}`, body, headers)

// one test: a process that is started in a test ends with it
test('a print job survives when its process is killed', {
  skip: printingUnsupported,
  timeout: scaleTimeout(240_000),
}, async () => {
  service = await startService()
  const label = 'data:text/html,<p>A label</p>'
  const { body } = await sendRequest('POST', '/api/label/part/', { name: 'A label', width: 40, height: 20, label })
  templateUrl = `/api/label/part/${body.pk}/`

  // right after it was accepted
  {
    const { status, location } = await print()
    assert.equal(status, 202)
    await service.kill()
    await resumeJobs()
    service = await startService()
    await waitUntilDone(location)
    assert.equal(await countFiles(), 1)
  }

  // before its file is stored, and after that before the job completes: there is one file
  {
    const fileCount = await countFiles()
    const [client, otherClient] = [await pool.connect(), await pool.connect()]
    let location: string
    try {
      await client.query('begin')
      await client.query('lock table printed_file in exclusive mode')
      location = (await print({}, '', { prefer: 'respond-async', 'idempotency-key': 'once' })).location
      await waitUntil(isWaitingForLock('printed_file'), 'no file waits to be stored', 60_000)
      await service.kill()
      await resumeJobs()
      service = await startService()
      // the retry reaches the same point
      await waitUntil(isWaitingForLock('printed_file'), 'no file waits to be stored', 60_000)
      assert.equal(await readStatus(location), 'running')
      await otherClient.query('begin')
      await otherClient.query('lock table pgboss.job in share mode')
      await client.query('rollback')
      await waitUntilDone(location)
      assert.equal((await rows(`select from pgboss.job where name = 'print' and state = 'active'`)).length, 1)
      await service.kill()
      await otherClient.query('rollback')
    } finally {
      await client.query('rollback')
      await otherClient.query('rollback')
      client.release()
      otherClient.release()
    }
    const printedFiles = await rows('select file from printed_file order by pk desc limit 1')
    await resumeJobs()
    service = await startService()
    const unfinishedJobs = `select from pgboss.job where name = 'print' and state <> 'completed'`
    await waitUntil(async () => (await rows(unfinishedJobs)).length === 0, 'the job does not complete', 60_000)
    assert.equal(await countFiles(), fileCount + 1)
    assert.deepEqual(await rows('select file from print_job order by pk desc limit 1'), printedFiles)
    const retry = await print({}, '', { prefer: 'respond-async', 'idempotency-key': 'once' })
    assert.equal(retry.location, location)
    assert.equal(await countFiles(), fileCount + 1)
  }

  // while a machine prints: it gets no second request, and the result is unknown
  {
    let requestCount = 0
    const printer = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      if (Buffer.concat(chunks).readUInt16BE(2) === 2) requestCount++
      else response.end(Buffer.of(1, 1, 0, 0, 0, 0, 0, 1, 3))
    }).listen(0, '127.0.0.1')
    await once(printer, 'listening')
    after(() => {
      printer.closeAllConnections()
      printer.close()
    })
    const machine = (await sendRequest('POST', '/api/machine/', { name: 'one', machine_type: 'label-printer', driver: 'ipp' }))
      .body.pk
    const value = `ipp://127.0.0.1:${(printer.address() as AddressInfo).port}/`
    assert.equal((await sendRequest('PATCH', `/api/machine/${machine}/settings/D/URI/`, { value })).status, 200)
    const { location } = await print({ machine }, '?plugin=inventreelabelmachine')
    await waitUntil(() => requestCount === 1, 'the machine receives no request', 60_000)
    assert.equal(await readStatus(location), 'running')
    await service.kill()
    service = await startService()
    // requeued automatically, within a minute
    await waitUntil(async () => (await readStatus(location)) === 'unknown', 'the status does not become unknown', 60_000)
    const unfinishedJobs = `select from pgboss.job where name = 'print' and state <> 'completed'`
    await waitUntil(async () => (await rows(unfinishedJobs)).length === 0, 'the job does not complete', 60_000)
    assert.equal(requestCount, 1)
    const readNotifications = async () => (await sendRequest('GET', '/api/notifications/?category=label.printing_failed')).body
    await waitUntil(async () => (await readNotifications()).count === 1, 'no notification is created', 60_000)
    assert.match((await readNotifications()).results[0].message, /^It is unknown whether it was printed/)
  }
})
