import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFilesFolder } from '../../testing/files.ts'
import { createBuildHelpers } from '../../testing/objects/building.ts'
import { testService } from '../../testing/service.ts'
import { fillStock } from '../stock/fixture.ts'

const service = await testService({ DATA_DIR: createFilesFolder().dataDir }, { runsBackgroundWork: false })
const { anonymous, member, superuser } = service
const { part, bom, stock, build } = createBuildHelpers(service)
await fillStock(service)

/** Runs a function while a setting has another value, and resets it. */
async function withSetting(key: string, value: boolean | number, run: () => Promise<void>): Promise<void> {
  const path = `/api/settings/global/${key}/`
  const { value: before } = (await superuser.get(path)).body
  assert.equal((await superuser.patch(path, { value })).status, 200)
  try {
    await run()
  } finally {
    await superuser.patch(path, { value: before })
  }
}

type Response = { status: number; body: unknown; text: string }

/** Asserts that a request is rejected for these fields, and that the rows of a query stay the same. */
async function assertRejected(send: () => Promise<Response>, fields: string[], query: string): Promise<void> {
  const before = await service.rows(query)
  const { status, body, text } = await send()
  assert.equal(status, 400, text)
  assert.deepEqual(Object.keys(body as object), fields)
  assert.deepEqual(await service.rows(query), before)
}

describe('PART_ENABLE_LOCKING', () => {
  it('lets locked parts change like other parts while it is off', async () => {
    const assembly = await part({ assembly: true })
    const [line, other] = [await bom(assembly, await part()), await part()]
    assert.equal((await member.patch(`/api/part/${assembly}/`, { locked: true, active: false })).status, 200)
    const template = (await superuser.post('/api/part/parameter/template/', { name: 'Height' })).body.pk
    const changes = [
      () => member.patch(`/api/bom/${line}/`, { quantity: 2 }),
      () => member.post('/api/bom/', { part: assembly, sub_part: other, quantity: 1 }),
      () => member.post('/api/bom/substitute/', { bom_item: line, part: other }),
      () => member.post('/api/part/parameter/', { part: assembly, template, data: '1' }),
      () => member.delete(`/api/part/${assembly}/`),
    ]
    for (const send of changes) await assertRejected(send, ['non_field_errors'], 'select * from bom_item order by pk')
    await withSetting('PART_ENABLE_LOCKING', false, async () => {
      for (const send of changes) assert.ok((await send()).status < 300)
    })
  })
})

describe('PART_ALLOW_DELETE_FROM_ASSEMBLY', () => {
  it('rejects the deletion of a component while it is off, also with its category', async () => {
    const assembly = await part({ assembly: true })
    const category = (await superuser.post('/api/part/category/', { name: 'Components' })).body.pk
    const component = await part({ active: false, category })
    await bom(assembly, component)
    await withSetting('PART_ALLOW_DELETE_FROM_ASSEMBLY', false, async () => {
      const rows = 'select pk from part union all select pk from bom_item'
      await assertRejected(() => member.delete(`/api/part/${component}/`), ['non_field_errors'], rows)
      await assertRejected(
        () => member.delete(`/api/part/category/${category}/`, { delete_parts: true }),
        ['non_field_errors'],
        rows,
      )
      const unused = await part({ active: false })
      assert.equal((await member.delete(`/api/part/${unused}/`)).status, 204)
    })
    assert.equal((await member.delete(`/api/part/${component}/`)).status, 204)
  })
})

describe('PART_BOM_ALLOW_ZERO_QUANTITY', () => {
  it('accepts the quantity 0 while it is on, and nothing below', async () => {
    const [assembly, component] = [await part({ assembly: true }), await part()]
    const create = (quantity: number) => () => member.post('/api/bom/', { part: assembly, sub_part: component, quantity })
    await assertRejected(create(0), ['quantity'], 'select * from bom_item')
    await withSetting('PART_BOM_ALLOW_ZERO_QUANTITY', true, async () => {
      await assertRejected(create(-1), ['quantity'], 'select * from bom_item')
      assert.equal((await create(0)()).status, 201)
      const order = await build(assembly, 5)
      const [line] = (await member.get(`/api/build/line/?build=${order}`)).body.results
      assert.equal(line.quantity, 0)
      assert.equal((await member.get(`/api/part/${assembly}/requirements/`)).status, 200)
    })
  })
})

describe('PART_REVISION_ASSEMBLY_ONLY', () => {
  it('rejects revisions of parts that are no assemblies while it is on', async () => {
    const [assembly, component] = [await part({ assembly: true }), await part()]
    const [one, other, third] = [await part(), await part(), await part()]
    const revise = (pk: number, revision_of: number) => () => member.patch(`/api/part/${pk}/`, { revision_of, revision: 'B' })
    assert.equal((await revise(one, component)()).status, 200)
    await withSetting('PART_REVISION_ASSEMBLY_ONLY', true, async () => {
      await assertRejected(revise(other, component), ['revision_of'], 'select pk, revision_of from part order by pk')
      assert.equal((await revise(third, assembly)()).status, 200)
      assert.equal((await member.patch(`/api/part/${one}/`, { revision: 'C' })).status, 200, 'an earlier revision stays')
    })
  })
})

describe('STOCK_ALLOW_EDIT_SERIAL and STOCK_ALLOW_DELETE_SERIALIZED', () => {
  it('keep the serial numbers of existing items, and the items, while they are off', async () => {
    const lamp = await part({ trackable: true })
    const [item, plain] = [await stock(lamp, 1, { serial: 'L1' }), await stock(lamp, 1)]
    const rows = 'select pk, serial from stock_item order by pk'
    await withSetting('STOCK_ALLOW_EDIT_SERIAL', false, async () => {
      await assertRejected(() => member.patch(`/api/stock/${item}/`, { serial: 'L9' }), ['serial'], rows)
      await assertRejected(() => member.patch(`/api/stock/${item}/`, { serial: '' }), ['serial'], rows)
      assert.equal((await member.patch(`/api/stock/${item}/`, { serial: 'L1', batch: 'B' })).status, 200)
      assert.equal((await member.patch(`/api/stock/${plain}/`, { serial: 'L2' })).status, 200, 'a first number')
    })
    assert.equal((await member.patch(`/api/stock/${item}/`, { serial: 'L9' })).status, 200)
    const unserialized = await stock(await part(), 1)
    await withSetting('STOCK_ALLOW_DELETE_SERIALIZED', false, async () => {
      await assertRejected(() => member.delete(`/api/stock/${item}/`), ['non_field_errors'], rows)
      await assertRejected(() => member.delete('/api/stock/', { items: [item, unserialized] }), ['non_field_errors'], rows)
      assert.equal((await member.delete(`/api/stock/${unserialized}/`)).status, 204)
    })
    assert.equal((await member.delete(`/api/stock/${item}/`)).status, 204)
  })
})

describe('INVENTREE_UPLOAD_MAX_SIZE', () => {
  it('limits the files of attachments, and keeps no rejected file', async () => {
    const owner = await part()
    const attach = (bytes: number) => () =>
      member.post('/api/part/attachment/', {
        part: owner,
        attachment: `data:text/plain;name=a.txt;base64,${Buffer.alloc(bytes, 'a').toString('base64')}`,
      })
    await withSetting('INVENTREE_UPLOAD_MAX_SIZE', 1, async () => {
      assert.equal((await attach(1024 * 1024)()).status, 201)
      await assertRejected(attach(1024 * 1024 + 1), ['attachment'], 'select pk from attachment order by pk')
      assert.deepEqual(await service.rows('select path from loose_file'), [])
    })
    assert.equal((await attach(1024 * 1024 + 1)()).status, 201)
  })
})

describe('BARCODE_STORE_RESULTS', () => {
  it('stores neither scans nor rejected scans while it is off, also of batches', async () => {
    const pk = await part()
    const count = async () => (await service.rows('select count(*)::integer as count from barcode_scan'))[0].count
    const scan = async () => {
      assert.equal((await member.post('/api/barcode/', { barcode: `{"part": ${pk}}` })).status, 201)
      assert.equal((await member.post('/api/barcode/', { barcode: 'no such code' })).status, 400)
      const items = [{ id: crypto.randomUUID(), action: 'scan', barcode: `{"part": ${pk}}`, time: new Date().toISOString() }]
      const { status, text } = await member.post('/api/barcode/batch/', { items })
      assert.ok(status < 300, text)
      await service.app.routes.services.journal.flush()
    }
    await withSetting('BARCODE_STORE_RESULTS', false, async () => {
      const before = await count()
      await scan()
      assert.equal(await count(), before)
    })
    const before = await count()
    await scan()
    assert.equal(await count(), before + 3)
  })
})

describe('INVENTREE_ANNOUNCE_ID', () => {
  it('shows the identifier of the installation to everyone while it is on', async () => {
    assert.equal('id' in (await anonymous.get('/api/')).body, false)
    const { value } = (await superuser.get('/api/settings/global/INVENTREE_INSTANCE_ID/')).body
    assert.match(value, /^[0-9a-f]{8}-[0-9a-f-]{27}$/)
    await withSetting('INVENTREE_ANNOUNCE_ID', true, async () => {
      assert.equal((await anonymous.get('/api/')).body.id, value)
    })
    assert.equal('id' in (await anonymous.get('/api/')).body, false)
    const changed = await superuser.patch('/api/settings/global/INVENTREE_INSTANCE_ID/', { value: 'nonsense' })
    assert.deepEqual([changed.status, Object.keys(changed.body)], [400, ['value']])
  })
})
