import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { createFilesFolder } from '../../testing/files.ts'
import { createImportHelpers } from '../../testing/objects/imports.ts'
import { assertCallers, testService } from '../../testing/service.ts'
import { importModels } from './import-models.ts'

const service = await testService({ DATA_DIR: createFilesFolder().dataDir })
const { member, staff, superuser } = service
const imports = createImportHelpers(service, superuser)

const create = async (path: string, body: object) => {
  const response = await superuser.post(path, body)
  assert.equal(response.status, 201, `${path} ${response.text}`)
  return (Array.isArray(response.body) ? response.body[0] : response.body).pk as number
}

let keys: Record<string, number>
before(async () => {
  const category = await create('/api/part/category/', { name: 'Kits' })
  const assembly = await create('/api/part/', {
    category,
    name: 'Radio',
    IPN: 'RADIO',
    assembly: true,
    salable: true,
    trackable: true,
    testable: true,
  })
  const board = await create('/api/part/', {
    category,
    name: 'Board',
    IPN: 'BOARD',
    component: true,
    purchaseable: true,
    salable: true,
  })
  const supplier = await create('/api/company/', { name: 'Bolts', is_supplier: true, is_manufacturer: true, currency: 'EUR' })
  const customer = await create('/api/company/', { name: 'Shop', is_customer: true, currency: 'EUR' })
  await create('/api/company/part/', { part: board, supplier, SKU: 'B-1' })
  const item = await create('/api/stock/', { part: assembly, quantity: 1, serial: '1' })
  const sold = await create('/api/stock/', { part: assembly, quantity: 1, serial: '2' })
  await service.rows('update stock_item set customer = $1 where pk = $2', [customer, sold])
  const other = await create('/api/stock/', { part: board, quantity: 10 })
  const template = await create('/api/parameter/template/', { name: 'Color' })
  await create('/api/part/test-template/', { part: assembly, test_name: 'Power on', description: 'x' })
  await create('/api/order/po/', { reference: 'PO-0001', supplier, description: 'x' })
  await create('/api/order/so/', { reference: 'SO-0001', customer, description: 'x' })
  await create('/api/order/ro/', { reference: 'RMA-0001', customer, description: 'x' })
  await create('/api/order/transfer-order/', { reference: 'TO-0001', description: 'x' })
  keys = { assembly, board, item, sold, other, template }
})

/** A file of each type, which names other objects by their natural names, and the values of the object that it creates. */
const files: Record<string, () => [csv: string, expected: Record<string, unknown>]> = {
  projectcode: () => ['Project Code,Beschreibung\nFAIR,The stand', { code: 'FAIR', description: 'The stand' }],
  tag: () => ['Name\nLong lead', { name: 'Long lead' }],
  inventreecustomuserstatemodel: () => [
    'reference_status,logical_key,key,name,label,color,model\nStockStatus,10,150,USED,Used,info,',
    { key: 150, name: 'USED', logical_key: 10 },
  ],
  customunit: () => ['name,symbol,definition\nhenpecked,hp2,10 second', { name: 'henpecked', definition: '10 second' }],
  parametertemplate: () => ['Name,Units\nHeight,mm', { name: 'Height', units: 'mm' }],
  parameter: () => [
    `model_type,model_id,template,data\npart.part,${keys.board},Color,blue`,
    { data: 'blue', template: keys.template },
  ],
  partcategory: () => ['Name,Parent\nRadios,Kits', { name: 'Radios', pathstring: 'Kits/Radios' }],
  parttesttemplate: () => [
    'Part,Test Name,description,Required\nRADIO,Sound,Loud,nein',
    { test_name: 'Sound', part: keys.assembly, required: false },
  ],
  partsellpricebreak: () => [
    'part,quantity,price,Currency\nRADIO,10,"4,20",EUR',
    { quantity: 10, price: '4.200000', part: keys.assembly },
  ],
  partinternalpricebreak: () => ['part,quantity,price,Currency\nRADIO,10,4.5,EUR', { quantity: 10, price: '4.500000' }],
  part: () => [
    'Name;IPN;Kategorie;Mindestbestand;Einheit\nKnob;K-1;Kits;2,5;Stk.',
    { name: 'Knob', IPN: 'K-1', minimum_stock: 2.5, units: '' },
  ],
  bomitem: () => [
    'part,sub_part,Qty,Designator\nRADIO,BOARD,2,"U1, U2"',
    { part: keys.assembly, sub_part: keys.board, quantity: 2 },
  ],
  partcategoryparametertemplate: () => ['category,template,default_value\nKits,Color,red', { default_value: 'red' }],
  address: () => ['Company,title,Street,City\nShop,Main,Lane 1,Bern', { title: 'Main', line1: 'Lane 1', postal_city: 'Bern' }],
  company: () => ['Firma,is_supplier,Währung\nWires,ja,EUR', { name: 'Wires', is_supplier: true, currency: 'EUR' }],
  contact: () => ['Company,Name,Email\nShop,Ada,ada@example.com', { name: 'Ada', email: 'ada@example.com' }],
  manufacturerpart: () => ['Part,Hersteller,MPN\nBOARD,Bolts,M-1', { MPN: 'M-1', part: keys.board }],
  supplierpart: () => ['Part,Supplier,SKU,Pack Size\nBOARD,Bolts,B-2,10', { SKU: 'B-2', part: keys.board, pack_quantity: '10' }],
  supplierpricebreak: () => ['SKU,quantity,price,Currency\nB-1,100,0.5,EUR', { quantity: 100, price: '0.500000' }],
  stockitemtestresult: () => [`stock_item,test,result\n${keys.item},Power on,yes`, { result: true, stock_item: keys.item }],
  stockitem: () => ['Part,Quantity,Batch,status\nBOARD,5,L7,OK', { part: keys.board, quantity: 5, batch: 'L7', status: 10 }],
  stocklocation: () => ['Name,description\nShelf,Left', { name: 'Shelf', description: 'Left' }],
  stockitemtracking: () => [
    `item,notes\n${keys.item},Found in the attic`,
    { item: keys.item, notes: 'Found in the attic', tracking_type: 0 },
  ],
  purchaseorder: () => ['reference,Supplier,description\nPO-0007,Bolts,Wires', { reference: 'PO-0007', description: 'Wires' }],
  purchaseorderlineitem: () => [
    'Order,SKU,Qty,Unit Price,Currency,auto_pricing\nPO-0001,B-1,3,2.5,EUR,no',
    { quantity: 3, purchase_price: '2.500000' },
  ],
  purchaseorderextraline: () => ['Order,Qty,Price,Currency\nPO-0001,1,9,EUR', { quantity: 1, price: '9.000000' }],
  salesorder: () => ['reference,Customer,description\nSO-0007,Shop,Radios', { reference: 'SO-0007' }],
  salesorderlineitem: () => [
    'Order,Part,Qty,Unit Price,Currency\nSO-0001,RADIO,3,12,EUR',
    { quantity: 3, sale_price: '12.000000' },
  ],
  salesordershipment: () => ['order,reference\nSO-0001,S-9', { reference: 'S-9' }],
  salesorderextraline: () => ['Order,Qty,Price,Currency\nSO-0001,1,9,EUR', { quantity: 1, price: '9.000000' }],
  returnorder: () => ['reference,Customer,description\nRMA-0007,Shop,Broken', { reference: 'RMA-0007' }],
  returnorderlineitem: () => [`Order,item\nRMA-0001,${keys.sold}`, { item: keys.sold }],
  returnorderextraline: () => ['Order,Qty,Price,Currency\nRMA-0001,1,9,EUR', { quantity: 1, price: '9.000000' }],
  transferorder: () => ['reference,description\nTO-0007,To the fair', { reference: 'TO-0007' }],
  transferorderlineitem: () => ['Order,Part,Qty\nTO-0001,BOARD,3', { quantity: 3, part: keys.board }],
}

describe('GET /api/importer/models/', () => {
  it('lists every type', async () => {
    const { status, body } = await member.get('/api/importer/models/')
    assert.equal(status, 200)
    assert.equal(body.length, 35)
    assert.deepEqual(body[10], { serializer: 'PartSerializer', model_type: 'part', api_url: '/api/part/' })
    assert.deepEqual(
      body.map(({ model_type }: { model_type: string }) => model_type),
      importModels.map(({ type }) => type),
    )
  })

  it('requires an account', () =>
    assertCallers(service, (client) => client.get('/api/importer/models/'), ['nobody', 'viewer', 'member', 'staff', 'superuser']))
})

describe('an import of parameters', () => {
  it('finds parts by their IPN or name, with defaults for what the file lacks', async () => {
    const { rows } = await imports.load('Part number,Eigenschaft,Wert\nRADIO,Color,red', 'parameter', {
      field_defaults: { model_type: 'part.part' },
    })
    const { body } = await superuser.get(`/api/parameter/${rows[0]?.object}/`)
    assert.deepEqual([body.model_id, body.data], [keys.assembly, 'red'])
    const { rows: unknown } = await imports.read('Part number,Eigenschaft,Wert\nNOTHING,Color,red', 'parameter', {
      field_defaults: { model_type: 'part.part' },
    })
    assert.deepEqual(unknown[0]?.errors, { model_id: ['No object found for “NOTHING”.'] })
  })
})

describe('an import of each type', () => {
  it('has a file here', () =>
    assert.deepEqual(
      Object.keys(files),
      importModels.map(({ type }) => type),
    ))

  for (const { type, resource } of importModels) {
    it(`creates a ${type}`, async () => {
      const [csv, expected] = (files[type] as (typeof files)[string])()
      const { rows } = await imports.load(csv, type)
      const [row] = rows
      assert.ok(row?.complete)
      const hasDetail = !resource.without?.includes('detail')
      const { body } = await superuser.get(`${resource.path}${hasDetail ? `${row.object}/` : ''}`)
      const object = hasDetail ? body : body.at(-1)
      assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, object[name]])), expected)
    })
  }

  it('records the account', async () => {
    const [entry] = await service.rows(`select "user" from stock_tracking where notes = 'Found in the attic'`)
    assert.equal(entry.user, service.getPk('superuser'))
  })
})
void staff
