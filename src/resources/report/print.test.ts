import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { readPdf } from '../../testing/pdf.ts'
import { preparePrinting, printingUnsupported } from '../../testing/printing.ts'
import { assertCallers, type Client, testService } from '../../testing/service.ts'

const [service, existing, serviceWithoutBrowser] = await Promise.all([
  testService(await preparePrinting()),
  testService({ ...(await preparePrinting()), WIRE_FORM: 'inventree' }),
  testService(),
])
const { member, superuser } = service

const toDataUrl = (text: string) => `data:text/html,${encodeURIComponent(text)}`
const PATH = '/api/report/po/'
const TEMPLATE_SOURCE =
  '<h1>{{ reference }}</h1>{% for line in lines %}<p>{{ line.reference }}: {{ line.quantity }}</p>{% endfor %}'

/** Creates three orders and a template in a service. */
async function createTestData(target: typeof service, encodeTemplate: (text: string) => string = toDataUrl) {
  const post = async (path: string, body: object) => {
    const created = await target.superuser.post(path, body)
    assert.equal(created.status, 201, created.text)
    return created.body.pk as number
  }
  const supplier = await post('/api/company/', { name: 'Supplier', is_supplier: true, currency: 'EUR' })
  const orders: number[] = []
  for (const reference of ['PO-0001', 'PO-0002', 'PO-0003'])
    orders.push(await post('/api/order/po/', { reference, supplier, description: reference }))
  const create = (fields: object = {}, path = PATH) =>
    post(path, { name: 'A report', description: 'to try', template: encodeTemplate(TEMPLATE_SOURCE), ...fields })
  return { orders, create, template: await create() }
}
type TestData = Awaited<ReturnType<typeof createTestData>>

const print = (client: Client, pk: number, query = '', headers: Record<string, string> = {}) =>
  client.get(`${PATH}${pk}/print/${query}`, headers)

/** Fetches the bytes of a file or a response. */
async function fetchBytes(target: typeof service, url: string, headers: Record<string, string> = {}) {
  const { token } = (await target.member.get('/api/user/token/')).body
  const response = await target.app.inject({ method: 'GET', url, headers: { ...headers, authorization: `Token ${token}` } })
  assert.equal(response.statusCode, 200, response.payload)
  return { headers: response.headers, bytes: response.rawPayload }
}

describe('GET /api/report/po/{id}/print/', { skip: printingUnsupported }, () => {
  let testData: TestData
  before(async () => {
    testData = await createTestData(service)
  })

  it('returns the template, and the URL of the PDF of all orders, in the requested order', async () => {
    const { template, orders } = testData
    const response = await print(member, template, `?orders=${orders[2]},${orders[0]}`)
    const { file, ...rest } = response.body
    assert.equal(response.status, 200)
    assert.deepEqual(rest, (await member.get(`${PATH}${template}/`)).body)
    assert.match(file, /^http:\/\/.*\/media\/report\/output\/\w+\.pdf$/)
    const { bytes } = await fetchBytes(service, new URL(file).pathname)
    const pages = await readPdf(bytes)
    assert.deepEqual(
      pages.map(({ text }) => text.trim()),
      ['PO-0003', 'PO-0001'],
    )
    for (const { width, height } of pages) assert.deepEqual([Math.round(width), Math.round(height)], [210, 297])
  })

  it('returns the PDF itself on request, and stores nothing', async () => {
    const { template, orders } = testData
    const url = `${PATH}${template}/print/?order=${orders[0]}`
    const [{ count }] = await service.rows('select count(*) from printed_file')
    for (const response of [
      await fetchBytes(service, `${url}&format=pdf`),
      await fetchBytes(service, url, { accept: 'text/html, application/pdf;q=0.9' }),
    ]) {
      assert.equal(response.headers['content-type'], 'application/pdf')
      assert.equal(response.headers['content-disposition'], 'attachment; filename="report.pdf"')
      assert.equal((await readPdf(response.bytes)).length, 1)
    }
    assert.deepEqual(await service.rows('select count(*) from printed_file'), [{ count }])
  })

  it('displays the PDF in the browser if the account prefers that', async () => {
    const { template, orders } = testData
    await member.patch('/api/settings/user/REPORT_INLINE/', { value: true })
    const { headers } = await fetchBytes(service, `${PATH}${template}/print/?order=${orders[0]}&format=pdf`)
    assert.equal(headers['content-disposition'], 'inline; filename="report.pdf"')
    await member.patch('/api/settings/user/REPORT_INLINE/', { value: false })
  })

  it('uses the page size and orientation of the template', async () => {
    const { create, orders } = testData
    const pk = await create({ page_size: 'Letter', landscape: true })
    const { bytes } = await fetchBytes(service, `${PATH}${pk}/print/?order=${orders[0]}&format=pdf`)
    const [page] = await readPdf(bytes)
    assert.deepEqual(
      [page?.width, page?.height].map((side = 0) => Math.round(side * 10) / 10),
      [279.4, 215.9],
    )
  })

  it('returns sandboxed HTML while REPORT_DEBUG_MODE is on', async () => {
    const { template, orders } = testData
    await superuser.patch('/api/settings/global/REPORT_DEBUG_MODE/', { value: true })
    const { headers, bytes } = await fetchBytes(service, `${PATH}${template}/print/?order=${orders[0]}&format=pdf`)
    await superuser.patch('/api/settings/global/REPORT_DEBUG_MODE/', { value: false })
    assert.match(headers['content-type'] as string, /^text\/html/)
    assert.match(headers['content-security-policy'] as string, /sandbox/)
    assert.match(bytes.toString(), /<h1>PO-0001<\/h1>/)
  })

  it('rejects unknown orders, a disabled template, and one whose filters do not match', async () => {
    const { template, create, orders } = testData
    assert.deepEqual(Object.keys((await print(member, template, '?order=99999')).body), ['order'])
    assert.match((await print(member, await create({ enabled: false }), '')).body.non_field_errors[0], /disabled/)
    const filteredTemplate = await create({ filters: 'reference=PO-0002,supplier__name=Supplier' })
    assert.match((await print(member, filteredTemplate, `?order=${orders[0]}`)).body.non_field_errors[0], /does not apply/)
    assert.equal((await print(member, filteredTemplate, `?order=${orders[1]}`)).status, 200)
  })

  it('aborts an endless template, and prints the next one', async () => {
    const { create, template } = testData
    const pk = await create({ template: toDataUrl('{% for a in (1..100000000) %}{{ a }}{% endfor %}') })
    const { status, body } = await print(member, pk)
    assert.deepEqual([status, Object.keys(body)], [400, ['non_field_errors']])
    assert.equal((await print(member, template)).status, 200)
  })

  it('requires the permission to view orders, in addition to that of the template', async () => {
    const { template } = testData
    const [{ pk: group }] = await service.rows(`insert into user_group (name) values ('admins') returning pk`)
    await service.rows(`update rule_set set can_view = name = 'admin' where "group" = $1`, [group])
    await service.rows(`insert into user_group_member ("user", "group") values ($1, $2)`, [service.getPk('nobody'), group])
    assert.equal((await service.nobody.get(`${PATH}${template}/`)).status, 200)
    assert.equal((await print(service.nobody, template)).status, 403)
    await service.rows('delete from user_group where pk = $1', [group])
  })

  it('requires the permission to view orders', () =>
    assertCallers(service, (client) => print(client, testData.template), ['viewer', 'member', 'superuser']))

  it('allows only GET', async () => assert.equal((await member.post(`${PATH}${testData.template}/print/`)).status, 405))
})

describe('GET /api/report/so/{id}/print/', { skip: printingUnsupported }, () => {
  it('prints a sales order with its lines, with the built-in template', async () => {
    const post = async (path: string, body: object) => {
      const created = await superuser.post(path, body)
      assert.equal(created.status, 201, created.text)
      return created.body.pk as number
    }
    const customer = await post('/api/company/', { name: 'A customer', is_customer: true, currency: 'EUR' })
    const category = await post('/api/part/category/', { name: 'Sold' })
    const part = await post('/api/part/', { name: 'Lamp', category, salable: true })
    const order = await post('/api/order/so/', { reference: 'SO-0001', customer })
    await post('/api/order/so-line/', { order, part, quantity: 3, sale_price: '2.50', sale_price_currency: 'EUR' })
    const { bytes } = await fetchBytes(service, `/api/report/so/1/print/?order=${order}&format=pdf`)
    const [page] = await readPdf(bytes)
    for (const text of ['SO-0001', 'A customer', 'Lamp', '7.50']) assert.ok(page?.text.includes(text), `${text} in ${page?.text}`)

    // the line, and the total in the customer's currency
    assert.equal(page?.text.split('€7.50').length, 3, page?.text)

    // printed together with another order, each looks as it does alone, and its footer names its own order
    const second = await post('/api/order/so/', { reference: 'SO-0002', customer })
    const combined = await fetchBytes(service, `/api/report/so/1/print/?orders=${order},${second}&format=pdf`)
    const [first, other, ...extraPages] = await readPdf(combined.bytes)
    assert.deepEqual([first?.text, extraPages], [page?.text, []])
    assert.match(other?.text ?? '', /SO-0002/)
    assert.doesNotMatch(other?.text ?? '', /SO-0001/)
  })
})

describe('GET /api/report/slr/{id}/print/', () => {
  it('requires the permission to view the stock in the location, too', async () => {
    const [{ pk: group }] = await service.rows(`insert into user_group (name) values ('locations only') returning pk`)
    await service.rows(`update rule_set set can_view = name = 'stock_location' where "group" = $1`, [group])
    await service.rows(`insert into user_group_member ("user", "group") values ($1, $2)`, [service.getPk('nobody'), group])
    assert.equal((await service.nobody.get('/api/report/slr/1/')).status, 200)
    assert.equal((await service.nobody.get('/api/report/slr/1/print/')).status, 403)
    assert.equal((await service.nobody.get('/api/report/slr/1/preview/')).status, 403)
    await service.rows('delete from user_group where pk = $1', [group])
  })
})

describe('printing for existing clients', { skip: printingUnsupported }, () => {
  let testData: TestData
  before(async () => {
    testData = await createTestData(existing)
  })

  it('returns the PDF itself', async () => {
    const { template, orders } = testData
    const url = `${PATH}${template}/print/?order=${orders[0]}&orders[]=junk`
    const { headers, bytes } = await fetchBytes(existing, url, { accept: 'application/json' })
    assert.deepEqual([headers['content-type'], headers['content-length']], ['application/pdf', String(bytes.length)])
    assert.equal(headers['content-disposition'], 'attachment; filename="report.pdf"')
  })

  it('requires at least one object, and ignores invalid keys', async () => {
    const { template, orders } = testData
    for (const query of ['', '?order=x', '?order=']) {
      const { status, body } = await print(existing.member, template, query)
      assert.deepEqual([status, Object.keys(body), typeof body.error], [400, ['error'], 'string'], query)
    }
    assert.equal((await print(existing.member, template, `?order=x&order=${orders[0]}`)).status, 200)
    const label = await existing.member.get('/api/label/part/1/print/')
    assert.deepEqual([label.status, Object.keys(label.body)], [400, ['non_field_errors']])
    assert.equal((await existing.member.get('/api/label/part/?part=x&part=99999')).status, 200)
  })

  it('returns file URLs without the origin', async () => {
    const { body } = await existing.member.get(`${PATH}${testData.template}/`)
    assert.match(body.template, /^\/media\/report\/report_template\/purchaseorder\//)
    const { body: category } = await existing.superuser.post('/api/part/category/', { name: 'Parts' })
    const { body: part } = await existing.superuser.post('/api/part/', { name: 'One', category: category.pk })
    const printed = await existing.member.post(`/api/label/part/1/print/?part=${part.pk}`)
    assert.match(printed.body.file, /^\/media\/label\/output\//)
  })
})

describe('a service without a browser', () => {
  it('returns 503 with the reason', async () => {
    const { status, body } = await serviceWithoutBrowser.member.get(`${PATH}1/print/`)
    assert.equal(status, 503)
    assert.match(body.detail, /\w+/)
    assert.equal((await serviceWithoutBrowser.member.get('/api/label/part/1/preview/')).status, 503)
    assert.equal((await serviceWithoutBrowser.member.get(`${PATH}1/`)).status, 200)
  })
})
