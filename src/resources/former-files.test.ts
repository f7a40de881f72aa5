import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parse } from 'csv-parse/sync'
import { testService } from '../testing/service.ts'
import { FORMER_FILES } from './former-files.ts'

const inventree = await testService({ WIRE_FORM: 'inventree' })
const { member } = inventree
const token = (await member.get('/api/user/token/?name=files')).body.token

/** Downloads a list as clients of InvenTree get it: the file's name, its headings, and its rows, keyed by heading. */
async function downloadFile(path: string, query = '') {
  const url = `/api/${path}/?export=csv${query}`
  const { statusCode, headers, rawPayload } = await inventree.app.inject({ url, headers: { authorization: `Token ${token}` } })
  assert.equal(statusCode, 200, rawPayload.toString())
  const name = /filename="(.*)\.csv"/.exec(String(headers['content-disposition']))?.[1]
  const [headings = []] = parse(rawPayload) as string[][]
  return { name, headings, rows: parse(rawPayload, { columns: true }) as Record<string, string>[] }
}

const PATHS: Record<keyof typeof FORMER_FILES, string> = {
  parts: 'part',
  categories: 'part/category',
  stock: 'stock',
  locations: 'stock/location',
  purchaseOrders: 'order/po',
  purchaseOrderLines: 'order/po-line',
  purchaseOrderExtraLines: 'order/po-extra-line',
  salesOrders: 'order/so',
  salesOrderLines: 'order/so-line',
  salesOrderExtraLines: 'order/so-extra-line',
  returnOrders: 'order/ro',
  buildOrders: 'build',
}

/** Creates one row for each of these files, except for a second part: it is built from the first and has no stock. */
async function createTestData() {
  const create = async (path: string, body: object) => {
    const response = await member.post(`/api/${path}/`, body)
    assert.equal(response.status, 201, JSON.stringify(response.body))
    return response.body
  }
  const category = (await create('part/category', { name: 'Bolts', default_keywords: 'metal' })).pk
  const { pk: location } = await create('stock/location', { name: 'Shelf' })
  const bolt = (await create('part', { name: 'Bolt', IPN: 'B-1', category, purchaseable: true, salable: true })).pk
  const frame = (await create('part', { name: 'Frame', category, assembly: true, salable: true })).pk
  await create('bom', { part: frame, sub_part: bolt, quantity: 4 })
  const company = (await create('company', { name: 'Both', is_supplier: true, is_customer: true })).pk
  const supplied = (await create('company/part', { part: bolt, supplier: company, SKU: 'S-1' })).pk
  await create('stock', { part: bolt, quantity: 30, location, supplier_part: supplied, batch: 'X', purchase_price: '0.25' })
  const purchaseOrder = (await create('order/po', { supplier: company })).pk
  await create('order/po-line', { order: purchaseOrder, part: supplied, quantity: 5 })
  await create('order/po-extra-line', { order: purchaseOrder, quantity: 1, reference: 'Freight' })
  const salesOrder = (await create('order/so', { customer: company })).pk
  await create('order/so-line', { order: salesOrder, part: frame, quantity: 2 })
  await create('order/so-extra-line', { order: salesOrder, quantity: 1 })
  await create('order/ro', { customer: company })
  await create('build', { part: frame, quantity: 3 })
  return { bolt, frame, company, supplied, category, location }
}

describe('the file of a list for clients of InvenTree', () => {
  it('has the name and headings that they expect, even without matches', async () => {
    for (const [listName, path] of Object.entries(PATHS)) {
      const { name, columns } = FORMER_FILES[listName as keyof typeof FORMER_FILES]
      const { rows: _, ...fileContent } = await downloadFile(path)
      assert.deepEqual(fileContent, { name, headings: Object.keys(columns) }, path)
    }
  })

  it('has the contents that they expect, filtered and ordered on request', async () => {
    const { bolt, frame, company, supplied, category, location } = await createTestData()
    const assertSingleRow = async (path: string, expected: Record<string, unknown>, query = '') => {
      const { rows } = await downloadFile(path, query)
      assert.equal(rows.length, 1, path)
      const texts = Object.entries(expected).map(([heading, value]) => [heading, String(value)])
      assert.deepEqual(
        Object.fromEntries(texts.map(([heading = '']) => [heading, rows[0]?.[heading]])),
        Object.fromEntries(texts),
      )
    }
    const commonColumns = { 'Category ID': category, 'Category Name': 'Bolts', Active: 1, Virtual: 0, 'Used In': 0, Building: 0 }
    await assertSingleRow(
      'part',
      {
        ...commonColumns,
        'Part ID': bolt,
        'Part Name': 'Bolt',
        IPN: 'B-1',
        Suppliers: 1,
        'In Stock': 30,
        'Used In': 1,
        Allocated: 0,
      },
      '&search=bolt&assembly=false',
    )
    await assertSingleRow('part', { ...commonColumns, 'Part Name': 'Frame', Building: 3 }, '&assembly=true')
    const { rows } = await downloadFile('part', '&ordering=-name')
    assert.deepEqual(
      rows.map((row) => row['Part Name']),
      ['Frame', 'Bolt'],
    )
    await assertSingleRow('part/category', {
      'Category ID': category,
      Keywords: 'metal',
      Parts: 2,
      'Parent Name': '',
      structural: 0,
    })
    await assertSingleRow('stock/location', { 'Location ID': location, 'Stock Items': 1, external: 0 })
    await assertSingleRow('stock', {
      ...{ 'Part ID': bolt, 'Part Name': 'B-1 | Bolt', Quantity: 30, Status: 'OK', 'Status Code': 10, Batch: 'X' },
      ...{ 'Location Name': 'Shelf', 'Supplier Part ID': supplied, 'Supplier ID': company, 'Supplier Name': 'Both' },
      ...{ Building: 'False', 'Delete on Deplete': 'True', 'Last Updated': new Date().toISOString().slice(0, 10) },
      purchase_price: 0.25,
    })
    await assertSingleRow('order/po', { line_items: 1, overdue: 0, reference: 'PO-0001', reference_int: 1, supplier: company })
    await assertSingleRow('order/po-line', { part_name: 'Bolt', SKU: 'S-1', quantity: 5, received: 0, part: supplied, MPN: '' })
    await assertSingleRow('order/po-extra-line', { reference: 'Freight', quantity: 1 })
    await assertSingleRow('order/so', { line_items: 1, customer: company, status: 10 })
    await assertSingleRow('order/so-line', { part_name: 'Frame', fulfilled: 0, quantity: 2, part: frame })
    await assertSingleRow('order/ro', { reference_int: 1, customer: company })
    await assertSingleRow('build', { part_name: 'Frame', quantity: 3, completed: 0, overdue: 0 })
  })
})
