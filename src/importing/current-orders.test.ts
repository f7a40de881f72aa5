// Records in the form of InvenTree 1.5: orders on hold, custom states, consumed quantities.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { Pool } from 'pg'
import { databasePerTest } from '../testing/database.ts'
import { createWorkshopRecords, type FixtureRecord, writeDumpFile } from './fixture.ts'
import { describeImport, importDump } from './import.ts'

const getPool = databasePerTest()
let pool: Pool
beforeEach(() => {
  pool = getPool()
})

const METADATA = { metadata: true, source_version: '1.5.0', api_version: 530 }
const load = (records: readonly FixtureRecord[]) =>
  importDump(pool, writeDumpFile(JSON.stringify([METADATA, ...records])), { skipInvalid: false })
const selectRows = async (statement: string) => (await pool.query(statement)).rows

const STATE = {
  reference_status: 'StockStatus',
  logical_key: 10,
  key: 111,
  name: 'INSPECTED',
  label: 'Inspected',
  color: 'info',
  model: ['stock', 'stockitem'],
}
const ORDER = {
  metadata: {},
  notes: null,
  barcode_data: '',
  barcode_hash: '',
  total_price_currency: 'USD',
  total_price: '0.000000',
  order_currency: null,
  description: '',
  project_code: null,
  link: '',
  start_date: null,
  target_date: null,
  creation_date: '2026-11-26',
  created_by: null,
  issue_date: '2026-11-26',
  updated_at: '2026-11-26T08:36:21.998Z',
  responsible: null,
  contact: null,
  address: null,
  status_custom_key: null,
}
const BUILD = {
  metadata: {},
  reference_int: 101,
  notes: null,
  barcode_data: '',
  barcode_hash: '',
  title: 'Half built',
  parent: null,
  sales_order: null,
  take_from: null,
  external: true,
  destination: null,
  quantity: 10,
  completed: 0,
  batch: null,
  creation_date: '2026-11-26',
  start_date: '2026-12-01',
  target_date: '2027-01-15',
  completion_date: null,
  completed_by: null,
  issued_by: null,
  responsible: null,
  link: '',
  priority: 0,
  project_code: null,
}
const BOM_ITEM = { part: 12, sub_part: 90, quantity: '2.80000', reference: '', note: '' }

/** The workshop with further records. */
const addRecords = (...records: [model: string, pk: number, fields: object][]): FixtureRecord[] => [
  ...createWorkshopRecords(),
  ...records.map(([model, pk, fields]) => ({ model, pk, fields: fields as Record<string, unknown> })),
]

test('orders on hold and their custom states are imported', async () => {
  const { problems, cleared } = await load(
    addRecords(
      [
        'common.inventreecustomuserstatemodel',
        3,
        { ...STATE, reference_status: 'PurchaseOrderStatus', logical_key: 20, key: 120, name: 'CONFIRMED', label: 'Confirmed' },
      ],
      [
        'order.purchaseorder',
        913,
        {
          ...ORDER,
          reference: 'PO-0913',
          reference_int: 913,
          status: 25,
          supplier: null,
          supplier_reference: '',
          received_by: null,
          complete_date: null,
          destination: null,
        },
      ],
      [
        'order.purchaseorder',
        914,
        {
          ...ORDER,
          reference: 'PO-0914',
          reference_int: 914,
          status: 20,
          status_custom_key: 120,
          supplier: null,
          supplier_reference: '',
          received_by: null,
          complete_date: null,
          destination: null,
        },
      ],
      [
        'order.purchaseorder',
        915,
        {
          ...ORDER,
          reference: 'PO-0915',
          reference_int: 915,
          status: 30,
          status_custom_key: 120,
          supplier: null,
          supplier_reference: '',
          received_by: null,
          complete_date: '2026-11-26',
          destination: null,
        },
      ],
      [
        'order.salesorder',
        913,
        {
          ...ORDER,
          reference: 'SO-0913',
          reference_int: 913,
          status: 25,
          customer: null,
          customer_reference: '',
          shipment_date: null,
          shipped_by: null,
        },
      ],
      [
        'order.salesorder',
        914,
        {
          ...ORDER,
          reference: 'SO-0914',
          reference_int: 914,
          status: 30,
          customer: null,
          customer_reference: '',
          shipment_date: '2026-11-26',
          shipped_by: null,
        },
      ],
      [
        'order.returnorder',
        913,
        {
          ...ORDER,
          reference: 'RMA-0913',
          reference_int: 913,
          status: 25,
          customer: null,
          customer_reference: '',
          complete_date: null,
        },
      ],
      ['build.build', 919, { ...BUILD, reference: 'BO-0919', part: 12, status: 25, status_custom_key: null }],
    ),
  )
  assert.deepEqual(problems.listFirst(), [])
  assert.deepEqual(await selectRows('select pk, status, status_custom_key from purchase_order where pk > 900 order by pk'), [
    { pk: 913, status: 25, status_custom_key: null },
    { pk: 914, status: 20, status_custom_key: 120 },
    { pk: 915, status: 30, status_custom_key: null },
  ])
  assert.deepEqual(cleared, [{ table: 'purchase_order', pk: 915, column: 'status_custom_key', number: 120 }])
  assert.deepEqual(await selectRows('select pk, status from sales_order where pk > 900 order by pk'), [
    { pk: 913, status: 25 },
    { pk: 914, status: 20 },
  ])
  assert.deepEqual(await selectRows('select status from return_order where pk = 913'), [{ status: 25 }])
  assert.deepEqual(await selectRows('select status, external, start_date::text from build_order where pk = 919'), [
    { status: 25, external: true, start_date: '2026-12-01' },
  ])
})

test('stock keeps custom states that exist, and the report names the others', async () => {
  const records = addRecords(['common.inventreecustomuserstatemodel', 1, STATE])
  const items = records.filter(({ model }) => model === 'stock.stockitem')
  const [kept, unknown, plain] = items as [FixtureRecord, FixtureRecord, FixtureRecord]
  Object.assign(kept.fields, { status: 10, status_custom_key: 111 })
  Object.assign(unknown.fields, { status: 10, status_custom_key: 176 })
  Object.assign(plain.fields, { status: 10, status_custom_key: 10 })
  const report = await load(records)
  assert.deepEqual(report.problems.listFirst(), [])
  assert.deepEqual(await selectRows(`select pk, status_custom_key from stock_item where status_custom_key is not null`), [
    { pk: kept.pk, status_custom_key: 111 },
  ])
  assert.ok(
    describeImport(report).includes(`stock_item ${unknown.pk}: status_custom_key 176 was cleared: the object does not exist`),
  )
  assert.equal(report.cleared.length, 1)
  assert.deepEqual(await selectRows('select key, label, logical_key, reference_status, color from custom_state'), [
    { key: 111, label: 'Inspected', logical_key: 10, reference_status: 'StockStatus', color: 'info' },
  ])
})

test('a half-built order requires the rest only', async () => {
  const { fields: template } = createWorkshopRecords().find(({ model }) => model === 'part.part') as FixtureRecord
  const component = { ...template, name: 'Leg', IPN: 'LEG', variant_of: null, barcode_data: '', component: true }
  await load(
    addRecords(
      ['part.part', 90, component],
      ['part.bomitem', 359, BOM_ITEM],
      ['build.build', 917, { ...BUILD, reference: 'BO-0917', part: 12, status: 20, status_custom_key: null }],
      ['build.buildline', 362, { build: 917, bom_item: 359, quantity: '28.00000', consumed: '10.00000' }],
    ),
  )
  assert.deepEqual(await selectRows('select quantity, consumed from build_line where pk = 362'), [
    { quantity: '28.00000', consumed: '10.00000' },
  ])
  assert.deepEqual(await selectRows('select * from verify_quantities()'), [])
  assert.deepEqual(
    await selectRows(`select sum(greatest(line.quantity - line.consumed, 0)) = max(q.required_for_build_orders) as same
      from build_line line join build_order b on b.pk = line.build and is_active_build(b.status)
      join part_quantity q on q.pk = line.part where line.part = 90`),
    [{ same: true }],
  )
})
