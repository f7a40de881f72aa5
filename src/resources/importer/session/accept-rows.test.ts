import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { createFilesFolder } from '../../../testing/files.ts'
import { createImportHelpers } from '../../../testing/objects/imports.ts'
import { testService } from '../../../testing/service.ts'
import { waitUntil } from '../../../testing/until.ts'

const service = await testService({ DATA_DIR: createFilesFolder().dataDir })
const { member, viewer, staff, superuser } = service
const imports = createImportHelpers(service)

let category: number
before(async () => {
  category = (await member.post('/api/part/category/', { name: 'Kits' })).body.pk
})

const listKeys = (rows: readonly { pk: number }[]) => rows.map(({ pk }) => pk)
const countParts = async (pattern: string) => (await service.rows('select from part where name like $1', [pattern])).length
const createCsv = (name: string, count: number) =>
  `name,category\n${Array.from({ length: count }, (_, index) => `${name} ${index},Kits`).join('\n')}`

describe('POST /api/importer/session/{id}/accept_fields/', () => {
  it('reads the rows and checks each, without creating an object', async () => {
    const session = await imports.upload('name,category\nKnob,Kits\n\nDial,Missing\n', 'part')
    const body = await imports.acceptFields(session.pk)
    assert.deepEqual([body.status, body.row_count, body.completed_row_count], [30, 2, 0])
    const rows = await imports.listRows(session.pk)
    assert.deepEqual(
      rows.map(({ row_index, valid }) => [row_index, valid]),
      [
        [0, true],
        [2, false],
      ],
    )
    assert.equal(await countParts('Knob'), 0)
  })

  it('finds the errors that the rules and the database have', async () => {
    await member.post('/api/part/', { name: 'Known', category })
    await member.post('/api/part/category/', { name: 'Structural', structural: true })
    const { rows } = await imports.read(
      'name,category,minimum_stock,maximum_stock\nKnown,Kits,,\nA,Structural,,\nB,Kits,5,2\nC,Kits,x,\nD,Kits,1,2',
      'part',
    )
    assert.deepEqual(
      rows.map(({ errors }) => errors && Object.keys(errors)),
      [['non_field_errors'], ['category'], ['maximum_stock'], ['minimum_stock'], null],
    )
  })

  it('uses defaults, overrides, and columns that clients map', async () => {
    const { session, rows } = await imports.load('name,category\nOne,Kits\nTwo,', 'part', {
      field_defaults: { category: 'Kits', virtual: true },
      field_overrides: { description: 'Imported' },
    })
    const parts = await service.rows('select description, virtual, category from part where pk = any($1)', [
      rows.map(({ object }) => object),
    ])
    assert.deepEqual(
      parts,
      Array.from({ length: 2 }, () => ({ description: 'Imported', virtual: true, category })),
    )
    assert.equal((await member.get(`${imports.sessions}${session}/`)).body.status, 40)
  })

  it('rejects a session without required fields', async () => {
    const session = await imports.upload('name\nKnob', 'part')
    const { status, body } = await member.post(`${imports.sessions}${session.pk}/accept_fields/`, {})
    assert.deepEqual(
      [status, body],
      [400, { non_field_errors: ['Map a column to these fields, or give each a default or an override: category.'] }],
    )
    assert.equal((await member.get(`${imports.sessions}${session.pk}/`)).body.status, 10)
    assert.equal((await member.post(`${imports.sessions}99999999/accept_fields/`, {})).status, 404)
  })

  it('replaces rows that were read before, until one was accepted', async () => {
    const { session, rows } = await imports.read('name\nTwice', 'partcategory')
    await imports.acceptFields(session)
    const again = await imports.listRows(session)
    assert.deepEqual([again.length, again[0]?.pk === rows[0]?.pk], [1, false])
    await imports.acceptRows(session, listKeys(again))
    assert.equal((await member.post(`${imports.sessions}${session}/accept_fields/`, {})).status, 400)
    assert.deepEqual(listKeys(await imports.listRows(session)), listKeys(again))
  })

  it('leaves rows of one reading only when two run at the same time', async () => {
    const { pk } = await imports.upload(createCsv('Read', 1_200), 'part')
    const send = () => member.post(`${imports.sessions}${pk}/accept_fields/`, {})
    const statuses = (await Promise.all([send(), send()])).map(({ status }) => status)
    assert.ok(statuses.includes(200) && statuses.every((status) => [200, 409, 503].includes(status)), String(statuses))
    const rows = await imports.listRows(pk)
    assert.deepEqual([rows.length, new Set(rows.map(({ row_index }) => row_index)).size], [1_200, 1_200])
  })

  it('is for those who see the session and may add objects', async () => {
    const { pk } = await imports.upload('name,category\nKnob,Kits', 'part')
    const statuses: number[] = []
    for (const name of ['anonymous', 'nobody', 'viewer', 'member', 'staff', 'superuser'] as const)
      statuses.push((await service[name].post(`${imports.sessions}${pk}/accept_fields/`, {})).status)
    assert.deepEqual(statuses, [401, 404, 404, 200, 403, 200])
  })
})

describe('POST /api/importer/session/{id}/accept_rows/', () => {
  it('creates objects with their history and events, and completes the session', async () => {
    const { session, rows } = await imports.read('name,category,IPN\nAccept 1,Kits,A-1\nAccept 2,Kits,A-2', 'part')
    const [first, second] = listKeys(rows) as [number, number]
    const response = await imports.acceptRows(session, [first])
    assert.deepEqual([response.status, response.body], [201, { rows: [first], accepted: [first], rejected: [] }])
    const [row] = await imports.listRows(session)
    const { body: part } = await member.get(`/api/part/${row?.object}/`)
    assert.deepEqual([part.name, part.IPN, part.creation_user, row?.complete], ['Accept 1', 'A-1', service.getPk('member'), true])
    const events = await service.rows(`select account from event where model = 'part' and key = $1 and kind = 'created'`, [
      row?.object,
    ])
    assert.deepEqual(events, [{ account: service.getPk('member') }])
    assert.equal((await member.get(`${imports.sessions}${session}/`)).body.status, 30)
    await imports.acceptRows(session, [second])
    const { status, completed_row_count } = (await member.get(`${imports.sessions}${session}/`)).body
    assert.deepEqual([status, completed_row_count], [40, 2])
  })

  it('changes existing objects, and only the fields that the file has', async () => {
    const { body: part } = await member.post('/api/part/', {
      name: 'Old',
      category,
      description: 'Stays',
      minimum_stock: 3,
      keywords: 'x',
    })
    const { session, rows } = await imports.load(`pk,name,keywords\n${part.pk},New,`, 'part', { update_records: true })
    const { body } = await member.get(`/api/part/${part.pk}/`)
    assert.deepEqual([body.name, body.description, body.minimum_stock, body.keywords], ['New', 'Stays', 3, null])
    assert.deepEqual([rows[0]?.action, rows[0]?.object], ['update', part.pk])
    const [stored] = await service.rows('select previous from import_row where session = $1', [session])
    assert.deepEqual(stored.previous, { name: 'Old', keywords: 'x' })
  })

  it('reports rows without a key, or with one that does not exist', async () => {
    const { rows } = await imports.read('pk,name\n,A\nx,B\n99999999,C', 'partcategory', { update_records: true })
    assert.deepEqual(
      rows.map(({ errors }) => errors && Object.keys(errors)),
      [['id'], ['non_field_errors'], ['non_field_errors']],
    )
  })

  it('finds existing objects by a field, and updates or skips them', async () => {
    const { body: part } = await member.post('/api/part/', { name: 'Match', IPN: 'M-1', category, description: 'Old' })
    const csv = (name: string) => `name,IPN,category,description\n${name} 1,m-1,Kits,New\n${name} 2,${name},Kits,New`
    const both = await imports.load(csv('Both'), 'part', { match_field: 'IPN' })
    assert.deepEqual(
      both.rows.map(({ action }) => action),
      ['update', 'create'],
    )
    assert.deepEqual(both.rows[0]?.object, part.pk)
    assert.equal((await member.get(`/api/part/${part.pk}/`)).body.name, 'Both 1')
    const skipped = await imports.load(csv('Skip'), 'part', { match_field: 'IPN', on_match: 'skip' })
    assert.deepEqual(
      skipped.rows.map(({ action }) => action),
      ['skip', 'create'],
    )
    assert.equal((await member.get(`/api/part/${part.pk}/`)).body.name, 'Both 1')
    const known = await imports.load(csv('Known only'), 'part', { match_field: 'IPN', on_missing: 'skip' })
    assert.deepEqual(
      known.rows.map(({ action, object }) => [action, object]),
      [
        ['update', part.pk],
        ['skip', null],
      ],
    )
    assert.equal(await countParts('Known only 2'), 0)
  })

  it('finds objects by key, IPN and name; several are an error', async () => {
    const create = async (body: object) =>
      (await member.post('/api/part/', { category, component: true, assembly: true, ...body })).body.pk
    const [assembly, byIpn, byName] = [
      await create({ name: 'Set' }),
      await create({ name: 'Screw', IPN: 'SCR-1' }),
      await create({ name: 'Nut' }),
    ]
    await create({ name: 'Same', IPN: 'S-1' })
    await create({ name: 'Same', IPN: 'S-2' })
    const { rows } = await imports.load(`part,sub_part,quantity\n${assembly},scr-1,1\nSet,Nut,2`, 'bomitem')
    const lines = await service.rows('select part, sub_part from bom_item where pk = any($1) order by pk', [
      rows.map(({ object }) => object),
    ])
    assert.deepEqual(lines, [
      { part: assembly, sub_part: byIpn },
      { part: assembly, sub_part: byName },
    ])
    const { rows: ambiguous } = await imports.read('part,sub_part,quantity\nSet,Same,1', 'bomitem')
    assert.deepEqual(ambiguous[0]?.errors, {
      sub_part: ['Several objects are found for “Same”; name one by its key, or choose the field to look up.'],
    })
  })

  it('rejects rows that cannot be accepted, and writes nothing', async () => {
    const { session, rows } = await imports.read('name,category\nReject 1,Kits\nReject 2,Missing', 'part')
    const other = await imports.read('name\nOther', 'partcategory')
    const [valid, invalid] = listKeys(rows) as [number, number]
    for (const sent of [
      [],
      [valid, 99_999_999],
      [valid, invalid],
      [valid, other.rows[0]?.pk as number],
      ['x'] as unknown as number[],
    ]) {
      const { status, body } = await imports.acceptRows(session, sent)
      assert.deepEqual([status, Object.keys(body)], [400, ['rows']], JSON.stringify(sent))
    }
    const missing = await member.post(`${imports.sessions}${session}/accept_rows/`, {})
    assert.deepEqual([missing.status, missing.body], [400, { rows: ['This field is required.'] }])
    const unread = await imports.upload('name\nUnread', 'partcategory')
    assert.equal((await imports.acceptRows(unread.pk, [valid])).status, 400)
    assert.equal(await countParts('Reject%'), 0)
    assert.equal((await imports.acceptRows(session, [valid])).status, 201)
    const repeated = await imports.acceptRows(session, [valid])
    assert.deepEqual([repeated.status, repeated.body], [400, { rows: [`Row ${valid} was accepted already.`] }])
    assert.equal(await countParts('Reject%'), 1)
  })

  it('keeps the error of a row that another one of the file prevents, and writes the others', async () => {
    await superuser.patch('/api/settings/global/PART_ALLOW_DUPLICATE_IPN/', { value: false })
    const csv = `name,category,IPN\n${Array.from({ length: 600 }, (_, index) => `Unique ${index},Kits,U-${index === 550 ? 3 : index}`).join('\n')}`
    const { session, rows } = await imports.read(csv, 'part')
    const response = await imports.acceptRows(session, listKeys(rows.filter(({ valid }) => valid)))
    await superuser.patch('/api/settings/global/PART_ALLOW_DUPLICATE_IPN/', { value: true })
    assert.deepEqual([response.status, response.body.rejected], [201, [rows[550]?.pk]])
    assert.equal(await countParts('Unique%'), 599)
    const stored = (await imports.listRows(session))[550]
    assert.deepEqual([stored?.valid, stored?.complete, Object.keys(stored?.errors ?? {})], [false, false, ['IPN']])
  })

  it('checks rows again that name an object which the import creates', async () => {
    const { session, rows } = await imports.read('name,parent\nTop,\nMiddle,Top\nBottom,Top/Middle', 'partcategory')
    assert.deepEqual(
      rows.map(({ valid }) => valid),
      [true, false, false],
    )
    for (const index of [0, 1, 2]) {
      const current = (await imports.listRows(session))[index]
      assert.equal(current?.valid, true, String(index))
      await imports.acceptRows(session, [current.pk])
    }
    const [bottom] = (await member.get('/api/part/category/?name=Bottom')).body.results
    assert.equal(bottom.pathstring, 'Top/Middle/Bottom')
  })

  it('creates each object once when two clients accept the same rows', async () => {
    for (const [type, csv, count] of [
      ['part', createCsv('Both accept', 700), 700],
      ['partcategory', `name\n${Array.from({ length: 120 }, (_, index) => `Both accept ${index}`).join('\n')}`, 120],
    ] as const) {
      const { session, rows } = await imports.read(csv, type)
      const accept = (client: typeof member) =>
        client.post(`${imports.sessions}${session}/accept_rows/`, { rows: listKeys(rows) })
      const responses = await Promise.all([accept(member), accept(superuser), accept(member)])
      for (const { status, body, text } of responses)
        assert.ok(status === 201 ? body.rejected.length === 0 : status === 400, text)
      const table = type === 'part' ? 'part' : 'part_category'
      assert.equal((await service.rows(`select from ${table} where name like 'Both accept%'`)).length, count)
      const after = await imports.listRows(session)
      assert.deepEqual([after.every(({ complete }) => complete), new Set(after.map(({ object }) => object)).size], [true, count])
    }
  })

  it('continues after it was interrupted, and creates each object once', async () => {
    const { session, rows } = await imports.read(createCsv('Interrupted', 2_500), 'part')
    const countComplete = async () =>
      (await service.rows('select from import_row where session = $1 and complete', [session])).length
    const running = imports.acceptRows(session, listKeys(rows))
    await waitUntil(async () => (await countComplete()) > 0, 'no row was accepted')
    await service.rows(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    const { status } = await running
    assert.ok(status === 201 || status >= 500, String(status))
    assert.equal(await countParts('Interrupted%'), await countComplete())
    await imports.acceptRows(session, listKeys(rows))
    assert.deepEqual([await countParts('Interrupted%'), await countComplete()], [2_500, 2_500])
    assert.equal((await member.get(`${imports.sessions}${session}/`)).body.status, 40)
  })

  it('writes with the rights of the caller', async () => {
    const { session, rows } = await imports.read('name,category\nRights,Kits', 'part')
    assert.equal((await viewer.post(`${imports.sessions}${session}/accept_rows/`, { rows: listKeys(rows) })).status, 404)
    assert.equal((await staff.post(`${imports.sessions}${session}/accept_rows/`, { rows: listKeys(rows) })).status, 403)
    assert.equal(await countParts('Rights'), 0)
    assert.equal((await superuser.post(`${imports.sessions}${session}/accept_rows/`, { rows: listKeys(rows) })).status, 201)
    const [part] = await service.rows(`select creation_user from part where name = 'Rights'`)
    assert.equal(part.creation_user, service.getPk('superuser'))
    assert.equal((await service.anonymous.post(`${imports.sessions}${session}/accept_rows/`, { rows: [1] })).status, 401)
  })
})
