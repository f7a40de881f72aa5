import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parse } from 'csv-parse/sync'
import { testService } from '../testing/service.ts'
import { FORMER_FILES } from './former-files.ts'

const old = await testService({ WIRE_FORM: 'inventree' })
const { member } = old
const token = (await member.get('/api/user/token/?name=files')).body.token

/** A list's file as existing clients get it: its name, its headings, and its rows by these. */
async function file(path: string, query = '') {
  const url = `/api/${path}/?export=csv${query}`
  const { statusCode, headers, rawPayload } = await old.app.inject({ url, headers: { authorization: `Token ${token}` } })
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

/** Creates one of everything that such a file contains, except stock of a second part that is built from the first. */
async function workshop() {
  const make = async (path: string, body: object) => {
    const response = await member.post(`/api/${path}/`, body)
    assert.equal(response.status, 201, JSON.stringify(response.body))
    return response.body
  }
  const category = (await make('part/category', { name: 'Bolts', default_keywords: 'metal' })).pk
  const { pk: location } = await make('stock/location', { name: 'Shelf' })
  const bolt = (await make('part', { name: 'Bolt', IPN: 'B-1', category, purchaseable: true, salable: true })).pk
  const frame = (await make('part', { name: 'Frame', category, assembly: true, salable: true })).pk
  await make('bom', { part: frame, sub_part: bolt, quantity: 4 })
  const company = (await make('company', { name: 'Both', is_supplier: true, is_customer: true })).pk
  const supplied = (await make('company/part', { part: bolt, supplier: company, SKU: 'S-1' })).pk
  await make('stock', { part: bolt, quantity: 30, location, supplier_part: supplied, batch: 'X', purchase_price: '0.25' })
  const bought = (await make('order/po', { supplier: company })).pk
  await make('order/po-line', { order: bought, part: supplied, quantity: 5 })
  await make('order/po-extra-line', { order: bought, quantity: 1, reference: 'Freight' })
  const sold = (await make('order/so', { customer: company })).pk
  await make('order/so-line', { order: sold, part: frame, quantity: 2 })
  await make('order/so-extra-line', { order: sold, quantity: 1 })
  await make('order/ro', { customer: company })
  await make('build', { part: frame, quantity: 3 })
  return { bolt, frame, company, supplied, category, location }
}

describe('the file of a list for existing clients', () => {
  it('has the name and headings that they know, even without matches', async () => {
    for (const [of, path] of Object.entries(PATHS)) {
      const { name, columns } = FORMER_FILES[of as keyof typeof FORMER_FILES]
      const { rows: _, ...fileContent } = await file(path)
      assert.deepEqual(fileContent, { name, headings: Object.keys(columns) }, path)
    }
  })

  it('has the contents that they know, filtered and ordered on request', async () => {
    const { bolt, frame, company, supplied, category, location } = await workshop()
    const only = async (path: string, expected: Record<string, unknown>, query = '') => {
      const { rows } = await file(path, query)
      assert.equal(rows.length, 1, path)
      const texts = Object.entries(expected).map(([heading, value]) => [heading, String(value)])
      assert.deepEqual(
        Object.fromEntries(texts.map(([heading = '']) => [heading, rows[0]?.[heading]])),
        Object.fromEntries(texts),
      )
    }
    const usual = { 'Category ID': category, 'Category Name': 'Bolts', Active: 1, Virtual: 0, 'Used In': 0, Building: 0 }
    await only(
      'part',
      { ...usual, 'Part ID': bolt, 'Part Name': 'Bolt', IPN: 'B-1', Suppliers: 1, 'In Stock': 30, 'Used In': 1, Allocated: 0 },
      '&search=bolt&assembly=false',
    )
    await only('part', { ...usual, 'Part Name': 'Frame', Building: 3 }, '&assembly=true')
    const { rows } = await file('part', '&ordering=-name')
    assert.deepEqual(
      rows.map((row) => row['Part Name']),
      ['Frame', 'Bolt'],
    )
    await only('part/category', { 'Category ID': category, Keywords: 'metal', Parts: 2, 'Parent Name': '', structural: 0 })
    await only('stock/location', { 'Location ID': location, 'Stock Items': 1, external: 0 })
    await only('stock', {
      ...{ 'Part ID': bolt, 'Part Name': 'B-1 | Bolt', Quantity: 30, Status: 'OK', 'Status Code': 10, Batch: 'X' },
      ...{ 'Location Name': 'Shelf', 'Supplier Part ID': supplied, 'Supplier ID': company, 'Supplier Name': 'Both' },
      ...{ Building: 'False', 'Delete on Deplete': 'True', 'Last Updated': new Date().toISOString().slice(0, 10) },
      purchase_price: 0.25,
    })
    await only('order/po', { line_items: 1, overdue: 0, reference: 'PO-0001', reference_int: 1, supplier: company })
    await only('order/po-line', { part_name: 'Bolt', SKU: 'S-1', quantity: 5, received: 0, part: supplied, MPN: '' })
    await only('order/po-extra-line', { reference: 'Freight', quantity: 1 })
    await only('order/so', { line_items: 1, customer: company, status: 10 })
    await only('order/so-line', { part_name: 'Frame', fulfilled: 0, quantity: 2, part: frame })
    await only('order/ro', { reference_int: 1, customer: company })
    await only('build', { part_name: 'Frame', quantity: 3, completed: 0, overdue: 0 })
  })
})
