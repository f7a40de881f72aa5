import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testService } from '../../testing/service.ts'

const service = await testService({}, { runsBackgroundWork: false })
const { member, superuser } = service
const path = '/api/part/'
let count = 0

const { body: category } = await superuser.post('/api/part/category/', { name: 'All' })

async function makePart(fields: object = {}): Promise<number> {
  const body = { name: `Part ${++count}`, description: '', category: category.pk, minimum_stock: 0, ...fields }
  const { status, body: created, text } = await member.post(path, body)
  assert.equal(status, 201, text)
  return created.pk
}

/** Creates an assembly with one line that has a substitute. */
async function makeAssembly() {
  const [assembly, component, substitute] = [await makePart({ assembly: true }), await makePart(), await makePart()]
  const line = (await member.post('/api/bom/', { part: assembly, sub_part: component, quantity: 2 })).body.pk as number
  const pk = (await member.post('/api/bom/substitute/', { bom_item: line, part: substitute })).body.pk as number
  return { assembly, component, substitute, line, substituteLine: pk }
}

const lock = async (pk: number, locked = true) => {
  const { status, body } = await member.patch(`${path}${pk}/`, { locked })
  assert.equal(status, 200)
  assert.equal(body.locked, locked)
}

const LOCKED = { non_field_errors: ['The part is locked: unlock it first.'] }
const readLines = () => service.rows('select * from bom_item order by pk')

describe('a locked part', () => {
  it('keeps its BOM, whichever operation would change it', async () => {
    const { assembly, component, substitute, line, substituteLine } = await makeAssembly()
    const other = await makeAssembly()
    await lock(assembly)
    const before = await readLines()
    for (const send of [
      () => member.post('/api/bom/', { part: assembly, sub_part: substitute, quantity: 1 }),
      () => member.patch(`/api/bom/${line}/`, { quantity: 3 }),
      () => member.put(`/api/bom/${line}/`, { part: assembly, sub_part: component, quantity: 3 }),
      () => member.patch(`/api/bom/${line}/`, { part: other.assembly }),
      () => member.patch(`/api/bom/${other.line}/`, { part: assembly }),
      () => member.delete(`/api/bom/${line}/`),
      () => member.delete('/api/bom/', { items: [line, other.line] }),
      () => member.post('/api/bom/substitute/', { bom_item: line, part: other.substitute }),
      () => member.patch(`/api/bom/substitute/${substituteLine}/`, { part: other.substitute }),
      () => member.patch(`/api/bom/substitute/${other.substituteLine}/`, { bom_item: line }),
      () => member.delete(`/api/bom/substitute/${substituteLine}/`),
      () => member.post(`${path}${assembly}/bom-copy/`, { part: other.assembly }),
    ]) {
      const { status, body } = await send()
      assert.equal(status, 400, JSON.stringify(body))
      assert.deepEqual(body, LOCKED)
    }
    const imported = await member.post('/api/bom/import/submit/', {
      clear_existing_bom: true,
      items: [{ part: assembly, sub_part: substitute, quantity: 1 }],
    })
    assert.equal(imported.status, 400, imported.text)
    assert.deepEqual(await readLines(), before)
    assert.equal((await service.rows('select 1 from bom_item_substitute where bom_item = $1', [line])).length, 1)
  })

  it('allows its validation, its description and its use in other BOMs', async () => {
    const { assembly } = await makeAssembly()
    await lock(assembly)
    assert.equal((await member.patch(`${path}${assembly}/bom-validate/`, { valid: true })).status, 200)
    const { body } = await member.patch(`${path}${assembly}/`, { description: 'while locked' })
    assert.deepEqual([body.description, body.locked], ['while locked', true])
    const outer = await makePart({ assembly: true })
    assert.equal((await member.post('/api/bom/', { part: outer, sub_part: assembly, quantity: 1 })).status, 201)
    assert.equal(
      (await member.get(`${path}?locked=true`)).body.results.some((row: any) => row.pk === assembly),
      true,
    )
    assert.equal((await member.get(`/api/bom/?part_locked=true&part=${assembly}`)).body.count, 1)
  })

  it('is not deleted, even when it is inactive; nor is a part of its BOM', async () => {
    const { assembly, component, substitute } = await makeAssembly()
    await lock(assembly)
    for (const pk of [assembly, component, substitute]) await member.patch(`${path}${pk}/`, { active: false })
    assert.deepEqual((await member.delete(`${path}${assembly}/`)).body, LOCKED)
    for (const pk of [component, substitute]) {
      const { status, body } = await member.delete(`${path}${pk}/`)
      assert.equal(status, 400)
      assert.match(body.non_field_errors[0], /in the BOM of a locked part/)
    }
    const { body: own } = await superuser.post('/api/part/category/', { name: `Own ${assembly}` })
    await member.patch(`${path}${assembly}/`, { category: own.pk })
    assert.equal((await superuser.delete(`/api/part/category/${own.pk}/`, { delete_parts: true })).status, 400)
    assert.equal((await member.get(`${path}${assembly}/`)).status, 200)
    await lock(assembly, false)
    assert.equal((await member.delete(`${path}${assembly}/`)).status, 204)
    assert.equal((await member.delete(`${path}${component}/`)).status, 204)
  })

  it('stays locked when a client that does not know the field replaces it', async () => {
    const pk = await makePart({ locked: true, testable: true })
    const { body } = await member.put(`${path}${pk}/`, { name: `Part ${++count}`, category: category.pk, minimum_stock: 0 })
    assert.deepEqual([body.locked, body.testable], [true, true])
  })

  it('can be a copy with the BOM and the parameters of another part', async () => {
    const { assembly } = await makeAssembly()
    const template = (await member.post('/api/parameter/template/', { name: `T ${++count}` })).body.pk
    await member.post('/api/parameter/', { model_type: 'part', model_id: assembly, template, data: 'x' })
    const pk = await makePart({
      assembly: true,
      locked: true,
      duplicate: { part: assembly, copy_bom: true, copy_parameters: true },
    })
    assert.equal((await member.get(`/api/bom/?part=${pk}`)).body.count, 1)
    assert.equal((await member.get(`/api/parameter/?model_type=part&model_id=${pk}`)).body.count, 1)
  })

  it('gets no line from a request at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const [assembly, component] = [await makePart({ assembly: true }), await makePart()]
      const [locked, line] = await Promise.all([
        member.patch(`${path}${assembly}/`, { locked: true }),
        member.post('/api/bom/', { part: assembly, sub_part: component, quantity: 1 }),
      ])
      assert.equal(locked.status, 200)
      assert.ok(line.status === 201 || line.status === 400)
      assert.equal((await member.get(`/api/bom/?part=${assembly}`)).body.count, line.status === 201 ? 1 : 0)
    }
  })
})

describe('GET /api/part/{id}/bom-validate/', () => {
  it('says when and by whom the BOM was validated, and whether it is unchanged', async () => {
    const { assembly, line } = await makeAssembly()
    const url = `${path}${assembly}/bom-validate/`
    assert.deepEqual((await member.get(url)).body, {
      checksum: '',
      pk: assembly,
      bom_validated: false,
      bom_checksum: '',
      bom_checked_by: null,
      bom_checked_by_detail: null,
      bom_checked_date: null,
    })
    await member.put(url, { valid: true })
    const { body } = await member.get(url)
    assert.equal(body.bom_validated, true)
    assert.equal(body.bom_checksum, body.checksum)
    assert.deepEqual([body.bom_checked_by, body.bom_checked_by_detail.username], [service.getPk('member'), 'member'])
    assert.match(body.bom_checked_date, /^\d{4}-\d\d-\d\d$/)
    await member.patch(`/api/bom/${line}/`, { quantity: 5 })
    assert.equal((await member.get(url)).body.bom_validated, false)
  })
})
