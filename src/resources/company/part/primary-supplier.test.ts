import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPurchaseHelpers } from '../../../testing/objects/purchasing.ts'
import { testService } from '../../../testing/service.ts'

const service = await testService({}, { runsBackgroundWork: false })
const { member } = service
const helpers = createPurchaseHelpers(service)
const path = '/api/company/part/'
const supplier = await helpers.supplier()
const readDefault = async (part: number) => (await member.get(`/api/part/${part}/`)).body.default_supplier
const readPrimary = async (pk: number) => (await member.get(`${path}${pk}/`)).body.primary

describe('the primary supplier part of a part', () => {
  it('is its default supplier, whichever of both is set', async () => {
    const part = await helpers.part()
    const [one, two] = [await helpers.supplierPart(supplier, { part }), await helpers.supplierPart(supplier, { part })]
    assert.equal((await member.patch(`${path}${one}/`, { primary: true })).body.primary, true)
    assert.equal(await readDefault(part), one)
    await member.patch(`${path}${two}/`, { primary: true })
    assert.deepEqual([await readPrimary(one), await readPrimary(two), await readDefault(part)], [false, true, two])
    await member.patch(`/api/part/${part}/`, { default_supplier: one })
    assert.deepEqual([await readPrimary(one), await readPrimary(two)], [true, false])
    await member.patch(`${path}${two}/`, { primary: false })
    assert.equal(await readDefault(part), one)
    await member.patch(`${path}${one}/`, { primary: false, note: 'x' })
    assert.equal(await readDefault(part), null)
  })

  it('can be a new one, and is found by lists', async () => {
    const part = await helpers.part()
    const first = await helpers.supplierPart(supplier, { part })
    const { status, body } = await member.post(path, { part, supplier, SKU: 'NEW', primary: true, notes: 'Ask **Ada**' })
    assert.equal(status, 201)
    assert.deepEqual([body.primary, body.notes, await readDefault(part)], [true, 'Ask **Ada**', body.pk])
    const list = async (query: string) =>
      (await member.get(`${path}?part=${part}&${query}`)).body.results.map((row: any) => row.pk)
    assert.deepEqual(await list('primary=true'), [body.pk])
    assert.deepEqual(await list('primary=false'), [first])
    assert.deepEqual(await list('ordering=-primary'), [body.pk, first])
  })

  it('is none after it moved to another part, was replaced without the field, or was deleted', async () => {
    const [part, other] = [await helpers.part(), await helpers.part()]
    const pk = await helpers.supplierPart(supplier, { part })
    await member.patch(`${path}${pk}/`, { primary: true })
    const { body } = await member.get(`${path}${pk}/`)
    await member.put(`${path}${pk}/`, { part, supplier, SKU: body.SKU })
    assert.equal(await readDefault(part), pk)
    await member.patch(`${path}${pk}/`, { part: other })
    assert.deepEqual([await readDefault(part), await readDefault(other)], [null, null])
    await member.patch(`${path}${pk}/`, { part, primary: true })
    assert.deepEqual([await readDefault(part), await readDefault(other)], [pk, null])
    await member.delete(`${path}${pk}/`)
    assert.equal(await readDefault(part), null)
  })

  it('is one, however many requests set it at the same time', async () => {
    const part = await helpers.part()
    const pks = await Promise.all(Array.from({ length: 5 }, () => helpers.supplierPart(supplier, { part })))
    for (let round = 0; round < 3; round++) {
      const responses = await Promise.all([
        ...pks.map((pk) => member.patch(`${path}${pk}/`, { primary: true })),
        member.patch(`/api/part/${part}/`, { default_supplier: pks[0], description: `${round}` }),
      ])
      for (const { status, text } of responses) assert.ok(status < 300, text)
      assert.equal((await member.get(`${path}?part=${part}&primary=true`)).body.count, 1)
    }
  })
})
