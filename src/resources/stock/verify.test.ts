// Over 400 lines: whatever can be wrong in a database is broken here, check by check, and must be named.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeEach, describe, test } from 'node:test'
import { Database } from '../../kit/sql/tx.ts'
import { childEnvironment } from '../../testing/child-environment.ts'
import { assertCallers, testService } from '../../testing/service.ts'
import { until } from '../../testing/until.ts'
import { fillStock, parts, placeItem } from './fixture.ts'
import { checks } from './verification/checks.ts'
import { beginRun, carryOutRun } from './verification/runs.ts'
import { type Finding, isRight, verifyStock } from './verification/verify-stock.ts'

const service = await testService()
const { staff, member } = service
const path = '/api/stock/verify/'

/** Some stock, two orders, a third by a customer and a build order with something put by for them, and everything else that can be broken, all of it right. */
beforeEach(async () => {
  await service.pool.query('truncate purchase_order, setting, stock_verification, linked_code restart identity cascade')
  await service.pool.query('select correct_total(relation), correct_holdings() from watched_table')
  await fillStock(service)
  await placeItem(service)
  await placeItem(service, { quantity: '3', parent: 1 })
  await placeItem(service, { part: parts.board, quantity: '1', serial: 'A1' })
  await placeItem(service, { part: parts.blueBoard, quantity: '1', serial: 'A2' })
  await placeItem(service, { part: parts.lamp, quantity: '1', serial: 'A1', belongs_to: 3 })
  await member.post('/api/stock/add/', { items: [{ pk: 1, quantity: 2 }] })
  for (const reference of ['PO-0001', 'PO-0002']) {
    const order = (await member.post('/api/order/po/', { reference, supplier: 1 })).body.pk
    await member.post('/api/order/po-line/', { order, part: 1, quantity: 5, purchase_price: 2, purchase_price_currency: 'EUR' })
    await member.post('/api/order/po-extra-line/', { order, quantity: 1, price: 3, price_currency: 'EUR' })
  }
  await service.pool.query('update part set salable = true where pk = 1')
  await member.post('/api/order/so/', { reference: 'SO-0001', customer: 2 })
  await member.post('/api/order/so-line/', { order: 1, part: 1, quantity: 5, sale_price: 4, sale_price_currency: 'EUR' })
  await member.post('/api/order/so/shipment/', { order: 1 })
  const items = [{ line_item: 1, stock_item: 2, quantity: 2 }]
  assert.equal((await member.post('/api/order/so/1/allocate/', { items, shipment: 1 })).status, 201)
  await service.pool.query(
    'update part set assembly = true where pk = 4; insert into bom_item (part, sub_part, quantity) values (4, 1, 2)',
  )
  await member.post('/api/build/', { reference: 'BO-0001', part: parts.lamp, quantity: 3 })
  const taken = [{ build_line: 1, stock_item: 1, quantity: 2 }]
  assert.equal((await member.post('/api/build/1/allocate/', { items: taken })).status, 201)
})

/** Starts a run, waits for its end, and gives what it found. */
async function verify(): Promise<{ is_right: boolean; checks: Finding[] }> {
  const answer = await staff.post(path)
  assert.equal(answer.status, 201, answer.text)
  await ended()
  const { last } = (await staff.get(path)).body
  assert.equal(last.failure, null)
  return last
}

const ended = () => until(async () => (await staff.get(path)).body.running === null, 'the run does not end', 60_000)

/** Statements that nothing hinders: no trigger runs, no reference is looked at, and these constraints are gone. */
async function tamper(statement: string, constraints: Record<string, string> = {}): Promise<void> {
  const client = await service.pool.connect()
  try {
    for (const [name, table] of Object.entries(constraints))
      await client.query(
        name.endsWith('_check') ? `alter table ${table} drop constraint if exists ${name}` : `drop index ${name}`,
      )
    await client.query('set session_replication_role = replica')
    await client.query(statement)
    await client.query('set session_replication_role = origin')
  } finally {
    client.release()
  }
}

const [{ news }] = await service.rows(`select 'news_entry'::regclass::oid::bigint as news`)

/** What each check is tried with: a statement that breaks something, and what is named then. */
const broken: Record<
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
    // without a rate there is no total in another currency
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
      objects: [['table', news, 'news_entry']],
    },
    {
      statement: `insert into change_counter values ('news_entry', 1, 1, 7)`,
      objects: [['table', news, 'news_entry']],
    },
  ],
  holdings: [
    {
      statement: `update holding set rows = rows + 1 where "of" = 'part' and place = 2`,
      objects: [['partcategory', 2, 'Hardware/Small']],
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

describe(`POST ${path}`, () => {
  test('finds nothing where nothing is broken', async () => {
    const { is_right, checks: found } = await verify()
    assert.deepEqual([is_right, found.filter(({ count }) => count > 0)], [true, []])
    assert.deepEqual(
      found.map(({ name }) => name),
      checks.map(({ name }) => name),
    )
  })

  test('every check is tried', () =>
    assert.deepEqual(
      Object.keys(broken),
      checks.map(({ name }) => name),
    ))

  for (const check of checks)
    for (const { statement, objects, constraints } of broken[check.name] ?? [])
      test(`${check.name}: names what is broken by ${statement.slice(0, 80)}`, async () => {
        await tamper(statement, constraints)
        const { is_right, checks: found } = await verify()
        const finding = found.find(({ name }) => name === check.name)
        assert.deepEqual(
          finding?.objects.map(({ model, pk, name }) => [model, pk, name]),
          objects,
          JSON.stringify(finding),
        )
        assert.equal(finding?.count, objects.length)
        if (check.remark) assert.equal(finding?.damage, false)
        else assert.equal(is_right, false)
      })

  test('says where no exchange rate is known', async () => {
    await tamper(`update purchase_order_line set purchase_price_currency = 'USD' where pk = 1`)
    const { checks: found } = await verify()
    const [order] = found.find(({ name }) => name === 'order_totals')?.objects ?? []
    assert.match(order?.problem ?? '', /no exchange rate to EUR is known$/)
  })

  test('names a hundred, and counts all', async () => {
    await tamper(`insert into stock_item (part, quantity, opening_quantity, purchase_price_currency)
      select 1, 5, 0, 'EUR' from generate_series(1, 250)`)
    const { checks: found } = await verify()
    const finding = found.find(({ name }) => name === 'on_hand')
    assert.deepEqual([finding?.count, finding?.objects.length], [250, 100])
  })

  test('is for staff', async () => {
    await assertCallers(service, (client) => client.post(path), ['staff', 'superuser'])
    await ended()
  })

  test('one run at a time, whose process may die', async () => {
    const database = new Database(service.pool)
    const begin = () => database.transaction((tx) => beginRun(tx))
    const run = (await begin()) as number
    const { status, body } = await staff.post(path)
    assert.deepEqual([status, body], [400, { detail: 'Stock is being verified already.' }])
    assert.equal((await staff.get(path)).body.running.done, 0)

    // taken up by a process that is there
    await database.snapshot(async (read) => {
      await read(`select pg_advisory_xact_lock(hashtext('stock_verification'), ${run})`)
      await service.pool.query('update stock_verification set started = now(), done = 3')
      assert.equal(await begin(), undefined)
      assert.equal((await staff.get(path)).body.running.done, 3)
    })
    // and that is there no more
    assert.notEqual(await begin(), undefined)
    assert.match((await staff.get(path)).body.last.failure, /broken off/)
    assert.equal(await carryOutRun(database, run, { isGentle: false }), undefined)
  })

  test('nobody takes it up', async () => {
    const database = new Database(service.pool)
    await database.transaction((tx) => beginRun(tx))
    assert.equal((await staff.post(path)).status, 400)
    await service.pool.query(`update stock_verification set requested = now() - interval '11 minutes'`)
    assert.equal((await verify()).is_right, true)
  })

  test('reads one moment, and changes nothing', async () => {
    await new Database(service.pool).snapshot(async (read) => {
      await read('select 1 from stock_item limit 1')
      await service.pool.query('update stock_item set quantity = 77 where pk = 1')
      assert.deepEqual(isRight(await verifyStock(read, { isGentle: false })), true)
      await assert.rejects(read('update stock_item set quantity = 12 where pk = 1'), /read-only transaction/)
    })
    assert.equal((await verify()).is_right, false)
  })

  test('is broken off when the service stops', async () => {
    const stopping = new AbortController()
    const work = new Database(service.pool).snapshot(async (read) => {
      queueMicrotask(() => stopping.abort())
      await read('select pg_sleep(60)')
    }, stopping.signal)
    await assert.rejects(work, /Connection terminated/)
  })
})

describe('npm run verify', () => {
  const cli = join(import.meta.dirname, '../../cli.ts')
  const run = async (): Promise<[number, string]> => {
    const env = {
      ...childEnvironment,
      DATABASE_URL: service.databaseUrl,
      SECRET_KEY: 'a secret of the tests that is thirty-two long',
    }
    const child = spawn(process.execPath, [cli, 'verify'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const [said, [status]] = await Promise.all([text(child.stdout), once(child, 'exit')])
    return [status, said]
  }

  test('says by its exit status whether something is broken, and names it', async () => {
    assert.match((await run()).join(), new RegExp(`^0,Stock is right: ${checks.length} checks in`))
    await tamper('update stock_item set quantity = 99 where pk = 1; update purchase_order set total_price = 14 where pk = 2')
    const [status, said] = await run()
    assert.deepEqual(status, 2)
    for (const line of [
      'BROKEN, one object: On hand is what an item opened with and what its history brought.',
      '  stockitem 1 (Screw × 99): 99 on hand, but it opened with 10 and its history brought 2',
      'To be looked at, one object: The total of an order is what its lines come to.',
      '  purchaseorder 2 (PO-0002): total_price is 14.000000, counted 13.000000 EUR',
      `Stock is not right: ${checks.length} checks in`,
    ])
      assert.ok(said.includes(line), said)
    assert.equal((await staff.get(path)).body.last.is_right, false)
  })

  test('what is only to be looked at breaks nothing', async () => {
    await tamper('update purchase_order set total_price = 14 where pk = 2')
    assert.equal((await run())[0], 0)
  })

  test('says that stock is being verified already', async () => {
    await new Database(service.pool).transaction((tx) => beginRun(tx))
    assert.equal((await run())[0], 1)
  })
})

describe(`GET ${path}`, () => {
  test('knows of no run before the first', async () =>
    assert.deepEqual((await staff.get(path)).body, { running: null, last: null }))

  test('is for staff', () => assertCallers(service, (client) => client.get(path), ['staff', 'superuser']))
})
