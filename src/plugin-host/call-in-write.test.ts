import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { pino } from 'pino'
import type { ActivePlugin } from '../kit/services/services.ts'
import { pluginChild } from '../paths.ts'
import { createSampleCaller } from '../resources/callers.ts'
import { fillStock, insertItem, locations, parts } from '../resources/stock/fixture.ts'
import { createPluginFolder } from '../testing/plugin-folder.ts'
import { createContextCalls, writePluginFiles } from '../testing/plugins.ts'
import { createRetryingClient } from '../testing/retrying-client.ts'
import { testService } from '../testing/service.ts'
import { scaleTimeout } from '../testing/slowness.ts'
import { waitUntil } from '../testing/until.ts'
import { callInWrite } from './call-in-write.ts'
import { runInProcess } from './in-process.ts'

const { dataDir, write } = createPluginFolder()
write(
  'looks',
  `settings: { WORD: { type: 'string', default: 'please', name: 'Word', description: 'A word.' } },
   validation: {
     async batchCode(batch, item, context) {
       const { read, send, runLater, settings } = globalThis.savedContext = context
       const status = async (...args) => (await read(...args)).status
       const getErrorMessage = (promise) => promise.then(() => 'done', (error) => error.message)
       const toJson = (value) => JSON.stringify(value)
       const [name, rest] = batch.split(':')
       if (name === 'part') return toJson((await read('/api/part/' + item.part + '/')).body.name)
       if (name === 'parts') return toJson((await read('/api/part/', { search: rest })).body.results.map((part) => part.name))
       if (name === 'meet') {
         globalThis.met = (globalThis.met ?? 0) + 1
         while (globalThis.met < 2) await new Promise((resolve) => setTimeout(resolve, 5))
         return toJson((await read('/api/part/', { search: rest })).body.results.map((part) => part.name))
       }
       if (name === 'act') return toJson(await Promise.all([
         getErrorMessage(send('POST', '/api/project-code/', { code: 'ACT' })), getErrorMessage(runLater('nothing')), settings.get('WORD'),
       ]))
       if (name === 'status') return toJson(await status(rest))
       if (name === 'leave') { read('/api/part/'); read('/api/stock/').catch(() => {}) }
       if (name === 'throw') throw new Error('out of luck')
       if (name === 'nonsense') return { not: 'a text' }
       if (name === 'late') return new Promise(() => {})
       if (name === 'locked') { await status('/api/project-code/'); return new Promise(() => {}) }
       if (name === 'end') process.exit(1)
     },
     part(values, before) {
       if (values.keywords !== 'ask') return undefined
       globalThis.recorded = [...(globalThis.recorded ?? []), before.description]
     },
   },
   actions: {
     later: async (path) => ({ result: await globalThis.savedContext.read(path).catch((error) => error.message) }),
     recorded: () => ({ result: globalThis.recorded ?? [] }),
   },`,
)

write(
  'in-turn',
  `validation: {
     nextSerialNumber: async (_serial, part, { read }) => 'S' + (await read('/api/part/' + part + '/serial-numbers/')).status,
   },`,
)

const service = await testService({ DATA_DIR: dataDir, DATABASE_POOL_SIZE: '4' })
const { superuser } = service
const activate = async () =>
  assert.equal((await superuser.patch('/api/plugins/activate/', { plugin: 'looks', active: true })).status, 200)
const member = createRetryingClient(service.member, activate)
const administrator = createRetryingClient(superuser, activate)
const listErrors = async (): Promise<string[]> =>
  (await superuser.get('/api/plugins/status/')).body.registry_errors.map(({ message }: { message: string }) => message)
const performAction = async (action: string, data: unknown = null) =>
  (await superuser.post('/api/action/', { action, data })).body.result
const location = locations.garage
const setBatchTemplate = (value: string) => superuser.patch('/api/settings/global/STOCK_BATCH_CODE_TEMPLATE/', { value })
/** Creates a part whose initial stock has this batch code, which the plugin validates after the part is written and before the commit. */
async function createPart(name: string, batch: string) {
  await setBatchTemplate(batch)
  return member.post('/api/part/', { name, category: 2, initial_stock: { quantity: 1, location } })
}
const createStock = (batch: string, client = member) =>
  client.post('/api/stock/', { part: parts.screw, quantity: 1, location, batch })
/** Returns the value that the plugin reports with its validation error. */
const readReportedValue = ({ status, body }: { status: number; body: any }) => {
  assert.equal(status, 400)
  return JSON.parse((body.initial_stock ?? body).batch[0])
}

before(async () => {
  await fillStock(service)
  await activate()
})

describe('A plugin inside a write', () => {
  it('sees the uncommitted changes of its own write, and loses access afterwards', async () => {
    assert.equal(readReportedValue(await createPart('half made', 'part:')), 'half made')
    assert.deepEqual(readReportedValue(await createPart('half made too', 'parts:half made')), ['half made too'])
    assert.deepEqual((await member.get('/api/part/?search=half+made')).body.results, [])
    assert.equal(await performAction('later', '/api/part/'), 'the call that this context belongs to has ended')
  })

  it('sees the changes of its own write in each of two concurrent writes', async () => {
    await setBatchTemplate('meet:of both')
    const create = (name: string) =>
      member.post('/api/part/', { name, category: 2, initial_stock: { quantity: 1, location } }).then(readReportedValue)
    assert.deepEqual(await Promise.all([create('first of both'), create('second of both')]), [
      ['first of both'],
      ['second of both'],
    ])
  })

  it('cannot change anything, and can read its settings', async () => {
    const rejection = 'a plugin cannot change anything during a write'
    assert.deepEqual(readReportedValue(await createStock('act')), [
      rejection,
      'a plugin cannot schedule work during a write',
      'please',
    ])
    assert.deepEqual((await member.get('/api/project-code/?search=ACT')).body.results, [])
  })

  it('reads with the permissions of the writer, and a rejected read leaves the write unchanged', async () => {
    const expected = {
      '/api/': 200,
      '/api/user/me/': 200,
      '/api/user/token/': 403,
      '/api/plugins/': 403,
      '/plugin/looks/': 403,
      '/api/admin/config/': 403,
      '/api/part/9999999/': 404,
      '/api/part/?variant_of=x': 400,
      '/api/part/?name_regex=(': 400,
      [`/api/part/${parts.screw}/serial-numbers/`]: 200,
      [`/api/part/${parts.screw}/metadata/`]: 200,
      '/api/settings/global/STOCK_BATCH_CODE_TEMPLATE/': 200,
      // its rows are created on the first list request
      '/api/settings/user/': 403,
      '/api/label/part/1/print/': 403,
    }
    for (const [path, status] of Object.entries(expected))
      assert.equal(
        readReportedValue(await createStock(`status:${path}`, path.includes('settings') ? administrator : member)),
        status,
        path,
      )
  })

  it('gets a response from every URL, without a failure of the service', async () => {
    const gets = service.app.routes.operations.filter(({ method }) => method === 'GET')
    const paths = gets.map(({ path }) => path.replace('{id}', '1').replace(/\{\w+\}/, 'x'))
    for (const path of paths) {
      // a write waits a limited time for a plugin's requests, which a busy machine may exceed
      for (let round = 1, status = 503; status === 503; round++) {
        status = readReportedValue(await createStock(`status:${path}`, administrator))
        assert.ok([200, 400, 403, 404].includes(status) || (status === 503 && round < 10), `${path}: ${status}`)
      }
    }
  })

  it('triggers no nested plugin calls', async () => {
    await superuser.patch('/api/plugins/activate/', { plugin: 'in-turn', active: true })
    await insertItem(service, { part: parts.lamp, quantity: 1, serial: 'S1' })
    const { body } = await member.get(`/api/part/${parts.lamp}/serial-numbers/`)
    assert.deepEqual(body, { latest: 'S1', next: 'S403' })
    await superuser.patch('/api/plugins/activate/', { plugin: 'in-turn', active: false })
  })

  it('does not delay the write with unfinished work', async () => {
    for (let round = 0; round < 20; round++) assert.equal((await createStock(`leave:${round}`)).status, 201)
  })

  it('rejects the write if it throws or returns an invalid value', async () => {
    const errorBody = { non_field_errors: ['Error running plugin validation'] }
    const { status, body } = await createStock('throw')
    assert.deepEqual([status, body], [400, errorBody])
    assert.ok((await listErrors()).includes('validation.batchCode failed: out of luck'))
    assert.deepEqual((await createStock('nonsense')).body, errorBody)
    assert.ok(
      (await listErrors()).includes('validation.batchCode returned an invalid result: a validation error must be a string'),
    )
    assert.equal((await createStock('fine')).status, 201)
  })

  it('runs before any lock, and again if the object changed in between', async () => {
    const client = await service.pool.connect()
    try {
      await client.query('begin')
      await client.query('select from part where pk = $1 for update', [parts.lamp])
      const response = member.patch(`/api/part/${parts.lamp}/`, { keywords: 'ask' })
      await waitUntil(async () => (await performAction('recorded')).length > 0, 'it is not called while the part is locked')
      await client.query(`update part set description = 'changed' where pk = $1`, [parts.lamp])
      await client.query('commit')
      assert.equal((await response).status, 200)
    } finally {
      client.release()
    }
    assert.deepEqual(await performAction('recorded'), ['', 'changed'])
  })
})

describe('A plugin that does not respond inside a write', () => {
  before(activate)

  const assertUnavailable = async (batch: string, message: RegExp) => {
    const pk = await insertItem(service, { part: parts.screw, quantity: 5, batch: 'before' })
    const started = performance.now()
    const writes = Promise.all([1, 2, 3, 4, 5, 6].map(() => service.member.patch(`/api/stock/${pk}/`, { batch, quantity: 1 })))
    // more than the number of connections
    assert.equal((await member.get('/api/project-code/?limit=1')).status, 200)
    for (const { status, body } of await writes) {
      assert.equal(status, 503)
      assert.equal(body.detail, 'The plugin looks did not respond.')
    }
    assert.ok(performance.now() - started < scaleTimeout(5_000), 'the writes took too long')
    const [row] = await service.rows('select batch, quantity::float from stock_item where pk = $1', [pk])
    assert.deepEqual(row, { batch: 'before', quantity: 5 })
    assert.ok(
      (await listErrors()).some((text) => message.test(text)),
      String(await listErrors()),
    )
    // a job may be between two of its statements
    const openTransactionsSql = `select from pg_stat_activity where state like 'idle in transaction%' and datname = current_database()`
    await waitUntil(async () => (await service.rows(openTransactionsSql)).length === 0, 'a transaction stays open')
    await activate()
  }

  it('fails its write with 503 at the time limit, and does not affect other requests', async () => {
    await assertUnavailable('late', /^validation\.batchCode did not respond within 250 milliseconds$/)
    assert.equal((await createStock('fine')).status, 201)
  })

  it('affects no other request when its process ends', async () => {
    await assertUnavailable('end', /process ended unexpectedly \(exit code 1\)/)
    assert.equal((await createStock('fine')).status, 201)
  })

  it('affects no other request when its read waits for a lock', async () => {
    const client = await service.pool.connect()
    try {
      await client.query('begin')
      await client.query('lock table project_code in access exclusive mode')
      const { status } = await service.member.post('/api/stock/', { part: parts.screw, quantity: 1, batch: 'locked' })
      assert.equal(status, 503)
    } finally {
      await client.query('rollback')
      client.release()
    }
    await activate()
    assert.equal((await createStock('fine')).status, 201)
  })
})

describe('A built-in plugin inside a write', async () => {
  const { database } = service.app.routes.services
  type CallOptions = NonNullable<Parameters<ActivePlugin['call']>[1]>
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const selectCodesSql = `select code from project_code where code like 'BUILT%'`
  const api = JSON.stringify(pathToFileURL(pluginChild.api).href)
  const pluginLocation = writePluginFiles({
    'index.ts': `import { definePlugin } from ${api}
      export default definePlugin({ slug: 'built-in', name: 'BuiltIn', version: '1.0.0', validation: {
        async reference(kind, reference, { read }) {
          if (reference === 'throw') throw new Error('no luck')
          if (reference === 'late') return new Promise(() => {})
          if (reference === 'slow') await new Promise((resolve) => setTimeout(resolve, 100))
          return (await read('codes')).body.join()
        } } })`,
  })
  const runningPlugin = await runInProcess(pluginLocation, () => assert.fail('it does not end by itself'))
  const plugin = {
    key: 'built-in',
    name: 'BuiltIn',
    title: 'BuiltIn',
    call: async (args: readonly unknown[], { reader = database, milliseconds = 0, check }: CallOptions = {}) => {
      const read = async () => ({
        status: 200,
        body: (await reader.read<{ code: string }>({ text: selectCodesSql })).map(({ code }) => code),
      })
      const result = await runningPlugin.call('validation.reference', args, createContextCalls({ read }), milliseconds)
      check?.(result)
      return result
    },
  }
  const plugins = { withHook: () => [plugin], missingFor: () => [] }
  const callPlugin = (reference: string, times = 1) =>
    database.transaction(async (tx) => {
      const writeContext = { tx, caller: createSampleCaller({}), log, plugins }
      await tx.query(`insert into project_code (code) values ('BUILT IN')`)
      for (let time = 1; time < times; time++) await callInWrite(writeContext, plugin, ['purchaseorder', reference], String)
      return callInWrite(writeContext, plugin, ['purchaseorder', reference], String)
    })
  const timeoutError = { code: 'unavailable', message: 'The plugin built-in did not respond.' }

  it('is called like every other plugin', async () => {
    await assert.rejects(callPlugin('throw'), { code: 'unavailable', message: 'The plugin built-in failed.' })
    await assert.rejects(callPlugin('late'), timeoutError)
    assert.deepEqual(await database.read({ text: selectCodesSql }), [])
    assert.equal(lines.length, 2)
  })

  it('has ten seconds for all calls in one write', async () => {
    const started = performance.now()
    await assert.rejects(callPlugin('slow', 1_000), timeoutError)
    const seconds = (performance.now() - started) / 1_000
    assert.ok(seconds < 20, `it took ${seconds} s`)
    assert.equal(await callPlugin('PO-1'), 'BUILT IN')
  })
})
