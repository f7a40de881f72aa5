import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { createFilesFolder } from '../../testing/files.ts'
import { createImportHelpers } from '../../testing/objects/imports.ts'
import { testService } from '../../testing/service.ts'

const service = await testService({ DATA_DIR: createFilesFolder().dataDir })
const { member, viewer, superuser } = service
const imports = createImportHelpers(service)
const MAPPINGS = '/api/importer/column-mapping/'

before(async () => {
  await member.post('/api/part/category/', { name: 'Kits' })
})

/** Uploads a file and lets these columns create what they name. */
async function uploadCreating(csv: string, type: string, fields: readonly string[]) {
  const { pk, column_mappings } = await imports.upload(csv, type)
  for (const field of fields) {
    const mapping = column_mappings.find((entry: { field: string }) => entry.field === field)
    const { status, text } = await member.patch(`${MAPPINGS}${mapping.pk}/`, { create_missing: true })
    assert.equal(status, 200, text)
  }
  await imports.acceptFields(pk)
  return { session: pk as number, rows: await imports.listRows(pk) }
}

const summarize = async (session: number, client = member) => (await client.get(`${imports.sessions}${session}/summary/`)).body
const count = async (table: string, name: string) =>
  (await service.rows(`select from ${table} where name like $1`, [name])).length
const acceptAll = (session: number, headers = {}) =>
  member.post(`${imports.sessions}${session}/accept_rows/`, { all: true }, headers)

describe('objects that rows name and that do not exist', () => {
  it('are created with those above them when the rows are accepted, and deleted by an undo', async () => {
    const csv = 'name,category\nOhm,Kits/Resistors/SMD\nFarad,Kits/Capacitors\nHenry,kits/resistors/smd\nKnob,Kits'
    const { session, rows } = await uploadCreating(csv, 'part', ['category'])
    assert.deepEqual(
      rows.map(({ valid }) => valid),
      [true, true, true, true],
    )
    assert.equal(await count('part_category', 'Resistors'), 0)
    const { created, created_count, open } = await summarize(session)
    assert.deepEqual(
      [created_count, open.create, created.map(({ name, model }: Record<string, string>) => [model, name])],
      [
        3,
        4,
        [
          ['partcategory', 'Kits/Resistors'],
          ['partcategory', 'Kits/Resistors/SMD'],
          ['partcategory', 'Kits/Capacitors'],
        ],
      ],
    )
    const response = await acceptAll(session)
    assert.deepEqual([response.status, response.body.rejected], [201, []], response.text)
    assert.deepEqual([await count('part_category', 'SMD'), await count('part_category', 'Resistors')], [1, 1])
    const [ohm] = (await member.get('/api/part/?search=Ohm&category_detail=true')).body.results
    assert.equal(ohm.category_detail.pathstring, 'Kits/Resistors/SMD')
    const undone = await member.post(`${imports.sessions}${session}/undo/`, {})
    assert.equal(undone.status, 200, undone.text)
    assert.deepEqual([await count('part_category', 'SMD'), await count('part_category', 'Kits')], [0, 1])
  })

  it('are companies, locations, and components in the category of their assembly', async () => {
    const [{ pk: category }] = await service.rows(`select pk from part_category where name = 'Kits'`)
    await member.post('/api/part/', {
      name: 'Radio',
      IPN: 'RADIO',
      category,
      assembly: true,
      purchaseable: true,
      component: true,
    })
    const supplied = await uploadCreating('Part,Supplier,SKU\nRADIO,New supplier,S-1', 'supplierpart', ['supplier'])
    assert.equal((await acceptAll(supplied.session)).body.rejected.length, 0)
    const [supplier] = await service.rows(`select is_supplier, is_manufacturer from company where name = 'New supplier'`)
    assert.deepEqual(supplier, { is_supplier: true, is_manufacturer: false })
    const stocked = await uploadCreating('Part,Quantity,Location\nRADIO,1,Hall/Shelf 1\nRADIO,2,Hall/Shelf 1', 'stockitem', [
      'location',
    ])
    assert.equal((await acceptAll(stocked.session)).body.rejected.length, 0)
    assert.equal(await count('stock_location', 'Shelf 1'), 1)
    const lines = await uploadCreating('part,sub_part,Qty\nRADIO,Antenna,1', 'bomitem', ['sub_part'])
    assert.equal((await acceptAll(lines.session)).body.rejected.length, 0)
    const [antenna] = await service.rows(`select component, category from part where name = 'Antenna'`)
    assert.deepEqual(antenna, { component: true, category })
  })

  it('are not created for rows that are rejected', async () => {
    const { session, rows } = await uploadCreating('name,category\nSame,Lost\nOther,Found', 'part', ['category'])
    // takes the name and IPN that the first row would have
    const [{ pk: category }] = await service.rows(`select pk from part_category where name = 'Kits'`)
    await member.post('/api/part/', { name: 'Same', category })
    const response = await acceptAll(session)
    assert.deepEqual([response.status, response.body.rejected], [201, [rows[0]?.pk]])
    assert.deepEqual([await count('part_category', 'Lost'), await count('part_category', 'Found')], [0, 1])
  })

  it('need the permission to add them, and a field that can create', async () => {
    const { column_mappings } = await imports.upload('name,category,default_supplier\nX,New,S-1', 'part')
    const find = (field: string) => column_mappings.find((entry: { field: string }) => entry.field === field).pk
    const patch = (field: string, body: object, client = member) => client.patch(`${MAPPINGS}${find(field)}/`, body)
    for (const field of ['name', 'revision_of']) {
      const { status, body } = await patch(field, { create_missing: true })
      assert.deepEqual([status, Object.keys(body)], [400, ['create_missing']], field)
    }
    await superuser.delete('/api/user/group/999999/')
    assert.equal((await patch('category', { create_missing: true }, viewer)).status, 404)
    assert.equal((await patch('category', { create_missing: true }, service.staff)).status, 403)
    const stored = (await member.get(`${MAPPINGS}${find('category')}/`)).body
    assert.equal(stored.create_missing, false)
    // a row that another account accepts without the permission keeps an error
    const { body: session } = await member.get(`${imports.sessions}${stored.session}/`)
    assert.equal(session.available_fields.category.can_create, true)
    assert.equal('can_create' in session.available_fields.revision_of, false)
  })

  it('are errors by default', async () => {
    const { rows } = await imports.read('name,category\nX,Nowhere', 'part')
    assert.deepEqual(Object.keys(rows[0]?.errors ?? {}), ['category'])
  })
})

describe('GET /api/importer/session/{id}/summary/', () => {
  it('counts what rows do, and their errors', async () => {
    const [{ pk: category }] = await service.rows(`select pk from part_category where name = 'Kits'`)
    await member.post('/api/part/', { name: 'Sum', IPN: 'SUM-1', category, description: 'x' })
    await member.post('/api/part/', { name: 'Sum 2', IPN: 'SUM-2', category })
    const csv = 'name,IPN,category,description\nSum,SUM-1,Kits,x\nSum 2,SUM-2,Kits,new\nSum 3,SUM-3,Kits,\nSum 4,SUM-4,Gone,'
    const { session, rows } = await imports.read(csv, 'part', { match_field: 'IPN' })
    const summary = await summarize(session)
    assert.deepEqual(summary, {
      open: { create: 1, update: 1, unchanged: 1, skip: 0 },
      accepted: { create: 0, update: 0, unchanged: 0, skip: 0 },
      invalid: 1,
      errors: [{ field: 'category', code: 'import_reference_not_found', rows: 1 }],
      created: [],
      created_count: 0,
    })
    const list = await member.get(`/api/importer/row/?session=${session}&limit=10`)
    assert.deepEqual(
      list.body.results.map(({ previous }: { previous: unknown }) => previous),
      [{}, { description: '' }, null, null],
    )
    await acceptAll(session)
    const after = await summarize(session)
    assert.deepEqual([after.open.create, after.accepted.create, after.accepted.unchanged, after.invalid], [0, 1, 1, 1])
    assert.equal(rows.length, 4)
  })

  it('is for those who see the session', async () => {
    const { session } = await imports.read('name\nSummed', 'partcategory')
    const statuses: number[] = []
    for (const name of ['anonymous', 'nobody', 'viewer', 'member', 'staff', 'superuser'] as const)
      statuses.push((await service[name].get(`${imports.sessions}${session}/summary/`)).status)
    assert.deepEqual(statuses, [401, 404, 404, 200, 200, 200])
  })
})

describe('POST /api/importer/session/{id}/accept_rows/ of all rows', () => {
  it('accepts those without errors, and responds once to an Idempotency-Key', async () => {
    const { session } = await imports.read('name,category\nAll 1,Kits\nAll 2,Missing\nAll 3,Kits', 'part')
    const headers = { 'idempotency-key': 'accept-all-once' }
    const first = await acceptAll(session, headers)
    const second = await acceptAll(session, headers)
    assert.deepEqual([first.status, first.body.accepted.length, second.status, second.body], [201, 2, 201, first.body])
    assert.equal(second.headers['idempotency-replayed'], 'true')
    assert.equal(await count('part', 'All %'), 2)
    // the same key with another body
    const other = await member.post(`${imports.sessions}${session}/accept_rows/`, { rows: first.body.rows }, headers)
    assert.equal(other.status, 422)
    // without a key, nothing is left
    assert.equal((await acceptAll(session)).status, 400)
    const both = await member.post(`${imports.sessions}${session}/accept_rows/`, { all: true, rows: first.body.rows })
    assert.deepEqual([both.status, Object.keys(both.body)], [400, ['non_field_errors']])
  })

  it('completes a request whose first attempt did not end', async () => {
    const { session, rows } = await imports.read('name,category\nLost 1,Kits', 'part')
    const headers = { 'idempotency-key': 'lost-response' }
    const keys = rows.map(({ pk }) => pk)
    const accept = () => member.post(`${imports.sessions}${session}/accept_rows/`, { rows: keys }, headers)
    assert.equal((await accept()).status, 201)
    await service.rows(`update idempotency_key set status = null, body = null where key = 'lost-response'`)
    const { status, body } = await accept()
    assert.deepEqual([status, body.accepted], [201, keys])
    assert.equal(await count('part', 'Lost 1'), 1)
  })

  it('forgets the key of a rejected request', async () => {
    const { session, rows } = await imports.read('name,category\nLater,Soon', 'part')
    const headers = { 'idempotency-key': 'rejected-first' }
    assert.equal((await acceptAll(session, headers)).status, 400)
    await member.post('/api/part/category/', { name: 'Soon' })
    await member.patch(`/api/importer/row/${rows[0]?.pk}/`, {})
    assert.equal((await acceptAll(session, headers)).status, 201)
  })
})
