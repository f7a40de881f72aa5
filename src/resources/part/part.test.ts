import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { assertCallers, testService } from '../../testing/service.ts'

const service = await testService({}, { runsBackgroundWork: false })
const { member, superuser, viewer } = service
const path = '/api/part/'

/** Chair (template, 1) / Red chair (2), Blue chair (3); Bolt (4), inactive; Paint (5). Furniture (1) / Chairs (2); Stores (3). */
beforeEach(async () => {
  await service.pool.query(`
    delete from stock_item; delete from part; delete from part_category; delete from stock_location; delete from company;
    alter table part alter pk restart; alter table part_category alter pk restart;
    alter table stock_location alter pk restart; alter table company alter pk restart; alter table supplier_part alter pk restart;
    insert into stock_location (name, external) values ('Shelf', false), ('Lent', true);
    insert into part_category (name, parent, default_location) values ('Furniture', null, 1), ('Chairs', 1, null), ('Stores', null, null);
    insert into part (name, "IPN", category, is_template, variant_of, active, virtual, minimum_stock, units, tags, last_stocktake)
      values ('Chair', 'C-1', 2, true, null, true, false, 0, '', '{}', null),
        ('Red chair', 'C-2', 2, false, 1, true, false, 5, null, '{"Long lead"}', '2024-01-31'),
        ('Blue chair', null, 2, false, 1, true, false, 0, '', '{}', null),
        ('Bolt', '', 3, false, null, false, false, 0, '', '{}', null),
        ('Paint', 'P-1', null, false, null, true, true, 0, 'litre', '{}', null);
    insert into company (name, currency) values ('Acme', 'USD');
    insert into supplier_part (part, supplier, "SKU") values (4, 1, 'ACME-BOLT');
    insert into manufacturer_part (part, manufacturer, "MPN") values (4, 1, 'MPN-77');
    insert into stock_item (part, quantity, location, serial, purchase_price_currency)
      values (1, 3, 1, null, 'USD'), (2, 4, 2, null, 'USD'), (4, 0, 1, null, 'USD'), (2, 1, 1, '0099', 'USD');
    insert into part_pricing (part, currency, override_min_currency, override_max_currency, overall_min, overall_max, updated)
      values (4, 'USD', 'USD', 'USD', 0.1, 12.5, '2024-01-31 10:20:30Z')`)
})

const listNames = async (query: string) => (await member.get(`${path}${query}`)).body.results.map((row: any) => row.name)
const readState = () => service.rows('select * from part order by pk')
const assertRejected = async (send: () => Promise<{ status: number; body: any }>, field: string, status = 400) => {
  const before = await readState()
  const response = await send()
  assert.equal(response.status, status)
  if (field) assert.deepEqual(Object.keys(response.body), [field])
  assert.deepEqual(await readState(), before)
}
const bolt = { name: 'Bolt', category: 3 }
const changeSetting = async (key: string, value: string) =>
  assert.equal((await superuser.patch(`/api/settings/global/${key}/`, { value })).status, 200)

describe('GET /api/part/', () => {
  it('sorts by name, and includes the quantities of each part', async () => {
    const { body } = await viewer.get(path)
    assert.deepEqual(
      body.results.map((row: any) => row.name),
      ['Blue chair', 'Bolt', 'Chair', 'Paint', 'Red chair'],
    )
    const chair = body.results[2]
    assert.deepEqual(
      [chair.in_stock, chair.variant_stock, chair.total_in_stock, chair.unallocated_stock, chair.stock_item_count],
      [3, 5, 8, 8, 1],
    )
    assert.equal(body.results[4].external_stock, 4)
    assert.deepEqual([body.results[1].pricing_min, body.results[1].pricing_max], ['0.100000', '12.500000'])
    assert.equal(body.results[1].pricing_updated, '2024-01-31T10:20:30Z')
    assert.equal(chair.pricing_min, null)
    assert.equal(chair.category_default_location, 1)
    assert.equal('category_detail' in chair, false)
  })

  it('includes the category and its path on request', async () => {
    const { body } = await viewer.get(`${path}?category_detail=true&path_detail=true&parameters=true&search=blue`)
    assert.equal(body.results[0].category_detail.name, 'Chairs')
    assert.deepEqual(body.results[0].category_path, [
      { pk: 1, name: 'Furniture' },
      { pk: 2, name: 'Chairs' },
    ])
    assert.deepEqual(body.results[0].parameters, [])
    const paint = (await viewer.get(`${path}5/?category_detail=true&path_detail=true`)).body
    assert.deepEqual([paint.category_detail, paint.category_path], [null, []])
  })

  const all = ['Blue chair', 'Bolt', 'Chair', 'Paint', 'Red chair']
  const chairs = ['Blue chair', 'Chair', 'Red chair']
  const cases: [query: string, names: string[]][] = [
    ['?category=1', chairs],
    ['?category=1&cascade=false', []],
    ['?category=null&cascade=false', ['Paint']],
    ['?category=null', all],
    ['?category=None&cascade=false', ['Paint']],
    ['?category=99999', all],
    ['?IPN=c-1', ['Chair']],
    ['?IPN_regex=%5Ec-', ['Chair', 'Red chair']],
    ['?name_regex=CHAIR%24', chairs],
    ['?has_ipn=true', ['Chair', 'Paint', 'Red chair']],
    ['?has_ipn=false', ['Blue chair', 'Bolt']],
    ['?has_units=true', ['Paint']],
    ['?has_pricing=true', ['Bolt']],
    ['?has_stock=true', ['Chair', 'Red chair']],
    ['?unallocated_stock=false', ['Blue chair', 'Bolt', 'Paint']],
    ['?low_stock=true', []],
    ['?low_stock=false', all],
    ['?depleted_stock=true', ['Bolt']],
    ['?stock_to_build=true', []],
    ['?active=false', ['Bolt']],
    ['?is_template=true', ['Chair']],
    ['?virtual=true', ['Paint']],
    ['?ancestor=1', ['Blue chair', 'Red chair']],
    ['?variant_of=1', ['Blue chair', 'Red chair']],
    ['?exclude_tree=1', ['Bolt', 'Paint']],
    ['?convert_from=2', ['Blue chair', 'Chair']],
    ['?in_bom_for=1', []],
    ['?related=1', []],
    ['?exclude_related=1', all],
    ['?bom_valid=false', []],
    ['?stocktake=true', ['Red chair']],
    ['?exclude_id=1&exclude_id=2&exclude_id=x', ['Blue chair', 'Bolt', 'Paint']],
    ['?exclude_id=1&exclude_id[]=2', ['Blue chair', 'Bolt', 'Paint']],
    ['?exclude_id=4', ['Blue chair', 'Chair', 'Paint', 'Red chair']],
    ['?tags_name=long%20LEAD', ['Red chair']],
    ['?tags_slug=long-lead', ['Red chair']],
    ['?created_before=2000-01-01', []],
    ['?created_after=2000-01-01', all],
    ['?search=mpn-77', ['Bolt']],
    ['?search=%5Eb&search_regex=True', ['Blue chair', 'Bolt']],
    ['?search=chai&search_whole=True', []],
    ['?search=acme-bolt', ['Bolt']],
    ['?search=chairs%20red', ['Red chair']],
    ['?search=long-lead', ['Red chair']],
    ['?ordering=-total_in_stock', ['Chair', 'Red chair', 'Paint', 'Bolt', 'Blue chair']],
    ['?ordering=pricing_max&limit=1', ['Bolt']],
    ['?ordering=parameter_7&limit=1', ['Blue chair']],
  ]
  for (const [query, expected] of cases) it(query, async () => assert.deepEqual(await listNames(query), expected))

  it('keeps a repeated parameter in the link to the next page', async () => {
    const { next } = (await member.get(`${path}?exclude_id=1&exclude_id=2&limit=1`)).body
    assert.match(next, /\?exclude_id=1&exclude_id=2&limit=1&offset=1$/)
  })

  it('rejects an invalid parameter by name', async () => {
    for (const name of ['ancestor', 'variant_of', 'exclude_tree', 'convert_from', 'in_bom_for', 'default_location'])
      for (const value of ['x', '99999'])
        assert.deepEqual(Object.keys((await member.get(`${path}?${name}=${value}`)).body), [name])
    for (const query of ['active=perhaps', 'cascade=perhaps&category=1', 'created_before=yesterday', 'name_regex=%28'])
      assert.equal((await member.get(`${path}?${query}`)).status, 400, query)
  })

  it('requires the permission to view parts', () =>
    assertCallers(service, (client) => client.get(path), ['viewer', 'member', 'superuser']))
})

for (const method of ['put', 'patch'] as const) {
  describe(`${method.toUpperCase()} /api/part/{id}/`, () => {
    const write = (pk: number, body: object) => member[method](`${path}${pk}/`, method === 'put' ? { ...bolt, ...body } : body)

    it('changes a part, and responds as GET does', async () => {
      const { status, body } = await write(4, { name: 'Screw', IPN: ' B-1 ', revision: 'A', minimum_stock: '3.5', units: 'mm' })
      assert.equal(status, 200)
      assert.deepEqual([body.full_name, body.IPN, body.minimum_stock, body.units], ['B-1 | Screw | A', 'B-1', 3.5, 'mm'])
      assert.deepEqual((await member.get(`${path}4/`)).body, body)
    })

    it('rejects invalid values, naming the field', async () => {
      const invalidCases: [body: object, field: string][] = [
        [{ name: '' }, 'name'],
        [{ name: null }, 'name'],
        [{ name: '<b>x</b>' }, 'name'],
        [{ category: null }, 'category'],
        [{ category: '' }, 'category'],
        [{ category: 99_999 }, 'category'],
        [{ units: 'nonsense' }, 'units'],
        [{ minimum_stock: -1 }, 'minimum_stock'],
        [{ minimum_stock: 'NaN' }, 'minimum_stock'],
        [{ default_expiry: 2 ** 31 }, 'default_expiry'],
        [{ link: 'javascript:alert(1)' }, 'link'],
        [{ image: '' }, 'image'],
        [{ existing_image: 'none.png' }, 'existing_image'],
        [{ remote_image: 'https://example.com/x.png' }, 'remote_image'],
        [{ variant_of: 5 }, 'variant_of'],
        [{ tags: null }, 'tags'],
        [{ name: 'Chair', IPN: 'C-1' }, 'non_field_errors'],
      ]
      for (const [body, field] of invalidCases) await assertRejected(() => write(4, body), field)
      await service.pool.query('update part_category set structural = true where pk = 1')
      await assertRejected(() => write(4, { category: 1 }), 'category')
    })

    it('rejects making a part a variant of itself or of its own variants', async () => {
      await service.pool.query('update part set is_template = true where pk = 3')
      await assertRejected(() => write(1, { name: 'Chair', category: 2, variant_of: 1 }), 'variant_of')
      await assertRejected(() => write(1, { name: 'Chair', category: 2, variant_of: 3 }), 'variant_of')
      assert.equal((await write(2, { name: 'Red chair', category: 2, variant_of: 3 })).body.variant_of, 3)
      assert.deepEqual(await service.rows('select * from verify_trees()'), [])
      assert.deepEqual(await service.rows('select * from verify_quantities()'), [])
    })

    it('requires the permission to change parts', () =>
      assertCallers(
        service,
        (client) => client[method](`${path}4/`, { ...bolt, name: 'Screw' }),
        ['member', 'superuser'],
        readState,
      ))
  })
}

describe('PUT /api/part/{id}/', () => {
  it('resets omitted fields to their defaults', async () => {
    const { body } = await member.put(`${path}2/`, { name: 'Red chair', category: 2 })
    assert.deepEqual([body.IPN, body.variant_of, body.minimum_stock, body.tags], [null, null, 0, []])
    await assertRejected(() => member.put(`${path}2/`, { name: 'Red chair' }), 'category')
  })
})

describe('the IPNs of parts', () => {
  it('match the pattern of the setting', async () => {
    await changeSetting('PART_IPN_REGEX', '^X-\\d+$')
    try {
      await assertRejected(() => member.patch(`${path}4/`, { IPN: 'B-1' }), 'non_field_errors')
      assert.equal((await member.patch(`${path}1/`, { name: 'Stool' })).status, 200, 'an existing IPN may stay')
      assert.equal((await member.patch(`${path}4/`, { IPN: 'X-12' })).status, 200)
    } finally {
      await changeSetting('PART_IPN_REGEX', '')
    }
  })

  it('are rejected while an imported pattern would take too long', async () => {
    await changeSetting('PART_IPN_REGEX', 'x')
    try {
      await service.rows(`update setting set value = '^(.*)\\1+$' where key = 'PART_IPN_REGEX'`)
      await service.app.routes.services.settings.reload()
      const { status, body } = await member.patch(`${path}4/`, { IPN: 'X-13' })
      assert.equal(status, 400)
      assert.match(body.non_field_errors[0], /^PART_IPN_REGEX is invalid\. .* back references/)
    } finally {
      await changeSetting('PART_IPN_REGEX', '')
    }
  })

  it('are unique if the setting says so, ignoring case, also in concurrent requests', async () => {
    await changeSetting('PART_ALLOW_DUPLICATE_IPN', 'false')
    try {
      await assertRejected(() => member.patch(`${path}4/`, { IPN: 'c-1' }), 'IPN')
      const responses = await Promise.all([2, 3, 4, 5].map((pk) => member.patch(`${path}${pk}/`, { IPN: 'same' })))
      assert.deepEqual(responses.map(({ status }) => status).toSorted(), [200, 400, 400, 400])
      assert.equal((await member.patch(`${path}4/`, { IPN: '' })).status, 200, 'an empty IPN is no duplicate')
    } finally {
      await changeSetting('PART_ALLOW_DUPLICATE_IPN', 'true')
    }
  })
})

describe('subscribing to a part', () => {
  const setStarred = async (pk: number, starred: boolean) => (await member.patch(`${path}${pk}/`, { starred })).body.starred

  it('is per account, and includes the variants', async () => {
    assert.equal(await setStarred(1, true), true)
    assert.equal((await viewer.get(`${path}1/`)).body.starred, false)
    assert.equal(await setStarred(2, true), false, 'already subscribed through the template')
    assert.deepEqual(await listNames('?starred=true'), ['Chair'])
    assert.equal(await setStarred(1, false), false)
    await member.patch('/api/part/category/1/', { starred: true })
    assert.equal(await setStarred(2, true), false, 'already subscribed through the category')
  })
})

describe('DELETE /api/part/{id}/', () => {
  it('deletes an inactive part with everything that belongs to it', async () => {
    assert.equal((await member.delete(`${path}4/`)).status, 204)
    assert.equal((await member.get(`${path}4/`)).status, 404)
    assert.deepEqual(await service.rows('select 1 from supplier_part union all select 1 from stock_item where part = 4'), [])
  })

  it('leaves the variants of a template without a template', async () => {
    await member.patch(`${path}1/`, { active: false })
    assert.equal((await member.delete(`${path}1/`)).status, 204)
    assert.equal((await member.get(`${path}2/`)).body.variant_of, null)
    assert.deepEqual(await service.rows('select * from verify_trees()'), [])
    assert.deepEqual(await service.rows('select * from verify_quantities()'), [])
  })

  it('rejects an active part', async () => {
    await assertRejected(() => member.delete(`${path}1/`), 'detail', 405)
    const response = await member.delete(`${path}1/`)
    assert.deepEqual(response.body, { detail: 'Part is active: cannot delete' })
    assert.match(String(response.headers.allow), /PATCH/)
    const problem = await member.delete(`${path}1/`, undefined, { accept: 'application/problem+json' })
    assert.equal(problem.body.detail, 'Part is active: cannot delete')
    const { paths } = (await member.get('/api/schema/')).body
    assert.match(paths[`${path}{id}/`].delete.responses[405].description, /active/)
  })

  it('requires the permission to delete parts', () =>
    assertCallers(service, (client) => client.delete(`${path}4/`), ['member', 'superuser'], readState))
})

describe('POST /api/part/change_category/', () => {
  const change = (body: unknown) => member.post(`${path}change_category/`, body)

  it('moves parts to another category', async () => {
    const { status, body } = await change({ parts: [1, 4], category: 3 })
    assert.deepEqual([status, body], [201, { parts: [1, 4], category: 3 }])
    assert.deepEqual(await listNames('?category=3'), ['Bolt', 'Chair'])
  })

  it('rejects an empty list, unknown parts, and a structural category', async () => {
    await service.pool.query('update part_category set structural = true where pk = 1')
    await assertRejected(() => change({ parts: [], category: 3 }), 'parts')
    await assertRejected(() => change({ parts: [1, 99_999], category: 3 }), 'parts')
    await assertRejected(() => change({ parts: null, category: 3 }), 'parts')
    await assertRejected(() => change({ parts: [1], category: 1 }), 'category')
    await assertRejected(() => change({ parts: [1] }), 'category')
    assert.deepEqual((await change({})).body, { parts: ['This field is required.'], category: ['This field is required.'] })
  })

  it('requires the permission to add parts', () =>
    assertCallers(
      service,
      (client) => client.post(`${path}change_category/`, { parts: [4], category: 1 }),
      ['member', 'superuser'],
      readState,
    ))
})

describe('GET /api/part/{id}/requirements/, /serial-numbers/, /pricing/', () => {
  it('return the quantities of a part and its variants', async () => {
    assert.deepEqual((await viewer.get(`${path}1/requirements/`)).body, {
      available_stock: 8,
      on_order: 0,
      required_build_order_quantity: 0,
      allocated_build_order_quantity: 0,
      required_sales_order_quantity: 0,
      allocated_sales_order_quantity: 0,
      allocated: 0,
      required: 0,
    })
  })

  it('return the latest serial number of the tree and the next one', async () => {
    assert.deepEqual((await viewer.get(`${path}3/serial-numbers/`)).body, { latest: '0099', next: '0100' })
    assert.deepEqual((await viewer.get(`${path}4/serial-numbers/`)).body, { latest: null })
  })

  it('return the prices as stored', async () => {
    const { body } = await viewer.get(`${path}4/pricing/`)
    assert.deepEqual([body.currency, body.overall_min, body.bom_cost_min], ['USD', '0.100000', null])
    assert.equal((await viewer.get(`${path}1/pricing/`)).body.overall_min, null)
  })

  it('return 404 for an unknown part, and require the permission to view parts', async () => {
    for (const view of ['requirements', 'serial-numbers', 'pricing']) {
      assert.equal((await viewer.get(`${path}99999/${view}/`)).status, 404)
      await assertCallers(service, (client) => client.get(`${path}1/${view}/`), ['viewer', 'member', 'superuser'])
    }
  })
})
