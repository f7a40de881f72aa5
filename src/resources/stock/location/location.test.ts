import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { assertCallers, testService } from '../../../testing/service.ts'
import { fillStock, insertItem, locations, readHistory } from '../fixture.ts'

const service = await testService()
const { member } = service
beforeEach(() => fillStock(service))

const PATH = '/api/stock/location/'
const readLocations = () => service.rows('select pk, parent, pathstring from stock_location order by pk')
const readNames = async (query: string) => {
  const { status, body, text } = await member.get(`${PATH}?${query}`)
  assert.equal(status, 200, text)
  return body.results.map((location: { name: string }) => location.name)
}

describe('GET /api/stock/location/', () => {
  test('sorts in tree order, and counts everything below', async () => {
    await insertItem(service, { location: locations.box })
    await insertItem(service, { location: locations.shelf, quantity: 0, delete_on_deplete: false })
    const { body } = await member.get(PATH)
    const rows = body.results.map((location: Record<string, unknown>) => [
      location.name,
      location.level,
      location.items,
      location.sublocations,
    ])
    assert.deepEqual(rows, [
      ['Garage', 0, 0, 0],
      ['House', 0, 2, 2],
      ['Shelf', 1, 2, 1],
      ['Box', 2, 1, 0],
      ['Shed', 0, 0, 0],
    ])
    assert.deepEqual([body.results[3].pathstring, body.results[3].url], ['House/Shelf/Box', '/stock/location/3/'])
  })

  test('filters, searches and sorts', async () => {
    await member.patch(`${PATH}3/`, { tags: ['Long lead'] })
    const cases: [string, string[]][] = [
      ['parent=1', ['Shelf']],
      ['parent=1&cascade=true', ['Shelf', 'Box']],
      ['parent=1&depth=2', ['Shelf']],
      ['parent=null', ['Garage', 'House', 'Shed']],
      ['cascade=false', ['Garage', 'House', 'Shed']],
      ['depth=1', ['Garage', 'House', 'Shelf', 'Shed']],
      ['name=Box', ['Box']],
      ['structural=true', ['House']],
      ['external=true', ['Shed']],
      ['has_location_type=false&parent=2', ['Box']],
      ['tags__name=Long lead', ['Box']],
      ['tags__slug=long-lead', ['Box']],
      ['search=lead', ['Box']],
      ['pathstring=house/ SHE', ['Shelf', 'Box']],
      ['pathstring=shelf ox', ['Box']],
      ['pathstring=%', []],
      ['ordering=-name', ['Shelf', 'Shed', 'House', 'Garage', 'Box']],
      ['ordering=-pathstring&limit=1', ['Shed']],
    ]
    for (const [query, expected] of cases) assert.deepEqual(await readNames(query), expected, query)
    for (const query of ['parent=abc', 'parent=999', 'depth=x', 'location_type=4', 'external=perhaps'])
      assert.equal((await member.get(`${PATH}?${query}`)).status, 400, query)
    await assertCallers(service, (client) => client.get(PATH), ['viewer', 'member', 'superuser'])
  })

  test('tree/ lists locations level by level', async () => {
    const { body } = await member.get(`${PATH}tree/`)
    assert.deepEqual(
      body.results.map((location: { name: string }) => location.name),
      ['Garage', 'House', 'Shed', 'Shelf', 'Box'],
    )
    assert.deepEqual(body.results[1], { pk: 1, name: 'House', parent: null, icon: '', structural: true, sublocations: 2 })
  })
})

describe('GET /api/stock/location/{id}/', () => {
  test('returns the path from the root', async () => {
    const { body } = await member.get(`${PATH}3/?path_detail=true`)
    assert.deepEqual(body.path, [
      { pk: 1, name: 'House' },
      { pk: 2, name: 'Shelf' },
      { pk: 3, name: 'Box' },
    ])
    assert.equal((await member.get(`${PATH}3/`)).body.path, undefined)
    assert.equal((await member.get(`${PATH}999/`)).status, 404)
  })

  test('returns its icon: its own, otherwise that of its type, otherwise that of the setting', async () => {
    const readIcon = async () => (await member.get(`${PATH}3/`)).body.icon
    await service.superuser.patch('/api/settings/global/STOCK_LOCATION_DEFAULT_ICON/', { value: 'fa-x' })
    assert.equal(await readIcon(), 'fa-x')
    const type = await member.post('/api/stock/location-type/', { name: 'Shelf', icon: 'fa-shelf' })
    const { body } = await member.patch(`${PATH}3/`, { location_type: type.body.pk })
    assert.deepEqual([body.icon, body.location_type_detail.name], ['fa-shelf', 'Shelf'])
    await member.patch(`${PATH}3/`, { custom_icon: 'fa-own' })
    assert.equal(await readIcon(), 'fa-own')
    assert.equal((await member.get('/api/stock/location-type/')).body.results[0].location_count, 1)
    assert.equal((await member.delete(`/api/stock/location-type/${type.body.pk}/`)).status, 204)
    assert.equal((await member.get(`${PATH}3/`)).body.location_type, null)
    await service.superuser.patch('/api/settings/global/STOCK_LOCATION_DEFAULT_ICON/', { value: '' })
  })
})

describe('POST, PUT and PATCH /api/stock/location/', () => {
  test('create and move a location', async () => {
    const { status, body } = await member.post(PATH, { name: 'Drawer', parent: 2, pathstring: 'ignored' })
    assert.deepEqual([status, body.pathstring, body.level], [201, 'House/Shelf/Drawer', 2])
    assert.equal((await member.patch(`${PATH}2/`, { parent: 4 })).body.pathstring, 'Garage/Shelf')
    assert.equal((await member.get(`${PATH}3/`)).body.pathstring, 'Garage/Shelf/Box')
    const putResponse = await member.put(`${PATH}2/`, { name: 'Rack' })
    assert.deepEqual([putResponse.body.pathstring, putResponse.body.parent], ['Rack', null])
  })

  test('reject invalid values, and change nothing', async () => {
    await insertItem(service, { location: locations.box })
    const before = await readLocations()
    const cases: [Promise<{ status: number; body: object }>, string][] = [
      [member.post(PATH, {}), 'name'],
      [member.post(PATH, { name: 'Shelf', parent: 1 }), 'name'],
      [member.post(PATH, { name: 'House' }), 'name'],
      [member.post(PATH, { name: 'x'.repeat(101) }), 'name'],
      [member.post(PATH, { name: 'A', pathstring: 'x'.repeat(251) }), 'pathstring'],
      [member.post(PATH, { name: 'A', parent: 999 }), 'parent'],
      [member.patch(`${PATH}1/`, { parent: 3 }), 'parent'],
      [member.patch(`${PATH}1/`, { parent: 1 }), 'parent'],
      [member.patch(`${PATH}3/`, { structural: true }), 'non_field_errors'],
      [member.patch(`${PATH}3/`, { custom_icon: { x: 1 } }), 'custom_icon'],
    ]
    for (const [request, field] of cases) {
      const response = await request
      assert.deepEqual([response.status, Object.keys(response.body).join()], [400, field])
    }
    assert.deepEqual(await readLocations(), before)
    await assertCallers(service, (client) => client.post(PATH, { name: 'N' }), ['member', 'superuser'])
    await assertCallers(service, (client) => client.patch(`${PATH}1/`, {}), ['member', 'superuser'])
  })

  test('make a location without items structural', async () => {
    assert.equal((await member.patch(`${PATH}4/`, { structural: true })).status, 200)
    assert.equal((await member.post('/api/stock/', { part: 1, quantity: 1, location: 4 })).status, 400)
  })
})

describe('DELETE /api/stock/location/{id}/', () => {
  const insertItems = async () =>
    [await insertItem(service, { location: locations.shelf }), await insertItem(service, { location: locations.box })] as const
  const readItems = () => service.rows('select pk, location from stock_item order by pk')

  test('moves its items and child locations to its parent by default', async () => {
    const [onShelf, inBox] = await insertItems()
    assert.equal((await member.delete(`${PATH}2/`)).status, 204)
    assert.deepEqual(await readItems(), [
      { pk: onShelf, location: 1 },
      { pk: inBox, location: 3 },
    ])
    assert.deepEqual((await readLocations())[1], { pk: 3, parent: 1, pathstring: 'House/Box' })
    assert.deepEqual(await readHistory(service, onShelf), [[20, { location: 1 }]])
    await member.delete(`${PATH}1/`)
    assert.deepEqual((await readItems())[0], { pk: onShelf, location: null })
  })

  test('deletes its items, the locations below, or both on request', async () => {
    const [, inBox] = await insertItems()
    await member.delete(`${PATH}2/`, { delete_stock_items: '1', delete_sub_locations: false })
    assert.deepEqual(await readItems(), [{ pk: inBox, location: 3 }])
    await fillStock(service)
    const pks = await insertItems()
    await member.delete(`${PATH}2/`, { delete_sub_locations: 1, delete_stock_items: true })
    assert.deepEqual(
      await readItems(),
      pks.map((pk) => ({ pk, location: 1 })),
    )
    assert.equal((await readLocations()).length, 3)
    await fillStock(service)
    await insertItems()
    await member.delete(`${PATH}1/`, { delete_sub_locations: 1, delete_stock_items: 1 })
    assert.deepEqual([await readItems(), (await readLocations()).length], [[], 2])
    assert.deepEqual(await service.rows('select * from verify_quantities()'), [])
    assert.deepEqual(await service.rows('select * from verify_trees()'), [])
  })

  test('rejects a name conflict at the parent, and requires the permission to delete', async () => {
    await member.post(PATH, { name: 'Shelf', parent: 4 })
    await member.post(PATH, { name: 'Shelf' })
    const before = await readLocations()
    assert.deepEqual(Object.keys((await member.delete(`${PATH}4/`)).body), ['name'])
    assert.deepEqual(await readLocations(), before)
    await assertCallers(service, (client) => client.delete(`${PATH}999/`), ['member', 'superuser'])
  })
})
