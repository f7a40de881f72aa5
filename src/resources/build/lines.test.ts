import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createBuildHelpers } from '../../testing/objects/building.ts'
import { testService } from '../../testing/service.ts'
import { fillStock, locations } from '../stock/fixture.ts'

const service = await testService()
const { member, superuser } = service
const { part, build, bom, linesOf, stock, allocate, assertSums } = createBuildHelpers(service)
beforeEach(() => fillStock(service))
afterEach(assertSums)

const readBody = async (path: string) => (await member.get(path)).body
const listFields = (response: { body: object }) => Object.keys(response.body)
const readQuantities = async (buildOrder: number) => (await linesOf(buildOrder)).map(({ quantity }) => quantity)

describe('/api/build/line/', () => {
  it('has a line for each BOM line, including loss and inherited lines', async () => {
    const template = await part({ assembly: true, is_template: true })
    const chair = await part({ assembly: true, variant_of: template })
    const [leg, screw, seat] = [await part(), await part(), await part()]
    await bom(template, leg, 4, { inherited: true })
    await bom(template, seat, 1)
    await bom(chair, screw, 8, { overage: '10 %' })
    const pk = await build(chair, 5)
    const lines = await linesOf(pk)
    assert.deepEqual(
      lines.map(({ quantity, part_detail, bom_item_detail, allocated }) => [
        quantity,
        part_detail.pk,
        bom_item_detail.sub_part,
        allocated,
      ]),
      [
        [20, leg, leg, 0],
        [44, screw, screw, 0],
      ],
    )
    assert.equal((await readBody(`/api/part/${leg}/`)).required_for_build_orders, 20)
    const needs = await readBody(`/api/part/${screw}/requirements/`)
    assert.deepEqual([needs.required_build_order_quantity, needs.required], [40, 40], 'without overage')
  })

  it('follows the quantity of the build order and the BOM until the build order is closed', async () => {
    const chair = await part({ assembly: true })
    const [leg, arm] = [await part(), await part()]
    const line = await bom(chair, leg, 4)
    const [pk, closedBuild] = [await build(chair, 2), await build(chair, 2)]
    await member.post(`/api/build/${closedBuild}/cancel/`)
    await member.patch(`/api/build/${pk}/`, { quantity: 3 })
    assert.deepEqual([await readQuantities(pk), await readQuantities(closedBuild)], [[12], [8]])
    await member.patch(`/api/bom/${line}/`, { quantity: 5, overage: '1' })
    await bom(chair, arm, 2)
    assert.deepEqual([await readQuantities(pk), await readQuantities(closedBuild)], [[16, 6], [8]])
    assert.equal((await readBody(`/api/part/${arm}/`)).required_for_build_orders, 6)
    await member.patch(`/api/bom/${line}/`, { sub_part: await part() })
    assert.equal((await readBody(`/api/part/${leg}/`)).required_for_build_orders, 0)
    const allocatedStock = await stock(arm, 10)
    const [, second] = await linesOf(pk)
    await allocate(pk, second.pk, allocatedStock, 6)
    assert.equal((await member.delete(`/api/bom/${second.bom_item}/`)).status, 204)
    assert.deepEqual(await readQuantities(pk), [16])
    assert.equal((await readBody(`/api/stock/${allocatedStock}/`)).allocated, 0, 'the allocation is released')
  })

  it('removes lines that are no longer inherited and adds new ones, whatever caused the change', async () => {
    const [template, other] = [
      await part({ assembly: true, is_template: true }),
      await part({ assembly: true, is_template: true }),
    ]
    const chair = await part({ assembly: true, variant_of: template })
    const small = await part({ assembly: true, variant_of: chair })
    const [leg, arm] = [await part(), await part()]
    const line = await bom(template, leg, 4, { inherited: true })
    await bom(other, arm, 2, { inherited: true })
    const [pk, below, closedBuild] = [await build(chair, 5), await build(small, 1), await build(chair, 5)]
    await member.post(`/api/build/${closedBuild}/cancel/`)
    const allocatedStock = await stock(leg, 20)
    const assertNeeds = async (needs: number[], expected: number[][]) => {
      assert.deepEqual(
        [await readQuantities(pk), await readQuantities(below), await readQuantities(closedBuild)],
        [...expected, [20]],
      )
      const required = [leg, arm].map(async (one) => (await readBody(`/api/part/${one}/`)).required_for_build_orders)
      assert.deepEqual(await Promise.all(required), needs)
    }
    const allocateOwnLine = async () => {
      const [{ pk: own }] = await linesOf(pk)
      await allocate(pk, own, allocatedStock, 7)
    }
    const assertReleased = async () =>
      assert.equal((await readBody(`/api/stock/${allocatedStock}/`)).allocated, 0, 'the allocation is released')
    await allocateOwnLine()
    await member.patch(`/api/bom/${line}/`, { inherited: false })
    await assertNeeds([0, 0], [[], []])
    await assertReleased()
    await member.patch(`/api/bom/${line}/`, { inherited: true })
    await assertNeeds([24, 0], [[20], [4]])
    await allocateOwnLine()
    assert.equal((await member.patch(`/api/part/${chair}/`, { variant_of: other })).status, 200)
    await assertNeeds([0, 12], [[10], [2]])
    await assertReleased()
    await member.patch(`/api/part/${chair}/`, { variant_of: null })
    await assertNeeds([0, 0], [[], []])
    await member.patch(`/api/bom/${line}/`, { part: chair })
    await assertNeeds([24, 0], [[20], [4]])
    await member.patch(`/api/bom/${line}/`, { part: small })
    await assertNeeds([4, 0], [[], [4]])
  })

  it('has a line for a BOM line that is created at the same time as the build order', async () => {
    for (let round = 0; round < 6; round++) {
      const chair = await part({ assembly: true })
      const [pk] = await Promise.all([build(chair, 2), bom(chair, await part(), 3)])
      assert.deepEqual(await readQuantities(pk), [6])
    }
  })

  it('handles concurrent changes of a build order and its BOM', async () => {
    const chair = await part({ assembly: true })
    const line = await bom(chair, await part(), 1)
    const pk = await build(chair, 1)
    for (let round = 2; round < 8; round++) {
      const responses = await Promise.all([
        member.patch(`/api/build/${pk}/`, { quantity: round }),
        superuser.patch(`/api/bom/${line}/`, { quantity: round }),
      ])
      assert.deepEqual(
        responses.map(({ status }) => status),
        [200, 200],
      )
      assert.deepEqual(await readQuantities(pk), [round * round])
    }
  })

  it('shows available stock, and filters by it', async () => {
    const chair = await part({ assembly: true })
    const template = await part({ is_template: true })
    const [variant, other, glue] = [await part({ variant_of: template }), await part(), await part()]
    const line = await bom(chair, template, 2, { reference: 'seat', optional: true })
    await bom(chair, glue, 1, { consumable: true })
    await member.post('/api/bom/substitute/', { bom_item: line, part: other })
    const own = await stock(template, 5)
    await stock(variant, 7)
    await stock(other, 11, { location: 5 })
    const pk = await build(chair, 10)
    const [seat, paste] = await linesOf(pk)
    await allocate(pk, seat.pk, own, 3)
    const lineRow = await readBody(`/api/build/line/${seat.pk}/`)
    assert.deepEqual(
      [
        lineRow.allocated,
        lineRow.available_stock,
        lineRow.available_variant_stock,
        lineRow.available_substitute_stock,
        lineRow.total_available_stock,
      ],
      [3, 2, 7, 11, 20],
    )
    assert.deepEqual([lineRow.allocations.length, lineRow.allocations[0].stock_item_detail.pk], [1, own])
    const findKeys = async (query: string) =>
      (await readBody(`/api/build/line/?build=${pk}&${query}`)).results.map((one: any) => one.pk)
    assert.deepEqual(await findKeys('consumable=true'), [paste.pk])
    assert.deepEqual(await findKeys('optional=true'), [seat.pk])
    assert.deepEqual(await findKeys('available=true'), [seat.pk])
    assert.deepEqual(await findKeys('allocated=true'), [])
    assert.deepEqual(await findKeys('search=seat'), [seat.pk])
    assert.deepEqual(await findKeys('overallocated=true'), [])
    await service.rows('update build_line set quantity = 2 where pk = $1', [seat.pk])
    assert.deepEqual([await findKeys('overallocated=true'), await findKeys('overallocated=false')], [[seat.pk], [paste.pk]])
    await service.rows('update build_line set quantity = 20 where pk = $1', [seat.pk])
    const [detailed] = (await readBody(`/api/build/line/?build=${pk}&build_detail=true`)).results
    assert.deepEqual([detailed.build_detail.pk, 'build_detail' in seat], [pk, false])
    assert.deepEqual(await findKeys('ordering=-quantity'), [seat.pk, paste.pk])
    assert.equal((await member.get('/api/build/line/?build=99999')).status, 400)
  })

  it('counts stock in the source location, in the list of one build order', async () => {
    const chair = await part({ assembly: true })
    const template = await part({ is_template: true })
    const [variant, other] = [await part({ variant_of: template }), await part()]
    const line = await bom(chair, template, 2)
    await member.post('/api/bom/substitute/', { bom_item: line, part: other })
    const [near, far] = [await stock(template, 5), await stock(template, 9, { location: locations.garage })]
    await stock(template, 2, { location: locations.box })
    await stock(template, 4, { status: 60 })
    await stock(variant, 7)
    await stock(variant, 1, { location: locations.garage })
    await stock(other, 11)
    await stock(other, 1, { location: null })
    const [shelfOrder, unrestrictedOrder] = [await build(chair, 1, { take_from: locations.shelf }), await build(chair, 10)]
    const [{ pk: unrestrictedLine }] = await linesOf(unrestrictedOrder)
    for (const item of [near, far]) await allocate(unrestrictedOrder, unrestrictedLine, item, 3)
    const listStockFigures = (line: any) => [
      line.available_stock,
      line.available_variant_stock,
      line.available_substitute_stock,
      line.total_available_stock,
    ]
    const [one] = await linesOf(shelfOrder)
    assert.deepEqual(listStockFigures(one), [4, 7, 11, 22])
    assert.deepEqual(listStockFigures((await linesOf(unrestrictedOrder))[0]), [10, 8, 12, 30])
    const all = await readBody(`/api/build/line/?bom_item=${line}&ordering=pk`)
    assert.deepEqual(all.results.map(listStockFigures), [
      [10, 8, 12, 30],
      [10, 8, 12, 30],
    ])
    assert.deepEqual(listStockFigures(await readBody(`/api/build/line/${one.pk}/`)), [10, 8, 12, 30])
    assert.equal((await readBody(`/api/build/line/?build=${shelfOrder}&available=true`)).count, 1)
    await member.patch(`/api/build/${shelfOrder}/`, { take_from: locations.shed })
    assert.equal((await readBody(`/api/build/line/?build=${shelfOrder}&available=true`)).count, 0)
  })

  it('counts external stock only in the source location, in the list of one build order', async () => {
    const [chair, leg, arm] = [await part({ assembly: true }), await part(), await part()]
    for (const component of [leg, arm]) await bom(chair, component)
    const createExternalLocation = async (name: string, parent: number | null) =>
      (await member.post('/api/stock/location/', { name, parent, external: true })).body.pk
    const [near, inside, far] = [
      await createExternalLocation('Near', locations.shelf),
      await createExternalLocation('Inside', null),
      await createExternalLocation('Far', null),
    ]
    const below = await createExternalLocation('Below', near)
    await stock(leg, 5, { location: near })
    await stock(leg, 1.5, { location: below })
    await stock(leg, 70, { location: far })
    await stock(leg, 30, { location: inside })
    await stock(leg, 4, { location: near, status: 60 })
    await stock(leg, 8)
    await stock(arm, 3, { location: far })
    const readExternalStock = async (take_from: number | null) =>
      (await linesOf(await build(chair, 1, { take_from }))).map((line: any) => line.external_stock)
    assert.deepEqual(await readExternalStock(null), [106.5, 3])
    assert.deepEqual(await readExternalStock(locations.shelf), [6.5, 0])
    assert.deepEqual(await readExternalStock(near), [6.5, 0])
    assert.deepEqual(await readExternalStock(below), [1.5, 0])
    assert.deepEqual(await readExternalStock(far), [70, 3])
    assert.deepEqual(await readExternalStock(locations.garage), [0, 0])
  })

  it('counts a variant that is also a substitute once', async () => {
    const chair = await part({ assembly: true })
    const template = await part({ is_template: true })
    const [substitute, variant] = [await part({ variant_of: template }), await part({ variant_of: template })]
    const bomItem = await bom(chair, template, 2, { allow_variants: true })
    await member.post('/api/bom/substitute/', { bom_item: bomItem, part: substitute })
    await stock(substitute, 5)
    await stock(variant, 3)
    const [line] = await linesOf(await build(chair))
    const bomLine = await readBody(`/api/bom/${bomItem}/`)
    for (const lineRow of [line, bomLine])
      assert.deepEqual([lineRow.available_variant_stock, lineRow.available_substitute_stock], [3, 5])
    assert.equal(line.total_available_stock, 8)
  })

  it('rejects new lines, but accepts changes and deletions', async () => {
    const chair = await part({ assembly: true })
    const leg = await part()
    await bom(chair, leg, 4)
    const [line] = await linesOf(await build(chair))
    assert.deepEqual(listFields(await member.post('/api/build/line/', { quantity: 5 })), ['build', 'bom_item'])
    assert.equal((await member.patch(`/api/build/line/${line.pk}/`, { quantity: 6 })).body.quantity, 6)
    assert.equal((await readBody(`/api/part/${leg}/`)).required_for_build_orders, 6)
    assert.equal((await member.delete(`/api/build/line/${line.pk}/`)).status, 204)
    assert.equal((await readBody(`/api/part/${leg}/`)).required_for_build_orders, 0)
  })

  it('deletes a line with its component', async () => {
    const chair = await part({ assembly: true })
    const leg = await part({ active: false })
    await bom(chair, leg, 4)
    const pk = await build(chair)
    assert.equal((await member.delete(`/api/part/${leg}/`)).status, 204)
    assert.deepEqual(await linesOf(pk), [])
  })

  it('rejects a quantity that is too large for a line', async () => {
    const chair = await part({ assembly: true })
    await bom(chair, await part(), 10_000_000)
    const response = await member.post('/api/build/', { reference: 'BO-5', part: chair, quantity: 90_000_000_000_000 })
    assert.equal(response.status, 400, response.text)
  })
})
