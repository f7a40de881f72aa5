import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import * as spreadsheet from '@e965/xlsx'
import { zipSync } from 'fflate'
import { createFilesFolder, encodeForm } from '../../../testing/files.ts'
import { createImportHelpers } from '../../../testing/objects/imports.ts'
import { assertCallers, testService } from '../../../testing/service.ts'

const service = await testService({ DATA_DIR: createFilesFolder().dataDir })
const { member, viewer, staff, nobody } = service
const imports = createImportHelpers(service)
const SESSIONS = imports.sessions
const CATEGORIES = 'name,description,default_keywords\n'

const listColumns = (session: { column_mappings: { field: string; column: string }[] }) =>
  Object.fromEntries(session.column_mappings.flatMap(({ field, column }) => (column ? [[field, column]] : [])))

const countSessions = async () => (await service.rows('select from import_session')).length

/** Checks that a request is rejected on this field, and stores nothing. */
async function assertRejected(
  request: Promise<{ status: number; body: Record<string, unknown>; text: string }>,
  field: string,
  status = 400,
) {
  const sessions = await countSessions()
  const { status: actual, body, text } = await request
  assert.deepEqual([actual, Object.keys(body).join()], [status, field], text)
  assert.equal(await countSessions(), sessions)
}

before(async () => {
  await member.post('/api/part/category/', { name: 'Kits' })
})

describe('POST /api/importer/session/', () => {
  it('stores the file, describes the fields of the type, and maps columns', async () => {
    const session = await imports.upload('Name,IPN,Kategorie,Other\nKnob,K-1,Kits,x\n', 'part', { name: 'parts.csv' })
    const { pk, timestamp, data_file, available_fields, column_mappings, field_defaults, user_detail, ...rest } = session
    assert.deepEqual(rest, {
      update_records: false,
      model_type: 'part',
      status: 10,
      user: service.getPk('member'),
      columns: ['Name', 'IPN', 'Kategorie', 'Other'],
      field_overrides: null,
      field_filters: null,
      file_row_count: 1,
      sample_rows: [['Knob', 'K-1', 'Kits', 'x']],
      row_count: 0,
      completed_row_count: 0,
      completed_row_count_history: null,
      row_count_history: null,
      sheet: null,
      sheets: [],
      heading_row: 1,
      separator: ',',
      encoding: 'utf-8',
      decimal_separator: '',
      match_field: '',
      on_match: 'update',
      on_missing: 'create',
    })
    assert.match(data_file, /\/media\/import\/.*parts.*\.csv$/)
    assert.ok(Date.parse(timestamp) > Date.now() - 60_000)
    assert.equal(user_detail.username, 'member')
    assert.deepEqual(listColumns(session), { name: 'Name', IPN: 'IPN', category: 'Kategorie' })
    assert.deepEqual(Object.keys(column_mappings[0]), [
      'pk',
      'session',
      'column',
      'field',
      'label',
      'description',
      'lookup_field',
      'create_missing',
    ])
    assert.deepEqual(available_fields.category, {
      type: 'related field',
      required: true,
      read_only: false,
      label: 'Category',
      help_text: 'The category, which must not be structural.',
      model: 'partcategory',
      api_url: '/api/part/category/',
      filters: {},
      allow_null: false,
      pk_field: 'pk',
      lookup_fields: ['pk', 'pathstring', 'name'],
      can_create: true,
    })
    assert.equal(column_mappings.length, Object.keys(available_fields).length)
    assert.deepEqual([field_defaults.active, field_defaults.minimum_stock, field_defaults.virtual], [true, 0, false])
    assert.deepEqual((await member.get(`${SESSIONS}${pk}/`)).body, session)
  })

  it('reads files of every kind', async () => {
    const rows = [
      ['Name', 'Description', 'Default Keywords'],
      ['henpecked', 'hp', '10 second'],
    ]
    const sheet = spreadsheet.utils.aoa_to_sheet(rows)
    const book = spreadsheet.utils.book_new()
    spreadsheet.utils.book_append_sheet(book, sheet, 'Categories')
    const write = (bookType: spreadsheet.BookType) => spreadsheet.write(book, { type: 'buffer', bookType })
    for (const [name, content] of [
      ['categories.csv', rows.map((row) => row.join(';')).join('\r\n')],
      ['categories.tsv', rows.map((row) => row.join('\t')).join('\n')],
      ['categories.csv', Buffer.from(rows.map((row) => row.join(',')).join('\n'), 'utf16le')],
      ['categories.xlsx', write('xlsx')],
      ['categories.xls', write('biff8')],
      ['categories.ods', write('ods')],
    ] as const) {
      const session = await imports.upload(content, 'partcategory', { name })
      assert.deepEqual(
        listColumns(session),
        { name: 'Name', description: 'Description', default_keywords: 'Default Keywords' },
        name,
      )
    }
  })

  it('accepts a data: URI, and a form with JSON texts', async () => {
    const data_file = `data:text/csv;name=categories.csv;base64,${Buffer.from(`${CATEGORIES}henpecked,hp,10 second`).toString('base64')}`
    const session = await member.post(SESSIONS, { data_file, model_type: 'partcategory', field_overrides: { description: 'h' } })
    assert.equal(session.status, 201, session.text)
    assert.deepEqual([session.body.columns.length, session.body.field_overrides], [3, { description: 'h' }])
    // a field with an override has no mapping
    assert.deepEqual(listColumns(session.body), { name: 'name', default_keywords: 'default_keywords' })
    const form = await imports.upload(`${CATEGORIES}a,b,c`, 'partcategory', {
      field_overrides: { description: 'h' },
      update_records: 'false',
    })
    assert.deepEqual(form.field_overrides, { description: 'h' })
  })

  it('finds a heading row below other lines', async () => {
    const session = await imports.upload(`Our categories,,\n,,\n${CATEGORIES}henpecked,hp,10 second\n`, 'partcategory')
    assert.deepEqual([session.heading_row, session.columns], [3, ['name', 'description', 'default_keywords']])
  })

  it('rejects missing, unknown and wrong values', async () => {
    await assertRejected(member.post(SESSIONS, {}), 'data_file,model_type')
    await assertRejected(member.post(SESSIONS, { data_file: null, model_type: null }), 'data_file,model_type')
    await assertRejected(imports.send(`${CATEGORIES}a,b,c`, 'unknown'), 'model_type')
    await assertRejected(imports.send('', 'partcategory'), 'data_file')
    await assertRejected(imports.send(CATEGORIES, 'partcategory'), 'data_file')
    await assertRejected(imports.send(`${CATEGORIES}a,b,c`, 'partcategory', { name: 'categories.exe' }), 'data_file')
    await assertRejected(imports.send(`${CATEGORIES}a,b,c`, 'partcategory', { field_defaults: '[1]' }), 'field_defaults')
    await assertRejected(imports.send(`${CATEGORIES}a,b,c`, 'partcategory', { field_overrides: 'x' }), 'field_overrides')
    await assertRejected(imports.send(`${CATEGORIES}a,b,c`, 'partcategory', { match_field: 'x' }), 'match_field')
    await assertRejected(imports.send('item,notes\n1,x', 'stockitemtracking', { update_records: true }), 'update_records')
  })

  it('rejects hostile files with an error', async () => {
    const bomb = zipSync({ 'xl/workbook.xml': [Buffer.alloc(300 * 1024 * 1024), { level: 6 }] })
    const wide = Array.from({ length: 251 }, (_, index) => `c${index}`).join(',')
    for (const [content, name, message] of [
      [bomb, 'bomb.xlsx', /cannot be read/],
      [bomb, 'bomb.ods', /cannot be read/],
      ['PK\u0003\u0004 but no more', 'broken.xlsx', /cannot be read/],
      [`${CATEGORIES}a\0b,c,d\ne,f,g\nh,i,j`, 'nul.csv', /Row 2 has characters/],
      [
        Buffer.concat([
          Buffer.from(
            `${CATEGORIES}Gr\u00f6\u00dfe,\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc,c\nA`,
          ),
          Buffer.from([0xff]),
          Buffer.from(',b,c'),
        ]),
        'bytes.csv',
        /Row 3 has characters/,
      ],
      [`${wide}\n${wide}`, 'wide.csv', /more than 250 columns/],
      [`${CATEGORIES}${'x'.repeat(50_001)},b,c`, 'long.csv', /more than 50000 characters/],
      [CATEGORIES + 'a,b,c\n'.repeat(50_001), 'many.csv', /more than 50000 rows/],
    ] as const) {
      const response = await imports.send(content, 'partcategory', { name })
      assert.equal(response.status, 400, `${name} ${response.text}`)
      assert.match(response.body.data_file[0], message, name)
    }
    assert.equal((await service.rows(`select from import_session where data_file like '%bomb%'`)).length, 0)
  })

  it('reads formulas as texts', async () => {
    const { rows } = await imports.read(`${CATEGORIES}"=1+1",'+x,10 second`, 'partcategory')
    assert.deepEqual([rows[0]?.data.name, rows[0]?.data.description], ['=1+1', '+x'])
  })

  it('needs the right to add objects of the type or, for updates, to change them', async () => {
    await assertRejected(createImportHelpers(service, viewer).send('name,category\nA,Kits', 'part'), 'detail', 403)
    await assertRejected(
      createImportHelpers(service, viewer).send('id,name\n1,A', 'part', { update_records: true }),
      'detail',
      403,
    )
    await assertRejected(imports.send('code\nFAIR', 'projectcode'), 'detail', 403)
    assert.equal((await createImportHelpers(service, staff).send('code\nFAIR', 'projectcode')).status, 201)
  })

  it('requires an account', () =>
    assertCallers(service, (client) => createImportHelpers(service, client).send('name,category\nA,Kits', 'part'), [
      'member',
      'superuser',
    ]))

  it('responds once to an Idempotency-Key', async () => {
    const { body, headers } = encodeForm({
      model_type: 'partcategory',
      data_file: { name: 'u.csv', content: `${CATEGORIES}a,b,c` },
    })
    const send = () => member.post(SESSIONS, body, { ...headers, 'idempotency-key': 'once' })
    const [first, second] = [await send(), await send()]
    assert.deepEqual([first.status, second.status, second.body.pk], [201, 201, first.body.pk])
  })
})

describe('GET /api/importer/session/', () => {
  it('shows each account its own sessions, and staff all', async () => {
    const own = await imports.upload(`${CATEGORIES}a,b,c`, 'partcategory')
    assert.ok((await member.get(`${SESSIONS}?limit=1000`)).body.results.some(({ pk }: { pk: number }) => pk === own.pk))
    assert.equal((await viewer.get(SESSIONS)).body.count, 0)
    assert.equal((await viewer.get(`${SESSIONS}${own.pk}/`)).status, 404)
    assert.equal((await staff.get(`${SESSIONS}${own.pk}/`)).status, 200)
    for (const path of ['/api/importer/column-mapping/', '/api/importer/row/'])
      assert.equal((await viewer.get(path)).body.count, 0, path)
  })

  it('can be filtered and ordered', async () => {
    const list = async (query: string) => (await staff.get(`${SESSIONS}?limit=1000&${query}`)).body.results
    for (const session of await list('model_type=projectcode')) assert.equal(session.model_type, 'projectcode')
    for (const session of await list(`user=${service.getPk('staff')}`)) assert.equal(session.user, service.getPk('staff'))
    assert.equal((await list('status=40')).length, 0)
    assert.equal((await staff.get(`${SESSIONS}?status=abc`)).status, 400)
    const times = (await list('ordering=timestamp')).map(({ timestamp }: { timestamp: string }) => timestamp)
    assert.deepEqual(times, times.toSorted())
  })

  it('requires an account', () =>
    assertCallers(service, (client) => client.get(SESSIONS), ['nobody', 'viewer', 'member', 'staff', 'superuser']))

  it('serves the file to those who see the session', async () => {
    const { data_file } = await imports.upload(`${CATEGORIES}a,b,c`, 'partcategory')
    const { pathname } = new URL(data_file)
    assert.equal((await member.get(pathname)).status, 200)
    assert.equal((await nobody.get(pathname)).status, 404)
  })
})

describe('PUT and PATCH /api/importer/session/{id}/', () => {
  it('change defaults, overrides, filters and the counts that clients keep', async () => {
    const { pk } = await imports.upload(`${CATEGORIES}a,b,c`, 'partcategory')
    for (const change of [
      { field_defaults: { description: 'x' } },
      { field_defaults: null },
      { field_overrides: { description: 'x' } },
      { field_filters: { parent: { active: true } } },
      { row_count_history: 1 },
      { completed_row_count_history: null },
    ]) {
      const { status, body } = await member.patch(`${SESSIONS}${pk}/`, change)
      assert.deepEqual([status, { ...body, ...change }], [200, body])
    }
  })

  it('map the columns again for another type, for updates, and for another file', async () => {
    const { pk } = await imports.upload(`pk,${CATEGORIES}1,a,b,c`, 'partcategory')
    const parts = (await member.patch(`${SESSIONS}${pk}/`, { model_type: 'contact' })).body
    assert.deepEqual([listColumns(parts), 'default_keywords' in parts.available_fields], [{ name: 'name' }, false])
    const updates = (await member.patch(`${SESSIONS}${pk}/`, { update_records: true })).body
    assert.deepEqual(listColumns(updates), { id: 'pk', name: 'name' })
    assert.equal(updates.available_fields.id.required, true)
    const { body, headers } = encodeForm({
      model_type: 'partcategory',
      data_file: { name: 'other.csv', content: 'Name,Parent\nA,Kits' },
    })
    const replaced = (await member.patch(`${SESSIONS}${pk}/`, body, headers)).body
    assert.deepEqual([replaced.columns, listColumns(replaced)], [['Name', 'Parent'], { name: 'Name', parent: 'Parent' }])
    assert.match(replaced.data_file, /other/)
  })

  it('delete the rows that were read, so that they are read again', async () => {
    const { session } = await imports.read('Name,description\nA,b', 'partcategory')
    const changed = (await member.patch(`${SESSIONS}${session}/`, { match_field: 'name' })).body
    assert.deepEqual([changed.status, changed.row_count], [10, 0])
  })

  it('reject invalid values, a missing file, and changes after a row was accepted', async () => {
    const { session } = await imports.load('Name\nLoaded', 'partcategory')
    const path = `${SESSIONS}${session}/`
    const stored = (await member.get(path)).body
    for (const [change, field] of [
      [{ update_records: null }, 'update_records'],
      [{ model_type: null }, 'model_type'],
      [{ on_match: 'x' }, 'on_match'],
      [{ model_type: 'part' }, 'non_field_errors'],
      [{ update_records: true }, 'non_field_errors'],
      [{ match_field: 'name' }, 'non_field_errors'],
    ] as const)
      assert.deepEqual(Object.keys((await member.patch(path, change)).body), [field], JSON.stringify(change))
    const put = await member.put(path, {})
    assert.deepEqual([put.status, Object.keys(put.body).sort()], [400, ['data_file', 'model_type']])
    assert.deepEqual((await member.get(path)).body, stored)
    assert.equal((await viewer.patch(path, { row_count_history: 1 })).status, 404)
    assert.equal((await member.patch(`${SESSIONS}99999999/`, {})).status, 404)
  })

  it('compare If-Match', async () => {
    const { pk } = await imports.upload(`${CATEGORIES}a,b,c`, 'partcategory')
    const response = await member.patch(`${SESSIONS}${pk}/`, { row_count_history: 1 }, { 'if-match': '"0"' })
    assert.equal(response.status, 412)
  })

  it('are for those who see the session', async () => {
    const { pk } = await imports.upload('name,category\nA,Kits', 'part')
    const statuses = await Promise.all(
      (['anonymous', 'nobody', 'viewer', 'member', 'staff', 'superuser'] as const).map(
        async (name) => (await service[name].patch(`${SESSIONS}${pk}/`, {})).status,
      ),
    )
    assert.deepEqual(statuses, [401, 404, 404, 200, 403, 200])
  })
})

describe('DELETE /api/importer/session/', () => {
  it('deletes sessions with their rows and files', async () => {
    const { session } = await imports.load('Name\nStays', 'partcategory')
    const other = await imports.upload(`${CATEGORIES}a,b,c`, 'partcategory')
    assert.equal((await viewer.delete(`${SESSIONS}${session}/`)).status, 404)
    assert.equal((await member.delete(`${SESSIONS}${session}/`)).status, 204)
    assert.equal((await member.delete(SESSIONS, { items: [other.pk] })).status, 204)
    for (const pk of [session, other.pk]) assert.equal((await member.get(`${SESSIONS}${pk}/`)).status, 404)
    assert.deepEqual(await service.rows('select from import_row where session = $1', [session]), [])
    assert.equal((await member.get('/api/part/category/?name=Stays')).body.count, 1)
  })

  it('deletes none of others', async () => {
    const own = await imports.upload(`${CATEGORIES}a,b,c`, 'partcategory')
    await nobody.delete(SESSIONS, { items: [own.pk] })
    assert.equal((await member.get(`${SESSIONS}${own.pk}/`)).status, 200)
  })

  it('requires an account', () =>
    assertCallers(service, (client) => client.delete(SESSIONS, { items: [99_999_999] }), [
      'nobody',
      'viewer',
      'member',
      'staff',
      'superuser',
    ]))
})
