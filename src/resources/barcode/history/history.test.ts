import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPurchaseHelpers } from '../../../testing/objects/purchasing.ts'
import { assertCallers, type Client, testService } from '../../../testing/service.ts'
import { samples } from '../sample-codes.ts'

const service = await testService()
const make = createPurchaseHelpers(service)
const { superuser, staff, member, viewer, nobody } = service
const { journal } = service.app.routes.services
const path = '/api/barcode/history/'

let number = 0
const generateCode = () => `Label ${++number}`

/** Returns the scans of a code, the latest first. */
async function readScans(data: string, client: Client = staff): Promise<any[]> {
  return (await client.get(`${path}?data=${encodeURIComponent(data)}`)).body.results
}

describe('GET /api/barcode/history/', () => {
  it('returns who scanned a code, the result and its objects', async () => {
    const part = await make.part()
    const data = `{"part": ${part}}`
    assert.equal((await member.post('/api/barcode/', { barcode: ` ${data} `, other: 'passed over' })).status, 201)
    const [scan, ...otherScans] = await readScans(data)
    assert.deepEqual(otherScans, [])
    const { pk, timestamp, ...fields } = scan
    assert.ok(Math.abs(Date.now() - Date.parse(timestamp)) < 60_000)
    assert.deepEqual(fields, {
      user: service.getPk('member'),
      action: 'scan',
      endpoint: '/api/barcode/',
      data,
      context: {},
      result: true,
      status: 201,
      response: { success: 'Match found for barcode data', plugin: 'InvenTreeBarcode' },
      objects: [{ kind: 'part', pk: part }],
      batch_id: null,
      scanned: null,
      undone: null,
      undone_by: null,
      can_undo: false,
    })
    assert.deepEqual((await staff.get(`${path}${pk}/`)).body, scan)
    assert.equal((await staff.get(`${path}${pk}/?user_detail=true`)).body.user_detail.username, 'member')
  })

  it('includes rejected scans, with their errors', async () => {
    const data = generateCode()
    const part = await make.part()
    assert.equal((await member.post('/api/barcode/', { barcode: data })).status, 400)
    assert.equal((await member.post('/api/barcode/link/', { barcode: data, part: 999_999 })).status, 400)
    assert.equal((await viewer.post('/api/barcode/link/', { barcode: data, part })).status, 403)
    assert.equal((await member.post('/api/barcode/link/', { barcode: data, part })).status, 201)
    assert.equal((await member.post('/api/barcode/link/', { barcode: data, part })).status, 400)
    const scans = (await readScans(data)).toReversed()
    assert.deepEqual(
      scans.map(({ action, status, result, context }) => [action, status, result, context]),
      [
        ['scan', 400, false, {}],
        ['link', 400, false, {}],
        ['link', 403, false, { part }],
        ['link', 201, true, { part }],
        ['link', 400, false, { part }],
      ],
    )
    assert.deepEqual(scans.find(({ response }) => response.part)?.response, {
      part: ['Invalid pk "999999" - object does not exist.'],
    })
    assert.ok(scans.some(({ response }) => response.error === 'Barcode matches existing item'))
  })

  it('includes codes that were unlinked', async () => {
    const data = generateCode()
    const part = await make.part()
    const unlink = () => member.post('/api/barcode/unlink/', { part, other: 'passed over' })
    assert.equal((await member.post('/api/barcode/link/', { barcode: data, part })).status, 201)
    assert.equal((await unlink()).status, 201)
    // the part has no code any more
    assert.equal((await unlink()).status, 201)
    const [unlinked, linked, ...otherScans] = await readScans(data)
    assert.deepEqual([linked.action, otherScans], ['link', []])
    const { pk: _, timestamp: __, ...fields } = unlinked
    assert.deepEqual(fields, {
      user: service.getPk('member'),
      action: 'unlink',
      endpoint: '/api/barcode/unlink/',
      data,
      context: { part },
      result: true,
      status: 201,
      response: { success: 'Barcode unassigned from part instance' },
      objects: [{ kind: 'part', pk: part }],
      batch_id: null,
      scanned: null,
      undone: null,
      undone_by: null,
      can_undo: false,
    })
    // a manufacturer part may have a hash without a code
    const company = await make.supplier()
    const [manufacturerPart] = await service.rows(
      'insert into manufacturer_part (part, manufacturer, "MPN", barcode_hash) values ($1, $2, $3, $4) returning pk',
      [part, company, data, 'f'.repeat(32)],
    )
    assert.equal((await member.post('/api/barcode/unlink/', { manufacturerpart: manufacturerPart.pk })).status, 201)
    assert.deepEqual(
      (await readScans('f'.repeat(32))).map(({ action }) => action),
      ['unlink'],
    )
  })

  it('includes receipts, with the stock that they created, and rejected labels', async () => {
    const company = await make.supplier()
    const supplierPart = await make.supplierPart(company)
    await service.rows(`update supplier_part set "SKU" = 'C312270' where pk = $1`, [supplierPart])
    const order = (await member.post('/api/order/po/', { reference: 'PO-7', supplier: company })).body.pk
    await member.post('/api/order/po-line/', { order, part: supplierPart, quantity: 2 })
    await member.post(`/api/order/po/${order}/issue/`)
    const receive = () => member.post('/api/barcode/po-receive/', { barcode: samples.lcsc, purchase_order: order })
    assert.deepEqual([(await receive()).status, (await receive()).status], [201, 400])
    const [item] = await service.rows('select pk from stock_item where purchase_order = $1', [order])
    const scans = await readScans(samples.lcsc)
    const acceptedScan = scans.find(({ status }) => status === 201)
    assert.deepEqual(acceptedScan.objects, [
      { kind: 'stockitem', pk: item.pk },
      { kind: 'purchaseorder', pk: order },
    ])
    const { context } = acceptedScan
    assert.deepEqual(context, {
      purchase_order: order,
      allow_over_receipt: false,
      auto_allocate: true,
      serial_numbers: '',
      wait_for_serial_numbers: false,
    })
    const rejectedScan = scans.find(({ status }) => status === 400)
    // the first scan completed the order
    assert.deepEqual(
      [rejectedScan.result, rejectedScan.response],
      [false, { purchase_order: ['Purchase order has not been placed'] }],
    )
  })

  it('stores nothing of a scan that was rolled back except its error', async () => {
    const part = await make.part()
    const data = generateCode()
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => member.post('/api/barcode/link/', { barcode: data, part })),
    )
    assert.equal(responses.filter(({ status }) => status === 201).length, 1)
    const scans = await readScans(data)
    assert.deepEqual([scans.length, scans.filter(({ result }) => result).length], [8, 1])
  })

  it('stores the longest code, and no unknown fields of the body', async () => {
    const data = '€'.repeat(4_095)
    assert.equal((await member.post('/api/barcode/', { barcode: data, junk: 'x'.repeat(100_000) })).status, 400)
    assert.equal((await member.post('/api/barcode/', { barcode: `${data}€` })).status, 400)
    await journal.flush()
    const [row, ...otherScans] = await service.rows(
      `select data, length(context::text || response::text) as size from barcode_scan where data like '€%'`,
    )
    assert.deepEqual([otherScans, row.data], [[], data])
    assert.ok(row.size < 5_000)
  })

  it('shows staff all scans, and others their own', async () => {
    const data = generateCode()
    for (const client of [member, viewer, nobody]) await client.post('/api/barcode/', { barcode: data })
    const listUsers = async (client: Client) => (await readScans(data, client)).map(({ user }) => user).toSorted()
    const [memberPk, viewerPk, nobodyPk] = (['member', 'viewer', 'nobody'] as const).map((name) => service.getPk(name))
    for (const client of [staff, superuser]) assert.deepEqual(await listUsers(client), [memberPk, viewerPk, nobodyPk].toSorted())
    assert.deepEqual(await listUsers(viewer), [viewerPk])
    assert.deepEqual(await listUsers(nobody), [nobodyPk])
    const [scan] = await readScans(data, member)
    assert.equal((await viewer.get(`${path}${scan.pk}/`)).status, 404)
    assert.equal((await member.get(`${path}${scan.pk}/`)).status, 200)
    await assertCallers(service, (client) => client.get(path), ['nobody', 'viewer', 'member', 'staff', 'superuser'])
  })

  it('filters, searches and orders', async () => {
    const [data, otherData] = [generateCode(), generateCode()]
    await viewer.post('/api/barcode/', { barcode: data })
    await member.post('/api/barcode/', { barcode: otherData })
    await member.post('/api/barcode/link/', { barcode: otherData, part: await make.part() })
    const searchData = async (query: string) => (await staff.get(`${path}?${query}`)).body.results.map((scan: any) => scan.data)
    assert.ok((await searchData(`user=${service.getPk('viewer')}`)).includes(data))
    assert.ok(!(await searchData(`user=${service.getPk('viewer')}`)).includes(otherData))
    assert.deepEqual(await searchData(`search=${encodeURIComponent(otherData)}&action=link`), [otherData])
    assert.deepEqual(await searchData(`search=${encodeURIComponent(data)}&result=true`), [])
    assert.deepEqual(await searchData(`search=${encodeURIComponent(data)}&result=false&status=400`), [data])
    assert.deepEqual(await searchData('min_date=2999-01-01'), [])
    assert.ok((await searchData(`max_date=${new Date().toISOString().slice(0, 10)}`)).length > 0)
    const timestamps = (await staff.get(`${path}?ordering=timestamp&limit=5`)).body.results.map(({ timestamp }: any) => timestamp)
    assert.deepEqual(timestamps, timestamps.toSorted())
  })
})

describe('DELETE /api/barcode/history/{id}/', () => {
  it('is limited to staff', async () => {
    const data = generateCode()
    await member.post('/api/barcode/', { barcode: data })
    const [scan] = await readScans(data)
    await assertCallers(
      service,
      (client) => client.delete(`${path}${scan.pk}/`),
      ['staff', 'superuser'],
      () => readScans(data),
    )
    assert.deepEqual(await readScans(data), [])
  })
})

describe('DELETE /api/barcode/history/', () => {
  it('deletes the named scans', async () => {
    const [one, other] = [generateCode(), generateCode()]
    for (const barcode of [one, other]) await member.post('/api/barcode/', { barcode })
    const [scan] = await readScans(one)
    assert.equal((await staff.delete(path, {})).status, 400)
    await staff.delete(path, { items: [scan.pk] })
    assert.deepEqual([await readScans(one), (await readScans(other)).length], [[], 1])
  })

  it('is limited to staff', () => assertCallers(service, (client) => client.delete(path, { items: [1] }), ['staff', 'superuser']))
})
