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
const countJobs = async () => Number((await service.rows('select count(*) from print_job'))[0].count)
const countWaitingJobs = async () =>
  Number((await service.rows(`select count(*) from print_job where status = 'waiting'`))[0].count)
const countFiles = async () => Number((await service.rows('select count(*) from printed_file'))[0].count)

/** Waits until the job of a response has ended, and returns it. */
async function waitForJob({ status, headers, text }: Awaited<ReturnType<typeof print>>, client: Client = member) {
  assert.equal(status, 202, text)
  const jobUrl = String(headers.location)
  await waitUntil(async () => !['waiting', 'running'].includes((await client.get(jobUrl)).body.status), 'the job does not end')
  return (await client.get(jobUrl)).body
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
    const jobUrl = String((await print('&copies=100')).headers.location)
    const progress = new Set<number>()
    await waitUntil(async () => {
      const { done, status } = (await member.get(jobUrl)).body
      progress.add(done)
      return status === 'done'
    }, 'the job does not end')
    assert.deepEqual(
      [...progress].filter((done) => done !== 0),
      [100, 200],
    )
  })

  it('rejects immediately if possible, and reports later errors in the job', async () => {
    const before = await countJobs()
    assert.equal((await print('&copies=0')).status, 400)
    assert.equal((await print('&plugin=nobody')).status, 404)
    assert.equal(await countJobs(), before)
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
      [first.name, first.target.model, first.target.name, first.target.link],
      ['Label printing failed', 'printjob', 'A label', '/settings/print-jobs/'],
    )
    assert.equal(first.message, `Printing failed. ${job.errors.non_field_errors.join(' ')}`)
    await waitForJob(await post({ fail: true }, ASYNC, '&plugin=printer'))
    await deliverNotifications(service.app.routes.services)
    await waitUntil(async () => (await readNotifications()).length === 2, 'no second notification arrives')
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
    const restartJob = async (attempt: number) => {
      await service.rows(`update print_job set status = 'running', file = null, attempt = $2 where pk = $1`, [pk, attempt])
      await services.database.transaction((tx) => services.jobs.send(tx, 'print', { job: pk }, { owner: 'x', name: 'x' }))
      return waitForJob(response)
    }
    assert.equal((await restartJob(2)).status, 'done')
    const failedJob = await restartJob(3)
    assert.deepEqual(
      [failedJob.status, failedJob.errors],
      ['failed', { detail: 'The service ended during each attempt to print this.' }],
    )
  })

  it('alternates between accounts, however many jobs each of them has', async () => {
    const path = `/api/label/part/${template}/print/?parts=${parts[0]}`
    const startPrint = async (client: Client, body: object, query = '') => {
      const response = await client.post(path + query, body, ASYNC)
      assert.equal(response.status, 202, response.text)
      return response
    }
    const first = Number((await service.rows('select max(pk) from print_job'))[0].max)
    const heldPrints = await Promise.all(
      [superuser, viewer].map((client) => startPrint(client, { hold: true }, '&plugin=printer')),
    )
    const countRunningJobs = async () => (await service.rows(`select count(*) from print_job where status = 'running'`))[0].count
    await waitUntil(async () => Number(await countRunningJobs()) === 2, 'the jobs do not start')
    for (let count = 0; count < 4; count++) for (const client of [superuser, viewer]) await startPrint(client, {})
    const last = await startPrint(member, {})
    writeFileSync(join(DATA_DIR, 'plugins/printer/go'), '')
    for (const printResponse of [...heldPrints, last]) await waitForJob(printResponse, superuser)
    await waitUntil(async () => Number(await countRunningJobs()) === 0 && (await countWaitingJobs()) === 0, 'the jobs do not end')
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

  it('checks the caller’s permissions again when it runs', async () => {
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
    const readStatus = async () => (await superuser.get(`/api/print-job/${response.body.id}/`)).body.status
    await waitUntil(async () => (await readStatus()) === 'failed', 'it is printed')
    await service.rows('update user_account set is_active = true where pk = $1', [service.getPk('viewer')])
    service.app.routes.services.accounts.invalidate()
  })
})

describe('GET /api/report/slr/{id}/print/ with Prefer: respond-async', { skip: printingUnsupported }, () => {
  it('responds with a job, and with the same document for the same Idempotency-Key', async () => {
    const path = `/api/report/slr/${report}/print/`
    const job = await waitForJob(await member.send('GET', path, undefined, ASYNC))
    assert.deepEqual([job.status, job.done, job.total], ['done', 1, 1])
    const before = await countFiles()
    const first = await member.send('GET', path, undefined, { 'idempotency-key': 'report' })
    const repeated = await member.send('GET', path, undefined, { 'idempotency-key': 'report' })
    assert.deepEqual([first.status, repeated.body.file], [200, first.body.file])
    assert.equal(await countFiles(), before + 1)
    const document = await member.send('GET', path, undefined, { 'idempotency-key': 'report', accept: 'application/pdf' })
    assert.equal(document.headers['content-type'], 'application/pdf')
    assert.equal(await countFiles(), before + 1)
  })
})

describe('GET /api/label/part/{id}/print/ with an Idempotency-Key', { skip: printingUnsupported }, () => {
  it('prints once, and repeats the response', async () => {
    const [jobsBefore, filesBefore] = [await countJobs(), await countFiles()]
    const keyHeaders = { 'idempotency-key': 'once' }
    const [first, second] = await Promise.all([print('', keyHeaders), print('', keyHeaders)])
    assert.deepEqual([first.status, first.headers.plugin], [200, 'inventreelabel'], first.text)
    assert.deepEqual(second.body, first.body)
    assert.deepEqual((await print('', keyHeaders)).body, first.body)
    const job = await waitForJob(await print('', { ...keyHeaders, ...ASYNC }))
    assert.equal(job.file, first.body.file)
    assert.deepEqual([await countJobs(), await countFiles()], [jobsBefore + 1, filesBefore + 1])
    const other = await print('&copies=2', keyHeaders)
    assert.equal(other.status, 422)
    assert.equal((await print('', keyHeaders, superuser)).status, 200)
    assert.equal(await countFiles(), filesBefore + 2)
    assert.equal((await print('', { 'idempotency-key': 'x'.repeat(256) })).status, 400)
  })

  it('repeats the error of a failed print', async () => {
    const failToPrint = () => post({ fail: true }, { 'idempotency-key': 'fails' }, '&plugin=printer')
    const [first, repeated] = [await failToPrint(), await failToPrint()]
    for (const { status, body } of [first, repeated]) assert.deepEqual([status, body.detail], [503, 'The plugin printer failed.'])
  })
})

describe('GET /api/print-job/{job}/', { skip: printingUnsupported }, () => {
  it('allows only the caller and staff, and is deleted with the files', async () => {
    const jobUrl = String((await print('')).headers.location)
    for (const [client, status] of [
      [member, 200],
      [staff, 200],
      [superuser, 200],
      [viewer, 404],
      [service.anonymous, 401],
    ] as const)
      assert.equal((await client.get(jobUrl)).status, status)
    for (const id of ['5', 'x', '00000000-0000-4000-8000-000000000000']) {
      const { status, body } = await member.get(`/api/print-job/${id}/`)
      assert.deepEqual([status, body], [404, { detail: 'Not found.' }])
    }
    await waitForJob(await print(''))
    await service.rows(`update print_job set created = now() - interval '1 year'`)
    await sweep(service.app.routes.services)
    assert.equal((await member.get(jobUrl)).status, 404)
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
