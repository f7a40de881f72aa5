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
const start = () => startNodeProcess(database.url, { DATA_DIR, ADMIN_USERNAME: 'admin', ADMIN_PASSWORD: PASSWORD })
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
const waits = (table: string) => async () =>
  (
    await rows(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like $1`, [
      `%${table}%`,
    ])
  ).length > 0
const files = async () => Number((await rows('select count(*) from printed_file'))[0].count)
const statusOf = async (at: string) => (await sendRequest('GET', at)).body.status
const waitUntilDone = (at: string) => waitUntil(async () => (await statusOf(at)) === 'done', 'it is not done', 60_000)

let template: string
const print = (body: object = {}, query = '', headers: Record<string, string> = { prefer: 'respond-async' }) =>
  sendRequest('POST', `${template}print/${query}`, body, headers)

// one test: a process that is started in a test ends with it
test('a print survives the death of its process', { skip: printingUnsupported, timeout: scaleTimeout(240_000) }, async () => {
  service = await start()
  const label = 'data:text/html,<p>A label</p>'
  const { body } = await sendRequest('POST', '/api/label/part/', { name: 'A label', width: 40, height: 20, label })
  template = `/api/label/part/${body.pk}/`

  // right after it was accepted
  {
    const { status, location } = await print()
    assert.equal(status, 202)
    await service.kill()
    await resumeJobs()
    service = await start()
    await waitUntilDone(location)
    assert.equal(await files(), 1)
  }

  // before its file is stored, and after that before the job completes: there is one file
  {
    const before = await files()
    const [client, other] = [await pool.connect(), await pool.connect()]
    let at: string
    try {
      await client.query('begin')
      await client.query('lock table printed_file in exclusive mode')
      at = (await print({}, '', { prefer: 'respond-async', 'idempotency-key': 'once' })).location
      await waitUntil(waits('printed_file'), 'no file waits to be kept', 60_000)
      await service.kill()
      await resumeJobs()
      service = await start()
      // the retry reaches the same point
      await waitUntil(waits('printed_file'), 'no file waits to be kept', 60_000)
      assert.equal(await statusOf(at), 'running')
      await other.query('begin')
      await other.query('lock table pgboss.job in share mode')
      await client.query('rollback')
      await waitUntilDone(at)
      assert.equal((await rows(`select from pgboss.job where name = 'print' and state = 'active'`)).length, 1)
      await service.kill()
      await other.query('rollback')
    } finally {
      await client.query('rollback')
      await other.query('rollback')
      client.release()
      other.release()
    }
    const printedFiles = await rows('select file from printed_file order by pk desc limit 1')
    await resumeJobs()
    service = await start()
    const unfinishedJobs = `select from pgboss.job where name = 'print' and state <> 'completed'`
    await waitUntil(async () => (await rows(unfinishedJobs)).length === 0, 'it is not taken up', 60_000)
    assert.equal(await files(), before + 1)
    assert.deepEqual(await rows('select file from print_job order by pk desc limit 1'), printedFiles)
    const retry = await print({}, '', { prefer: 'respond-async', 'idempotency-key': 'once' })
    assert.equal(retry.location, at)
    assert.equal(await files(), before + 1)
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
    await waitUntil(() => requestCount === 1, 'the machine is not asked', 60_000)
    assert.equal(await statusOf(location), 'running')
    await service.kill()
    service = await start()
    // requeued automatically, within a minute
    await waitUntil(async () => (await statusOf(location)) === 'unknown', 'it does not say that nobody knows', 60_000)
    const open = `select from pgboss.job where name = 'print' and state <> 'completed'`
    await waitUntil(async () => (await rows(open)).length === 0, 'it is not taken up', 60_000)
    assert.equal(requestCount, 1)
    const readNotifications = async () => (await sendRequest('GET', '/api/notifications/?category=label.printing_failed')).body
    await waitUntil(async () => (await readNotifications()).count === 1, 'nobody is told', 60_000)
    assert.match((await readNotifications()).results[0].message, /^It is unknown whether it was printed/)
  }
})
