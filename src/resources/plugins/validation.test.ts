import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import sharp from 'sharp'
import { createPurchaseHelpers } from '../../testing/objects/purchasing.ts'
import { createPluginFolder } from '../../testing/plugin-folder.ts'
import { createRetryingClient } from '../../testing/retrying-client.ts'
import { PASSWORD, type TestResponse, testService } from '../../testing/service.ts'
import { fillStock, insertItem, locations, parts } from '../stock/fixture.ts'

const { dataDir, write } = createPluginFolder()
write(
  'rules',
  `validation: {
     part(values, before) {
       if (values.description === 'show') return { description: JSON.stringify({ values, before }) }
       if (/bad/.test(values.name)) return { name: 'No bad names', nothing_known: 'And nothing else', keywords: undefined }
       if (before && values.category === 1) return before.name === 'Lamp' ? { category: 'No lamps here' } : { name: 'Not ' + before.name }
     },
     serialNumber: (serial, part) => /13/.test(serial) ? 'Bad luck: ' + serial + ' of ' + part : undefined,
     batchCode: (batch, item) => batch === 'show' ? JSON.stringify(item) : batch === 'mould' ? 'No mould' : undefined,
     reference: (kind, reference) => reference.endsWith('666') ? kind + ' ' + reference + ' is a bad number' : undefined,
   },`,
)
write('second', `validation: { batchCode: (batch) => batch === 'mould' || batch === 'rust' ? 'No ' + batch + ' at all' : '' },`)
write(
  'counts',
  `validation: {
     newBatchCode: () => globalThis.code,
     // in twos
     nextSerialNumber: (serial) => serial === '' ? 'N2' : /^N\\d+$/.test(serial) ? 'N' + (Number(serial.slice(1)) + 2) : undefined,
   },
   actions: { code: (data) => { globalThis.code = data ?? undefined; return { result: null } } },`,
)

const service = await testService({ DATA_DIR: dataDir })
const { superuser } = service
const { supplier, supplierPart, setting } = createPurchaseHelpers(service)
const activePlugins = new Set<string>()
async function activate(plugin: string, active = true): Promise<void> {
  assert.equal((await superuser.patch('/api/plugins/activate/', { plugin, active })).status, 200)
  if (active) activePlugins.add(plugin)
}
const member = createRetryingClient(service.member, async () => {
  for (const plugin of activePlugins) await activate(plugin)
})
const assertRejected = ({ status, body }: TestResponse, expected: unknown) => assert.deepEqual([status, body], [400, expected])
const assertAccepted = ({ status, text, body }: TestResponse): any => {
  assert.ok(status === 200 || status === 201, text)
  return body
}
const location = locations.garage
const AUTHORIZATION = `Basic ${Buffer.from(`member:${PASSWORD}`).toString('base64')}`
const MOULD_ERRORS = ['No mould']
const getLuckErrors = (serial: string, part: number) => [`Bad luck: ${serial} of ${part}`]

before(async () => {
  await fillStock(service)
  await activate('rules')
  await activate('second')
})

describe('POST /api/part/', () => {
  it('responds with a plugin’s errors, by field', async () => {
    const response = await member.post('/api/part/', { name: 'a bad one', category: 2 })
    assertRejected(response, { name: ['No bad names'], non_field_errors: ['And nothing else'] })
    assert.deepEqual(await service.rows(`select from part where name like '%bad%'`), [])
    assertAccepted(await member.post('/api/part/', { name: 'a good one', category: 2 }))
  })

  it('passes the written values to a plugin', async () => {
    const { body } = await member.post('/api/part/', { name: 'x', category: 2, minimum_stock: 2.5, description: 'show' })
    const { values, before } = JSON.parse(body.description[0])
    assert.equal(before, undefined)
    assert.deepEqual([values.name, values.category, values.minimum_stock, values.active], ['x', 2, '2.5', true])
  })

  it('lets plugins validate the batch code of the initial stock', async () => {
    await setting('STOCK_BATCH_CODE_TEMPLATE', 'mould')
    const body = { name: 'with stock', category: 2, initial_stock: { quantity: 5, location } }
    assertRejected(await member.post('/api/part/', body), { initial_stock: { batch: MOULD_ERRORS } })
    await setting('STOCK_BATCH_CODE_TEMPLATE', 'B-1')
    assertAccepted(await member.post('/api/part/', body))
  })
})

describe('PATCH and PUT /api/part/{id}/', () => {
  it('respond with a plugin’s errors, and pass it the previous values', async () => {
    assertRejected(await member.patch(`/api/part/${parts.screw}/`, { name: 'bad' }), {
      name: ['No bad names'],
      non_field_errors: ['And nothing else'],
    })
    assertRejected(await member.patch(`/api/part/${parts.lamp}/`, { category: 1 }), { category: ['No lamps here'] })
    const rejection = await member.patch(`/api/part/${parts.screw}/`, { description: 'show' })
    const { values, before } = JSON.parse(rejection.body.description[0])
    assert.deepEqual(values, { description: 'show' })
    assert.deepEqual([before.name, before.category, before.pk, before.description], ['Screw', 2, parts.screw, ''])
    const replaced = await member.put(`/api/part/${parts.screw}/`, { name: 'bad', category: 2 })
    assert.deepEqual(replaced.body.name, ['No bad names'])
    assert.equal((await member.get(`/api/part/${parts.screw}/`)).body.name, 'Screw')
  })

  it('skip plugins for unchanged values', async () => {
    await service.rows(`insert into part (name) values ('bad from the start')`)
    const [{ pk }] = await service.rows(`select pk from part where name = 'bad from the start'`)
    assertAccepted(await member.patch(`/api/part/${pk}/`, { name: 'bad from the start', starred: true }))
    assertRejected(await member.patch(`/api/part/${pk}/`, { name: 'bad from the start', keywords: 'x' }), {
      name: ['No bad names'],
      non_field_errors: ['And nothing else'],
    })
  })

  it('pass the path of a new image to a plugin, and store it unless the plugin rejects it', async () => {
    const png = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const image = `data:image/png;base64,${png.toString('base64')}`
    const { body } = await member.patch(`/api/part/${parts.board}/`, { image, description: 'show' })
    assert.match(JSON.parse(body.description[0]).values.image, /^part_images\/[^/]+$/)
    const part = assertAccepted(await member.patch(`/api/part/${parts.board}/`, { image }))
    assert.equal((await service.app.inject({ url: part.image, headers: { authorization: AUTHORIZATION } })).statusCode, 200)
    const same = assertAccepted(await member.patch(`/api/part/${parts.board}/`, { image: part.image, keywords: 'x' }))
    assert.equal(same.image, part.image)
  })

  it('report a missing or changed object first', async () => {
    assert.equal((await member.patch('/api/part/9999/', { name: 'bad' })).status, 404)
    assert.equal((await member.patch(`/api/part/${parts.screw}/`, { name: 'bad' }, { 'if-match': '"1"' })).status, 412)
  })
})

describe('POST /api/part/change_category/', () => {
  it('rejects all parts if a plugin rejects one of them', async () => {
    const move = (...moved: number[]) => member.post('/api/part/change_category/', { parts: moved, category: 1 })
    assertRejected(await move(parts.lamp), { category: ['No lamps here'] })
    assertRejected(await move(parts.screw), { parts: ['Not Screw'] })
    assert.deepEqual(await service.rows(`select category from part where pk = $1`, [parts.screw]), [{ category: 2 }])
  })
})

describe('POST /api/stock/', () => {
  const create = (values: object) => member.post('/api/stock/', { part: parts.lamp, quantity: 1, location, ...values })

  it('rejects a batch code or serial number that a plugin rejects; the first plugin decides', async () => {
    assertRejected(await create({ batch: 'mould', serial: '113' }), {
      batch: MOULD_ERRORS,
      serial: getLuckErrors('113', parts.lamp),
    })
    assertRejected(await create({ batch: 'rust' }), { batch: ['No rust at all'] })
    assertRejected(await create({ serial_numbers: '112-114', quantity: 3 }), { serial_numbers: getLuckErrors('113', parts.lamp) })
    assertRejected(await create({ serial_numbers: '1-3', quantity: 3, batch: 'mould' }), { batch: MOULD_ERRORS })
    assert.deepEqual(await service.rows('select from stock_item where part = $1', [parts.lamp]), [])
    assertAccepted(await create({ serial_numbers: '1-3', quantity: 3, batch: 'B' }))
  })

  it('passes the item as it will be stored to a plugin', async () => {
    const { body } = await create({ batch: 'show', purchase_price: '2.5' })
    const item = JSON.parse(body.batch[0])
    assert.deepEqual(
      [item.part, item.quantity, item.location, item.batch, item.purchase_price, 'history' in item],
      [parts.lamp, '1', location, 'show', '2.5', false],
    )
  })

  it('lets plugins validate generated codes, too', async () => {
    await setting('STOCK_BATCH_CODE_TEMPLATE', 'mould')
    assertRejected(await create({}), { batch: MOULD_ERRORS })
    await setting('STOCK_BATCH_CODE_TEMPLATE', '')
    assertAccepted(await create({ serial_numbers: '~', batch: '12' }))
    assertAccepted(await create({ serial: '1312'.replace('13', '99') }))
  })
})

describe('PATCH /api/stock/{id}/', () => {
  it('rejects a new batch code or serial number, or a serial number on a new part, that a plugin rejects', async () => {
    const pk = await insertItem(service, { part: parts.board, quantity: 1 })
    const patch = (values: object) => member.patch(`/api/stock/${pk}/`, values)
    assertRejected(await patch({ batch: 'mould' }), { batch: MOULD_ERRORS })
    assertRejected(await patch({ serial: '13' }), { serial: getLuckErrors('13', parts.board) })
    assertAccepted(await patch({ batch: 'B-2', serial: '12', status: 50 }))
    await service.rows(`update stock_item set batch = 'mould', serial = '13' where pk = $1`, [pk])
    assertAccepted(await patch({ batch: 'mould', serial: '13', status: 10 }))
    assertRejected(await patch({ part: parts.blueBoard }), { serial: getLuckErrors('13', parts.blueBoard) })
    assertRejected(await member.post(`/api/stock/${pk}/convert/`, { part: parts.blueBoard }), {
      part: getLuckErrors('13', parts.blueBoard),
    })
  })
})

describe('POST /api/stock/{id}/serialize/', () => {
  it('rejects a serial number that a plugin rejects, but not the existing batch code', async () => {
    const pk = await insertItem(service, { part: parts.board, quantity: 10, batch: 'mould' })
    const serialize = (serial_numbers: string) =>
      member.post(`/api/stock/${pk}/serialize/`, { quantity: 2, serial_numbers, destination: location })
    assertRejected(await serialize('1300-1301'), { serial_numbers: getLuckErrors('1300', parts.board) })
    assertAccepted(await serialize('1200-1201'))
  })
})

describe('POST /api/stock/transfer/', () => {
  it('rejects a new batch code that a plugin rejects', async () => {
    const old = await insertItem(service, { part: parts.screw, quantity: 10, batch: 'mould' })
    const other = await insertItem(service, { part: parts.screw, quantity: 10, batch: 'B' })
    const transfer = (...items: object[]) => member.post('/api/stock/transfer/', { items, location: locations.shed })
    const mould = { pk: other, quantity: 4, batch: 'mould' }
    assertRejected(await transfer({ pk: old, quantity: 3, batch: 'mould' }, mould), { items: [{}, { batch: MOULD_ERRORS }] })
    assertAccepted(await transfer({ pk: old, quantity: 3, batch: 'mould' }, { pk: other, quantity: 4 }))
  })
})

const createOrderFields = async (values: object = {}) => ({ reference: 'PO-0001', supplier: await supplier(), ...values })

describe('POST and PATCH /api/order/po/', () => {
  it('reject a reference that a plugin rejects', async () => {
    const bad = { reference: ['purchaseorder PO-0666 is a bad number'] }
    assertRejected(await member.post('/api/order/po/', await createOrderFields({ reference: 'PO-0666' })), bad)
    const { pk } = assertAccepted(await member.post('/api/order/po/', await createOrderFields({ reference: 'PO-0665' })))
    assertRejected(await member.patch(`/api/order/po/${pk}/`, { reference: 'PO-0666' }), bad)
    assertAccepted(await member.patch(`/api/order/po/${pk}/`, { reference: 'PO-0665', description: 'the same' }))
  })
})

describe('POST /api/order/so/', () => {
  it('rejects a reference that a plugin rejects', async () => {
    const [{ pk: customer }] = await service.rows('select pk from company where is_customer limit 1')
    const create = (reference: string) => member.post('/api/order/so/', { reference, customer })
    assertRejected(await create('SO-0666'), { reference: ['salesorder SO-0666 is a bad number'] })
    assertAccepted(await create('SO-0665'))
  })
})

/** Creates a placed order with a line of a part. */
async function placeOrder(part: number, quantity: number) {
  const values = await createOrderFields({ reference: `PO-${1000 + part}` })
  const { pk } = assertAccepted(await member.post('/api/order/po/', values))
  const line = assertAccepted(
    await member.post('/api/order/po-line/', { order: pk, part: await supplierPart(values.supplier, { part }), quantity }),
  ).pk
  assertAccepted(await member.post(`/api/order/po/${pk}/issue/`))
  return { pk, line, receive: (...items: object[]) => member.post(`/api/order/po/${pk}/receive/`, { items, location }) }
}

describe('POST /api/order/po/{id}/receive/', () => {
  it('rejects the entries that a plugin rejects, and receives nothing', async () => {
    const { pk, line, receive } = await placeOrder(parts.lamp, 20)
    const entry = (values: object) => ({ line_item: line, quantity: 2, ...values })
    assertRejected(
      await receive(
        entry({}),
        entry({ batch_code: 'mould', serial_numbers: '213-214' }),
        entry({ serial_numbers: '312-313', batch_code: 'fine' }),
      ),
      {
        items: [
          {},
          { batch_code: MOULD_ERRORS, serial_numbers: getLuckErrors('213', parts.lamp) },
          { serial_numbers: getLuckErrors('313', parts.lamp) },
        ],
      },
    )
    assert.equal((await member.get(`/api/order/po-line/${line}/`)).body.received, 0)
    assert.deepEqual(await service.rows('select from stock_item where purchase_order = $1', [pk]), [])
    assertAccepted(await receive(entry({ batch_code: 'fine', serial_numbers: '411-412' })))
  })
})

describe('codes generated by a plugin', () => {
  const setPluginCode = (data: unknown) => superuser.post('/api/action/', { action: 'code', data })
  before(() => activate('counts'))

  it('new batch codes: for new stock without one, and for the form', async () => {
    await setPluginCode('FROM-PLUGIN')
    const created = assertAccepted(await member.post('/api/stock/', { part: parts.screw, quantity: 1, location }))
    assert.equal(created.batch, 'FROM-PLUGIN')
    assert.equal((await member.send('OPTIONS', '/api/stock/')).body.actions.POST.batch.default, 'FROM-PLUGIN')
    assert.equal(
      assertAccepted(await member.post('/api/stock/', { part: parts.screw, quantity: 1, location, batch: '' })).batch,
      '',
    )
    const part = { name: 'counted', category: 2, initial_stock: { quantity: 5, location } }
    const { pk } = assertAccepted(await member.post('/api/part/', part))
    assert.deepEqual(await service.rows('select batch from stock_item where part = $1', [pk]), [{ batch: 'FROM-PLUGIN' }])
  })

  it('new batch codes: by the setting if the plugin returns none', async () => {
    await setPluginCode(null)
    await setting('STOCK_BATCH_CODE_TEMPLATE', 'BY-SETTING')
    assert.equal(
      assertAccepted(await member.post('/api/stock/', { part: parts.screw, quantity: 1, location })).batch,
      'BY-SETTING',
    )
    assert.equal((await member.send('OPTIONS', '/api/stock/')).body.actions.POST.batch.default, 'BY-SETTING')
  })

  it('new batch codes: validated by other plugins, and by the service', async () => {
    await setPluginCode('mould')
    assertRejected(await member.post('/api/stock/', { part: parts.screw, quantity: 1, location }), { batch: MOULD_ERRORS })
    for (const invalidCode of [5, 'x'.repeat(101), 'a\u0000b']) {
      await setPluginCode(invalidCode)
      const { status, body } = await member.post('/api/stock/', { part: parts.screw, quantity: 1, location })
      assert.deepEqual([status, body.detail], [503, 'The plugin counts failed.'])
    }
    assert.equal((await member.send('OPTIONS', '/api/stock/')).body.actions.POST.batch.default, '')
    await setPluginCode(null)
  })

  it('serial numbers: the next one, ranges and sequences', async () => {
    const readNextSerial = async () => (await member.get(`/api/part/${parts.redBoard}/serial-numbers/`)).body
    await service.rows('delete from stock_item where serial is not null')
    assert.deepEqual(await readNextSerial(), { latest: null })
    const create = async (serial_numbers: string, quantity: number) =>
      member.post('/api/stock/', { part: parts.redBoard, quantity, location, serial_numbers, batch: 'B' })
    assert.deepEqual(assertAccepted(await create('~', 1)).serial_numbers, ['N2'])
    assert.deepEqual(await readNextSerial(), { latest: 'N2', next: 'N4' })
    assert.deepEqual(assertAccepted(await create('~, ~', 2)).serial_numbers, ['N4', 'N6'])
    assert.deepEqual(assertAccepted(await create('N20+2 N30-N34 N40+', 8)).serial_numbers, [
      'N20',
      'N22',
      'N24',
      'N30',
      'N32',
      'N34',
      'N40',
      'N42',
    ])
    // numbers that the plugin leaves to the service continue as usual
    assert.deepEqual(assertAccepted(await create('7-9', 3)).serial_numbers, ['7', '8', '9'])
    assertRejected(await create('N51-N54', 9), { serial_numbers: ['Group range N51-N54 exceeds allowed quantity (9)'] })
    assertRejected(await create('X+ N1-N3', 9), {
      serial_numbers: ['Invalid group sequence: X+; use 1-10, A-001..A-010, A-001+ or A-001+9'],
    })
    assertRejected(await create('~', 12), { serial_numbers: ['Number of unique serial numbers (1) must match quantity (12)'] })
  })

  it('serial numbers: of received goods, one entry after the other', async () => {
    const { pk, line, receive } = await placeOrder(parts.board, 4)
    const entry = { line_item: line, quantity: 2, serial_numbers: '~ ~' }
    assertAccepted(await receive(entry, entry))
    const created = await service.rows('select serial from stock_item where purchase_order = $1 order by pk', [pk])
    assert.deepEqual(
      created.map(({ serial }) => serial),
      ['N44', 'N46', 'N48', 'N50'],
    )
  })
})

describe('an enabled plugin that is not running', () => {
  it('makes the service reject what the plugin would validate, until it is disabled', async () => {
    rmSync(join(dataDir, 'plugins/rules'), { recursive: true })
    assert.equal((await superuser.post('/api/plugins/reload/')).status, 201)
    const rename = () => service.member.patch(`/api/part/${parts.lamp}/`, { name: 'Lantern' })
    const addStock = () => service.member.post('/api/stock/', { part: parts.screw, quantity: 1, location, batch: 'B' })
    for (const sendRequest of [rename, addStock]) {
      const { status, body } = await sendRequest()
      assert.deepEqual([status, body.detail], [503, 'The plugin rules does not run on this node.'])
    }
    await activate('rules', false)
    for (const sendRequest of [rename, addStock]) assertAccepted(await sendRequest())
  })
})
