import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPurchaseHelpers } from '../../testing/objects/purchasing.ts'
import { testService } from '../../testing/service.ts'

const service = await testService()
const { member, superuser, viewer, nobody } = service
const path = '/api/parameter/'
const templates = '/api/parameter/template/'
let count = 0

/** Creates an object and returns its key. */
async function make(url: string, body: object): Promise<number> {
  const { status, body: created, text } = await superuser.post(url, body)
  assert.equal(status, 201, text)
  return created.pk ?? created[0].pk
}

const makeTemplate = (fields: object = {}) => make(templates, { name: `Template ${++count}`, ...fields })
const category = await make('/api/part/category/', { name: 'Parts' })
const makePart = (fields: object = {}) =>
  make('/api/part/', { name: `Assembly ${++count}`, description: '', category, minimum_stock: 0, ...fields })
const company = await make('/api/company/', {
  name: 'All',
  currency: 'EUR',
  is_supplier: true,
  is_manufacturer: true,
  is_customer: true,
})
const { supplierPart: makeSupplierPart } = createPurchaseHelpers(service)
const part = await makePart({ assembly: true, salable: true })
const salesOrder = await make('/api/order/so/', { reference: 'SO-0001', customer: company })

/** An object of each kind, with its list. */
const OBJECTS: Record<string, [list: string, pk: number]> = {
  'part.part': ['/api/part/', part],
  'part.partcategory': ['/api/part/category/', category],
  'company.company': ['/api/company/', company],
  'company.supplierpart': ['/api/company/part/', await makeSupplierPart(company)],
  'company.manufacturerpart': [
    '/api/company/part/manufacturer/',
    await make('/api/company/part/manufacturer/', { part, manufacturer: company, MPN: 'M-1' }),
  ],
  'build.build': ['/api/build/', await make('/api/build/', { reference: 'BO-0001', part, quantity: 1, title: 'One' })],
  'order.purchaseorder': ['/api/order/po/', await make('/api/order/po/', { reference: 'PO-0001', supplier: company })],
  'order.salesorder': ['/api/order/so/', salesOrder],
  'order.salesordershipment': [
    '/api/order/so/shipment/',
    await make('/api/order/so/shipment/', { order: salesOrder, reference: 'S1' }),
  ],
  'order.returnorder': ['/api/order/ro/', await make('/api/order/ro/', { reference: 'RMA-0001', customer: company })],
  'stock.stocklocation': ['/api/stock/location/', await make('/api/stock/location/', { name: 'Shelf' })],
}

describe('POST /api/parameter/', () => {
  it('gives a parameter to each kind of object, and lists find the object by it', async () => {
    const template = await makeTemplate({ units: 'mm' })
    for (const [model_type, [list, model_id]] of Object.entries(OBJECTS)) {
      const { status, body, text } = await superuser.post(path, { model_type, model_id, template, data: '2 cm', note: 'Ruler' })
      assert.equal(status, 201, `${model_type}: ${text}`)
      assert.deepEqual(
        [body.model_type, body.model_id, body.data, body.data_numeric, body.note],
        [model_type, model_id, '2 cm', 20, 'Ruler'],
      )
      assert.equal(body.updated_by_detail.username, 'superuser')
      assert.equal(body.template_detail.units, 'mm')
      assert.equal((await superuser.get(`${list}?parameter_${template}=20`)).body.count, 1, model_type)
      assert.equal((await superuser.get(`${list}?parameter_${template}_gt=0.02 m`)).body.count, 0, model_type)
      const { results } = (await superuser.get(`${list}?parameters=true&ordering=-parameter_${template}`)).body
      assert.equal(results[0].pk, model_id, model_type)
      assert.equal(results[0].parameters[0].template, template, model_type)
      assert.equal((await superuser.get(`${path}?model_type=${model_type.split('.')[1]}&template=${template}`)).body.count, 1)
      assert.equal(
        (await superuser.get(`${templates}?exists_for_model=${model_type}&exists_for_model_id=${model_id}`)).body.count,
        1,
      )
    }
    assert.equal((await superuser.get(`${path}?template=${template}`)).body.count, Object.keys(OBJECTS).length)
    // parameters of parts have the same key at their own path; others are not there
    const { body } = await superuser.get(`${path}?template=${template}&model_type=part`)
    assert.equal((await superuser.get(`/api/part/parameter/${body.results[0].pk}/`)).body.part, part)
    assert.equal((await superuser.get(`/api/part/parameter/?template=${template}`)).body.count, 1)
    const ofCompany = (await superuser.get(`${path}?template=${template}&model_type=company`)).body.results[0].pk
    assert.equal((await superuser.get(`/api/part/parameter/${ofCompany}/`)).status, 404)
  })

  it('rejects what is missing, unknown or already there', async () => {
    const template = await makeTemplate()
    const valid = { model_type: 'part', model_id: part, template, data: 'x' }
    assert.equal((await member.post(path, valid)).body.model_type, 'part.part')
    for (const [body, field] of [
      [{}, 'template'],
      [{ ...valid, model_type: 'stock.stockitem' }, 'model_type'],
      [{ ...valid, model_type: undefined }, 'model_type'],
      [{ ...valid, model_id: 999_999_999 }, 'model_id'],
      [{ ...valid, template: 999_999_999 }, 'template'],
      [{ ...valid, data: '' }, 'data'],
      [valid, 'non_field_errors'],
    ] as const) {
      const response = await member.post(path, body)
      assert.equal(response.status, 400, JSON.stringify(body))
      assert.ok(field in response.body, response.text)
    }
    assert.equal((await member.get(`${path}?template=${template}`)).body.count, 1)
    assert.equal((await member.get(`${path}?model_type=nothing`)).status, 400)
  })

  it('rejects a disabled template, one of another kind of object, and a value that is no active entry of its list', async () => {
    const list = await make('/api/selection/', { name: 'Colours' })
    for (const [value, active] of [
      ['red', true],
      ['old', false],
    ] as const)
      await superuser.post(`/api/selection/${list}/entry/`, { value, label: value, active })
    for (const [fields, data, field, message] of [
      [{ enabled: false }, 'x', 'template', 'The template is disabled.'],
      [{ model_type: 'company' }, 'x', 'template', 'Only objects of the kind company.company have parameters of this template.'],
      [{ selectionlist: list }, 'blue', 'data', 'It is not one of the choices of the template.'],
      [{ selectionlist: list }, 'old', 'data', 'It is not one of the choices of the template.'],
    ] as const) {
      const template = await makeTemplate('model_type' in fields ? { model_type: 'company.company' } : fields)
      const { status, body } = await member.post(path, { model_type: 'part', model_id: part, template, data })
      assert.equal(status, 400)
      assert.deepEqual(body, { [field]: [message] })
    }
    const template = await makeTemplate({ selectionlist: list })
    assert.equal((await member.post(path, { model_type: 'part', model_id: part, template, data: 'red' })).status, 201)
  })

  it('stores a unique value once under concurrent requests', async () => {
    const units = await Promise.all(Array.from({ length: 5 }, () => makePart()))
    for (const [unique, others] of [
      [1, 1],
      [2, 0],
    ]) {
      const template = await makeTemplate({ unique, units: 'm' })
      const data = ['100 cm', '1 m', '1', '1000 mm', '1.0 m']
      const responses = await Promise.all(
        units.map((pk, n) => member.post(path, { model_type: 'part', model_id: pk, template, data: data[n] })),
      )
      assert.equal(responses.filter(({ status }) => status === 201).length, 1)
      for (const { status, body } of responses) if (status !== 201) assert.match(body.data[0], /already has this value/)
      const ofCompany = await member.post(path, { model_type: 'company', model_id: company, template, data: '1 m' })
      assert.equal(ofCompany.status, others ? 201 : 400)
    }
  })
})

describe('rights on parameters', () => {
  it('are those on the object', async () => {
    const template = await makeTemplate()
    const pks: Record<string, number> = {}
    for (const model_type of ['part.part', 'company.company'])
      pks[model_type] = await make(path, { model_type, model_id: OBJECTS[model_type]?.[1], template, data: 'x' })
    assert.equal((await nobody.get(path)).status, 403)
    assert.equal((await viewer.get(`${path}?template=${template}`)).body.count, 2)
    assert.equal((await viewer.patch(`${path}${pks['part.part']}/`, { data: 'y' })).status, 403)
    assert.equal((await viewer.post(templates, { name: 'By a viewer' })).status, 403)
    const rules = (await superuser.get('/api/user/ruleset/?limit=200')).body.results as any[]
    const own = rules.filter(({ name }) => name === 'part')
    const withoutParts = { can_view: true, can_add: false, can_change: false, can_delete: false }
    for (const { pk } of own) await superuser.patch(`/api/user/ruleset/${pk}/`, withoutParts)
    const ofPart = { model_type: 'part.part', model_id: part, template: await makeTemplate(), data: 'z' }
    assert.equal((await member.post(path, ofPart)).status, 403)
    assert.equal((await member.patch(`${path}${pks['part.part']}/`, { data: 'y' })).status, 403)
    assert.equal((await member.delete(`${path}${pks['part.part']}/`)).status, 403)
    assert.equal((await member.delete(path, { items: Object.values(pks) })).status, 403)
    assert.equal(
      (await member.patch(`${path}${pks['company.company']}/`, { model_type: 'part.part', model_id: part })).status,
      403,
    )
    assert.equal((await member.patch(`${templates}${template}/`, { description: 'x' })).status, 403)
    assert.equal((await member.patch(`${path}${pks['company.company']}/`, { data: 'y' })).status, 200)
    for (const { pk } of own) await superuser.patch(`/api/user/ruleset/${pk}/`, { can_view: false })
    assert.equal((await member.get(`${path}?template=${template}`)).body.count, 1)
    assert.equal((await member.get(`${path}${pks['part.part']}/`)).status, 404)
    assert.equal((await superuser.get(`${path}${pks['part.part']}/`)).body.data, 'x')
    for (const { pk, can_view, can_add, can_change, can_delete } of own)
      await superuser.patch(`/api/user/ruleset/${pk}/`, { can_view, can_add, can_change, can_delete })
  })
})

describe('PATCH /api/parameter/{id}/', () => {
  it('changes the value and who changed it, and moves it to another object', async () => {
    const template = await makeTemplate()
    const pk = await make(path, { model_type: 'part', model_id: part, template, data: 'x' })
    const { body } = await member.patch(`${path}${pk}/`, { data: 'y', data_numeric: 7 })
    assert.deepEqual([body.data, body.data_numeric, body.updated_by_detail.username], ['y', null, 'member'])
    const moved = await member.patch(`${path}${pk}/`, { model_type: 'company.company', model_id: company })
    assert.deepEqual([moved.body.model_type, moved.body.model_id], ['company.company', company])
    const replaced = await member.put(`${path}${pk}/`, moved.body)
    assert.equal(replaced.status, 200, replaced.text)
  })
})

describe('a locked part', () => {
  it('keeps its parameters, whichever path they are changed by', async () => {
    const template = await makeTemplate()
    const [locked, open] = [await makePart(), await makePart()]
    const pk = await make(path, { model_type: 'part', model_id: locked, template, data: 'x' })
    const other = await make(path, { model_type: 'part', model_id: open, template, data: 'x' })
    await member.patch(`/api/part/${locked}/`, { locked: true })
    const second = await makeTemplate()
    for (const send of [
      () => member.post(path, { model_type: 'part', model_id: locked, template: second, data: 'x' }),
      () => member.post('/api/part/parameter/', { part: locked, template: second, data: 'x' }),
      () => member.patch(`${path}${pk}/`, { data: 'y' }),
      () => member.patch(`${path}${pk}/`, { model_id: open }),
      () => member.patch(`${path}${other}/`, { model_id: locked }),
      () => member.put(`/api/part/parameter/${pk}/`, { part: locked, template, data: 'y' }),
      () => member.delete(`${path}${pk}/`),
      () => member.delete(path, { items: [pk, other] }),
      () => member.delete(`/api/part/parameter/${pk}/`),
      () => member.delete(`${templates}${template}/`),
    ]) {
      const { status, body } = await send()
      assert.equal(status, 400, JSON.stringify(body))
      assert.ok(body.non_field_errors, JSON.stringify(body))
    }
    assert.equal((await member.get(`${path}?template=${template}`)).body.count, 2)
    assert.equal((await member.get(`${path}${pk}/`)).body.data, 'x')
    await member.patch(`/api/part/${locked}/`, { locked: false })
    assert.equal((await member.patch(`${path}${pk}/`, { data: 'y' })).status, 200)
  })

  it('gets no parameter from a request at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const [pk, template] = [await makePart(), await makeTemplate()]
      const [lock, value] = await Promise.all([
        member.patch(`/api/part/${pk}/`, { locked: true }),
        member.post(path, { model_type: 'part', model_id: pk, template, data: 'x' }),
      ])
      assert.equal(lock.status, 200)
      assert.ok(value.status === 201 || value.status === 400)
      assert.equal((await member.get(`${path}?model_type=part&model_id=${pk}`)).body.count, value.status === 201 ? 1 : 0)
    }
  })
})

describe('PATCH /api/parameter/template/{id}/', () => {
  it('rejects lists that exclude each other, and unknown ones', async () => {
    const list = await make('/api/selection/', { name: `List ${++count}` })
    for (const [fields, field] of [
      [{ selectionlist: list, choices: 'a, b' }, 'selectionlist'],
      [{ selectionlist: list, checkbox: true }, 'selectionlist'],
      [{ selectionlist: 999_999_999 }, 'selectionlist'],
      [{ model_type: 'stock.stockitem' }, 'model_type'],
      [{ unique: 3 }, 'unique'],
    ] as const) {
      const { status, body } = await member.post(templates, { name: `T ${++count}`, ...fields })
      assert.equal(status, 400, JSON.stringify(fields))
      assert.deepEqual(Object.keys(body), [field])
    }
  })

  it('rejects a kind that values contradict', async () => {
    const template = await makeTemplate()
    const [one, two] = [await makePart(), await makePart()]
    for (const model_id of [one, two]) await make(path, { model_type: 'part', model_id, template, data: 'Same' })
    for (const [change, field] of [[{ model_type: 'company.company' }, 'model_type']] as const) {
      const { status, body } = await member.patch(`${templates}${template}/`, change)
      assert.equal(status, 400)
      assert.deepEqual(Object.keys(body), [field])
    }
    assert.equal((await member.patch(`${templates}${template}/`, { model_type: 'part.part' })).status, 200)
    assert.equal(
      (await member.get(`${templates}?for_model=company`)).body.results.some((row: any) => row.pk === template),
      false,
    )
    assert.equal(
      (await member.get(`${templates}?model_type=part`)).body.results.some((row: any) => row.pk === template),
      true,
    )
  })

  it('shows templates of other kinds of objects only here', async () => {
    const template = await makeTemplate({ model_type: 'company.company' })
    assert.equal((await member.get(`${templates}${template}/`)).status, 200)
    assert.equal((await member.get(`/api/part/parameter/template/${template}/`)).status, 404)
  })
})

describe('deleting an object', () => {
  it('deletes its parameters', async () => {
    const template = await makeTemplate()
    const location = await make('/api/stock/location/', { name: 'Gone' })
    await make(path, { model_type: 'stocklocation', model_id: location, template, data: 'x' })
    assert.equal((await superuser.delete(`/api/stock/location/${location}/`)).status, 204)
    assert.equal((await superuser.get(`${path}?template=${template}`)).body.count, 0)
  })
})
