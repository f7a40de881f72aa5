import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFilesFolder, encodeForm, type FormPart } from '../testing/files.ts'
import { testService } from '../testing/service.ts'

const older = await testService({ WIRE_FORM: 'inventree', INVENTREE_API: '196' })
const { dataDir } = createFilesFolder()
const newer = await testService({ WIRE_FORM: 'inventree', INVENTREE_API: '530', DATA_DIR: dataDir })

let number = 0
const createName = (kind: string) => `${kind} ${++number}`

type Service = typeof newer

/** Creates an object as a member, and returns its key. */
async function create({ member }: Service, path: string, body: object): Promise<number> {
  const response = await member.post(path, body)
  assert.equal(response.status, 201, `${path}: ${JSON.stringify(response.body)}`)
  return (Array.isArray(response.body) ? response.body[0] : response.body).pk
}

const createCategory = (service: Service) => create(service, '/api/part/category/', { name: createName('Category') })
const createLocation = (service: Service) => create(service, '/api/stock/location/', { name: createName('Location') })
const createCompany = (service: Service, fields: object = {}) =>
  create(service, '/api/company/', { name: createName('Company'), currency: 'EUR', is_supplier: true, ...fields })
const createPart = async (service: Service, fields: object = {}) =>
  create(service, '/api/part/', {
    name: createName('Part'),
    category: await createCategory(service),
    component: true,
    purchaseable: true,
    ...fields,
  })
const createStock = async (service: Service, fields: object = {}) =>
  create(service, '/api/stock/', {
    part: await createPart(service),
    quantity: 10,
    location: await createLocation(service),
    ...fields,
  })

describe('responses to writes with INVENTREE_API=530', () => {
  it('have the details that a GET leaves out, but none that InvenTree does not have', async () => {
    const company = await createCompany(newer)
    const address = await create(newer, '/api/company/address/', { company, title: 'HQ', line1: 'Main street' })
    assert.ok(!('primary_address' in (await newer.member.get(`/api/company/${company}/`)).body))
    assert.equal((await newer.member.patch(`/api/company/${company}/`, { phone: '1' })).body.primary_address.pk, address)
    const { body } = await newer.member.patch(`/api/part/${await createPart(newer)}/`, { keywords: 'a' })
    assert.deepEqual(
      ['parameters', 'tags', 'price_breaks', 'flawed_stock', 'incoming'].map((name) => name in body),
      [true, true, true, false, false],
    )
    assert.ok('primary_address' in (await older.member.get(`/api/company/${await createCompany(older)}/`)).body)
  })

  it('show a new category and location in its own path', async () => {
    for (const path of ['/api/part/category/', '/api/stock/location/']) {
      const parent = await create(newer, path, { name: createName('Above') })
      const { body } = await newer.member.post(path, { name: 'Below', parent })
      assert.deepEqual(
        body.path.map(({ pk }: { pk: number }) => pk),
        [parent, body.pk],
      )
    }
  })

  it('show icons in the paths of locations, and parameters of parts as those of any object', async () => {
    const location = await create(newer, '/api/stock/location/', { name: 'Shelf', custom_icon: 'ti:box:outline' })
    const stock = await createStock(newer, { location })
    const { location_path } = (await newer.member.patch(`/api/stock/${stock}/`, { batch: 'B' })).body
    assert.deepEqual(location_path, [{ pk: location, name: 'Shelf', icon: 'ti:box:outline' }])
    const part = await createPart(newer)
    const template = await create(newer, '/api/parameter/template/', { name: createName('Length') })
    await create(newer, '/api/parameter/', { model_type: 'part', model_id: part, template, data: '7' })
    const { parameters } = (await newer.member.get(`/api/part/${part}/?parameters=true`)).body
    assert.deepEqual([parameters[0].note, parameters[0].template_detail.enabled], ['', true])
  })
})

describe('bodies with INVENTREE_API=530', () => {
  it('require other fields', async () => {
    const part = { name: createName('Part') }
    assert.deepEqual((await newer.member.post('/api/part/', part)).body.category, null)
    assert.equal((await older.member.post('/api/part/', part)).status, 400)
    for (const [service, status] of [
      [newer, 400],
      [older, 200],
    ] as const) {
      const company = await createCompany(service)
      assert.equal((await service.member.put(`/api/company/${company}/`, { name: createName('Renamed') })).status, status)
    }
    const { status, body } = await newer.superuser.post('/api/user/', { username: 'newcomer' })
    assert.deepEqual(
      [status, Object.keys(body).filter((key) => /name|email/.test(key))],
      [400, ['first_name', 'last_name', 'email']],
    )
    assert.deepEqual(await newer.rows(`select from user_account where username = 'newcomer'`), [])
  })

  it('need neither a minimum stock in a PUT of a part, nor an output for an allocation to a build order', async () => {
    for (const [service, statuses] of [
      [newer, [200, 201]],
      [older, [400, 400]],
    ] as const) {
      const { member } = service
      const component = await createPart(service, { minimum_stock: 7 })
      const category = await createCategory(service)
      const replaced = await member.put(`/api/part/${component}/`, { name: createName('Renamed'), category })
      assert.equal((await member.get(`/api/part/${component}/`)).body.minimum_stock, 7)
      const part = await createPart(service, { assembly: true })
      await create(service, '/api/bom/', { part, sub_part: component, quantity: 1 })
      const build = await create(service, '/api/build/', { part, quantity: 2, reference: `BO-${1000 + ++number}` })
      const build_line = (await member.get(`/api/build/line/?build=${build}`)).body[0].pk
      const stock_item = await createStock(service, { part: component })
      const allocated = await member.post('/api/build/item/', { build_line, stock_item, quantity: 2 })
      assert.deepEqual([replaced.status, allocated.status], statuses, JSON.stringify([replaced.body, allocated.body]))
      assert.equal((await member.get(`/api/build/item/?build=${build}`)).body.length, service === newer ? 1 : 0)
    }
  })

  it('say what happens to the contents of a deleted category or location', async () => {
    const category = await createCategory(newer)
    const location = await createLocation(newer)
    assert.equal((await newer.member.delete(`/api/part/category/${category}/`)).status, 400)
    assert.equal((await newer.member.delete(`/api/stock/location/${location}/`)).status, 400)
    assert.equal((await newer.member.get(`/api/part/category/${category}/`)).status, 200)
    const options = { delete_parts: false, delete_child_categories: false }
    assert.equal((await newer.member.delete(`/api/part/category/${category}/`, options)).status, 204)
    assert.equal((await older.member.delete(`/api/part/category/${await createCategory(older)}/`)).status, 204)
  })

  it('leave texts empty that API 196 leaves null', async () => {
    for (const [service, empty] of [
      [newer, ''],
      [older, null],
    ] as const) {
      const { IPN, revision } = (await service.member.get(`/api/part/${await createPart(service)}/`)).body
      const { email } = (await service.member.get(`/api/company/${await createCompany(service)}/`)).body
      assert.deepEqual([IPN, revision, email], [empty, empty, empty])
    }
  })

  it('accept only addresses of the company of an order', async () => {
    for (const [service, status] of [
      [newer, 400],
      [older, 201],
    ] as const) {
      const company = await createCompany(service)
      const address = await create(service, '/api/company/address/', { company, title: 'HQ' })
      const order = { supplier: await createCompany(service), reference: `PO-${1000 + ++number}`, address }
      assert.equal((await service.member.post('/api/order/po/', order)).status, status)
      assert.equal(
        (await service.member.post('/api/order/po/', { ...order, supplier: company, reference: `PO-${1000 + ++number}` })).status,
        201,
      )
    }
  })

  it('correct the days on which an order was issued and completed', async () => {
    const customer = await createCompany(newer, { is_customer: true })
    const order = await create(newer, '/api/order/ro/', { customer, reference: `RMA-${1000 + ++number}` })
    const days = { issue_date: '2031-01-31', complete_date: '2031-02-01' }
    const { body } = await newer.member.patch(`/api/order/ro/${order}/`, days)
    assert.deepEqual([body.issue_date, body.complete_date], Object.values(days))
  })
})

describe('copies', () => {
  it('of an order have its lines, other charges and parameters', async () => {
    const supplier = await createCompany(newer)
    const original = await create(newer, '/api/order/po/', { supplier, reference: `PO-${1000 + ++number}` })
    const part = await create(newer, '/api/company/part/', { part: await createPart(newer), supplier, SKU: createName('SKU') })
    await create(newer, '/api/order/po-line/', { order: original, part, quantity: 4 })
    await create(newer, '/api/order/po-extra-line/', { order: original, quantity: 1, description: 'Freight' })
    const template = await create(newer, '/api/parameter/template/', { name: createName('Incoterm') })
    await create(newer, '/api/parameter/', { model_type: 'order.purchaseorder', model_id: original, template, data: 'FOB' })
    const count = async (order: number) => [
      (await newer.member.get(`/api/order/po-line/?order=${order}`)).body.length,
      (await newer.member.get(`/api/order/po-extra-line/?order=${order}`)).body.length,
      (await newer.member.get(`/api/parameter/?model_type=order.purchaseorder&model_id=${order}`)).body.length,
    ]
    const copy = (duplicate: object) =>
      create(newer, '/api/order/po/', { supplier, reference: `PO-${1000 + ++number}`, duplicate })
    assert.deepEqual(await count(await copy({ original })), [1, 1, 1])
    assert.deepEqual(
      await count(await copy({ original, copy_lines: false, copy_extra_lines: false, copy_parameters: false })),
      [0, 0, 0],
    )
    const unknown = { supplier, reference: `PO-${1000 + ++number}`, duplicate: { original: 999_999 } }
    assert.equal((await newer.member.post('/api/order/po/', unknown)).status, 400)
  })

  it('of a company have its parameters, and of a part its tests', async () => {
    const template = await create(newer, '/api/parameter/template/', { name: createName('Terms') })
    const original = await createCompany(newer)
    await create(newer, '/api/parameter/', { model_type: 'company.company', model_id: original, template, data: '30 days' })
    const copy = await createCompany(newer, { duplicate: { original } })
    const { body } = await newer.member.get(`/api/parameter/?model_type=company.company&model_id=${copy}`)
    assert.deepEqual(
      body.map(({ data }: { data: string }) => data),
      ['30 days'],
    )
    const part = await createPart(newer, { testable: true })
    await create(newer, '/api/part/test-template/', { part, test_name: 'Glows', description: 'When plugged in' })
    const twin = await createPart(newer, { testable: true, duplicate: { original: part, copy_tests: true } })
    assert.equal((await newer.member.get(`/api/part/test-template/?part=${twin}`)).body.length, 1)
  })
})

describe('actions with INVENTREE_API=530', () => {
  it('receive goods with expiry date, packaging and note, at the destination of the order', async () => {
    for (const service of [newer, older]) {
      const supplier = await createCompany(service)
      const part = await create(service, '/api/company/part/', {
        part: await createPart(service),
        supplier,
        SKU: createName('SKU'),
      })
      const [ofOrder, ofLine] = [await createLocation(service), await createLocation(service)]
      const order = await create(service, '/api/order/po/', {
        supplier,
        reference: `PO-${1000 + ++number}`,
        destination: ofOrder,
      })
      const line = await create(service, '/api/order/po-line/', { order, part, quantity: 5, destination: ofLine })
      await service.member.post(`/api/order/po/${order}/issue/`)
      const item = { line_item: line, quantity: 1, expiry_date: '2031-01-01', packaging: 'bag', note: 'ok' }
      const body = service === newer ? { items: [item] } : { items: [item], location: null }
      assert.equal((await service.member.post(`/api/order/po/${order}/receive/`, body)).status, 201)
      assert.deepEqual(
        await service.rows(
          'select location, expiry_date::text as expiry_date, packaging, notes from stock_item where purchase_order = $1',
          [order],
        ),
        service === newer
          ? [{ location: ofOrder, expiry_date: '2031-01-01', packaging: 'bag', notes: 'ok' }]
          : [{ location: ofLine, expiry_date: null, packaging: null, notes: null }],
      )
    }
  })

  it('count items where they are found, which an undo takes back', async () => {
    const [from, to] = [await createLocation(newer), await createLocation(newer)]
    const pk = await createStock(newer, { location: from })
    const count = await newer.member.post('/api/stock/count/', { items: [{ pk, quantity: 9 }], location: to, undoable: true })
    assert.deepEqual([count.status, count.body.location, count.body.items[0].merge], [201, to, false])
    const read = async () =>
      (await newer.rows('select quantity::float as quantity, location from stock_item where pk = $1', [pk]))[0]
    assert.deepEqual(await read(), { quantity: 9, location: to })
    assert.ok((await newer.member.post(`/api/stock/adjustment/${count.body.adjustment}/undo/`)).status < 300)
    assert.deepEqual(await read(), { quantity: 10, location: from })
    const structural = await create(newer, '/api/stock/location/', { name: 'Only for grouping', structural: true })
    assert.equal(
      (await newer.member.post('/api/stock/count/', { items: [{ pk, quantity: 1 }], location: structural })).status,
      400,
    )
    assert.deepEqual(await read(), { quantity: 10, location: from })
  })

  it('transfer stock in quarantine', async () => {
    const pk = await createStock(newer)
    assert.equal((await newer.member.post('/api/stock/change_status/', { items: [pk], status: 75 })).status, 201)
    const location = await createLocation(newer)
    assert.equal((await newer.member.post('/api/stock/transfer/', { items: [{ pk, quantity: 10 }], location })).status, 201)
    assert.deepEqual(await newer.rows('select location from stock_item where pk = $1', [pk]), [{ location }])
  })

  it('complete a part of an output, and leave the rest in production', async () => {
    const part = await createPart(newer, { assembly: true })
    const build = await create(newer, '/api/build/', { part, quantity: 6, reference: `BO-${1000 + ++number}` })
    const [output] = (await newer.member.post(`/api/build/${build}/create-output/`, { quantity: 6 })).body
    const location = await createLocation(newer)
    const complete = (quantity: number) =>
      newer.member.post(`/api/build/${build}/complete/`, { outputs: [{ output: output.pk, quantity }], location })
    const read = () =>
      newer.rows('select quantity::float as quantity, is_building, parent from stock_item where build = $1 order by pk', [build])
    assert.equal((await complete(7)).status, 400)
    assert.equal((await complete(0)).status, 400)
    assert.deepEqual(await read(), [{ quantity: 6, is_building: true, parent: null }])
    assert.equal((await complete(2)).status, 200)
    assert.deepEqual(await read(), [
      { quantity: 4, is_building: true, parent: null },
      { quantity: 2, is_building: false, parent: output.pk },
    ])
    assert.equal((await newer.member.get(`/api/build/${build}/`)).body.completed, 2)
    const rest = { outputs: [{ output: output.pk }], location, status_custom_key: 50 }
    assert.equal((await newer.member.post(`/api/build/${build}/complete/`, rest)).status, 200)
    assert.deepEqual(await newer.rows('select status from stock_item where pk = $1', [output.pk]), [{ status: 50 }])
    assert.equal((await newer.member.get(`/api/build/${build}/`)).body.completed, 6)
  })

  it('mark a BOM as not validated, and reject the deletion of an active part', async () => {
    const part = await createPart(newer, { assembly: true })
    await create(newer, '/api/bom/', { part, sub_part: await createPart(newer), quantity: 2 })
    const validate = (valid?: boolean) => newer.member.patch(`/api/part/${part}/bom-validate/`, { valid })
    const isValidated = async () => (await newer.member.get(`/api/part/${part}/bom-validate/`)).body.bom_validated
    assert.deepEqual([(await validate(true)).status, await isValidated()], [200, true])
    assert.deepEqual([(await validate(false)).body.complete, await isValidated()], [true, false])
    assert.equal((await newer.member.delete(`/api/part/${part}/`)).status, 400)
    assert.equal((await newer.member.get(`/api/part/${part}/`)).status, 200)
  })

  it('reject unknown actions, show scanned objects, and name the merged items as gone', async () => {
    assert.deepEqual((await newer.member.post('/api/action/', {})).status, 400)
    assert.deepEqual((await newer.member.post('/api/action/', { action: 'unknown' })).status, 404)
    assert.deepEqual((await older.member.post('/api/action/', {})).status, 200)
    const part = await createPart(newer)
    const scan = await newer.member.post('/api/barcode/', { barcode: JSON.stringify({ part }) })
    assert.equal(scan.body.part.instance.pk, part)
    const [first, second] = [await createStock(newer, { part }), await createStock(newer, { part })]
    const location = await createLocation(newer)
    const { body } = await newer.member.post('/api/stock/merge/', { items: [{ item: first }, { item: second }], location })
    assert.deepEqual(body.items, [{ item: first }, { item: null }])
  })

  it('make the first supplier part of a part the primary one', async () => {
    for (const service of [newer, older]) {
      const part = await createPart(service)
      const supplier = await createCompany(service)
      const create = async () => {
        const { body } = await service.member.post('/api/company/part/', { part, supplier, SKU: createName('SKU') })
        return (await service.rows('select default_supplier from part where pk = $1', [part]))[0]?.default_supplier === body.pk
      }
      assert.deepEqual([await create(), await create()], [service === newer, false])
    }
  })

  it('find objects with all of several tags', async () => {
    const part = await createPart(newer, { tags: ['blue', 'small'] })
    await createPart(newer, { tags: ['blue'] })
    const find = async (tags: string) =>
      (await newer.member.get(`/api/part/?tags=${tags}`)).body.map(({ pk }: { pk: number }) => pk)
    assert.deepEqual(await find('small,blue'), [part])
    assert.equal((await find('blue')).length, 2)
  })
})

describe('uploads with INVENTREE_API=530', () => {
  const upload = (fields: Record<string, FormPart>) => {
    const { body, headers } = encodeForm(fields)
    return newer.member.post('/api/attachment/', body, headers)
  }

  it('store files of any type, with a link or without, and reject empty ones', async () => {
    const owner = { model_type: 'part', model_id: String(await createPart(newer)) }
    const text = await upload({ ...owner, comment: 'text', attachment: { name: 'notes.txt', content: 'hello' } })
    const { filename, file_size, is_image, link, model_id } = text.body
    assert.deepEqual(
      [text.status, filename, file_size, is_image, link, String(model_id)],
      [201, 'notes.txt', 5, false, null, owner.model_id],
    )
    assert.equal((await upload({ ...owner, attachment: { name: 'tool.exe', content: 'MZ' } })).status, 201)
    const both = await upload({ ...owner, link: 'https://example.com/both', attachment: { name: 'both.txt', content: 'both' } })
    assert.deepEqual([both.status, both.body.link, both.body.filename], [201, 'https://example.com/both', 'both.txt'])
    assert.equal((await upload({ ...owner, attachment: { name: 'empty.txt', content: '' } })).status, 400)
    assert.equal((await newer.member.get(`/api/attachment/?model_type=part&model_id=${owner.model_id}`)).body.length, 3)
  })

  it('are renamed, but not out of their folder, and a link has no file name', async () => {
    const owner = { model_type: 'part', model_id: String(await createPart(newer)) }
    const { pk } = (await upload({ ...owner, attachment: { name: 'sheet.txt', content: 'hello' } })).body
    const rename = (filename: string) => newer.member.patch(`/api/attachment/${pk}/`, { filename })
    assert.equal((await rename('renamed.txt')).body.filename, 'renamed.txt')
    assert.equal((await rename('../x.txt')).status, 400)
    assert.equal((await rename('')).body.filename, 'renamed.txt')
    const link = await newer.member.post('/api/attachment/', { ...owner, link: 'https://example.com/a' })
    assert.deepEqual([link.status, link.body.filename, link.body.attachment], [201, null, null])
  })

  it('change settings by their newer names', async () => {
    const { status, body } = await newer.staff.patch('/api/settings/global/PARAMETER_ENFORCE_UNITS/', { value: false })
    assert.deepEqual([status, body.key], [200, 'PARAMETER_ENFORCE_UNITS'])
    const { body: byFormerKey } = await newer.staff.get('/api/settings/global/PART_PARAMETER_ENFORCE_UNITS/')
    assert.deepEqual([byFormerKey.pk, byFormerKey.key, byFormerKey.value], [body.pk, 'PARAMETER_ENFORCE_UNITS', false])
  })
})
