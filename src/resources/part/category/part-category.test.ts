import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { assertCallers, testService } from '../../../testing/service.ts'

const service = await testService()
const { member, viewer } = service
const path = '/api/part/category/'

/** Electronics (1) / Passives (2) / Resistors (3), Electronics / Wire (4), Paint (5); two resistors, one wire. */
beforeEach(async () => {
  await service.pool.query(`
    delete from part; delete from part_category; delete from stock_location;
    alter table part alter pk restart; alter table part_category alter pk restart; alter table stock_location alter pk restart;
    insert into part_category (name, parent) values ('Electronics', null), ('Passives', 1), ('Resistors', 2), ('Wire', 1), ('Paint', null);
    insert into part (name, category) values ('R1', 3), ('R2', 3), ('Cable', 4)`)
})

const listNames = async (query: string) => (await viewer.get(`${path}${query}`)).body.results.map((row: any) => row.name)
const readState = async () => ({
  categories: await service.rows('select * from part_category order by pk'),
  parts: await service.rows('select pk, category from part order by pk'),
})
const assertRejected = async (send: () => Promise<{ status: number; body: any }>, field: string) => {
  const before = await readState()
  const response = await send()
  assert.equal(response.status, 400)
  assert.deepEqual(Object.keys(response.body), [field])
  assert.deepEqual(await readState(), before)
}
const assertIntact = async () => assert.deepEqual(await service.rows('select * from verify_trees()'), [])

describe('GET /api/part/category/', () => {
  it('sorts in tree order, and counts everything below', async () => {
    const { body } = await viewer.get(path)
    assert.deepEqual(
      body.results.map((row: any) => [row.pathstring, row.level, row.part_count, row.subcategories]),
      [
        ['Electronics', 0, 3, 3],
        ['Electronics/Passives', 1, 2, 1],
        ['Electronics/Passives/Resistors', 2, 2, 0],
        ['Electronics/Wire', 1, 1, 0],
        ['Paint', 0, 0, 0],
      ],
    )
  })

  it('filters by parent, cascade and depth together', async () => {
    assert.deepEqual(await listNames('?parent=1'), ['Passives', 'Wire'])
    assert.deepEqual(await listNames('?parent=1&cascade=true'), ['Passives', 'Resistors', 'Wire'])
    assert.deepEqual(await listNames('?parent=1&cascade=true&depth=1'), ['Passives', 'Wire'])
    assert.deepEqual(await listNames('?parent=null'), ['Electronics', 'Paint'])
    assert.deepEqual(await listNames('?cascade=false'), ['Electronics', 'Paint'])
    assert.deepEqual(await listNames('?depth=1'), ['Electronics', 'Passives', 'Wire', 'Paint'])
    assert.deepEqual(await listNames('?exclude_tree=2'), ['Electronics', 'Wire', 'Paint'])
    assert.deepEqual(await listNames('?search=resist'), ['Resistors'])
    assert.deepEqual(await listNames('?pathstring=electronics/res'), ['Resistors'])
    assert.deepEqual(await listNames('?name=Wire'), ['Wire'])
    assert.deepEqual(await listNames('?ordering=-part_count&limit=1'), ['Electronics'])
    for (const query of ['?parent=x', '?parent=99999', '?depth=x', '?exclude_tree=99999', '?cascade=perhaps'])
      assert.equal((await viewer.get(`${path}${query}`)).status, 400, query)
  })

  it('requires the permission to view part categories', () =>
    assertCallers(service, (client) => client.get(path), ['viewer', 'member', 'superuser']))
})

describe('GET /api/part/category/{id}/', () => {
  it('returns the path from the root, and the nearest default location above', async () => {
    await service.pool.query(
      `insert into stock_location (name) values ('Shelf'); update part_category set default_location = 1 where pk = 1`,
    )
    const { body } = await viewer.get(`${path}3/?path_detail=true`)
    assert.deepEqual(body.path, [
      { pk: 1, name: 'Electronics' },
      { pk: 2, name: 'Passives' },
      { pk: 3, name: 'Resistors' },
    ])
    assert.equal(body.default_location, null)
    assert.equal(body.parent_default_location, 1)
    assert.equal((await viewer.get(`${path}1/`)).body.parent_default_location, null)
    assert.equal((await viewer.get(`${path}99/`)).status, 404)
  })
})

describe('GET /api/part/category/tree/', () => {
  it('lists all categories level by level, in a reduced form', async () => {
    const { body } = await viewer.get(`${path}tree/`)
    assert.deepEqual(
      body.results.map((row: any) => row.name),
      ['Electronics', 'Paint', 'Passives', 'Wire', 'Resistors'],
    )
    assert.deepEqual(body.results[0], { pk: 1, name: 'Electronics', parent: null, icon: '', structural: false, subcategories: 3 })
    assert.equal((await viewer.get(`${path}tree/1/`)).status, 404)
  })
})

describe('POST /api/part/category/', () => {
  it('creates a category in its parent', async () => {
    const { status, body } = await member.post(path, { name: 'Sensors', parent: 2, default_keywords: 'a', icon: 'x' })
    assert.equal(status, 201)
    assert.equal(body.pathstring, 'Electronics/Passives/Sensors')
    assert.equal(body.url, `/part/category/${body.pk}/`)
    assert.deepEqual((await viewer.get(`${path}${body.pk}/`)).body, body)
  })

  it('rejects a name in use under the same parent, and invalid values', async () => {
    await assertRejected(() => member.post(path, { name: 'Wire', parent: 1 }), 'name')
    await assertRejected(() => member.post(path, { name: 'Paint' }), 'name')
    await assertRejected(() => member.post(path, {}), 'name')
    await assertRejected(() => member.post(path, { name: 'x'.repeat(101) }), 'name')
    await assertRejected(() => member.post(path, { name: 'X', parent: 99_999 }), 'parent')
    await assertRejected(() => member.post(path, { name: 'X', default_location: 99_999 }), 'default_location')
    await assertRejected(() => member.post(path, { name: 'X', pathstring: 'x'.repeat(251) }), 'pathstring')
    assert.equal((await member.post(path, { name: 'Wire', parent: 5 })).status, 201)
  })

  it('requires the permission to add part categories', () =>
    assertCallers(service, (client) => client.post(path, { name: 'New' }), ['member', 'superuser'], readState))
})

for (const method of ['put', 'patch'] as const) {
  describe(`${method.toUpperCase()} /api/part/category/{id}/`, () => {
    it('moves a category with everything below it', async () => {
      const { status, body } = await member[method](`${path}2/`, { name: 'Passive parts', parent: 5 })
      assert.equal(status, 200)
      assert.equal(body.pathstring, 'Paint/Passive parts')
      assert.equal((await viewer.get(`${path}3/`)).body.pathstring, 'Paint/Passive parts/Resistors')
      await assertIntact()
    })

    it('rejects a parent below itself, and a name in use there', async () => {
      await assertRejected(() => member[method](`${path}1/`, { name: 'Electronics', parent: 3 }), 'parent')
      await assertRejected(() => member[method](`${path}1/`, { name: 'Electronics', parent: 1 }), 'parent')
      await assertRejected(() => member[method](`${path}4/`, { name: 'Passives', parent: 1 }), 'name')
    })

    it('rejects making a category with parts structural', async () => {
      await assertRejected(
        () => member[method](`${path}3/`, { name: 'Resistors', parent: 2, structural: true }),
        'non_field_errors',
      )
      assert.equal((await member[method](`${path}2/`, { name: 'Passives', parent: 1, structural: true })).body.structural, true)
    })

    it('requires the permission to change part categories', () =>
      assertCallers(service, (client) => client[method](`${path}5/`, { name: 'Paints' }), ['member', 'superuser'], readState))
  })
}

describe('subscribing to a category', () => {
  const setStarred = (pk: number, starred: boolean) =>
    viewer.get(`${path}${pk}/`).then(() => member.patch(`${path}${pk}/`, { starred }))

  it('is per account, and includes everything below', async () => {
    assert.equal((await setStarred(1, true)).body.starred, true)
    assert.equal((await viewer.get(`${path}1/`)).body.starred, false)
    assert.equal((await setStarred(2, true)).body.starred, false, 'already subscribed through the parent category')
    assert.equal((await member.get(`${path}?starred=true`)).body.count, 1)
    assert.equal((await setStarred(1, false)).body.starred, false)
    assert.equal((await setStarred(2, true)).body.starred, true)
  })

  it('is a read-only field in OPTIONS', async () => {
    const { type, read_only } = (await member.send('OPTIONS', `${path}1/`)).body.actions.PUT.starred
    assert.deepEqual({ type, read_only }, { type: 'field', read_only: true })
  })
})

describe('DELETE /api/part/category/{id}/', () => {
  const readCategories = async () =>
    Object.fromEntries((await service.rows('select name, category from part')).map((row) => [row.name, row.category]))

  it('moves its parts and child categories to its parent', async () => {
    assert.equal((await member.delete(`${path}2/`)).status, 204)
    assert.equal((await viewer.get(`${path}3/`)).body.pathstring, 'Electronics/Resistors')
    assert.equal((await member.delete(`${path}4/`)).status, 204)
    assert.deepEqual(await readCategories(), { R1: 3, R2: 3, Cable: 1 })
    assert.equal((await member.delete(`${path}1/`)).status, 204)
    assert.deepEqual(await readCategories(), { R1: 3, R2: 3, Cable: null })
    assert.equal((await viewer.get(`${path}3/`)).body.level, 0)
    await assertIntact()
  })

  it('deletes its parts on request, even those in use', async () => {
    assert.equal((await member.delete(`${path}3/`, { delete_parts: '1' })).status, 204)
    assert.deepEqual(await readCategories(), { Cable: 4 })
  })

  it('deletes thousands of parts with few changes to their sums, and keeps the sums of templates of other variants right', async () => {
    await service.pool.query(`
      insert into part (name, category, is_template) values ('Coil', 4, true);
      insert into part (name, category, variant_of) values ('Coil, red', 3, 4);
      insert into part (name, category) select 'R' || n, 3 from generate_series(3, 50) n;
      insert into stock_item (part, quantity, purchase_price_currency) select pk, 2, '' from part`)
    const countChanges = async () =>
      Number((await service.rows(`select sum(value) from change_counter where table_name = 'part_quantity'`))[0].sum)
    const before = await countChanges()
    assert.equal((await member.delete(`${path}3/`, { delete_parts: true })).status, 204)
    assert.deepEqual(await readCategories(), { Cable: 4, Coil: 4 })
    assert.deepEqual(await service.rows('select * from verify_quantities()'), [])
    assert.ok((await countChanges()) - before < 5)
  })

  it('deletes the categories below on request, and moves all their parts up', async () => {
    assert.equal((await member.delete(`${path}2/`, { delete_child_categories: '1' })).status, 204)
    assert.deepEqual(await readCategories(), { R1: 1, R2: 1, Cable: 4 })
    assert.deepEqual(await listNames(''), ['Electronics', 'Wire', 'Paint'])
  })

  it('deletes everything below on request', async () => {
    const body = { delete_child_categories: '1', delete_parts: '1' }
    assert.equal((await member.delete(`${path}1/`, body)).status, 204)
    assert.deepEqual([await readCategories(), await listNames('')], [{}, ['Paint']])
  })

  it('rejects moving categories next to others of the same name, and parts into a structural category', async () => {
    await service.pool.query(`insert into part_category (name, parent) values ('Wire', 2)`)
    await assertRejected(() => member.delete(`${path}2/`), 'name')
    await service.pool.query('update part_category set structural = true where pk = 1')
    await assertRejected(() => member.delete(`${path}4/`), 'non_field_errors')
  })

  it('requires the permission to delete part categories', () =>
    assertCallers(service, (client) => client.delete(`${path}5/`), ['member', 'superuser'], readState))
})

describe('concurrent requests', () => {
  it('keep the tree consistent through moves, renames and deletions', async () => {
    for (let n = 0; n < 20; n++)
      await service.pool.query('insert into part_category (name, parent) values ($1, $2)', [`N${n}`, 1 + (n % 5)])
    const requests = Array.from({ length: 60 }, (_, n) => {
      const pk = 1 + ((n * 7) % 25)
      if (n % 10 === 9) return member.delete(`${path}${pk}/`)
      if (n % 10 === 8) return member.post(path, { name: `New ${n}`, parent: pk })
      return member.patch(`${path}${pk}/`, n % 3 ? { parent: 1 + ((n * 11) % 25) } : { name: `Renamed ${n}` })
    })
    const statuses = new Set((await Promise.all(requests)).map(({ status }) => status))
    assert.ok(
      [...statuses].every((status) => [200, 201, 204, 400, 404].includes(status)),
      [...statuses].join(),
    )
    await assertIntact()
  })

  it('make a category structural or give it a part, never both', async () => {
    for (let round = 0; round < 10; round++) {
      const { body: category } = await member.post(path, { name: `C${round}` })
      await Promise.all([
        member.patch(`${path}${category.pk}/`, { structural: true }),
        member.post('/api/part/', { name: `P${round}`, category: category.pk }),
        member.post('/api/part/change_category/', { parts: [1], category: category.pk }),
      ])
    }
    assert.deepEqual(await service.rows('select 1 from part p join part_category c on c.pk = p.category where c.structural'), [])
  })
})
