import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { testService } from '../testing/service.ts'

const service = await testService()
const { member } = service

const MAX_QUANTITY = 99_999_999_999_999
const expectedErrors = ['Ensure that there are no more than 14 digits before the decimal point, including calculated values.']

/** Legs are bought a million at a time, and a chair needs a million of them; items 1 and 2 have the maximum quantity of legs. */
before(async () => {
  await service.pool.query(`
    insert into company (name, currency, is_supplier) values ('Legs & Co', 'EUR', true);
    insert into part (name, assembly, component, purchaseable) values ('Chair', true, false, false), ('Leg', false, true, true);
    insert into stock_location (name) values ('Shelf')`)
  const createObject = async (path: string, body: object) => assert.equal((await member.post(path, body)).status, 201, path)
  await createObject('/api/company/part/', { part: 2, supplier: 1, SKU: 'LEG-M', pack_quantity: '1000000' })
  for (const quantity of [MAX_QUANTITY, MAX_QUANTITY]) await createObject('/api/stock/', { part: 2, quantity, location: 1 })
  await createObject('/api/bom/', { part: 1, sub_part: 2, quantity: 1_000_000 })
  await createObject('/api/build/', { part: 1, quantity: 1_000, reference: 'BO-0001' })
  await createObject('/api/order/po/', { reference: 'PO-0001', supplier: 1 })
  await createObject('/api/order/po-line/', { order: 1, part: 1, quantity: 1_000_000_000 })
  await createObject('/api/order/po/1/issue/', {})
})

const CASES: [method: string, path: string, body: object, expected: object][] = [
  ['POST', '/api/stock/add/', { items: [{ pk: 1, quantity: 1 }] }, { items: [{ quantity: expectedErrors }] }],
  ['POST', '/api/stock/merge/', { items: [{ item: 1 }, { item: 2 }], location: 1 }, { items: expectedErrors }],
  [
    'POST',
    '/api/stock/',
    { part: 2, supplier_part: 1, use_pack_size: true, quantity: 1_000_000_000 },
    { quantity: expectedErrors },
  ],
  [
    'POST',
    '/api/order/po/1/receive/',
    { items: [{ line_item: 1, quantity: 1_000_000_000 }], location: 1 },
    { items: [{ quantity: expectedErrors }] },
  ],
  ['POST', '/api/order/po-line/', { order: 1, part: 1, quantity: MAX_QUANTITY }, { quantity: expectedErrors }],
  ['POST', '/api/build/', { part: 1, quantity: 1_000_000_000, reference: 'BO-0002' }, { quantity: expectedErrors }],
  ['PATCH', '/api/build/1/', { quantity: 1_000_000_000 }, { quantity: expectedErrors }],
  ['PATCH', '/api/bom/1/', { quantity: 1_000_000_000_000 }, { quantity: expectedErrors }],
  [
    'POST',
    '/api/bom/import/submit/',
    { items: [{ part: 1, sub_part: 2, quantity: 1_000_000_000_000 }], clear_existing_bom: true },
    { items: [{ quantity: expectedErrors }] },
  ],
]

for (const [method, path, body, expected] of CASES)
  it(`${method} ${path} names the quantity that makes a sum too large to store`, async () => {
    const response = await member.send(method, path, body)
    assert.deepEqual([response.status, response.body], [400, expected])
  })
