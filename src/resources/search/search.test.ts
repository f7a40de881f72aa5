import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { createRoundTripCounter } from '../../testing/round-trips.ts'
import { assertCallers, testService } from '../../testing/service.ts'

const service = await testService()
const { member, viewer } = service
const PATH = '/api/search/'

before(() =>
  service.pool.query(`
    insert into company (pk, name, currency, is_supplier) overriding system value values (1, 'Bolt & Sons', 'EUR', true), (2, 'Other', 'EUR', false);
    insert into part_category (pk, name) overriding system value values (1, 'Bolts');
    insert into part (pk, name, description, category, active) overriding system value values
      (1, 'Bolt M3', 'steel', 1, true), (2, 'Bolt M4', 'steel', 1, false), (3, 'Boltless shelf', 'wood', null, true), (4, 'Nut', 'brass', null, true);
    insert into stock_location (pk, name) overriding system value values (1, 'Bolt drawer');
    insert into stock_item (part, quantity, location, status, purchase_price_currency) values
      (1, 5, 1, 10, 'EUR'), (1, 6, 1, 65, 'EUR'), (4, 7, null, 10, 'EUR');
    insert into purchase_order (reference, description, supplier, total_price_currency) values ('PO-0001', 'bolts', 1, 'EUR')`),
)

const search = async (body: object) => {
  const response = await member.post(PATH, body)
  assert.equal(response.status, 200, response.text)
  return response.body
}
/** Returns the results of each type, by their display names. */
const searchNames = async (body: object) =>
  Object.fromEntries(
    Object.entries(await search({ limit: 10, ...body })).map(([kind, response]) => [
      kind,
      (response as { results: Record<string, unknown>[] }).results.map(
        ({ name, reference, quantity }) => name ?? reference ?? quantity,
      ),
    ]),
  )

describe('POST /api/search/', () => {
  it('searches every requested type, each as its list does', async () => {
    const all = ['company', 'manufacturerpart', 'part', 'partcategory', 'purchaseorder', 'returnorder', 'salesorder', 'build']
    const searchedTypes = [...all, 'stockitem', 'stocklocation', 'supplierpart']
    const body = { search: 'bolt', ...Object.fromEntries(searchedTypes.map((kind) => [kind, {}])) }
    assert.deepEqual(await searchNames(body), {
      build: [],
      company: ['Bolt & Sons'],
      manufacturerpart: [],
      part: ['Bolt M3', 'Bolt M4', 'Boltless shelf'],
      partcategory: ['Bolts'],
      purchaseorder: ['PO-0001'],
      returnorder: [],
      salesorder: [],
      stockitem: [5, 6],
      stocklocation: ['Bolt drawer'],
      supplierpart: [],
    })
    assert.deepEqual(await search({ search: 'bolt' }), {})
    for (const [kind, path] of [
      ['part', '/api/part/?search=bolt&active=true&limit=10'],
      ['stockitem', '/api/stock/?search=bolt&in_stock=true&part_detail=true&limit=10'],
    ] as const) {
      const filters = { part: { active: true }, stockitem: { in_stock: 'true', part_detail: true } }
      const response = await search({ search: 'bolt', limit: 10, [kind]: filters[kind] })
      assert.deepEqual(response[kind], (await member.get(path)).body)
    }
  })

  it('returns pages with links to the lists', async () => {
    const { part } = await search({ search: 'bolt', offset: 1, part: { active: 'true', cascade: 'false' } })
    assert.equal(part.count, 2)
    assert.deepEqual(
      part.results.map(({ name }: { name: string }) => name),
      ['Boltless shelf'],
    )
    const { pathname, searchParams } = new URL(part.previous)
    assert.deepEqual([pathname, searchParams.get('search'), searchParams.get('active')], ['/api/part/', 'bolt', 'true'])
    assert.equal((await member.get(part.previous.replace(/^https?:\/\/[^/]+/, ''))).body.results[0].name, 'Bolt M3')
  })

  it('links to the lists however its own URL is encoded', async () => {
    const { body } = await member.post('/api/%73earch/', { search: 'bolt', limit: 1, part: {} })
    assert.equal(new URL(body.part.next).pathname, '/api/part/')
  })

  it('supports regular expressions, and whole words', async () => {
    assert.deepEqual(await searchNames({ search: 'm[34]$', search_regex: true, part: {} }), { part: ['Bolt M3', 'Bolt M4'] })
    assert.deepEqual(await searchNames({ search: 'bolt', search_whole: true, part: {}, company: {} }), {
      part: ['Bolt M3', 'Bolt M4'],
      company: ['Bolt & Sons'],
    })
    assert.deepEqual(await searchNames({ search: 'bolt.', search_whole: true, part: {} }), { part: [] })
  })

  it('reports for each type why it is not searched, and searches the others', async () => {
    const body = { search: 'bolt', part: { category: 'abc', default_location: '99' }, stockitem: { status: 'x' }, company: {} }
    const response = await search(body)
    assert.match(response.part.error, /^default_location: Select a valid choice/)
    assert.match(response.stockitem.error, /^status: /)
    assert.equal(response.company.count, 1)
    const regex = await search({ search: '(bolt', search_regex: true, part: {}, company: {} })
    assert.match(regex.part.error, /^search: /)
    assert.match(regex.company.error, /^search: /)
    // a search pages by offset, which cannot be combined with a cursor
    const cursorSearch = await search({ search: 'bolt', part: { cursor: '' }, company: {} })
    assert.equal(cursorSearch.part.error, 'cursor: A cursor cannot be combined with an offset.')
    assert.deepEqual(cursorSearch.part.field_errors, [
      { pointer: '?cursor', code: 'cursor_with_offset', message: 'A cursor cannot be combined with an offset.', parameters: {} },
    ])
    assert.equal(cursorSearch.company.count, 1)
  })

  it('respects the caller’s rights', async () => {
    await service.rows(`update rule_set set can_view = false where name = 'stock'`)
    service.app.routes.services.accounts.invalidate()
    const { body } = await viewer.post(PATH, { search: 'bolt', part: {}, stockitem: {} })
    assert.deepEqual([body.part.count, Object.keys(body.stockitem)], [3, ['error', 'field_errors']])
    await service.rows(`update rule_set set can_view = true where name = 'stock'`)
    service.app.routes.services.accounts.invalidate()
    await assertCallers(service, (client) => client.post(PATH, { search: 'x', part: {} }), [
      'nobody',
      'viewer',
      'member',
      'staff',
      'superuser',
    ])
  })

  it('sends one query, however many types there are', async () => {
    const countRoundTrips = createRoundTripCounter(service.pool)
    const count = async (body: object) => {
      await search(body)
      return countRoundTrips(() => search(body))
    }
    assert.equal(await count({ search: 'bolt', part: {} }), 1)
    assert.equal(
      await count({ search: 'bolt', part: { active: true }, company: {}, stockitem: {}, build: {}, purchaseorder: {} }),
      1,
    )
  })

  it('rejects an invalid search', async () => {
    for (const [body, field] of [
      [{ part: {} }, 'search'],
      [{ search: {}, part: {} }, 'search'],
      [{ search: 'x', part: [] }, 'part'],
      [{ search: 'x', part: 'all' }, 'part'],
      [{ search: 'x', limit: 'many' }, 'limit'],
    ] as const) {
      const { status, body: errors } = await member.post(PATH, body)
      assert.deepEqual([status, Object.keys(errors)], [400, [field]])
    }
    assert.deepEqual(await search({ search: null, search_regex: null, search_whole: null, limit: null, offset: null }), {})
    const { actions } = (await member.send('OPTIONS', PATH)).body
    for (const name of ['search', 'search_regex', 'search_whole', 'limit', 'offset'])
      assert.equal(actions.POST[name].required, true, `forms ask for ${name}`)
    const { company } = await search({ search: null, company: {} })
    assert.deepEqual([company.count, company.results.length], [2, 1])
  })
})
