import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { loadConfig } from '../config.ts'
import { ROOT } from '../paths.ts'
import { testService } from '../testing/service.ts'
import { formatApiTable, readWire } from '../wire.ts'

const older = await testService({ WIRE_FORM: 'inventree', INVENTREE_API: '196' })
const newer = await testService({ WIRE_FORM: 'inventree', INVENTREE_API: '530' })
const specification = await testService({ INVENTREE_API: '530' })

const DONE_AT_ONCE = { task_id: '', exists: false, pending: false, complete: true, success: true, http_status: 200 }

const createPart = async ({ member }: typeof newer, more: object = {}) => {
  const category = (await member.post('/api/part/category/', { name: `Category ${Math.random()}` })).body.pk
  return (await member.post('/api/part/', { name: `Part ${Math.random()}`, category, ...more })).body.pk as number
}

describe('INVENTREE_API', () => {
  it('is 196 by default, and has no effect without WIRE_FORM=inventree', () => {
    assert.deepEqual(loadConfig({ WIRE_FORM: 'inventree' }).wire, readWire('inventree', '196'))
    assert.deepEqual(loadConfig({ INVENTREE_API: '530' }).wire, readWire('specification'))
    assert.throws(() => loadConfig({ INVENTREE_API: '400' }), /INVENTREE_API/)
  })

  it('is documented with each difference', () => {
    assert.ok(readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8').includes(formatApiTable()))
  })

  it('decides the announced version', async () => {
    for (const [service, version] of [
      [older, 196],
      [newer, 530],
      [specification, 196],
    ] as const) {
      assert.equal((await service.anonymous.get('/api/')).body.apiVersion, version)
      assert.equal((await service.staff.get('/api/version/')).body.version.api, version)
    }
    assert.ok(Array.isArray((await newer.staff.get('/api/version-text/')).body))
    assert.ok(!Array.isArray((await older.staff.get('/api/version-text/')).body))
  })

  it('can be set for one request', async () => {
    const pk = await createPart(newer)
    const names = async (version?: string) =>
      Object.keys((await newer.member.get(`/api/part/${pk}/`, version ? { 'x-api-version': version } : {})).body)
    assert.ok((await names()).includes('category_name'))
    assert.ok((await names('530')).includes('category_name'))
    assert.ok(!(await names('196')).includes('category_name'))
    assert.ok((await names('junk')).includes('category_name'))
  })

  it('is read by no code but the table of switches', () => {
    const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !/^(config|wire)\.ts$/.test(file),
    )
    for (const file of files)
      assert.doesNotMatch(readFileSync(join(ROOT, 'src', file), 'utf8'), /\b(wireForm|inventreeApi)\b/, file)
  })
})

describe('INVENTREE_API=530', () => {
  it('shows fields that API 196 does not have, in nested objects as well', async () => {
    for (const service of [older, newer]) {
      const isNewer = service === newer
      const part = await createPart(service)
      const { body } = await service.member.get(`/api/part/${part}/`)
      assert.deepEqual(
        ['category_name', 'scheduled_to_build'].map((name) => name in body),
        [isNewer, isNewer],
      )
      const item = (await service.member.post('/api/stock/', { part, quantity: 3 })).body
      const { pk } = isNewer ? item[0] : item
      const stock = (await service.member.get(`/api/stock/${pk}/?part_detail=true`)).body
      assert.deepEqual(['in_stock' in stock, 'locked' in stock.part_detail], [isNewer, isNewer])
      const extended = (await service.member.get(`/api/stock/${pk}/?extended=true`)).body
      assert.equal(extended.in_stock, true)
    }
  })

  it('shows money as numbers', async () => {
    for (const service of [older, newer]) {
      const part = await createPart(service, { salable: true })
      const price = { part, quantity: 1, price: '3.50', price_currency: 'EUR' }
      const { body } = await service.member.post('/api/part/sale-price/', price)
      assert.equal(body.price, service === newer ? 3.5 : '3.500000')
      const list = (await service.member.get(`/api/part/sale-price/?part=${part}&limit=5`)).body
      assert.equal(list.results[0].price, service === newer ? 3.5 : '3.500000')
    }
  })

  it('shows every nested object after a write, and only requested ones in a GET', async () => {
    const part = await createPart(newer)
    const [item] = (await newer.member.post('/api/stock/', { part, quantity: 3 })).body
    assert.ok('tests' in item && 'location_path' in item)
    assert.ok('tests' in (await newer.member.patch(`/api/stock/${item.pk}/`, { batch: 'B' })).body)
    assert.ok(!('tests' in (await newer.member.get(`/api/stock/${item.pk}/`)).body))
  })

  it('lists the stock items that a request creates', async () => {
    const part = await createPart(newer, { trackable: true })
    const { status, body } = await newer.member.post('/api/stock/', { part, quantity: 2, serial_numbers: '1,2' })
    assert.deepEqual([status, body.map((item: { serial: string }) => item.serial)], [201, ['1', '2']])
    const plain = (await newer.member.post('/api/stock/', { part, quantity: 4 })).body[0]
    const serialized = await newer.member.post(`/api/stock/${plain.pk}/serialize/`, {
      quantity: 2,
      serial_numbers: '8-9',
      destination: (await newer.member.post('/api/stock/location/', { name: 'Shelf' })).body.pk,
    })
    assert.deepEqual(
      [serialized.status, serialized.body.map((item: { serial: string; quantity: number }) => [item.serial, item.quantity])],
      [
        201,
        [
          ['8', 1],
          ['9', 1],
        ],
      ],
    )
  })

  it('receives without a location, lists the received items, and repeats that for the same Idempotency-Key', async () => {
    const { member } = newer
    const shelf = (await member.post('/api/stock/location/', { name: 'Receiving' })).body.pk
    const part = await createPart(newer, { purchaseable: true, default_location: shelf })
    const supplier = (await member.post('/api/company/', { name: 'Supplier', is_supplier: true, currency: 'EUR' })).body.pk
    const supplierPart = (await member.post('/api/company/part/', { part, supplier, SKU: 'S-1' })).body.pk
    const order = (await member.post('/api/order/po/', { supplier })).body.pk
    const line = (await member.post('/api/order/po-line/', { order, part: supplierPart, quantity: 5 })).body
    assert.equal(line.auto_pricing, false)
    assert.equal((await member.post(`/api/order/po/${order}/issue/`, {})).status, 201)
    const receive = () =>
      member.post(
        `/api/order/po/${order}/receive/`,
        { items: [{ line_item: line.pk, quantity: 2 }] },
        { 'idempotency-key': 'once' },
      )
    const [first, second] = [await receive(), await receive()]
    assert.deepEqual([first.status, first.body.map((item: any) => [item.quantity, item.location])], [201, [[2, shelf]]])
    assert.deepEqual(second.body, first.body)
    assert.equal((await member.get(`/api/order/po-line/${line.pk}/`)).body.received, 2)
  })

  it('returns a finished task where InvenTree starts one', async () => {
    const assembly = await createPart(newer, { assembly: true })
    const build = (await newer.member.post('/api/build/', { part: assembly, quantity: 2 })).body
    const outputs = await newer.member.post(`/api/build/${build.pk}/create-output/`, { quantity: 2, batch_code: 'B' })
    assert.deepEqual([outputs.status, outputs.body[0].batch], [201, 'B'])
    const allocated = await newer.member.post(`/api/build/${build.pk}/auto-allocate/`, {})
    assert.deepEqual([allocated.status, allocated.body], [200, DONE_AT_ONCE])
    const scrapped = await newer.member.post(`/api/build/${build.pk}/delete-outputs/`, {
      outputs: [{ output: outputs.body[0].pk }],
    })
    assert.deepEqual([scrapped.status, scrapped.body], [200, DONE_AT_ONCE])
  })

  it('accepts the names of API 530 for fields that were renamed, and has both in responses', async () => {
    const category = (await newer.member.post('/api/part/category/', { name: 'With parameters' })).body.pk
    const template = (await newer.superuser.post('/api/part/parameter/template/', { name: 'Length' })).body.pk
    const path = '/api/part/category/parameters/'
    const created = await newer.member.post(path, { category, template })
    assert.deepEqual(
      [created.status, created.body.template, created.body.parameter_template, created.body.template_detail?.name],
      [201, template, template, 'Length'],
    )
    const missing = await newer.member.post(path, { category })
    assert.deepEqual([missing.status, Object.keys(missing.body)], [400, ['template']])
    const old = await older.member.post(path, {})
    assert.deepEqual(Object.keys(old.body).toSorted(), ['category', 'parameter_template'])
  })

  it('filters lists by tag', async () => {
    const tag = `tag-${Math.random()}`
    const pk = await createPart(newer, { tags: [tag] })
    await createPart(newer)
    const { body } = await newer.member.get(`/api/part/?tags=${tag}`)
    assert.deepEqual(
      body.map((part: { pk: number }) => part.pk),
      [pk],
    )
  })

  it('describes the fields of responses in OPTIONS', async () => {
    const { body } = await newer.member.send('OPTIONS', '/api/part/')
    assert.equal(body.actions.GET.name.type, 'string')
    assert.deepEqual((await older.member.send('OPTIONS', '/api/part/')).body.actions.GET, {})
  })
})
