import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertCallers, testService } from '../../testing/service.ts'

const service = await testService()
const { member, staff, superuser, viewer } = service
const path = '/api/selection/'
let count = 0

/** Creates a selection list with entries of these values; returns its key and those of the entries. */
async function createList(values: string[] = [], fields: object = {}) {
  const { status, body, text } = await member.post(path, { name: `List ${++count}` })
  assert.equal(status, 201, text)
  const entries: number[] = []
  for (const value of values) {
    const entry = await member.post(`${path}${body.pk}/entry/`, { value, label: value.toUpperCase() })
    assert.equal(entry.status, 201, entry.text)
    entries.push(entry.body.id)
  }
  if (Object.keys(fields).length) await member.patch(`${path}${body.pk}/`, fields)
  return { pk: body.pk as number, entries, name: body.name as string }
}

describe('POST /api/selection/', () => {
  it('creates a list, which requires only a name', async () => {
    const { status, body } = await member.post(path, { name: 'Sizes' })
    assert.equal(status, 201)
    const { pk, created, last_updated, ...rest } = body
    assert.ok(pk > 0 && created && last_updated)
    assert.deepEqual(rest, {
      name: 'Sizes',
      description: '',
      active: true,
      locked: false,
      source_plugin: null,
      source_string: '',
      default: null,
      entry_count: 0,
      choices: [],
    })
  })

  it('rejects a missing name, and one that another list has', async () => {
    assert.deepEqual(Object.keys((await member.post(path, {})).body), ['name'])
    const { name } = await createList()
    const { status, body } = await member.post(path, { name })
    assert.equal(status, 400)
    assert.deepEqual(body, { name: ['Another selection list already has this name.'] })
  })

  it('requires the role of parts', () =>
    assertCallers(service, (client) => client.post(path, { name: `Callers ${++count}` }), ['member', 'superuser']))
})

describe('GET /api/selection/', () => {
  it('shows the entries of each list, unless choices=false', async () => {
    const { pk, entries } = await createList(['s', 'm'])
    const { body } = await viewer.get(`${path}${pk}/`)
    assert.deepEqual(
      body.choices.map((entry: any) => [entry.id, entry.value, entry.label, entry.list]),
      [
        [entries[0], 's', 'S', pk],
        [entries[1], 'm', 'M', pk],
      ],
    )
    assert.equal(body.entry_count, 2)
    assert.ok(!('choices' in (await viewer.get(`${path}${pk}/?choices=false`)).body))
  })
})

describe('PATCH /api/selection/{id}/', () => {
  it('sets the default, by the key of an entry or by the entry itself', async () => {
    const { pk, entries } = await createList(['s', 'm'])
    const { body } = await member.patch(`${path}${pk}/`, { default: entries[1] })
    assert.equal(body.default.value, 'm')
    const again = await member.put(`${path}${pk}/`, body)
    assert.equal(again.status, 200, again.text)
    assert.equal(again.body.default.id, entries[1])
    assert.equal((await member.patch(`${path}${pk}/`, { default: null })).body.default, null)
  })

  it('rejects a default of another list', async () => {
    const [{ pk }, other] = [await createList(['s']), await createList(['x'])]
    const { status, body } = await member.patch(`${path}${pk}/`, { default: other.entries[0] })
    assert.equal(status, 400)
    assert.deepEqual(body, { default: ['The default must be an entry of the list.'] })
  })

  it('rejects every change of a locked list, but staff unlock it', async () => {
    const { pk, name } = await createList(['s'], { locked: true })
    for (const [client, change] of [
      [member, { name: 'Other' }],
      [member, { locked: false }],
      [superuser, { name: 'Other' }],
    ] as const) {
      const { status, body } = await client.patch(`${path}${pk}/`, change)
      assert.equal(status, 400)
      assert.deepEqual(body, { locked: ['The selection list is locked. Staff can unlock it.'] })
    }
    assert.equal((await member.get(`${path}${pk}/`)).body.name, name)
    assert.equal((await superuser.patch(`${path}${pk}/`, { locked: false })).body.locked, false)
    assert.equal((await member.patch(`${path}${pk}/`, { description: 'Open' })).status, 200)
    assert.equal((await staff.patch(`${path}${pk}/`, { locked: false })).status, 403)
  })
})

describe('DELETE /api/selection/{id}/', () => {
  it('deletes the entries; templates remain, without a list', async () => {
    const { pk } = await createList(['s'])
    const template = await member.post('/api/parameter/template/', { name: `Of ${pk}`, selectionlist: pk })
    assert.equal(template.status, 201, template.text)
    assert.equal((await member.delete(`${path}${pk}/`)).status, 204)
    assert.equal((await member.get(`/api/parameter/template/${template.body.pk}/`)).body.selectionlist, null)
    assert.deepEqual(await service.rows(`select 1 from selection_list_entry where list = ${pk}`), [])
  })

  it('rejects a locked list', async () => {
    const { pk } = await createList([], { locked: true })
    assert.equal((await superuser.delete(`${path}${pk}/`)).status, 400)
    assert.equal((await member.get(`${path}${pk}/`)).status, 200)
  })
})

describe('/api/selection/{list}/entry/', () => {
  it('holds the entries of one list, filtered and searched', async () => {
    const [{ pk, entries }, other] = [await createList(['s', 'm']), await createList(['x'])]
    const list = `${path}${pk}/entry/`
    assert.equal((await viewer.get(list)).body.count, 2)
    assert.equal((await viewer.get(`${list}?value=m`)).body.results[0].id, entries[1])
    assert.equal((await viewer.get(`${list}?search=S`)).body.count, 1)
    assert.equal((await viewer.get(`${list}?active=false`)).body.count, 0)
    assert.equal((await viewer.get(`${list}?ordering=-label`)).body.results[0].value, 's')
    assert.equal((await viewer.get(`${list}${other.entries[0]}/`)).status, 404)
    assert.equal((await member.patch(`${list}${other.entries[0]}/`, { label: 'No' })).status, 404)
    assert.equal((await member.delete(`${list}${other.entries[0]}/`)).status, 404)
    assert.equal((await viewer.get(`${path}${other.pk}/entry/${other.entries[0]}/`)).body.label, 'X')
    for (const missing of ['999999999', 'abc', '0'])
      assert.equal((await viewer.get(`${path}${missing}/entry/`)).status, 404, missing)
    assert.equal((await member.post(`${path}999999999/entry/`, { value: 'a', label: 'A' })).status, 404)
  })

  it('creates entries of the list in the URL, whatever the body says', async () => {
    const [{ pk }, other] = [await createList(), await createList()]
    const { status, body } = await member.post(`${path}${pk}/entry/`, { list: other.pk, value: 'a', label: 'A' })
    assert.equal(status, 201)
    assert.deepEqual({ ...body, id: 0 }, { id: 0, value: 'a', label: 'A', description: '', active: true, list: pk })
    const again = await member.post(`${path}${pk}/entry/`, { value: 'a', label: 'Again' })
    assert.equal(again.status, 400)
    assert.deepEqual(Object.keys(again.body), ['non_field_errors'])
    assert.deepEqual(Object.keys((await member.post(`${path}${pk}/entry/`, {})).body).sort(), ['label', 'value'])
  })

  it('changes nothing of a locked list', async () => {
    const { pk, entries } = await createList(['s'], { locked: true })
    const entry = `${path}${pk}/entry/${entries[0]}/`
    for (const send of [
      () => superuser.post(`${path}${pk}/entry/`, { value: 'q', label: 'Q' }),
      () => superuser.patch(entry, { label: 'Q' }),
      () => superuser.delete(entry),
    ]) {
      const { status, body } = await send()
      assert.equal(status, 400)
      assert.deepEqual(body, { list: ['The selection list is locked. Staff can unlock it.'] })
    }
    assert.deepEqual((await viewer.get(`${path}${pk}/`)).body.choices.length, 1)
    assert.equal((await viewer.get(entry)).body.label, 'S')
  })

  it('never adds to a list that is locked at the same time', async () => {
    const { pk } = await createList(['s'])
    const responses = await Promise.all([
      member.patch(`${path}${pk}/`, { locked: true }),
      ...Array.from({ length: 6 }, (_, n) => member.post(`${path}${pk}/entry/`, { value: `v${n}`, label: `V${n}` })),
    ])
    const added = responses.slice(1).filter(({ status }) => status === 201).length
    assert.ok(responses.slice(1).every(({ status }) => status === 201 || status === 400))
    assert.equal((await viewer.get(`${path}${pk}/`)).body.entry_count, 1 + added)
  })

  it('requires the role of parts', async () => {
    const { pk } = await createList()
    await assertCallers(service, (client) => client.post(`${path}${pk}/entry/`, { value: `c${++count}`, label: 'C' }), [
      'member',
      'superuser',
    ])
  })
})
