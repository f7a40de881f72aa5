import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { preparePrinting, printingUnsupported } from '../../testing/printing.ts'
import { assertCallers, CALLERS, type Client, testService } from '../../testing/service.ts'
import { waitUntil } from '../../testing/until.ts'
import { sweep } from '../background-task/housekeeping.ts'
import { deliverNotifications } from '../notifications/deliver-notifications.ts'

const { DATA_DIR } = await preparePrinting()
mkdirSync(join(DATA_DIR, 'plugins/printer'), { recursive: true })
writeFileSync(
  join(DATA_DIR, 'plugins/printer/index.js'),
  `import { existsSync } from 'node:fs'
  export default { slug: 'printer', name: 'printer', version: '1.0.0',
    labels: { async print(job) {
      if (job.options.fail) throw new Error('no paper')
      const isHeld = () => job.options.hold && !existsSync(new URL('./go', import.meta.url))
      while (isHeld()) await new Promise((resolve) => setTimeout(resolve, 10))
      return { message: 'printed by itself' }
    } } }`,
)
const service = await testService({ DATA_DIR })
const { member, superuser, viewer, staff } = service
const ASYNC = { prefer: 'respond-async' }

let template: number
let faultyTemplate: number
let report: number
const parts: number[] = []
before(async () => {
  const { body: category } = await superuser.post('/api/part/category/', { name: 'Parts' })
  for (const name of ['One', 'Two']) parts.push((await superuser.post('/api/part/', { name, category: category.pk })).body.pk)
  const create = async (path: string, body: object) => (await superuser.post(path, body)).body.pk
  const html = (text: string) => `data:text/html,${encodeURIComponent(text)}`
  const size = { name: 'A label', width: 40, height: 20 }
  template = await create('/api/label/part/', { ...size, label: html('{{ part.name }}') })
  faultyTemplate = await create('/api/label/part/', { ...size, label: html('{{ part.name | divided_by: 0 }}') })
  report = (await superuser.get('/api/report/slr/')).body.results[0].pk
  await superuser.patch('/api/plugins/activate/', { plugin: 'printer', active: true })
})

const print = (query: string, headers: Record<string, string> = ASYNC, client: Client = member, pk = template) =>
  client.send('GET', `/api/label/part/${pk}/print/?parts=${parts}${query}`, undefined, headers)
const post = (body: object, headers: Record<string, string>, query = '') =>
  member.post(`/api/label/part/${template}/print/?parts=${parts}${query}`, body, headers)
const jobs = async () => Number((await service.rows('select count(*) from print_job'))[0].count)
const waiting = async () => Number((await service.rows(`select count(*) from print_job where status = 'waiting'`))[0].count)
const files = async () => Number((await service.rows('select count(*) from printed_file'))[0].count)

/** Waits until the job of a response has ended, and returns it. */
async function waitForJob({ status, headers, text }: Awaited<ReturnType<typeof print>>, client: Client = member) {
  assert.equal(status, 202, text)
  const at = String(headers.location)
  await waitUntil(async () => !['waiting', 'running'].includes((await client.get(at)).body.status), 'it does not end')
  return (await client.get(at)).body
}

describe('GET /api/label/part/{id}/print/ with Prefer: respond-async', { skip: printingUnsupported }, () => {
  it('responds with a job, which has the progress and the URL of the file', async () => {
    const response = await print('&copies=2')
    assert.deepEqual([response.body.status, response.headers['preference-applied']], ['waiting', 'respond-async'])
    const { file, created, finished, ...rest } = await waitForJob(response)
    assert.deepEqual(rest, {
      ...{
        id: response.body.id,
        status: 'done',
        done: 4,
        total: 4,
        message: '4 labels generated',
        warnings: [],
        errors: null,
        field_errors: [],
      },
    })
    assert.match(file, /\/media\/label\/output\/\w+\.pdf$/)
    assert.ok(finished >= created)
    assert.equal((await member.get(new URL(file).pathname)).status, 200)
  })

  it('reports the completed labels while the others are printed', async () => {
    const at = String((await print('&copies=100')).headers.location)
    const progress = new Set<number>()
    await waitUntil(async () => {
      const { done, status } = (await member.get(at)).body
      progress.add(done)
      return status === 'done'
    }, 'it does not end')
    assert.deepEqual(
      [...progress].filter((done) => done !== 0),
      [100, 200],
    )
  })

  it('rejects immediately if possible, and reports later errors in the job', async () => {
    const before = await jobs()
    assert.equal((await print('&copies=0')).status, 400)
    assert.equal((await print('&plugin=nobody')).status, 404)
    assert.equal(await jobs(), before)
    const job = await waitForJob(await print('', ASYNC, member, faultyTemplate))
    assert.deepEqual([job.status, job.file], ['failed', null])
    assert.match(job.errors.non_field_errors[0], /cannot be printed/)
  })

  it('notifies the caller of a failure, unless the request waits for it', async () => {
    const readNotifications = async () => (await member.get('/api/notifications/?category=label.printing_failed')).body.results
    await deliverNotifications(service.app.routes.services)
    await service.rows('delete from notification')
    const job = await waitForJob(await print('', ASYNC, member, faultyTemplate))
    assert.equal((await print('', { 'idempotency-key': 'waits' }, member, faultyTemplate)).status, 400)
    await deliverNotifications(service.app.routes.services)
    const [first, ...others] = await readNotifications()
    assert.deepEqual(others, [])
    assert.deepEqual(
      [first.name, first.target.model, first.target.link],
      [...['Label printing failed', 'printjob', `/api/print-job/${job.id}/`]],
    )
    assert.equal(first.message, `Printing failed. ${job.errors.non_field_errors.join(' ')}`)
    await waitForJob(await post({ fail: true }, ASYNC, '&plugin=printer'))
    await deliverNotifications(service.app.routes.services)
    await waitUntil(async () => (await readNotifications()).length === 2, 'it is not told')
    const messages = (await readNotifications()).map(({ message }: { message: string }) => message)
    assert.ok(messages.includes('Printing failed. The plugin printer failed.'))
  })

  it('is described in the OpenAPI document', async () => {
    const { paths, components } = (await member.get('/api/schema/')).body
    const parameterRefs = paths['/api/label/part/{id}/print/'].get.parameters.map(({ $ref }: { $ref?: string }) => $ref)
    assert.ok(parameterRefs.includes('#/components/parameters/Prefer'))
    assert.deepEqual([components.parameters.Prefer.name, components.parameters.Prefer.in], ['Prefer', 'header'])
  })

  it('fails after the service died in each of several attempts', async () => {
    const { services } = service.app.routes
    const response = await print('')
    await waitForJob(response)
    const [{ pk }] = await service.rows('select pk from print_job where id = $1', [response.body.id])
    const takeUp = async (attempt: number) => {
      await service.rows(`update print_job set status = 'running', file = null, attempt = $2 where pk = $1`, [pk, attempt])
      await services.database.transaction((tx) => services.jobs.send(tx, 'print', { job: pk }, { owner: 'x', name: 'x' }))
      return waitForJob(response)
    }
    assert.equal((await takeUp(2)).status, 'done')
    const failedJob = await takeUp(3)
    assert.deepEqual(
      [failedJob.status, failedJob.errors],
      ['failed', { detail: 'The service ended during each attempt to print this.' }],
    )
  })

  it('alternates between accounts, however many jobs each of them has', async () => {
    const path = `/api/label/part/${template}/print/?parts=${parts[0]}`
    const begin = async (client: Client, body: object, query = '') => {
      const response = await client.post(path + query, body, ASYNC)
      assert.equal(response.status, 202, response.text)
      return response
    }
    const first = Number((await service.rows('select max(pk) from print_job'))[0].max)
    const heldPrints = await Promise.all([superuser, viewer].map((client) => begin(client, { hold: true }, '&plugin=printer')))
    const running = async () => (await service.rows(`select count(*) from print_job where status = 'running'`))[0].count
    await waitUntil(async () => Number(await running()) === 2, 'they do not begin')
    for (let count = 0; count < 4; count++) for (const client of [superuser, viewer]) await begin(client, {})
    const last = await begin(member, {})
    writeFileSync(join(DATA_DIR, 'plugins/printer/go'), '')
    for (const one of [...heldPrints, last]) await waitForJob(one, superuser)
    await waitUntil(async () => Number(await running()) === 0 && (await waiting()) === 0, 'they do not end')
    const order = await service.rows('select "user" from print_job where pk > $1 order by finished, pk', [first])
    const position = order.findIndex(({ user }) => user === service.getPk('member'))
    assert.ok(position <= 4, `it is printed after ${position} others`)
  })

  it('makes a plugin print once', async () => {
    const done = await waitForJob(await post({}, ASYNC, '&plugin=printer'))
    assert.deepEqual([done.status, done.message, done.file], ['done', 'printed by itself', null])
    const failed = await waitForJob(await post({ fail: true }, ASYNC, '&plugin=printer'))
    assert.deepEqual([failed.status, failed.errors], ['failed', { detail: 'The plugin printer failed.' }])
  })

  it('checks the caller’s rights again when it runs', async () => {
    const { jobs: background } = service.app.routes.services
    const response = await print('', ASYNC, viewer)
    await waitForJob(response, viewer)
    await service.rows(`update print_job set status = 'waiting', file = null where id = $1`, [response.body.id])
    await service.rows('update user_account set is_active = false where pk = $1', [service.getPk('viewer')])
    service.app.routes.services.accounts.invalidate()
    const [{ pk }] = await service.rows('select pk from print_job where id = $1', [response.body.id])
    await service.app.routes.services.database.transaction((tx) =>
      background.send(tx, 'print', { job: pk }, { owner: 'x', name: 'x' }),
    )
    const status = async () => (await superuser.get(`/api/print-job/${response.body.id}/`)).body.status
    await waitUntil(async () => (await status()) === 'failed', 'it is printed')
    await service.rows('update user_account set is_active = true where pk = $1', [service.getPk('viewer')])
    service.app.routes.services.accounts.invalidate()
  })
})

describe('GET /api/report/slr/{id}/print/ with Prefer: respond-async', { skip: printingUnsupported }, () => {
  it('responds with a job, and with the same document for the same Idempotency-Key', async () => {
    const path = `/api/report/slr/${report}/print/`
    const job = await waitForJob(await member.send('GET', path, undefined, ASYNC))
    assert.deepEqual([job.status, job.done, job.total], ['done', 1, 1])
    const before = await files()
    const first = await member.send('GET', path, undefined, { 'idempotency-key': 'report' })
    const repeated = await member.send('GET', path, undefined, { 'idempotency-key': 'report' })
    assert.deepEqual([first.status, repeated.body.file], [200, first.body.file])
    assert.equal(await files(), before + 1)
    const document = await member.send('GET', path, undefined, { 'idempotency-key': 'report', accept: 'application/pdf' })
    assert.equal(document.headers['content-type'], 'application/pdf')
    assert.equal(await files(), before + 1)
  })
})

describe('GET /api/label/part/{id}/print/ with an Idempotency-Key', { skip: printingUnsupported }, () => {
  it('prints once, and repeats the response', async () => {
    const [jobsBefore, filesBefore] = [await jobs(), await files()]
    const keyed = { 'idempotency-key': 'once' }
    const [first, second] = await Promise.all([print('', keyed), print('', keyed)])
    assert.deepEqual([first.status, first.headers.plugin], [200, 'inventreelabel'], first.text)
    assert.deepEqual(second.body, first.body)
    assert.deepEqual((await print('', keyed)).body, first.body)
    const job = await waitForJob(await print('', { ...keyed, ...ASYNC }))
    assert.equal(job.file, first.body.file)
    assert.deepEqual([await jobs(), await files()], [jobsBefore + 1, filesBefore + 1])
    const other = await print('&copies=2', keyed)
    assert.equal(other.status, 422)
    assert.equal((await print('', keyed, superuser)).status, 200)
    assert.equal(await files(), filesBefore + 2)
    assert.equal((await print('', { 'idempotency-key': 'x'.repeat(256) })).status, 400)
  })

  it('repeats the error of a failed print', async () => {
    const response = () => post({ fail: true }, { 'idempotency-key': 'fails' }, '&plugin=printer')
    const [first, repeated] = [await response(), await response()]
    for (const { status, body } of [first, repeated]) assert.deepEqual([status, body.detail], [503, 'The plugin printer failed.'])
  })
})

describe('GET /api/print-job/{job}/', { skip: printingUnsupported }, () => {
  it('allows only the caller and staff, and is deleted with the files', async () => {
    const at = String((await print('')).headers.location)
    for (const [client, status] of [
      [member, 200],
      [staff, 200],
      [superuser, 200],
      [viewer, 404],
      [service.anonymous, 401],
    ] as const)
      assert.equal((await client.get(at)).status, status)
    for (const id of ['5', 'x', '00000000-0000-4000-8000-000000000000']) {
      const { status, body } = await member.get(`/api/print-job/${id}/`)
      assert.deepEqual([status, body], [404, { detail: 'Not found.' }])
    }
    await waitForJob(await print(''))
    await service.rows(`update print_job set created = now() - interval '1 year'`)
    await sweep(service.app.routes.services)
    assert.equal((await member.get(at)).status, 404)
  })

  it('reports a print as unknown when its machine was called long ago', async () => {
    const response = await print('')
    await waitForJob(response)
    await service.rows(`update print_job set status = 'running', asked = now() - interval '3 minutes' where id = $1`, [
      response.body.id,
    ])
    assert.equal((await member.get(String(response.headers.location))).body.status, 'unknown')
  })

  it('requires only an account', () =>
    assertCallers(service, async (client) => client.get('/api/print-job/5/'), CALLERS.slice(1)))
})
