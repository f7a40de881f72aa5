import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testService } from '../../../testing/service.ts'
import { checks } from './checks.ts'
import { createVerifiableData } from './fixture.ts'
import { type Finding, isConsistent, verifyStock } from './verify-stock.ts'

const service = await testService({}, { runsBackgroundWork: false })
await createVerifiableData(service)

/** Returns the findings after unchecked statements: without triggers, foreign key checks and these constraints. The statements are rolled back. */
async function verifyTampered(statement: string, constraints: Record<string, string> = {}): Promise<Finding[]> {
  const client = await service.pool.connect()
  try {
    await client.query('begin')
    for (const [name, table] of Object.entries(constraints))
      await client.query(
        name.endsWith('_check') ? `alter table ${table} drop constraint if exists ${name}` : `drop index ${name}`,
      )
    await client.query('set local session_replication_role = replica')
    await client.query(statement)
    await client.query('set local session_replication_role = origin')
    return await verifyStock(async (text) => (await client.query(text)).rows, { isThrottled: false })
  } finally {
    await client.query('rollback')
    client.release()
  }
}

const [{ newsTable, itemTable }] = await service.rows(
  `select 'news_entry'::regclass::oid::bigint as "newsTable", 'stock_item'::regclass::oid::bigint as "itemTable"`,
)

/** Test cases per check: a statement that violates it, and the objects that are then listed. */
const testCases: Record<
  string,
  { statement: string; objects: [string, number, string | null][]; constraints?: Record<string, string> }[]
> = {
  on_hand: [
    { statement: 'update stock_item set quantity = 99 where pk = 1', objects: [['stockitem', 1, 'Screw × 99']] },
    {
      statement: 'update stock_tracking set quantity_change = 7 where item = 1',
      objects: [['stockitem', 1, 'Screw × 12']],
    },
    { statement: 'delete from stock_tracking', objects: [['stockitem', 1, 'Screw × 12']] },
  ],
  not_negative: [
    {
      statement: 'update stock_item set quantity = -1, opening_quantity = -3 where pk = 1',
      objects: [['stockitem', 1, 'Screw × -1']],
      constraints: { stock_item_quantity_check: 'stock_item', stock_item_allocated_check: 'stock_item' },
    },
    {
      statement: 'update purchase_order_line set received = -1 where pk = 2',
      objects: [['purchaseorderlineitem', 2, 'PO-0002, S-100']],
      constraints: { purchase_order_line_received_check: 'purchase_order_line' },
    },
    {
      statement: 'update sales_order_line set shipped = -1 where pk = 1',
      objects: [['salesorderlineitem', 1, 'SO-0001, Screw']],
      constraints: { sales_order_line_shipped_check: 'sales_order_line' },
    },
  ],
  single_units: [
    {
      statement: 'update stock_item set quantity = 2, opening_quantity = 2 where pk = 4',
      objects: [['stockitem', 4, 'Board blue #A2']],
      constraints: { stock_item_serial_quantity_check: 'stock_item' },
    },
  ],
  serial_numbers: [
    {
      statement: `update stock_item set serial = 'A1' where pk = 4`,
      objects: [
        ['stockitem', 3, 'Board #A1'],
        ['stockitem', 4, 'Board blue #A1'],
      ],
    },
  ],
  serial_numbers_everywhere: [
    {
      statement: `insert into setting (key, value) values ('SERIAL_NUMBER_GLOBALLY_UNIQUE', 'True')
        on conflict (key) do update set value = 'True'`,
      objects: [
        ['stockitem', 3, 'Board #A1'],
        ['stockitem', 5, 'Lamp #A1'],
      ],
    },
  ],
  barcodes: [
    {
      statement: `insert into linked_code values ('f', 'f', 'part', 4)`,
      objects: [['part', 4, 'Lamp']],
    },
    {
      statement: `insert into linked_code values ('f', 'f', 'stockitem', 1); update stock_item set barcode_hash = 'f', barcode_key = 'g' where pk = 1`,
      objects: [['stockitem', 1, 'Screw × 12']],
    },
    { statement: `insert into linked_code values ('f', 'f', 'stockitem', 99)`, objects: [['stockitem', 99, null]] },
  ],
  shared_barcodes: [
    {
      statement: `insert into linked_code values ('f', 'k', 'stockitem', 1);
        update stock_item set barcode_hash = 'f', barcode_key = 'k' where pk = 1;
        update part set barcode_hash = 'f' where pk = 4; update stock_item set barcode_hash = 'g', barcode_key = 'k' where pk = 2`,
      objects: [
        ['part', 4, 'Lamp'],
        ['stockitem', 2, 'Screw × 3'],
      ],
    },
    { statement: `update part set barcode_hash = 'f' where pk = 4`, objects: [['part', 4, 'Lamp']] },
  ],
  allocations: [
    {
      statement: 'update stock_item set allocated_to_sales_orders = 1 where pk = 2',
      objects: [['stockitem', 2, 'Screw × 3']],
    },
    { statement: 'update sales_order_allocation set quantity = 1', objects: [['stockitem', 2, 'Screw × 3']] },
    { statement: 'update build_allocation set quantity = 1', objects: [['stockitem', 1, 'Screw × 12']] },
    {
      statement: 'update stock_item set allocated_to_build_orders = 1 where pk = 1',
      objects: [['stockitem', 1, 'Screw × 12']],
    },
    {
      statement: `update sales_order_allocation set quantity = 4;
        update stock_item set allocated_to_sales_orders = 4 where pk = 2`,
      objects: [['stockitem', 2, 'Screw × 3']],
      constraints: { stock_item_allocated_check: 'stock_item' },
    },
  ],
  allocated_shipments: [
    {
      statement: `insert into sales_order (reference, customer, total_price_currency) values ('SO-0002', 2, 'EUR');
        update sales_order_shipment set "order" = (select max(pk) from sales_order)`,
      objects: [['salesorderallocation', 1, 'SO-0001, stock item 2']],
    },
  ],
  left_allocations: [
    {
      statement: `update sales_order_shipment set shipment_date = '2031-01-01'`,
      objects: [['salesorderallocation', 1, 'SO-0001, stock item 2']],
    },
    {
      statement: `update sales_order_allocation set is_open = false; update stock_item set allocated_to_sales_orders = 0`,
      objects: [['salesorderallocation', 1, 'SO-0001, stock item 2']],
    },
  ],
  build_allocations: [
    'update build_order set status = 40',
    'update build_allocation set install_into = 5',
    'update build_allocation set install_into = 5; update stock_item set build = 1 where pk = 5',
  ].map((statement) => ({ statement, objects: [['builditem', 1, 'BO-0001, stock item 1']] })),
  custom_states: [
    { statement: 'update stock_item set status_custom_key = 999 where pk = 1', objects: [['stockitem', 1, 'Screw × 12']] },
    {
      statement: `insert into custom_state (reference_status, key, name, label, logical_key) values ('StockStatus', 155, 'X', 'X', 55);
        update stock_item set status_custom_key = 155 where pk = 1`,
      objects: [['stockitem', 1, 'Screw × 12']],
    },
  ],
  transfer_allocations: [
    { statement: 'update transfer_order set status = 30', objects: [['transferorderallocation', 1, 'TO-0001, stock item 1']] },
  ],
  used_up: [{ statement: 'update stock_item set consumed_by = 1 where pk = 1', objects: [['stockitem', 1, 'Screw × 12']] }],
  part_sums: [
    'in_stock',
    'stock_item_count',
    'external_stock',
    'variant_stock',
    'ordering',
    'suppliers',
    'allocated_to_sales_orders',
    'required_for_sales_orders',
    'building',
    'allocated_to_build_orders',
    'required_for_build_orders',
    'allocated_to_transfer_orders',
  ].map((sum) => ({
    statement: `update part_quantity set ${sum} = ${sum} + 1 where pk = 4`,
    objects: [['part', 4, 'Lamp']],
  })),
  line_counts: ['line_items', 'completed_lines'].flatMap((sum) => [
    { statement: `update purchase_order set ${sum} = 7 where pk = 2`, objects: [['purchaseorder', 2, 'PO-0002']] },
    { statement: `update sales_order set ${sum} = 7 where pk = 1`, objects: [['salesorder', 1, 'SO-0001']] },
  ]),
  order_totals: [
    { statement: 'update sales_order_line set sale_price = 5', objects: [['salesorder', 1, 'SO-0001']] },
    { statement: 'update purchase_order set total_price = 14 where pk = 2', objects: [['purchaseorder', 2, 'PO-0002']] },
    { statement: 'update purchase_order_extra_line set price = 4 where pk = 1', objects: [['purchaseorder', 1, 'PO-0001']] },
    { statement: 'update purchase_order set total_price = null where pk = 2', objects: [['purchaseorder', 2, 'PO-0002']] },
    // without an exchange rate there is no total in another currency
    {
      statement: `update purchase_order_line set purchase_price_currency = 'USD' where pk = 1`,
      objects: [['purchaseorder', 1, 'PO-0001']],
    },
  ],
  trees: [
    { statement: 'update part_category set parent = null where pk = 2', objects: [['partcategory', 2, 'Hardware/Small']] },
    { statement: `update stock_location set path = '{2}' where pk = 2`, objects: [['stocklocation', 2, 'House/Shelf']] },
    { statement: 'update part set variant_of = 2 where pk = 5', objects: [['part', 5, 'Service']] },
    {
      statement: 'update stock_location set parent = 3 where pk = 1',
      objects: [
        ['stocklocation', 1, 'House'],
        ['stocklocation', 2, 'House/Shelf'],
        ['stocklocation', 3, 'House/Shelf/Box'],
      ],
    },
  ],
  split_items: [
    {
      statement: 'update stock_item set parent = 2 where pk = 1',
      objects: [
        ['stockitem', 1, 'Screw × 12'],
        ['stockitem', 2, 'Screw × 3'],
      ],
    },
  ],
  installed_items: [
    {
      statement: 'update stock_item set belongs_to = 5 where pk = 3',
      objects: [
        ['stockitem', 3, 'Board #A1'],
        ['stockitem', 5, 'Lamp #A1'],
      ],
    },
  ],
  row_totals: [
    {
      statement: `insert into news_entry (feed_id, title, link, published) values ('a', '', '', now())`,
      objects: [['table', newsTable, 'news_entry']],
    },
    {
      statement: `insert into change_counter values ('news_entry', 1, 1, 7)`,
      objects: [['table', newsTable, 'news_entry']],
    },
  ],
  holdings: [
    {
      statement: `update holding set rows = rows + 1 where "of" = 'part' and place = 2`,
      objects: [['partcategory', 2, 'Hardware/Small']],
    },
    {
      statement: `update holding set rows = rows + 1 where "of" = 'stock_item.in_stock' and place = 1`,
      objects: [['table', itemTable, 'stock_item']],
    },
    {
      statement: 'update stock_item set location = 3 where location = 2',
      objects: [
        ['stocklocation', 2, 'House/Shelf'],
        ['stocklocation', 3, 'House/Shelf/Box'],
      ],
    },
  ],
  references: [
    { statement: 'update stock_item set location = 99 where pk = 1', objects: [['stockitem', 1, 'Screw × 12']] },
    { statement: 'update stock_item set part = 99 where pk = 4', objects: [['stockitem', 4, ' #A2']] },
    {
      statement: 'update purchase_order_line set part = 99 where pk = 2',
      objects: [['purchaseorderlineitem', 2, 'PO-0002, ']],
    },
  ],
}

describe('the stock verification', () => {
  it('finds nothing in intact data', async () => {
    const findings = await verifyTampered('select 1')
    assert.deepEqual([isConsistent(findings), findings.filter(({ count }) => count > 0)], [true, []])
  })

  it('has test cases for every check', () =>
    assert.deepEqual(
      Object.keys(testCases),
      checks.map(({ name }) => name),
    ))

  for (const check of checks)
    for (const { statement, objects, constraints } of testCases[check.name] ?? [])
      it(`${check.name}: reports rows broken by ${statement.slice(0, 80)}`, async () => {
        const findings = await verifyTampered(statement, constraints)
        const finding = findings.find(({ name }) => name === check.name)
        assert.deepEqual(
          finding?.objects.map(({ model, pk, name }) => [model, pk, name]),
          objects,
          JSON.stringify(finding),
        )
        assert.equal(finding?.count, objects.length)
        if (check.isWarning) assert.equal(finding?.damage, false)
        else assert.equal(isConsistent(findings), false)
      })

  it('reports a missing exchange rate', async () => {
    const findings = await verifyTampered(`update purchase_order_line set purchase_price_currency = 'USD' where pk = 1`)
    const [order] = findings.find(({ name }) => name === 'order_totals')?.objects ?? []
    assert.match(order?.problem ?? '', /no exchange rate to EUR is known$/)
  })

  it('lists a hundred objects and counts all', async () => {
    const findings = await verifyTampered(`insert into stock_item (part, quantity, opening_quantity, purchase_price_currency)
      select 1, 5, 0, 'EUR' from generate_series(1, 250)`)
    const finding = findings.find(({ name }) => name === 'on_hand')
    assert.deepEqual([finding?.count, finding?.objects.length], [250, 100])
  })
})
