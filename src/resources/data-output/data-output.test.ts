import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { readPdf } from '../../testing/pdf.ts'
import { preparePrinting, printingUnsupported } from '../../testing/printing.ts'
import { assertCallers, testService } from '../../testing/service.ts'
import { waitUntil } from '../../testing/until.ts'

const { DATA_DIR } = await preparePrinting()
const service = await testService({ DATA_DIR })
const { member, superuser, viewer, staff, nobody } = service
const OUTPUTS = '/api/data-output/'
const PRINT = '/api/label/print/'

const html = (text: string) => `data:text/html,${encodeURIComponent(text)}`
let parts: number[]
let company: number
let label: number
let companyLabel: number
let faulty: number
let report: number
before(async () => {
  parts = (await service.rows(`insert into part (name) values ('One'), ('Two') returning pk`)).map(({ pk }) => pk)
  company = (await service.rows(`insert into company (name, currency) values ('Bolts', 'EUR') returning pk`))[0].pk
  const create = async (path: string, body: object) => {
    const response = await superuser.post(path, { description: 'To try', ...body })
    assert.equal(response.status, 201, response.text)
    return response.body.pk as number
  }
  const size = { width: 40, height: 20 }
  label = await create('/api/label/template/', { name: 'Small', model_type: 'part', template: html('{{ part.name }}'), ...size })
  companyLabel = await create('/api/label/template/', {
    name: 'Box',
    model_type: 'company',
    template: html('{{ company.name }}'),
    ...size,
  })
  faulty = await create('/api/label/template/', {
    name: 'Faulty',
    model_type: 'part',
    template: html('{{ part.name | divided_by: 0 }}'),
    ...size,
  })
  report = await create('/api/report/template/', { name: 'Sheet', model_type: 'company', template: html('{{ company.name }}') })
})

async function readPages(output: string) {
  const { body } = await member.get('/api/user/token/')
  const url = new URL(output).pathname
  const response = await service.app.inject({ method: 'GET', url, headers: { authorization: `Token ${body.token}` } })
  assert.equal(response.statusCode, 200)
  return (await readPdf(response.rawPayload)).length
}

describe('POST /api/label/print/', { skip: printingUnsupported }, () => {
  it('prints labels of any kind, and responds with the output', async () => {
    const { status, body } = await member.post(PRINT, { template: label, items: parts })
    assert.equal(status, 201, JSON.stringify(body))
    const { pk, created, output, user_detail, ...rest } = body
    assert.deepEqual(rest, {
      user: service.getPk('member'),
      total: 2,
      progress: 2,
      complete: true,
      output_type: 'label',
      template_name: 'Small',
      plugin: 'inventreelabel',
      errors: null,
    })
    assert.deepEqual([created, user_detail.username], [new Date().toISOString().slice(0, 10), 'member'])
    assert.equal(await readPages(output), 2)
    assert.deepEqual((await member.get(`${OUTPUTS}${pk}/`)).body, body)
    const other = await member.post(PRINT, { template: companyLabel, items: [company] })
    assert.deepEqual([other.status, other.body.template_name, await readPages(other.body.output)], [201, 'Box', 1])
    const [job] = (await member.get('/api/print-job/')).body.results
    assert.deepEqual([job.kind, job.template_name, job.object_name], ['label/company', 'Box', 'Bolts'])
  })

  it('takes options of the plugin, and prints once with an Idempotency-Key', async () => {
    const body = { template: label, items: [parts[0]], plugin: 'inventreelabel', copies: 3 }
    const first = await member.post(PRINT, body, { 'idempotency-key': 'three' })
    assert.deepEqual([first.status, first.body.total, await readPages(first.body.output)], [201, 3, 3])
    assert.equal((await member.post(PRINT, body, { 'idempotency-key': 'three' })).body.pk, first.body.pk)
    assert.equal((await member.post(PRINT, { ...body, copies: 2 }, { 'idempotency-key': 'three' })).status, 422)
  })

  it('responds at once if asked, and the output is polled', async () => {
    const { status, body, headers } = await member.post(PRINT, { template: label, items: parts }, { prefer: 'respond-async' })
    assert.deepEqual([status, headers['preference-applied']], [201, 'respond-async'])
    assert.equal((await member.get(String(headers.location))).status, 200)
    await waitUntil(async () => (await member.get(`${OUTPUTS}${body.pk}/`)).body.complete, 'the print does not end')
    assert.equal(await readPages((await member.get(`${OUTPUTS}${body.pk}/`)).body.output), 2)
  })

  it('rejects what cannot be printed', async () => {
    const request = { template: label, items: parts }
    for (const [body, field] of [
      [{}, 'items,template'],
      [{ template: null, items: null }, 'items,template'],
      [{ ...request, template: 999_999 }, 'template'],
      [{ ...request, items: [] }, 'items'],
      [{ ...request, items: [999_999] }, 'items'],
      [{ ...request, items: ['x'] }, 'items'],
      [{ ...request, plugin: 'none' }, 'plugin'],
      [{ ...request, plugin: 'inventreebarcode' }, 'non_field_errors'],
      [{ ...request, copies: 0 }, 'copies'],
      [{ ...request, template: faulty }, 'non_field_errors'],
    ] as const) {
      const response = await member.post(PRINT, body)
      assert.deepEqual([response.status, Object.keys(response.body).sort().join()], [400, field], JSON.stringify(body))
    }
    const [failed] = (await member.get(`${OUTPUTS}?ordering=-pk&limit=1`)).body.results
    assert.deepEqual([failed.template_name, failed.complete, failed.output], ['Faulty', true, null])
    assert.ok(failed.errors.non_field_errors)
  })

  it('requires the permission to view templates and objects', () =>
    assertCallers(service, (client) => client.post(PRINT, { template: label, items: parts }), ['viewer', 'member', 'superuser']))
})

describe('POST /api/report/print/', { skip: printingUnsupported }, () => {
  it('prints a report of any kind', async () => {
    const { status, body } = await member.post('/api/report/print/', { template: report, items: [company] })
    assert.deepEqual([status, body.output_type, body.template_name, body.plugin], [201, 'report', 'Sheet', null])
    assert.equal(await readPages(body.output), 1)
  })

  it('rejects missing and unknown values', async () => {
    assert.deepEqual(Object.keys((await member.post('/api/report/print/', {})).body).sort(), ['items', 'template'])
    assert.deepEqual(Object.keys((await member.post('/api/report/print/', { template: report, items: [99] })).body), ['items'])
  })

  it('requires the permission to view templates and objects', () =>
    assertCallers(service, (client) => client.post('/api/report/print/', { template: report, items: [company] }), [
      ...(['viewer', 'member', 'superuser'] as const),
    ]))
})

describe('/api/data-output/', () => {
  const insert = async (name: 'member' | 'viewer', status = 'done') =>
    (
      await service.rows(
        `insert into print_job (id, "user", kind, template, query, body, status, file)
         values (gen_random_uuid(), $1, 'label/part', 1, '{"part": "1"}', '{}', $2, 'label/output/x.pdf') returning pk`,
        [service.getPk(name), status],
      )
    )[0].pk as number

  it('shows each account its own outputs, and staff all', async () => {
    const [own, other] = [await insert('member'), await insert('viewer')]
    assert.equal((await member.get(`${OUTPUTS}${other}/`)).status, 404)
    assert.equal((await viewer.get(`${OUTPUTS}${other}/`)).status, 200)
    for (const pk of [own, other]) assert.equal((await staff.get(`${OUTPUTS}${pk}/`)).status, 200)
    const { results } = (await staff.get(`${OUTPUTS}?user=${service.getPk('viewer')}&limit=1000`)).body
    assert.ok(results.some(({ pk }: { pk: number }) => pk === other))
    assert.ok(results.every(({ user }: { user: number }) => user === service.getPk('viewer')))
  })

  it('is deleted with its file, unless it is in progress', async () => {
    const [own, running, other] = [await insert('member'), await insert('member', 'running'), await insert('viewer')]
    await service.rows(`insert into printed_file (file, name, "user") values ('label/output/x.pdf', 'x.pdf', $1)`, [
      service.getPk('member'),
    ])
    assert.equal((await member.delete(`${OUTPUTS}${running}/`)).status, 400)
    assert.equal((await member.delete(`${OUTPUTS}${other}/`)).status, 404)
    assert.equal((await nobody.delete(OUTPUTS, { items: [own] })).status >= 200, true)
    assert.equal((await member.get(`${OUTPUTS}${own}/`)).status, 200)
    assert.equal((await member.delete(OUTPUTS, { items: [running] })).status, 400)
    assert.equal((await member.delete(`${OUTPUTS}${own}/`)).status, 204)
    assert.equal((await member.get(`${OUTPUTS}${own}/`)).status, 404)
    assert.deepEqual(await service.rows(`select from printed_file where file = 'label/output/x.pdf'`), [])
  })

  it('requires an account', () =>
    assertCallers(service, (client) => client.get(OUTPUTS), ['nobody', 'viewer', 'member', 'staff', 'superuser']))
})
