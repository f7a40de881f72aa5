import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPurchaseHelpers } from '../../../testing/objects/purchasing.ts'
import { waitForStableDay } from '../../../testing/period-boundary.ts'
import { assertCallers, testService } from '../../../testing/service.ts'

const service = await testService()
const { supplier, supplierPart, setting, rate } = createPurchaseHelpers(service)
const { member } = service

const PATH = '/api/order/po/'
let number = 0
const nextReference = () => `PO-${String(++number).padStart(4, '0')}`
const create = async (fields: Record<string, unknown> = {}) => {
  const { status, body, text } = await member.post(PATH, { reference: nextReference(), supplier: await supplier(), ...fields })
  assert.equal(status, 201, text)
  return body
}
const countOrders = async () => (await service.viewer.get(PATH)).body.count
const listKeys = async (query: string) =>
  (await service.viewer.get(`${PATH}?${query}`)).body.results.map((order: { pk: number }) => order.pk)
const setStatus = (pk: number, value: number) => service.rows('update purchase_order set status = $2 where pk = $1', [pk, value])

describe('POST /api/order/po/', () => {
  it('creates an order, and responds as GET does', async () => {
    const today = await waitForStableDay()
    const company = await supplier({ currency: 'EUR' })
    const created = await member.post(PATH, { reference: 'PO-9000', supplier: company, target_date: '2030-01-31', notes: 'a\nb' })
    assert.equal(created.status, 201)
    assert.deepEqual(created.body, {
      pk: created.body.pk,
      creation_date: today,
      target_date: '2030-01-31',
      description: '',
      line_items: 0,
      completed_lines: 0,
      link: '',
      project_code: null,
      project_code_detail: null,
      reference: 'PO-9000',
      responsible: null,
      responsible_detail: null,
      contact: null,
      contact_detail: null,
      address: null,
      address_detail: null,
      status: 10,
      status_text: 'Pending',
      notes: 'a\nb',
      barcode_hash: '',
      overdue: false,
      issue_date: null,
      complete_date: null,
      supplier: company,
      supplier_reference: '',
      total_price: '0.000000',
      order_currency: null,
    })
    assert.deepEqual((await service.viewer.get(`${PATH}${created.body.pk}/`)).body, created.body)
    const [row] = await service.rows('select * from purchase_order where pk = $1', [created.body.pk])
    assert.deepEqual(
      [row.reference_int, row.created_by, row.total_price_currency],
      [9000, service.getPk('member'), 'EUR'],
      'the number of the reference, its creator, and the currency of the supplier',
    )
  })

  it('rejects invalid values, naming the field, and stores nothing', async () => {
    const company = await supplier()
    const existingReference = (await create()).reference
    const [contact] = await service.rows('insert into contact (company, name) values ($1, $2) returning pk', [
      await supplier(),
      'Other',
    ])
    const cases: [Record<string, unknown>, string][] = [
      [{ reference: undefined }, 'reference'],
      [{ reference: '' }, 'reference'],
      [{ reference: existingReference }, 'reference'],
      [{ reference: 'XYZ' }, 'reference'],
      [{ reference: `PO-${'1'.repeat(62)}` }, 'reference'],
      [{ supplier: undefined }, 'supplier'],
      [{ supplier: '' }, 'supplier'],
      [{ supplier: 99_999 }, 'supplier'],
      [{ supplier: 2 ** 40 }, 'supplier'],
      [{ supplier: await supplier({ is_supplier: false }) }, 'supplier'],
      [{ contact: contact.pk }, 'contact'],
      [{ link: 'not a link' }, 'link'],
      [{ link: `https://example.com/${'x'.repeat(190)}` }, 'link'],
      [{ target_date: '2024-13-45' }, 'target_date'],
      [{ order_currency: 'XXX' }, 'order_currency'],
      [{ description: 'x'.repeat(251) }, 'description'],
      [{ description: '<b>x</b>' }, 'description'],
      [{ notes: 'x'.repeat(50_001) }, 'notes'],
      [{ responsible: 99_999 }, 'responsible'],
      [{ project_code: 'abc' }, 'project_code'],
      [{ duplicate_order: 99_999 }, 'duplicate_order'],
    ]
    const before = await countOrders()
    for (const [fields, field] of cases) {
      const response = await member.post(PATH, { reference: nextReference(), supplier: company, ...fields })
      assert.equal(response.status, 400, JSON.stringify(fields))
      assert.deepEqual(Object.keys(response.body), [field])
    }
    assert.equal(await countOrders(), before)
  })

  it('accepts an order without a supplier, and an empty currency', async () => {
    const created = await create({ supplier: null, order_currency: '' })
    assert.deepEqual([created.supplier, created.order_currency], [null, ''])
  })

  it('requires a responsible owner if the setting says so', async () => {
    await setting('PURCHASEORDER_REQUIRE_RESPONSIBLE', 'True')
    const body = { reference: nextReference(), supplier: await supplier() }
    assert.deepEqual(Object.keys((await member.post(PATH, body)).body), ['responsible'])
    const [owner] = await service.rows('select pk from owner order by pk limit 1')
    assert.equal((await member.post(PATH, { ...body, responsible: owner.pk })).status, 201)
    await setting('PURCHASEORDER_REQUIRE_RESPONSIBLE', 'False')
  })

  it('accepts a reference with any number of digits, and checks it against the pattern of the setting', async () => {
    await create({ reference: 'PO-92233720368547758089999999999999999' })
    assert.equal((await listKeys('ordering=-reference'))[0], (await member.get(PATH)).body.results[0].pk)
    await setting('PURCHASEORDER_REFERENCE_PATTERN', 'X{ref:03d}')
    const company = await supplier()
    assert.equal((await member.post(PATH, { reference: 'PO-7', supplier: company })).status, 400)
    const created = await member.post(PATH, { reference: 'X7', supplier: company })
    assert.equal(created.status, 201)
    await setting('PURCHASEORDER_REFERENCE_PATTERN', 'PO-{ref:04d}')
    assert.equal((await member.patch(`${PATH}${created.body.pk}/`, { reference: 'X7', notes: 'kept' })).status, 200)
    assert.equal((await member.patch(`${PATH}${created.body.pk}/`, { reference: 'X8' })).status, 400)
  })

  it('copies lines, extra lines or both from another order', async () => {
    const company = await supplier()
    const source = await create({ supplier: company })
    const supplierPartPk = await supplierPart(company)
    await member.post('/api/order/po-line/', {
      order: source.pk,
      part: supplierPartPk,
      quantity: 3,
      purchase_price: '2',
      reference: 'a',
    })
    await member.post('/api/order/po-extra-line/', { order: source.pk, quantity: 1, price: '-1', context: { a: 1 } })
    await service.rows('update purchase_order_line set received = 2 where "order" = $1', [source.pk])
    const copy = (fields: object) => create({ supplier: company, duplicate_order: source.pk, ...fields })
    assert.deepEqual((({ line_items, total_price }) => [line_items, total_price])(await copy({})), [0, '0.000000'])
    assert.equal((await copy({ duplicate_extra_lines: true })).total_price, '-1.000000')
    const both = await copy({ duplicate_line_items: true, duplicate_extra_lines: true })
    assert.deepEqual([both.line_items, both.completed_lines, both.total_price], [1, 0, '5.000000'])
    const [line] = (await member.get(`/api/order/po-line/?order=${both.pk}`)).body.results
    assert.deepEqual([line.received, line.quantity, line.reference, line.part], [0, 3, 'a', supplierPartPk])
  })

  it('creates one order for eight requests with one Idempotency-Key', async () => {
    const body = { reference: nextReference(), supplier: await supplier() }
    const before = await countOrders()
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => member.post(PATH, body, { 'idempotency-key': `key of ${body.reference}` })),
    )
    for (const response of responses) assert.deepEqual([response.status, response.text], [201, responses[0]?.text])
    assert.equal(await countOrders(), before + 1)
    const other = await member.post(PATH, { ...body, notes: 'x' }, { 'idempotency-key': `key of ${body.reference}` })
    assert.equal(other.status, 422)
  })

  it('creates one order for eight concurrent requests with the same reference', async () => {
    const body = { reference: nextReference(), supplier: await supplier() }
    const responses = await Promise.all(Array.from({ length: 8 }, () => member.post(PATH, body)))
    assert.equal(responses.filter((response) => response.status === 201).length, 1)
    for (const response of responses.filter(({ status }) => status !== 201))
      assert.deepEqual([response.status, Object.keys(response.body)], [400, ['reference']])
  })

  it('requires the permission to add purchase orders', async () => {
    const company = await supplier()
    await assertCallers(
      service,
      (client) => client.post(PATH, { reference: nextReference(), supplier: company }),
      ['member', 'superuser'],
      countOrders,
    )
  })
})

describe('GET /api/order/po/', () => {
  it('filters orders', async () => {
    const company = await supplier()
    const supplierPartPk = await supplierPart(company)
    const [{ part }] = await service.rows('select part from supplier_part where pk = $1', [supplierPartPk])
    const [code] = await service.rows(`insert into project_code (code) values ('FILTER') returning pk`)
    const [group] = await service.rows(
      'select o.pk from owner o join user_group_member m on m."group" = o."group" where m."user" = $1',
      [service.getPk('viewer')],
    )
    const late = await create({ supplier: company, target_date: '2020-01-01', project_code: code.pk, responsible: group.pk })
    const completedOrder = await create({ supplier: company, target_date: '2020-01-01' })
    await service.rows(`update purchase_order set status = 30, complete_date = '2021-05-05' where pk = $1`, [completedOrder.pk])
    const lost = await create({ supplier: company })
    await setStatus(lost.pk, 50)
    await member.post('/api/order/po-line/', { order: late.pk, part: supplierPartPk, quantity: 1 })
    const all = [lost.pk, completedOrder.pk, late.pk]
    const cases: [string, number[]][] = [
      ['status=10', [late.pk]],
      ['status=50', [lost.pk]],
      ['status=99', []],
      ['outstanding=true', [late.pk]],
      ['outstanding=FALSE', [lost.pk, completedOrder.pk]],
      ['overdue=1', [late.pk]],
      ['overdue=no', [lost.pk, completedOrder.pk]],
      [`reference=${late.reference}`, [late.pk]],
      [`reference=${late.reference.toLowerCase()}`, []],
      [`project_code=${code.pk}`, [late.pk]],
      ['has_project_code=true', [late.pk]],
      ['has_project_code=false', [lost.pk, completedOrder.pk]],
      ['assigned_to_me=true', [late.pk]],
      ['assigned_to_me=false', [lost.pk, completedOrder.pk]],
      [`assigned_to=${group.pk}`, [late.pk]],
      [`part=${part}`, [late.pk]],
      [`supplier_part=${supplierPartPk}`, [late.pk]],
      ['part=99999', all],
      ['supplier_part=junk', all],
      ['min_date=2019-12-31&max_date=2020-01-02', [late.pk]],
      ['min_date=2021-05-05&max_date=2021-05-05', [completedOrder.pk]],
      ['min_date=2021-05-05', all],
      ['search=filter', [late.pk]],
      ['nonsense=1', all],
    ]
    for (const [query, expected] of cases) assert.deepEqual(await listKeys(`supplier=${company}&${query}`), expected, query)
  })

  it('rejects invalid values, naming the parameter', async () => {
    const bad = [
      'supplier=99999',
      'supplier=abc',
      'status=abc',
      'overdue=perhaps',
      'project_code=1e9',
      'assigned_to=0',
      'min_date=x',
    ]
    for (const query of bad) {
      const response = await service.viewer.get(`${PATH}?${query}`)
      assert.equal(response.status, 400, query)
      assert.deepEqual(Object.keys(response.body), [query.split('=')[0]])
    }
  })

  it('sorts by reference number, then text, latest first; by other fields on request', async () => {
    const company = await supplier()
    const orders = []
    for (const text of ['PO-0500', 'PO-500', 'PO-70', 'PO-1001'])
      orders.push((await create({ supplier: company, reference: text, target_date: `20${orders.length + 20}-01-01` })).pk)
    const [a, b, c, d] = orders
    assert.deepEqual(await listKeys(`supplier=${company}`), [d, b, a, c])
    assert.deepEqual(await listKeys(`supplier=${company}&ordering=reference`), [c, a, b, d])
    assert.deepEqual(await listKeys(`supplier=${company}&ordering=-target_date`), [d, c, b, a])
    assert.deepEqual(await listKeys(`supplier=${company}&ordering=nonsense,target_date&limit=2`), [a, b])
  })

  it('includes the supplier on request', async () => {
    const { pk, supplier } = await create()
    assert.equal((await member.get(`${PATH}${pk}/?supplier_detail=true`)).body.supplier_detail.pk, supplier)
    assert.equal('supplier_detail' in (await member.get(`${PATH}${pk}/`)).body, false)
  })

  it('requires the permission to view purchase orders', () =>
    assertCallers(service, (client) => client.get(PATH), ['viewer', 'member', 'superuser']))
})

describe('PATCH /api/order/po/{id}/', () => {
  it('changes the fields that are sent, and no read-only fields', async () => {
    const order = await create()
    const sent = { description: 'new', status: 30, total_price: '7', line_items: 4, issue_date: '2020-01-01', overdue: true }
    const changed = await member.patch(`${PATH}${order.pk}/`, sent)
    assert.deepEqual(changed.body, { ...order, description: 'new' })
  })

  it('allows clearing the supplier, but rejects a company that is not a supplier, or not the company of the contact', async () => {
    const order = await create()
    const [contact] = await service.rows('insert into contact (company, name) values ($1, $2) returning pk', [
      order.supplier,
      'Own',
    ])
    const url = `${PATH}${order.pk}/`
    assert.equal((await member.patch(url, { contact: contact.pk })).body.contact_detail.name, 'Own')
    assert.deepEqual(Object.keys((await member.patch(url, { supplier: await supplier() })).body), ['contact'])
    assert.deepEqual(Object.keys((await member.patch(url, { supplier: await supplier({ is_supplier: false }) })).body), [
      'supplier',
    ])
    assert.equal((await member.patch(url, { supplier: null, contact: null })).body.supplier, null)
  })

  it('returns 412 when the order has changed since it was read', async () => {
    const { pk } = await create()
    const url = `${PATH}${pk}/`
    const etag = (await member.get(url)).headers.etag as string
    const changed = await member.patch(url, { notes: 'one' }, { 'if-match': etag })
    assert.equal(changed.status, 200)
    assert.notEqual(changed.headers.etag, etag)
    assert.equal((await member.patch(url, { notes: 'two' }, { 'if-match': etag })).status, 412)
    assert.equal((await member.post(`${url}issue/`, {}, { 'if-match': etag })).status, 412)
    assert.deepEqual((({ notes, status }) => [notes, status])((await member.get(url)).body), ['one', 10])
  })

  it('restates the total in the currency of the order', async () => {
    const order = await create()
    const url = `${PATH}${order.pk}/`
    await member.post('/api/order/po-extra-line/', { order: order.pk, quantity: 2, price: '10', price_currency: 'USD' })
    assert.equal((await member.get(url)).body.total_price, '20.000000')
    assert.equal((await member.patch(url, { order_currency: 'EUR' })).body.total_price, null, 'there is no rate')
    await rate('EUR', '0.5')
    assert.equal((await member.patch(url, {})).body.total_price, '10.000000')
    assert.equal((await member.patch(url, { order_currency: '' })).body.total_price, '20.000000')
  })

  it('requires the permission to change purchase orders', async () => {
    const { pk } = await create()
    await assertCallers(service, (client) => client.patch(`${PATH}${pk}/`, { notes: 'x' }), ['member', 'superuser'])
  })
})

describe('PUT /api/order/po/{id}/', () => {
  it('resets omitted fields to their defaults', async () => {
    const order = await create({
      description: 'x',
      target_date: '2030-01-01',
      order_currency: 'EUR',
      notes: 'n',
      link: 'https://a.example',
    })
    const { pk, reference, supplier } = order
    const replaced = await member.put(`${PATH}${pk}/`, { reference, supplier })
    const defaults = { description: '', target_date: null, order_currency: null, notes: null, link: '' }
    assert.deepEqual(replaced.body, { ...order, ...defaults })
    const response = await member.put(`${PATH}${pk}/`, {})
    assert.deepEqual([response.status, Object.keys(response.body).sort()], [400, ['reference', 'supplier']])
  })
})

describe('DELETE /api/order/po/{id}/', () => {
  it('removes the order and its lines', async () => {
    const { pk } = await create()
    await member.post('/api/order/po-extra-line/', { order: pk, quantity: 1 })
    assert.equal((await member.delete(`${PATH}${pk}/`)).status, 204)
    assert.equal((await member.get(`${PATH}${pk}/`)).status, 404)
    assert.equal((await member.delete(`${PATH}${pk}/`)).status, 404)
    assert.equal(
      (await member.get('/api/order/po-extra-line/?limit=1')).body.results.some((line: any) => line.order === pk),
      false,
    )
  })

  it('requires the permission to delete purchase orders', async () => {
    const { pk } = await create()
    await assertCallers(service, (client) => client.delete(`${PATH}${pk}/`), ['member', 'superuser'])
  })
})

describe('metadata, OPTIONS and the status codes', () => {
  it('GET, PUT and PATCH /api/order/po/{id}/metadata/', async () => {
    const { pk } = await create()
    const url = `${PATH}${pk}/metadata/`
    assert.deepEqual((await member.get(url)).body, { metadata: {} })
    assert.deepEqual((await member.put(url, { metadata: { a: 1 } })).body, { metadata: { a: 1 } })
    assert.deepEqual((await member.patch(url, { metadata: { b: 2 } })).body, { metadata: { a: 1, b: 2 } })
    for (const metadata of [null, [null, 1.5], 'text', 0, false, { c: 3 }])
      for (const method of ['PUT', 'PATCH'])
        assert.deepEqual(
          (await member.send(method, url, { metadata })).body,
          { metadata },
          `${method} ${JSON.stringify(metadata)}`,
        )
    assert.equal((await member.put(url, {})).status, 400)
    await assertCallers(service, (client) => client.put(url, { metadata: 'x' }), ['member', 'superuser'])
  })

  it('OPTIONS /api/order/po/ suggests the next reference', async () => {
    await service.rows(`delete from purchase_order where reference_int > 9000`)
    const { body } = await member.send('OPTIONS', PATH)
    assert.equal(body.actions.POST.reference.default, 'PO-9001')
    assert.equal('POST' in (await service.viewer.send('OPTIONS', PATH)).body.actions, false)
  })

  it('OPTIONS returns quantities as numbers, and the display name of an empty choice', async () => {
    const line = (await member.send('OPTIONS', '/api/order/po-line/')).body.actions.POST
    assert.deepEqual([line.quantity.default, line.received.default], [1, 0])
    const order = (await member.send('OPTIONS', PATH)).body.actions.POST
    assert.deepEqual(order.order_currency.choices[0], { value: '', display_name: '---------' })
  })

  it('GET /api/order/po/status/ requires only an account', async () => {
    const { body } = await service.nobody.get(`${PATH}status/`)
    assert.deepEqual(body.values.PLACED, { color: 'primary', key: 20, label: 'Placed', name: 'PLACED' })
    await assertCallers(service, (client) => client.get(`${PATH}status/`), ['nobody', 'viewer', 'member', 'staff', 'superuser'])
  })
})
