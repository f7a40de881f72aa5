import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testService } from '../testing/service.ts'

const older = await testService({ WIRE_FORM: 'inventree', INVENTREE_API: '196' })
const newer = await testService({ WIRE_FORM: 'inventree', INVENTREE_API: '530' })
const services = [older, newer] as const

type Service = typeof newer
type Row = Record<string, any>

/** Creates an object, and returns its key. Creating stock returns a list to clients of API 530. */
async function create({ superuser }: Service, path: string, body: object): Promise<number> {
  const response = await superuser.post(path, body)
  assert.equal(response.status, 201, response.text)
  return [response.body].flat()[0].pk
}

const createPart = async (service: Service, more: object = {}) => {
  const category = await create(service, '/api/part/category/', { name: `Category ${Math.random()}` })
  return create(service, '/api/part/', { name: `Part ${Math.random()}`, category, component: true, ...more })
}

/** The keys that a list returns, in its order. */
const findKeys = async ({ superuser }: Service, path: string): Promise<number[]> => {
  const { status, body, text } = await superuser.get(path)
  assert.equal(status, 200, text)
  return (body.results ?? body).map(({ pk }: Row) => pk)
}

/** Metadata of a field in OPTIONS. */
const describeField = async ({ superuser }: Service, path: string, method: string, name: string): Promise<Row> =>
  (await superuser.send('OPTIONS', path)).body.actions[method]?.[name]

describe('OPTIONS', () => {
  it('has the headings, types and defaults of each API version', async () => {
    for (const [path, method, name, former, current] of [
      ['/api/build/line/', 'POST', 'allocated', { label: 'Allocated Stock' }, { label: 'Allocated' }],
      ['/api/stock/', 'POST', 'status_text', { type: 'string' }, { type: 'field' }],
      ['/api/order/po/', 'POST', 'creation_date', { read_only: false }, { read_only: true }],
      ['/api/order/po-extra-line/', 'POST', 'line', { default: undefined }, { default: '' }],
      ['/api/part/category/parameters/', 'POST', 'template', { read_only: true }, { read_only: false }],
      ['/api/barcode/link/', 'POST', 'stockitem', { label: 'stock item' }, { label: 'Stock Item' }],
      ['/api/part/category/', 'POST', 'pathstring', { read_only: false }, { read_only: true }],
    ] as const) {
      const keys = Object.keys(current)
      for (const [service, want] of [
        [older, former],
        [newer, current],
      ] as const) {
        const field = await describeField(service, path, method, name)
        assert.deepEqual(Object.fromEntries(keys.map((key) => [key, field[key]])), want, `${path} ${name}`)
      }
    }
  })

  it('names a nested object by its key, unless it has a heading of its own', async () => {
    assert.equal((await describeField(newer, '/api/order/po/', 'POST', 'responsible_detail')).label, 'Responsible detail')
    assert.equal((await describeField(newer, '/api/stock/', 'POST', 'location_detail')).label, 'Location')
  })

  it('describes the responses of views, with the types of their values', async () => {
    assert.equal(await describeField(older, '/api/plugins/status/', 'GET', 'active_plugins'), undefined)
    assert.equal((await describeField(newer, '/api/plugins/status/', 'GET', 'active_plugins')).type, 'integer')
    const { type, label } = await describeField(newer, '/api/background-task/failed/', 'GET', 'started')
    assert.deepEqual([type, label], ['datetime', 'Started at'])
    assert.equal((await describeField(newer, '/api/settings/global/', 'GET', 'value')).type, 'field')
    assert.equal((await describeField(newer, '/api/generate/batch-code/', 'POST', 'batch_code')).read_only, true)
  })

  it('offers the custom states of stock', async () => {
    for (const service of services) {
      const state = { reference_status: 'StockStatus', key: 177, name: 'IN_LAB', label: 'In the lab', logical_key: 75 }
      await create(service, '/api/generic/status/custom/', state)
      const { choices } = await describeField(service, '/api/stock/', 'POST', 'status')
      assert.equal(
        choices.some(({ value }: Row) => value === 177),
        service === newer,
      )
    }
  })
})

describe('lists for clients of API 530', () => {
  it('find orders by one end of a period', async () => {
    for (const service of services) {
      const customer = await create(service, '/api/company/', { name: 'Period', is_customer: true, currency: 'EUR' })
      const dated = (target_date: string) =>
        create(service, '/api/order/so/', { customer, target_date, reference: `SO-${target_date.slice(0, 4)}` })
      const [early, late] = [await dated('2031-01-10'), await dated('2033-01-10')]
      const orders = `/api/order/so/?customer=${customer}`
      const all = [late, early]
      assert.deepEqual(await findKeys(service, `${orders}&min_date=2032-01-01`), service === newer ? [late] : all)
      assert.deepEqual(await findKeys(service, `${orders}&max_date=2020-01-01`), service === newer ? [] : all)
      assert.equal((await service.superuser.get(`${orders}&min_date=soon`)).status, 400)
    }
  })

  it('reject keys that do not exist', async () => {
    for (const service of services) {
      const expected = service === newer ? 400 : 200
      for (const path of [
        'build/?ancestor=99999',
        'build/?exclude_tree=99999',
        'order/po/?part=99999',
        'order/so/?part=abc',
        'stock/test/?stock_item=abc',
        'label/template/?model_type=abc',
      ])
        assert.equal((await service.superuser.get(`/api/${path}`)).status, expected, path)
    }
  })

  it('find objects in a built-in status only outside of custom states', async () => {
    for (const service of services) {
      const part = await createPart(service)
      const plain = await create(service, '/api/stock/', { part, quantity: 1, status: 75 })
      const custom = await create(service, '/api/stock/', { part, quantity: 1, status: 177 })
      const found = await findKeys(service, `/api/stock/?part=${part}&status=75`)
      assert.deepEqual(found.sort(), service === newer ? [plain] : [plain, custom])
    }
  })

  it('take top_level=false as no filter', async () => {
    for (const service of services) {
      const above = await create(service, '/api/stock/location/', { name: `Above ${service === newer}` })
      const below = await create(service, '/api/stock/location/', { name: 'Below', parent: above })
      const found = await findKeys(service, '/api/stock/location/?top_level=false')
      assert.deepEqual([found.includes(above), found.includes(below)], [service === newer, true])
    }
  })

  it('search trees, and return what is above the matches', async () => {
    const top = await create(newer, '/api/stock/location/', { name: 'Hall' })
    const shelf = await create(newer, '/api/stock/location/', { name: 'Shelf', description: 'For zirconia', parent: top })
    await create(newer, '/api/stock/location/', { name: 'Other', parent: top })
    assert.deepEqual((await findKeys(newer, '/api/stock/location/tree/?search=zirconia')).sort(), [top, shelf])
    assert.deepEqual(await findKeys(newer, '/api/stock/location/tree/?search=zzz'), [])
  })

  it('search paths of locations, SKUs of stock, and notes on request', async () => {
    for (const service of services) {
      const isNewer = service === newer
      const top = await create(service, '/api/stock/location/', { name: 'Quarry' })
      const below = await create(service, '/api/stock/location/', { name: 'Pit', parent: top })
      assert.equal((await findKeys(service, '/api/stock/location/?search=quarry')).includes(below), isNewer)
      const part = await createPart(service, { purchaseable: true, notes: 'Handle with kindness' })
      const supplier = await create(service, '/api/company/', { name: 'Skuld', is_supplier: true, currency: 'EUR' })
      const supplier_part = await create(service, '/api/company/part/', { part, supplier, SKU: 'SKU-77' })
      const item = await create(service, '/api/stock/', { part, quantity: 1, supplier_part, use_pack_size: false })
      assert.deepEqual(await findKeys(service, '/api/stock/?search=SKU-77'), isNewer ? [item] : [])
      assert.deepEqual(await findKeys(service, '/api/part/?search=kindness'), [])
      assert.deepEqual(await findKeys(service, '/api/part/?search=kindness&search_notes=true'), [part])
      const { body } = await service.superuser.post('/api/search/', { search: 'kindness', search_notes: true, part: {} })
      assert.equal(body.part.count, 1)
    }
  })

  it('find parameters by a part of their text, and by size without units', async () => {
    const [one, other] = [await createPart(newer), await createPart(newer)]
    const template = await create(newer, '/api/parameter/template/', { name: 'Strength' })
    for (const [part, data] of [
      [one, '900'],
      [other, '1200'],
    ] as const)
      await create(newer, '/api/parameter/', { template, model_type: 'part.part', model_id: part, data })
    assert.deepEqual(await findKeys(newer, `/api/part/?parameter_${template}_gt=1000`), [other])
    assert.deepEqual(await findKeys(newer, `/api/part/?parameter_${template}_icontains=90`), [one])
    assert.deepEqual(await findKeys(newer, `/api/part/?parameter_${template}_icontains=%25`), [])
  })

  it('find the parameter templates of related objects', async () => {
    const part = await createPart(newer)
    const { category } = (await newer.member.get(`/api/part/${part}/`)).body
    const template = await create(newer, '/api/parameter/template/', { name: 'Grain' })
    await create(newer, '/api/parameter/', { template, model_type: 'part.part', model_id: part, data: 'fine' })
    const path = '/api/parameter/template/?exists_for_model=part'
    const related = (model: string, key: unknown) =>
      `${path}&exists_for_related_model=${model}&exists_for_related_model_id=${key}`
    assert.deepEqual(await findKeys(newer, related('partcategory', category)), [template])
    assert.deepEqual(await findKeys(newer, related('part.partcategory', 99_999)), [])
    for (const bad of [related('company', 1), related('partcategory', 'abc'), `${path}&exists_for_related_model_id=1`])
      assert.equal((await newer.member.get(bad)).status, 400, bad)
  })

  it('find lines of build orders for components that are assemblies', async () => {
    const [assembly, component] = [await createPart(newer, { assembly: true }), await createPart(newer)]
    await create(newer, '/api/bom/', { part: assembly, sub_part: component, quantity: 1 })
    await create(newer, '/api/build/', { part: assembly, quantity: 1, reference: 'BO-7001', title: 'x' })
    assert.equal((await findKeys(newer, `/api/build/line/?part=${component}&assembly=false`)).length, 1)
    assert.equal((await findKeys(newer, `/api/build/line/?part=${component}&assembly=true`)).length, 0)
    assert.equal((await findKeys(newer, `/api/build/line/?assembly=${assembly}`)).length, 1)
    assert.equal((await newer.member.get('/api/build/line/?assembly=perhaps')).status, 400)
  })
})

describe('fields for clients of API 530', () => {
  it('say what a BOM makes', async () => {
    for (const service of services) {
      const [assembly, component, consumable] = [
        await createPart(service, { assembly: true }),
        await createPart(service),
        await createPart(service),
      ]
      await create(service, '/api/bom/', { part: assembly, sub_part: component, quantity: 4 })
      await create(service, '/api/bom/', { part: assembly, sub_part: consumable, quantity: 1, consumable: true })
      await create(service, '/api/stock/', { part: component, quantity: 10 })
      const { body } = await service.member.get(`/api/part/${assembly}/requirements/`)
      assert.equal(body.can_build, service === newer ? 2.5 : undefined)
      if (service === newer) assert.equal((await service.member.get(`/api/part/${component}/requirements/`)).body.can_build, 0)
    }
  })

  it('have typed values of settings', async () => {
    for (const service of services) {
      const isNewer = service === newer
      const read = async (key: string) => (await service.staff.get(`/api/settings/global/${key}/`)).body
      assert.equal((await read('STOCK_ENABLE_EXPIRY')).value, isNewer ? false : 'False')
      assert.equal((await read('STOCK_STALE_DAYS')).value, isNewer ? 0 : '0')
      const { results } = (await service.staff.get('/api/settings/global/?limit=200')).body
      const listed = results.find(({ key }: Row) => key === 'STOCK_STALE_DAYS')
      assert.deepEqual(
        [listed.value, listed.confirm, listed.read_only],
        isNewer ? [0, false, false] : ['0', undefined, undefined],
      )
    }
    const former = await newer.staff.get('/api/settings/global/?limit=200', { 'x-api-version': '196' })
    assert.equal(former.body.results.find(({ key }: Row) => key === 'STOCK_STALE_DAYS').value, '0')
  })

  it('have the profile of an account, which only staff and the account see', async () => {
    await newer.member.patch('/api/user/me/profile/', { displayname: 'The Boss' })
    const pk = newer.getPk('member')
    const { body } = await newer.member.get('/api/user/me/')
    assert.deepEqual([body.profile.displayname, body.profile.language, 'roles' in body], ['The Boss', null, false])
    assert.deepEqual(Object.keys((await newer.member.get('/api/user/me/?roles=true')).body.roles).includes('part'), true)
    assert.equal((await newer.staff.get(`/api/user/${pk}/`)).body.profile.displayname, 'The Boss')
    assert.equal('language' in (await newer.staff.get(`/api/user/${pk}/`)).body.profile, false)
    assert.equal((await newer.viewer.get(`/api/user/${pk}/`)).body.profile, null)
    assert.equal('profile' in (await older.member.get('/api/user/me/')).body, false)
    assert.deepEqual((await newer.member.get('/api/user/profile/')).body, (await newer.member.get('/api/user/me/profile/')).body)
  })

  it('show keys of tokens masked, and those of the caller alone', async () => {
    const { token } = (await newer.member.post('/api/user/tokens/', { name: 'masked' })).body
    const { body, text } = await newer.member.get(`/api/user/tokens/?user=${newer.getPk('member')}`)
    const row = (body.results ?? body).find(({ name }: Row) => name === 'masked')
    assert.deepEqual([row.token, row.id, row.user_detail.username], ['***', row.pk, 'member'])
    assert.ok(!text.includes(token.slice(4, 44)))
    assert.deepEqual(await findKeys(newer, `/api/user/tokens/?user=${newer.getPk('member')}`), [])
  })

  it('show the kind of a custom state, by which states are found', async () => {
    const { body } = await newer.staff.get('/api/contenttype/stockitem/')
    const [state] = (await newer.staff.get(`/api/generic/status/custom/?model=${body.pk}&limit=5`)).body.results
    assert.deepEqual([state.name, state.model], ['IN_LAB', body.pk])
    for (const bad of ['abc', '5']) assert.equal((await newer.staff.get(`/api/generic/status/custom/?model=${bad}`)).status, 400)
  })

  it('show the destination of a line, otherwise of its order', async () => {
    for (const service of services) {
      const part = await createPart(service, { purchaseable: true })
      const supplier = await create(service, '/api/company/', { name: 'Dest', is_supplier: true, currency: 'EUR' })
      const supplierPart = await create(service, '/api/company/part/', { part, supplier, SKU: 'D-1' })
      const location = await create(service, '/api/stock/location/', { name: 'Goods in' })
      const order = await create(service, '/api/order/po/', { supplier, reference: 'PO-7001', destination: location })
      const line = await create(service, '/api/order/po-line/', { order, part: supplierPart, quantity: 1 })
      const { body } = await service.superuser.get(`/api/order/po-line/${line}/`)
      assert.equal(body.destination_detail?.pk, location)
      const found = (query: string) => findKeys(service, `/api/order/po-line/?base_part=${part}${query}`)
      assert.deepEqual([await found(''), await found('&include_variants=true')], [[line], [line]])
      assert.equal((await service.superuser.get('/api/order/po-line/?base_part=abc')).status, 400)
    }
  })

  it('hide prices of BOM lines, and show parts of items and makers, as requested', async () => {
    const [assembly, component] = [await createPart(newer, { assembly: true }), await createPart(newer)]
    const line = await create(newer, '/api/bom/', { part: assembly, sub_part: component, quantity: 1 })
    const keys = async (query: string) => Object.keys((await newer.superuser.get(`/api/bom/${line}/${query}`)).body)
    assert.ok((await keys('')).includes('pricing_min'))
    assert.ok(!(await keys('?pricing=false')).includes('pricing_min'))
    const { body } = await newer.superuser.get('/api/plugins/?mandatory=true')
    assert.deepEqual(body.results ?? body, [])
    assert.equal((await newer.superuser.get('/api/plugins/inventreelabel/')).body.is_mandatory, false)
  })
})

describe('automatic allocation for clients of API 530', () => {
  it('allocates to some lines, in a chosen order of stock', async () => {
    const assembly = await createPart(newer, { assembly: true })
    const parts = [await createPart(newer), await createPart(newer)] as const
    for (const part of parts) await create(newer, '/api/bom/', { part: assembly, sub_part: part, quantity: 1 })
    const items = new Map<number, number>()
    for (const quantity of [5, 3, 9]) items.set(quantity, await create(newer, '/api/stock/', { part: parts[0], quantity }))
    await create(newer, '/api/stock/', { part: parts[1], quantity: 9 })
    const build = await create(newer, '/api/build/', { part: assembly, quantity: 2, reference: 'BO-7002', title: 'x' })
    const [line] = await findKeys(newer, `/api/build/line/?build=${build}&part=${parts[0]}`)
    const path = `/api/build/${build}/auto-allocate/`
    const body = { interchangeable: true, build_lines: [line], stock_sort_by: 'quantity' }
    const listAllocations = async () =>
      (await newer.superuser.get(`/api/build/item/?build=${build}`)).body.map(({ stock_item, quantity }: Row) => [
        stock_item,
        quantity,
      ])
    for (const bad of [{ stock_sort_by: 'color' }, { item_type: 'none' }, { build_lines: [999_999] }, { build_lines: 'all' }]) {
      const response = await newer.superuser.post(path, { ...body, ...bad })
      assert.deepEqual([response.status, Object.keys(response.body)], [400, Object.keys(bad)])
    }
    assert.equal((await newer.superuser.post(path, { ...body, item_type: 'tracked' })).status, 200)
    assert.deepEqual(await listAllocations(), [])
    assert.equal((await newer.superuser.post(path, body)).status, 200)
    assert.deepEqual(await listAllocations(), [[items.get(3), 2]])
  })
})
