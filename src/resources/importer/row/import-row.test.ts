import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { createFilesFolder } from '../../../testing/files.ts'
import { createImportHelpers } from '../../../testing/objects/imports.ts'
import { assertCallers, testService } from '../../../testing/service.ts'

const service = await testService({ DATA_DIR: createFilesFolder().dataDir })
const { member, viewer, staff } = service
const imports = createImportHelpers(service)
const ROWS = '/api/importer/row/'

before(async () => {
  await member.post('/api/part/category/', { name: 'Kits' })
})

const readParts = () => imports.read('name,category\nKnob,Kits\nDial,Missing\n', 'part')

describe('GET /api/importer/row/', () => {
  it('shows the cells, the values and the errors of each row', async () => {
    const { rows } = await readParts()
    const { pk, session, data, ...rest } = rows[1] as Record<string, unknown>
    assert.deepEqual(rest, {
      row_index: 1,
      row_data: { name: 'Dial', category: 'Missing' },
      errors: { category: ['No object found for “Missing”.'] },
      field_errors: [
        {
          pointer: '/category',
          code: 'import_reference_not_found',
          parameters: { value: 'Missing' },
          message: 'No object found for “Missing”.',
        },
      ],
      valid: false,
      complete: false,
      action: 'create',
      object: null,
      previous: null,
      created: [],
    })
    assert.deepEqual([(data as any).name, (data as any).category, (data as any).active], ['Dial', 'Missing', true])
    assert.deepEqual((await member.get(`${ROWS}${pk}/`)).body, rows[1])
    assert.equal((await viewer.get(`${ROWS}${pk}/`)).status, 404)
    assert.equal((await staff.get(`${ROWS}${pk}/`)).status, 200)
  })

  it('can be filtered and ordered', async () => {
    const { session, rows } = await readParts()
    const list = async (query: string) =>
      (await member.get(`${ROWS}?session=${session}&limit=10&${query}`)).body.results.map(({ pk }: { pk: number }) => pk)
    const [first, second] = rows.map(({ pk }) => pk)
    assert.deepEqual(await list('valid=true'), [first])
    assert.deepEqual(await list('valid=false'), [second])
    assert.deepEqual(await list('complete=true'), [])
    assert.deepEqual(await list('ordering=-row_index'), [second, first])
    assert.deepEqual(await list('ordering=valid'), [second, first])
    assert.deepEqual(await list('ordering=-pk'), [second, first])
    assert.equal((await member.get(`${ROWS}?session=abc`)).status, 400)
    assert.equal((await member.post(ROWS, {})).status, 405)
  })

  it('requires an account', () =>
    assertCallers(service, (client) => client.get(ROWS), ['nobody', 'viewer', 'member', 'staff', 'superuser']))
})

describe('PUT and PATCH /api/importer/row/{id}/', () => {
  it('correct a row, which is checked again', async () => {
    const { session, rows } = await readParts()
    const row = rows[1] as (typeof rows)[number]
    const path = `${ROWS}${row.pk}/`
    const { body } = await member.patch(path, { data: { ...row.data, category: 'Kits' } })
    assert.deepEqual([body.valid, body.errors, body.field_errors], [true, null, []])
    const wrong = (await member.put(path, { data: { name: '' } })).body
    assert.deepEqual([wrong.valid, Object.keys(wrong.errors).sort()], [false, ['category', 'name']])
    assert.deepEqual(await service.rows(`select from part where name = 'Dial'`), [])
    // a missing object that was created in the meantime
    await member.patch(path, { data: { name: 'Dial', category: 'New' } })
    await member.post('/api/part/category/', { name: 'New' })
    assert.equal((await member.patch(path, {})).body.valid, true)
    assert.equal((await imports.acceptRows(session, [row.pk])).status, 201)
  })

  it('reject values that are no object, and changes of an accepted row', async () => {
    const { session, rows } = await readParts()
    const [row] = rows as [(typeof rows)[number]]
    for (const data of ['x', [1], 5]) {
      const response = await member.patch(`${ROWS}${row.pk}/`, { data })
      assert.deepEqual([response.status, Object.keys(response.body)], [400, ['data']], JSON.stringify(data))
    }
    const category = (await member.get('/api/part/category/?name=Kits')).body.results[0].pk
    await member.patch(`${ROWS}${row.pk}/`, { data: { name: 'Accepted', category } })
    await imports.acceptRows(session, [row.pk])
    const rejected = await member.patch(`${ROWS}${row.pk}/`, { data: { name: 'Changed' } })
    assert.deepEqual([rejected.status, Object.keys(rejected.body)], [400, ['non_field_errors']])
    assert.equal((await imports.listRows(session))[0]?.data.name, 'Accepted')
  })

  it('ignore fields that clients do not write', async () => {
    const { rows } = await readParts()
    const row = rows[1] as (typeof rows)[number]
    const { body } = await member.patch(`${ROWS}${row.pk}/`, {
      valid: true,
      complete: true,
      errors: null,
      object: 1,
      row_index: 9,
    })
    assert.deepEqual(body, row)
  })

  it('are for those who see the session and may create its objects', async () => {
    const { rows } = await readParts()
    const statuses = await Promise.all(
      (['anonymous', 'nobody', 'viewer', 'member', 'staff', 'superuser'] as const).map(
        async (name) => (await service[name].patch(`${ROWS}${rows[0]?.pk}/`, {})).status,
      ),
    )
    assert.deepEqual(statuses, [401, 404, 404, 200, 403, 200])
  })
})

describe('DELETE /api/importer/row/', () => {
  it('deletes one or several rows, and completes a session without open ones', async () => {
    const { session, rows } = await imports.read('name\nOne\nTwo\nThree\nFour', 'partcategory')
    const [one, two, three, four] = rows.map(({ pk }) => pk) as [number, number, number, number]
    assert.equal((await viewer.delete(`${ROWS}${one}/`)).status, 404)
    assert.equal((await member.delete(`${ROWS}${one}/`)).status, 204)
    assert.equal((await member.delete(ROWS, { items: [two] })).status, 204)
    await imports.acceptRows(session, [three])
    assert.equal((await member.get(`${imports.sessions}${session}/`)).body.status, 30)
    await viewer.delete(ROWS, { items: [four] })
    assert.equal((await imports.listRows(session)).length, 2)
    await member.delete(ROWS, { items: [four] })
    const { status, row_count, completed_row_count } = (await member.get(`${imports.sessions}${session}/`)).body
    assert.deepEqual([status, row_count, completed_row_count], [40, 1, 1])
  })

  it('requires an account', () =>
    assertCallers(service, (client) => client.delete(ROWS, { items: [99_999_999] }), [
      'nobody',
      'viewer',
      'member',
      'staff',
      'superuser',
    ]))
})
