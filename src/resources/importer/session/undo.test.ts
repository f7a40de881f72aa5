import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { createFilesFolder } from '../../../testing/files.ts'
import { createImportHelpers } from '../../../testing/objects/imports.ts'
import { testService } from '../../../testing/service.ts'

const service = await testService({ DATA_DIR: createFilesFolder().dataDir })
const { member, superuser } = service
const imports = createImportHelpers(service)

let category: number
before(async () => {
  category = (await member.post('/api/part/category/', { name: 'Kits' })).body.pk
})

const undo = (session: number, client = member) => client.post(`${imports.sessions}${session}/undo/`, {})
const listParts = async (name: string) =>
  (await service.rows('select pk from part where name like $1', [name])).map(({ pk }) => pk)

describe('POST /api/importer/session/{id}/undo/', () => {
  it('deletes created objects and restores changed ones, with their events', async () => {
    const { body: part } = await member.post('/api/part/', { name: 'Old', IPN: 'U-1', category, description: 'Before' })
    const csv = 'name,IPN,category,description\nNew name,U-1,Kits,After\nUndone,U-2,Kits,x\n'
    const { session } = await imports.load(csv, 'part', { match_field: 'IPN' })
    const [created] = await listParts('Undone')
    const { status, body, text } = await undo(session)
    assert.deepEqual([status, body.status, body.completed_row_count], [200, 30, 0], text)
    assert.deepEqual(await listParts('Undone'), [])
    const restored = (await member.get(`/api/part/${part.pk}/`)).body
    assert.deepEqual([restored.name, restored.description], ['Old', 'Before'])
    const events = await service.rows(`select kind, account from event where model = 'part' and key = $1 and kind = 'deleted'`, [
      created,
    ])
    assert.deepEqual(events, [{ kind: 'deleted', account: service.getPk('member') }])
    const rows = await imports.listRows(session)
    assert.deepEqual(
      rows.map(({ complete, valid, object }) => [complete, valid, object]),
      [
        [false, true, part.pk],
        [false, true, null],
      ],
    )
    // the rows can be accepted again
    const accepted = await imports.acceptRows(
      session,
      rows.map(({ pk }) => pk),
    )
    assert.equal(accepted.status, 201, accepted.text)
    assert.equal((await listParts('Undone')).length, 1)
  })

  it('deletes a tree from its leaves, and several hundred parts', async () => {
    const tree = await imports.read('name,parent\nTrunk,\nBranch,Trunk', 'partcategory')
    for (const index of [0, 1])
      await imports.acceptRows(tree.session, [(await imports.listRows(tree.session))[index]?.pk as number])
    assert.equal((await undo(tree.session)).status, 200)
    assert.equal((await service.rows(`select from part_category where name in ('Trunk', 'Branch')`)).length, 0)
    const many = Array.from({ length: 1_100 }, (_, index) => `Hundred ${index},Kits`).join('\n')
    const { session } = await imports.load(`name,category\n${many}`, 'part')
    assert.equal((await listParts('Hundred%')).length, 1_100)
    const { status, text } = await undo(session)
    assert.equal(status, 200, text)
    assert.equal((await listParts('Hundred%')).length, 0)
  })

  it('undoes two rows that changed the same object', async () => {
    const { body: part } = await member.post('/api/part/', { name: 'Twice', IPN: 'T-1', category, description: 'First' })
    const { session } = await imports.load('IPN,description\nT-1,Second\nT-1,Third', 'part', {
      match_field: 'IPN',
      on_missing: 'skip',
    })
    assert.equal((await member.get(`/api/part/${part.pk}/`)).body.description, 'Third')
    assert.equal((await undo(session)).status, 200)
    assert.equal((await member.get(`/api/part/${part.pk}/`)).body.description, 'First')
  })

  it('undoes stock, which leaves with its history', async () => {
    const { body: part } = await member.post('/api/part/', { name: 'Stocked', IPN: 'ST-1', category })
    const { session, rows } = await imports.load('Part,Quantity\nST-1,5', 'stockitem')
    const { status, text } = await undo(session)
    assert.equal(status, 200, text)
    assert.equal((await member.get(`/api/stock/${rows[0]?.object}/`)).status, 404)
    assert.equal((await member.get(`/api/part/${part.pk}/`)).body.in_stock, 0)
  })

  it('is rejected with the rows whose objects are used, changed or deleted, and changes nothing', async () => {
    const csv = 'name,IPN,category\nUsed,R-1,Kits\nChanged,R-2,Kits\nDeleted,R-3,Kits\nFine,R-4,Kits'
    const { session, rows } = await imports.load(csv, 'part')
    const [used, changed, deleted] = rows.map(({ object }) => object)
    await member.post('/api/stock/', { part: used, quantity: 1 })
    await member.patch(`/api/part/${changed}/`, { description: 'Mine' })
    await member.patch(`/api/part/${deleted}/`, { active: false })
    await member.delete(`/api/part/${deleted}/`)
    const { status, body } = await undo(session)
    assert.deepEqual(
      [status, body],
      [
        400,
        {
          non_field_errors: [
            'Deleted since the import, in rows 4.',
            'Changed since the import, in rows 3.',
            'Used by other objects (stock_item), in rows 2.',
          ],
        },
      ],
    )
    assert.equal((await service.rows(`select from part where "IPN" like 'R-%'`)).length, 3)
    assert.ok((await imports.listRows(session)).every(({ complete }) => complete))
  })

  it('is rejected with the reason of a deletion that is not possible', async () => {
    await member.post('/api/part/', { name: 'Serialized', IPN: 'SER', category, trackable: true })
    const { session } = await imports.load('Part,Quantity,serial\nSER,1,1', 'stockitem', {})
    await superuser.patch('/api/settings/global/STOCK_ALLOW_DELETE_SERIALIZED/', { value: false })
    const { status, body } = await undo(session)
    await superuser.patch('/api/settings/global/STOCK_ALLOW_DELETE_SERIALIZED/', { value: true })
    assert.equal(status, 400)
    assert.match(body.non_field_errors[0], /^Row 2 cannot be undone: /)
    assert.equal((await service.rows(`select from stock_item where part = (select pk from part where "IPN" = 'SER')`)).length, 1)
  })

  it('needs an accepted row, and a type that can be deleted', async () => {
    const open = await imports.read('name\nOpen', 'partcategory')
    assert.deepEqual((await undo(open.session)).body, { non_field_errors: ['No row of this import was accepted.'] })
    assert.equal((await undo(99_999_999)).status, 404)
    const { session } = await imports.load('name\nVersion', 'partcategory')
    assert.equal((await member.post(`${imports.sessions}${session}/undo/`, {}, { 'if-match': '"0"' })).status, 412)
    assert.equal((await service.rows(`select from part_category where name = 'Version'`)).length, 1)
  })

  it('is for those who see the session and may delete', async () => {
    const { session } = await imports.load('name,category\nRights,Kits', 'part')
    const statuses: number[] = []
    for (const name of ['anonymous', 'nobody', 'viewer', 'staff', 'superuser'] as const)
      statuses.push((await undo(session, service[name])).status)
    assert.deepEqual(statuses, [401, 404, 404, 403, 200])
  })
})
