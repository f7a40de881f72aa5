import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { preparePrinting, printingUnsupported } from '../../testing/printing.ts'
import { assertCallers, CALLERS, type Client, testService } from '../../testing/service.ts'
import { waitUntil } from '../../testing/until.ts'

const { DATA_DIR } = await preparePrinting()
mkdirSync(join(DATA_DIR, 'plugins/printer'), { recursive: true })
// prints once the file `go` exists; the first print fails
writeFileSync(
  join(DATA_DIR, 'plugins/printer/index.js'),
  `import { existsSync } from 'node:fs'
  export default { slug: 'printer', name: 'printer', version: '1.0.0',
    labels: { async print(job) {
      while (!existsSync(new URL('./go', import.meta.url))) await new Promise((resolve) => setTimeout(resolve, 10))
      if (job.options.fail) throw new Error('no paper')
      return { message: 'printed by itself' }
    } } }`,
)
const service = await testService({ DATA_DIR })
const { member, superuser, viewer, staff, anonymous } = service
const LIST = '/api/print-job/'

let template: number
let part: number
before(async () => {
  const { body: category } = await superuser.post('/api/part/category/', { name: 'Parts' })
  part = (await superuser.post('/api/part/', { name: 'Sensor', category: category.pk })).body.pk
  const label = `data:text/html,${encodeURIComponent('{{ part.name }}')}`
  template = (await superuser.post('/api/label/part/', { name: 'A label', width: 40, height: 20, label })).body.pk
  await superuser.patch('/api/plugins/activate/', { plugin: 'printer', active: true })
})

const print = async (client: Client, query: string, body: object = {}) => {
  const url = `/api/label/part/${template}/print/?${query}`
  const response = await client.post(url, body, { prefer: 'respond-async' })
  assert.equal(response.status, 202, response.text)
  return response.body.id as string
}
const readStatus = async (id: string) => (await superuser.get(`${LIST}${id}/`)).body.status
const waitForStatus = (id: string, status: string) =>
  waitUntil(async () => (await readStatus(id)) === status, `the print does not become ${status}`)
const readJobs = () => service.rows('select id, status, "user" from print_job order by pk')

describe('the list of background prints', { skip: printingUnsupported }, () => {
  let waiting: string
  let dispatched: string

  it('has the template, the object and the printer, those of all accounts for staff', async () => {
    dispatched = await print(member, `parts=${part}&plugin=printer`)
    await waitUntil(
      async () => (await service.rows('select asked from print_job where id = $1', [dispatched]))[0].asked !== null,
      'the plugin is not called',
    )
    waiting = await print(member, `parts=${part}`)
    const { body } = await staff.get(LIST)
    const [first, second] = body.results
    const { pk, created, ...rest } = second
    assert.deepEqual(rest, {
      ...{ id: dispatched, status: 'running', user: service.getPk('member'), username: 'member', kind: 'label/part' },
      ...{ template, template_name: 'A label', object: part, object_name: 'Sensor', object_count: 1, plugin: 'printer' },
      ...{ machine: null, machine_name: null, done: 1, total: 1, file: null, message: null, warnings: [], field_errors: [] },
      finished: null,
    })
    assert.deepEqual([first.id, first.status, first.plugin], [waiting, 'waiting', null])
    assert.equal((await member.get(LIST)).body.count, 2)
    assert.equal((await viewer.get(LIST)).body.count, 0)
    assert.equal((await staff.get(`${LIST}?status=waiting`)).body.count, 1)
    assert.equal((await staff.get(`${LIST}?user=${service.getPk('viewer')}`)).body.count, 0)
  })

  it('requires only an account', () => assertCallers(service, (client) => client.get(LIST), CALLERS.slice(1)))

  it('cancels a print that waits, and not one that a plugin has received', async () => {
    const before = await readJobs()
    for (const [client, status] of [
      [viewer, 404],
      [anonymous, 401],
    ] as const)
      assert.equal((await client.post(`${LIST}${waiting}/cancel/`)).status, status)
    const dispatchedResponse = await member.post(`${LIST}${dispatched}/cancel/`)
    assert.deepEqual(
      [dispatchedResponse.status, dispatchedResponse.body.detail],
      [400, 'The printer has already received this print: it cannot be cancelled.'],
    )
    assert.deepEqual(await readJobs(), before)
    const { status, body } = await member.post(`${LIST}${waiting}/cancel/`)
    assert.deepEqual([status, body.status, body.errors], [200, 'cancelled', { detail: 'The print was cancelled.' }])
    assert.ok(body.finished)
    const again = await member.post(`${LIST}${waiting}/cancel/`)
    assert.deepEqual([again.status, again.body.detail], [400, 'The print has already ended.'])
  })

  it('prints again what has ended, on behalf of the caller, and rejects what has not', async () => {
    assert.equal((await member.post(`${LIST}${dispatched}/retry/`)).status, 400)
    writeFileSync(join(DATA_DIR, 'plugins/printer/go'), '')
    await waitForStatus(dispatched, 'done')
    assert.equal(await readStatus(waiting), 'cancelled', 'a cancelled print is made')
    assert.equal((await viewer.post(`${LIST}${waiting}/retry/`)).status, 404)
    const { status, body, headers } = await member.post(`${LIST}${waiting}/retry/`)
    assert.deepEqual([status, headers.location], [202, `${LIST}${body.id}/`])
    assert.notEqual(body.id, waiting)
    await waitForStatus(body.id, 'done')
    assert.match((await member.get(`${LIST}${body.id}/`)).body.file, /\.pdf$/)
    const failed = await print(member, `parts=${part}&plugin=printer`, { fail: true })
    await waitForStatus(failed, 'failed')
    const ofSuperuser = await superuser.post(`${LIST}${failed}/retry/`)
    await waitForStatus(ofSuperuser.body.id, 'failed')
    assert.equal((await readJobs()).find(({ id }) => id === ofSuperuser.body.id).user, service.getPk('superuser'))
  })

  it('requires the permission to see the printed objects of who prints again', async () => {
    const [{ id }] = await readJobs()
    const before = await readJobs()
    assert.equal((await staff.post(`${LIST}${id}/retry/`)).status, 403)
    assert.deepEqual(await readJobs(), before)
  })

  it('ends a request that waits for a cancelled print with the reason', async () => {
    await service.rows('update print_job set key = null')
    const url = `/api/label/part/${template}/print/?parts=${part}`
    const first = await member.post(url, {}, { 'idempotency-key': 'cancelled', prefer: 'respond-async' })
    await waitForStatus(first.body.id, 'done')
    await service.rows(`update print_job set status = 'waiting', finished = null, file = null where id = $1`, [first.body.id])
    await member.post(`${LIST}${first.body.id}/cancel/`)
    const repeated = await member.post(url, {}, { 'idempotency-key': 'cancelled' })
    assert.deepEqual([repeated.status, repeated.body.detail], [400, 'The print was cancelled.'])
  })
})
