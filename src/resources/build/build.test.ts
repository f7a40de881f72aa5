import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createBuildHelpers } from '../../testing/objects/building.ts'
import { waitForStableDay } from '../../testing/period-boundary.ts'
import { assertCallers, testService } from '../../testing/service.ts'
import { fillStock, insertItem, locations } from '../stock/fixture.ts'

const service = await testService()
const inventree = await testService({ WIRE_FORM: 'inventree' })
const { member, superuser } = service
const { part, build, assertSums } = createBuildHelpers(service)
beforeEach(() => fillStock(service))
afterEach(assertSums)

const readBody = async (path: string) => (await member.get(path)).body
const post = (body: object) => member.post('/api/build/', body)
const changeSetting = (key: string, value: unknown) => superuser.patch(`/api/settings/global/${key}/`, { value })
const listFields = (response: { body: object }) => Object.keys(response.body)

describe('POST /api/build/', () => {
  it('creates a pending order for a quantity of an assembly', async () => {
    const chair = await part({ assembly: true, default_location: locations.box })
    const { status, body } = await post({ reference: 'BO-0100', part: chair, quantity: 4, title: 'Chairs' })
    assert.equal(status, 201)
    const { pk, url, creation_date, part_detail, ...rest } = body
    assert.deepEqual(
      [rest.status, rest.status_text, rest.quantity, rest.completed, rest.batch, rest.priority, rest.issued_by, rest.overdue],
      [10, 'Pending', 4, 0, null, 0, null, false],
    )
    assert.deepEqual([url, creation_date, part_detail.pk], [`/build/${pk}/`, new Date().toISOString().slice(0, 10), chair])
    assert.equal(rest.destination, locations.box, 'where new stock of the part goes')
    assert.equal((await readBody(`/api/part/${chair}/`)).building, 4)
  })

  it("uses the given destination, otherwise the default location of the part's category", async () => {
    const table = await part({ assembly: true, category: 2 })
    assert.equal((await readBody(`/api/build/${await build(table)}/`)).destination, locations.garage)
    const buildWithDestination = await build(table, 1, { destination: locations.shelf })
    assert.equal((await readBody(`/api/build/${buildWithDestination}/`)).destination, locations.shelf)
  })

  it('rejects invalid input', async () => {
    const chair = await part({ assembly: true })
    await build(chair, 1, { reference: 'BO-1' })
    // as if imported: nothing made it trackable along with its component
    const board = await part({ assembly: true })
    await service.rows('insert into bom_item (part, sub_part) values ($1, $2)', [board, await part({ trackable: true })])
    const validBuild = { reference: 'BO-2', part: chair, quantity: 1 }
    const cases: [object, string][] = [
      [{ part: chair, quantity: 1 }, 'reference'],
      [{ ...validBuild, reference: 'PO-5' }, 'reference'],
      [{ ...validBuild, reference: 'BO-1' }, 'reference'],
      [{ ...validBuild, part: undefined }, 'part'],
      [{ ...validBuild, part: await part() }, 'part'],
      [{ ...validBuild, part: await part({ assembly: true, active: false }) }, 'part'],
      [{ ...validBuild, part: await part({ assembly: true, virtual: true }) }, 'part'],
      [{ ...validBuild, quantity: 0 }, 'quantity'],
      [{ ...validBuild, quantity: -5 }, 'quantity'],
      [{ ...validBuild, quantity: 1.5, part: await part({ assembly: true, trackable: true }) }, 'quantity'],
      [{ ...validBuild, quantity: 1.5, part: board }, 'quantity'],
      [{ ...validBuild, priority: -1 }, 'priority'],
      [{ ...validBuild, parent: 99_999 }, 'parent'],
      [{ ...validBuild, sales_order: 99_999 }, 'sales_order'],
      [{ ...validBuild, take_from: 99_999 }, 'take_from'],
      [{ ...validBuild, destination: 99_999 }, 'destination'],
    ]
    for (const [body, field] of cases) {
      const response = await post(body)
      assert.deepEqual([response.status, listFields(response)], [400, [field]], JSON.stringify(body))
    }
  })

  it('requires a responsible owner if the setting does, and follows the reference pattern', async () => {
    const chair = await part({ assembly: true })
    await changeSetting('BUILDORDER_REQUIRE_RESPONSIBLE', true)
    assert.deepEqual(listFields(await post({ reference: 'BO-2', part: chair, quantity: 1 })), ['responsible'])
    await changeSetting('BUILDORDER_REQUIRE_RESPONSIBLE', false)
    const pk = await build(chair, 1, { reference: 'BO-0077' })
    await changeSetting('BUILDORDER_REFERENCE_PATTERN', 'B{ref:03d}')
    assert.equal((await member.patch(`/api/build/${pk}/`, { reference: 'BO-0077', title: 'n' })).status, 200)
    const options = (await member.send('OPTIONS', '/api/build/')).body.actions.POST
    assert.deepEqual([options.reference.default, options.issued_by.default], ['B078', service.getPk('member')])
    await changeSetting('BUILDORDER_REFERENCE_PATTERN', 'BO-{ref:04d}')
  })

  it('defaults to the next reference and a quantity of 1 for clients of InvenTree', async () => {
    await fillStock(inventree)
    const { part: oldPart } = createBuildHelpers(inventree)
    const chair = await oldPart({ assembly: true })
    const first = await inventree.member.post('/api/build/', { part: chair, quantity: 1 })
    const second = await inventree.member.post('/api/build/', { part: chair })
    assert.deepEqual([first.body.reference, second.body.reference, second.body.quantity], ['BO-0001', 'BO-0002', 1])
    assert.deepEqual(
      listFields(await inventree.member.put(`/api/build/${second.body.pk}/`, { part: chair, reference: 'BO-0002' })),
      ['quantity'],
    )
  })

  it('requires the permission to add builds', async () => {
    const chair = await part({ assembly: true })
    let number = 500
    await assertCallers(
      service,
      (client) => client.post('/api/build/', { reference: `BO-${++number}`, part: chair, quantity: 1 }),
      ['member', 'superuser'],
      async () => (await readBody('/api/build/')).count,
    )
  })
})

describe('PATCH /api/build/{id}/', () => {
  it('changes the order, and the quantity in production with it', async () => {
    const chair = await part({ assembly: true })
    const pk = await build(chair, 4)
    const { body } = await member.patch(`/api/build/${pk}/`, { quantity: 2.5, batch: 'B', target_date: '2031-02-03' })
    assert.deepEqual([body.quantity, body.batch, body.target_date], [2.5, 'B', '2031-02-03'])
    assert.equal((await readBody(`/api/part/${chair}/`)).building, 2.5)
  })

  it('keeps its part, even if that can no longer be built', async () => {
    const chair = await part({ assembly: true })
    const pk = await build(chair, 4)
    assert.deepEqual(listFields(await member.patch(`/api/build/${pk}/`, { part: await part({ assembly: true }) })), ['part'])
    await service.rows('update part set active = false where pk = $1', [chair])
    assert.equal((await member.patch(`/api/build/${pk}/`, { part: chair, title: 'Still here' })).status, 200)
  })

  it('moves an order below another, but never below itself', async () => {
    const chair = await part({ assembly: true })
    const [top, middle, bottom] = [await build(chair), await build(chair), await build(chair)]
    const moveBelow = (pk: number, parent: number) => member.patch(`/api/build/${pk}/`, { parent })
    assert.deepEqual([(await moveBelow(middle, top)).status, (await moveBelow(bottom, middle)).status], [200, 200])
    assert.deepEqual([listFields(await moveBelow(top, bottom)), listFields(await moveBelow(top, top))], [['parent'], ['parent']])
    const findKeys = async (query: string) =>
      (await readBody(`/api/build/?ordering=pk&${query}`)).results.map(({ pk }: any) => pk).sort()
    assert.deepEqual(await findKeys(`ancestor=${top}`), [middle, bottom])
    assert.deepEqual(await findKeys(`parent=${top}`), [middle])
    assert.deepEqual(await findKeys(`exclude_tree=${middle}`), [top])
    assert.deepEqual((await findKeys('ancestor=99999')).length, 3, 'an unknown key does not filter')
  })

  it('prevents cycles when two orders are moved below each other concurrently', async () => {
    const chair = await part({ assembly: true })
    for (let round = 0; round < 5; round++) {
      const [one, other] = [await build(chair), await build(chair)]
      const responses = await Promise.all([
        member.patch(`/api/build/${one}/`, { parent: other }),
        superuser.patch(`/api/build/${other}/`, { parent: one }),
      ])
      assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 400])
    }
  })
})

describe('GET /api/build/', () => {
  it('filters by status, day, part, order, person and text', async () => {
    await waitForStableDay()
    const [chair, table] = [await part({ assembly: true }), await part({ assembly: true })]
    const getDateFromToday = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    const late = await build(chair, 1, { target_date: getDateFromToday(0), title: 'Blue ones', priority: 77_777 })
    const soon = await build(table, 2, { target_date: getDateFromToday(1), issued_by: service.getPk('member') })
    const completedBuild = await build(table, 3)
    await service.rows(`update build_order set status = 40, completion_date = current_date - 1 where pk = $1`, [completedBuild])
    const findKeys = async (query: string) => (await readBody(`/api/build/?${query}`)).results.map(({ pk }: any) => pk).sort()
    assert.deepEqual(await findKeys('active=true'), [late, soon])
    assert.deepEqual(await findKeys('status=40'), [completedBuild])
    assert.deepEqual(await findKeys('overdue=true'), [late])
    assert.deepEqual(await findKeys(`part=${table}`), [soon, completedBuild])
    assert.deepEqual(await findKeys('search=blue'), [late])
    assert.deepEqual(await findKeys('search=77777'), [late])
    assert.deepEqual(await findKeys(`issued_by=${service.getPk('member')}`), [soon])
    assert.deepEqual(await findKeys(`min_date=${getDateFromToday(-1)}&max_date=${getDateFromToday(0)}`), [late, completedBuild])
    assert.deepEqual(await findKeys('has_project_code=true'), [])
    assert.equal((await member.get('/api/build/?part=99999')).status, 400)
    assert.deepEqual(await findKeys('ordering=-quantity&limit=1'), [completedBuild])
    const [first] = (await readBody('/api/build/')).results
    assert.deepEqual([first.pk, 'part_detail' in first], [completedBuild, false], 'the highest reference first')
    assert.equal((await readBody('/api/build/?part_detail=true')).results[0].part_detail.pk, table)
  })

  it('finds the orders of an account and of its groups', async () => {
    const chair = await part({ assembly: true })
    const [ownOwner] = await service.rows('select pk from owner where "user" = $1', [service.getPk('member')])
    const [groupOwner] = await service.rows(
      'select o.pk from owner o join user_group_member m on m."group" = o."group" where m."user" = $1 limit 1',
      [service.getPk('member')],
    )
    const own = await build(chair, 1, { responsible: ownOwner.pk })
    const shared = await build(chair, 1, { responsible: groupOwner.pk })
    await build(chair)
    const findKeys = async (query: string) => (await readBody(`/api/build/?${query}`)).results.map(({ pk }: any) => pk).sort()
    assert.deepEqual(await findKeys('assigned_to_me=true'), [own, shared])
    assert.deepEqual(await findKeys(`assigned_to=${ownOwner.pk}`), [own, shared])
    assert.deepEqual(await findKeys(`assigned_to=${groupOwner.pk}`), [shared])
    assert.deepEqual(
      [await findKeys('assigned_to=99999999'), (await readBody('/api/build/?assigned_to=x')).assigned_to?.length],
      [[], 1],
    )
  })
})

describe('POST /api/build/{id}/cancel/', () => {
  it('cancels the order once, with an event', async () => {
    const chair = await part({ assembly: true })
    const pk = await build(chair, 4)
    const response = await member.post(`/api/build/${pk}/cancel/`)
    assert.deepEqual(response.body, { remove_allocated_stock: false, remove_incomplete_outputs: false })
    const { status, completion_date } = await readBody(`/api/build/${pk}/`)
    assert.deepEqual([status, completion_date], [30, new Date().toISOString().slice(0, 10)])
    assert.equal((await readBody(`/api/part/${chair}/`)).building, 0)
    const secondResponse = await member.post(`/api/build/${pk}/cancel/`)
    assert.deepEqual([secondResponse.status, listFields(secondResponse)], [400, ['non_field_errors']])
    assert.equal((await member.post('/api/build/99999/cancel/')).status, 404)
    const [event] = await service.rows(
      `select kind, account from event where model = 'build_order' and key = $1 order by id desc`,
      [pk],
    )
    assert.deepEqual(event, { kind: 'build.cancelled', account: service.getPk('member') })
  })
})

describe('DELETE /api/build/{id}/', () => {
  it('deletes only cancelled orders, along with the stock that they consumed', async () => {
    const chair = await part({ assembly: true })
    const pk = await build(chair, 4)
    const below = await build(chair, 1, { parent: pk })
    const created = await insertItem(service, { part: chair, build: pk })
    await insertItem(service, { consumed_by: pk })
    const errorResponse = await member.delete(`/api/build/${pk}/`)
    assert.deepEqual([errorResponse.status, listFields(errorResponse)], [400, ['non_field_errors']])
    await member.post(`/api/build/${pk}/cancel/`)
    assert.equal((await member.delete(`/api/build/${pk}/`)).status, 204)
    assert.equal((await readBody(`/api/build/${below}/`)).parent, null)
    assert.equal((await readBody(`/api/stock/${created}/`)).build, null)
    assert.equal((await readBody('/api/part/1/')).in_stock, 0, 'consumed stock does not return')
  })
})

describe('stock of builds', () => {
  it('is found by build order, and can belong only to a build order of its own part', async () => {
    const chair = await part({ assembly: true })
    const pk = await build(chair, 4)
    const created = await insertItem(service, { part: chair, build: pk })
    const used = await insertItem(service, { consumed_by: pk })
    const findKeys = async (query: string) => (await readBody(`/api/stock/?${query}`)).results.map((item: any) => item.pk)
    assert.deepEqual([await findKeys(`build=${pk}`), await findKeys(`consumed_by=${pk}`)], [[created], [used]])
    assert.equal((await member.get('/api/stock/?build=99999')).status, 400)
    const other = await insertItem(service)
    assert.deepEqual(listFields(await member.patch(`/api/stock/${other}/`, { build: pk })), ['build'])
    assert.deepEqual(listFields(await member.post('/api/stock/', { part: 1, quantity: 1, build: pk })), ['build'])
    const started = await member.post('/api/stock/', { part: chair, quantity: 1, build: pk, is_building: true })
    assert.deepEqual([started.status, started.body.is_building, started.body.build], [201, true, pk])
  })
})

describe('barcodes of builds', () => {
  it('are found by their own code and by a linked one', async () => {
    const pk = await build(await part({ assembly: true }))
    const scan = async (barcode: string) => (await member.post('/api/barcode/', { barcode })).body.build?.pk
    assert.equal(await scan(`{"build": ${pk}}`), pk)
    assert.equal((await member.post('/api/barcode/link/', { barcode: 'on the wall', build: pk })).status, 201)
    assert.equal(await scan('on the wall'), pk)
    const { body } = await member.post('/api/barcode/generate/', { model: 'build', pk })
    assert.equal(await scan(body.barcode), pk)
  })
})
