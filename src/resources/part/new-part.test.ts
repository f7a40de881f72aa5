import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { waitForStableDay } from '../../testing/period-boundary.ts'
import { assertCallers, testService } from '../../testing/service.ts'

const service = await testService()
const { member, superuser } = service
const path = '/api/part/'

/** Two locations; categories Electronics (1) and Structure (2), which is structural; a supplier (1) and a manufacturer (2). */
before(() =>
  service.pool.query(`
    insert into stock_location (name, structural) values ('Shelf', false), ('House', true);
    insert into part_category (name, structural) values ('Electronics', false), ('Structure', true);
    insert into company (name, currency, is_supplier, is_manufacturer) values ('Seller', 'USD', true, false), ('Maker', 'USD', false, true)`),
)

let number = 0
const create = (body: object) => member.post(path, { name: `Part ${++number}`, category: 1, ...body })
const readState = async () => [
  await service.rows('select * from part order by pk'),
  await service.rows('select pk from stock_item order by pk'),
  await service.rows('select pk from supplier_part order by pk'),
  await service.rows('select pk from manufacturer_part order by pk'),
]
const assertRejected = async (body: object, field: string, nested?: string) => {
  const before = await readState()
  const response = await create(body)
  assert.equal(response.status, 400, JSON.stringify(body))
  assert.deepEqual(Object.keys(response.body), [field])
  if (nested) assert.deepEqual(Object.keys(response.body[field]), [nested])
  assert.deepEqual(await readState(), before)
}
const changeSetting = async (key: string, value: string) =>
  assert.equal((await superuser.patch(`/api/settings/global/${key}/`, { value })).status, 200)

describe('POST /api/part/', () => {
  it('creates a part with its defaults, and responds as GET does', async () => {
    const today = await waitForStableDay()
    const { status, body } = await create({ IPN: ' N-1 ', revision: 'A', tags: ['one', 'two', 'one'] })
    assert.equal(status, 201)
    assert.deepEqual((await member.get(`${path}${body.pk}/`)).body, body)
    assert.deepEqual(
      [body.full_name, body.active, body.component, body.purchaseable, body.assembly, body.units, body.minimum_stock, body.tags],
      [`N-1 | ${body.name} | A`, true, true, true, false, '', 0, ['one', 'two']],
    )
    assert.equal(body.creation_user, service.getPk('member'))
    assert.equal(body.creation_date, today)
    assert.deepEqual([body.pricing_min, typeof body.pricing_updated], [null, 'string'])
    assert.deepEqual([body.image, body.in_stock], [null, 0])
  })

  it('takes the defaults of new parts from the settings, and returns them in OPTIONS', async () => {
    const keys = ['assembly', 'component', 'is_template', 'purchaseable', 'salable', 'trackable', 'virtual']
    const getSettingKey = (key: string) => `PART_${key === 'is_template' ? 'TEMPLATE' : key.toUpperCase()}`
    const defaults = (await create({})).body
    for (const key of keys) await changeSetting(getSettingKey(key), String(!defaults[key]))
    try {
      const { body } = await create({})
      for (const key of keys) assert.equal(body[key], !defaults[key], key)
      assert.equal((await create({ assembly: defaults.assembly })).body.assembly, defaults.assembly)
      const form = (await member.send('OPTIONS', path)).body.actions.POST
      for (const key of keys) assert.equal(form[key].default, !defaults[key], key)
    } finally {
      for (const key of keys) await changeSetting(getSettingKey(key), String(defaults[key]))
    }
  })

  it('rejects invalid values, naming the field', async () => {
    await assertRejected({ category: undefined }, 'category')
    await assertRejected({ category: 2 }, 'category')
    await assertRejected({ category: 99_999 }, 'category')
    await assertRejected({ name: 'x'.repeat(101) }, 'name')
    await assertRejected({ name: '' }, 'name')
    await assertRejected({ duplicate: 5 }, 'duplicate', 'non_field_errors')
    await assertRejected({ duplicate: { part: 99_999 } }, 'duplicate', 'part')
    await assertRejected({ initial_stock: 5 }, 'initial_stock', 'non_field_errors')
    await assertRejected({ initial_stock: { quantity: -1 } }, 'initial_stock', 'quantity')
    await assertRejected({ initial_stock: { location: 1 } }, 'initial_stock', 'quantity')
    await assertRejected({ initial_supplier: { supplier: 2, sku: 'X' } }, 'initial_supplier', 'supplier')
    await assertRejected({ initial_supplier: { manufacturer: 1, mpn: 'X' } }, 'initial_supplier', 'manufacturer')
    const { body } = await member.post(path, { name: 'N', units: 'nonsense unit' })
    assert.deepEqual(Object.keys(body).toSorted(), ['category', 'units'])
  })

  it('rejects a duplicate part; an empty IPN counts as none', async () => {
    const { body } = await create({ IPN: '', revision: 'B' })
    await assertRejected({ name: body.name, revision: 'B' }, 'non_field_errors')
    assert.equal((await create({ name: body.name, revision: 'C' })).status, 201)
  })

  it('requires the permission to add parts', () =>
    assertCallers(
      service,
      (client) => client.post(path, { name: `Part ${++number}`, category: 1 }),
      ['member', 'superuser'],
      readState,
    ))

  it('creates one part for concurrent requests for the same part', async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => create({ name: 'Same' })))
    assert.deepEqual(responses.map(({ status }) => status).toSorted(), [201, ...Array(7).fill(400)])
  })
})

describe('POST /api/part/ with a part to copy', () => {
  it('copies image and notes on request', async () => {
    const [original] = await service.rows(
      `insert into part (name, image, notes) values ('Original', 'part_images/chair.png', 'Sit on it') returning pk`,
    )
    const copy = (await create({ duplicate: { part: original.pk } })).body
    assert.deepEqual([copy.image, copy.notes], [null, 'Sit on it'])
    const copiedPart = (await create({ duplicate: { part: original.pk, copy_image: true, copy_notes: false }, notes: 'Mine' }))
      .body
    assert.deepEqual([copiedPart.image, copiedPart.notes], ['/media/part_images/chair.png', 'Mine'])
    assert.equal(copiedPart.thumbnail, '/media/part_images/chair.thumbnail.png')
  })

  it('accepts the image of another part, by its name, with any path before it', async () => {
    for (const existing_image of ['chair.png', 'part_images/chair.png', '/media/part_images/chair.png'])
      assert.equal((await create({ existing_image })).body.image, '/media/part_images/chair.png')
    for (const existing_image of ['stool.png', '../stool.png', '/media/part_images/', '..'])
      await assertRejected({ existing_image }, 'existing_image')
  })
})

describe('POST /api/part/ with stock', () => {
  it('creates it in the given location, otherwise in the default location, with batch and expiry date', async () => {
    const today = await waitForStableDay()
    await changeSetting('STOCK_BATCH_CODE_TEMPLATE', 'B-{{ year }}')
    const { body } = await create({ default_location: 1, default_expiry: 30, initial_stock: { quantity: '7.5' } })
    assert.deepEqual([body.in_stock, body.stock_item_count], [7.5, 1])
    const [item] = await service.rows('select * from stock_item where part = $1', [body.pk])
    const expiryDate = new Date(Date.parse(today) + 30 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
    assert.deepEqual([item.location, item.batch, item.expiry_date], [1, `B-${today.slice(0, 4)}`, expiryDate])
    const history = await service.rows('select tracking_type, "user", deltas from stock_tracking where item = $1', [item.pk])
    assert.deepEqual(history, [
      { tracking_type: 1, user: service.getPk('member'), deltas: { status: 10, quantity: 7.5, location: 1 } },
    ])
    await changeSetting('STOCK_BATCH_CODE_TEMPLATE', '')
  })

  it('creates none for a quantity of 0', async () =>
    assert.equal((await create({ initial_stock: { quantity: 0 } })).body.stock_item_count, 0))

  it('applies the rules of stock', async () => {
    await assertRejected({ initial_stock: { quantity: 1, location: 2 } }, 'initial_stock', 'location')
    await assertRejected({ trackable: true, initial_stock: { quantity: 1.5 } }, 'initial_stock', 'quantity')
    await assertRejected({ virtual: true, initial_stock: { quantity: 1 } }, 'initial_stock', 'part')
  })
})

describe('POST /api/part/ with a supplier', () => {
  const initial_supplier = { supplier: 1, sku: 'S-1', manufacturer: 2, mpn: 'M-1' }

  it('creates the supplier part and its manufacturer part', async () => {
    const { body } = await create({ initial_supplier })
    assert.equal(body.suppliers, 1)
    const rows = await service.rows(
      `select "SKU", pack_quantity, pack_quantity_native, "MPN" from supplier_part s join manufacturer_part m on m.pk = s.manufacturer_part
       where s.part = $1`,
      [body.pk],
    )
    assert.deepEqual(rows, [{ SKU: 'S-1', pack_quantity: '1', pack_quantity_native: '1.0000000000', MPN: 'M-1' }])
  })

  it('rejects numbers in use by these companies, and a part that is not purchaseable', async () => {
    await assertRejected({ initial_supplier: { supplier: 1, sku: 'S-1' } }, 'initial_supplier', 'sku')
    await assertRejected({ initial_supplier: { manufacturer: 2, mpn: 'M-1' } }, 'initial_supplier', 'mpn')
    await assertRejected({ purchaseable: false, initial_supplier: { supplier: 1, sku: 'S-2' } }, 'initial_supplier', 'supplier')
  })

  it('creates nothing for an empty form', async () => {
    const { status, body } = await create({ initial_supplier: { supplier: null, sku: '', manufacturer: null, mpn: '' } })
    assert.deepEqual([status, body.suppliers], [201, 0])
  })
})

describe('deleting many parts', () => {
  it('removes all rows of templates with variants, suppliers and stock', async () => {
    const { body: category } = await member.post('/api/part/category/', { name: 'Away' })
    const { body: template } = await create({ is_template: true, category: category.pk, initial_stock: { quantity: 2 } })
    for (const sku of ['V-1', 'V-2'])
      await create({
        category: category.pk,
        variant_of: template.pk,
        initial_stock: { quantity: 3 },
        initial_supplier: { supplier: 1, sku },
      })
    await member.patch(`${path}${template.pk}/`, { name: 'Template' })
    assert.equal((await member.get(`${path}${template.pk}/`)).body.total_in_stock, 8)
    assert.equal((await member.delete(`/api/part/category/${category.pk}/`, { delete_parts: '1' })).status, 204)
    assert.deepEqual(await service.rows('select 1 from part where category = $1', [category.pk]), [])
    assert.deepEqual(await service.rows('select * from verify_quantities()'), [])
  })
})

describe('variants that move to another template while stock moves', () => {
  it('keep every sum right, without a deadlock', async () => {
    const templates = [(await create({ is_template: true })).body.pk, (await create({ is_template: true })).body.pk]
    const { body: part } = await create({ variant_of: templates[0], initial_stock: { quantity: 5 } })
    const responses = await Promise.all(
      Array.from({ length: 24 }, (_, n) =>
        n % 3 === 0
          ? member.patch(`${path}${part.pk}/`, { variant_of: templates[n % 2] })
          : create({ variant_of: templates[n % 2], initial_stock: { quantity: n } }),
      ),
    )
    assert.deepEqual([...new Set(responses.map(({ status }) => status))].toSorted(), [200, 201])
    assert.deepEqual(await service.rows('select * from verify_quantities()'), [])
    assert.deepEqual(await service.rows('select * from verify_trees()'), [])
  })
})

describe('existing clients', async () => {
  const compatService = await testService({ WIRE_FORM: 'inventree' })
  it('get bare lists, and PUT keeps omitted fields unless they are required', async () => {
    await compatService.pool.query(`insert into part_category (name) values ('C')`)
    const { body } = await compatService.member.post(path, { name: 'P', category: 1, keywords: 'k' })
    assert.equal((await compatService.viewer.get(path)).body.length, 1)
    assert.deepEqual(Object.keys((await compatService.member.put(`${path}${body.pk}/`, {})).body).toSorted(), [
      'category',
      'minimum_stock',
      'name',
    ])
    const put = await compatService.member.put(`${path}${body.pk}/`, { name: 'Q', category: 1, minimum_stock: 2 })
    assert.deepEqual([put.body.name, put.body.keywords, put.body.minimum_stock], ['Q', 'k', 2])
    assert.equal((await compatService.viewer.get(`${path}?active=junk&limit=1`)).body.count, 1)
    const rejection = await compatService.member.delete(`${path}${body.pk}/`)
    assert.deepEqual([rejection.status, rejection.body], [405, 'Part is active: cannot delete'])
  })
})
