import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, test } from 'node:test'
import type { Pool } from 'pg'
import { MediaFolder } from '../kit/services/files.ts'
import { OperatorError } from '../operator-error.ts'
import { databasePerTest } from '../testing/database.ts'
import { createFilesFolder } from '../testing/files.ts'
import { createWorkshopRecords, type FixtureRecord, LATER_MODELS, runWithoutLaterModels, writeDumpFile } from './fixture.ts'
import { describeImport, type ImportOptions, importDump } from './import.ts'

const RETURN_ORDER_RECORDS: FixtureRecord[] = [
  { model: 'order.returnorderlineitem', pk: 2, fields: { order: 3, item: 23, reference: '', notes: '', link: '', outcome: 10 } },
  { model: 'order.returnorder', pk: 3, fields: { reference: 'RMA-0003', status: 20, customer: 2, description: '', link: '' } },
]

/** The whole workshop, with an item that was shipped for an order deleted long ago. */
function createAllRecords(): FixtureRecord[] {
  const shippedItem = createWorkshopRecords().find(({ model, pk }) => model === 'stock.stockitem' && pk === 21)
  const item = { model: 'stock.stockitem', pk: 24, fields: { ...shippedItem?.fields, build: null, sales_order: 99 } }
  return [...createWorkshopRecords(), ...RETURN_ORDER_RECORDS, item]
}

const getPool = databasePerTest()
let pool: Pool
beforeEach(async () => {
  pool = getPool()
  await runWithoutLaterModels(pool, () => load(createAllRecords().filter(({ model }) => !LATER_MODELS.test(model))))
})

const selectRows = async (statement: string) => (await pool.query(statement)).rows
const load = (records: FixtureRecord[], options: Partial<ImportOptions> = {}) =>
  importDump(pool, writeDumpFile(JSON.stringify(records, null, 2)), { skipInvalid: false, ...options })

/** All rows that an import might write. */
const readState = () =>
  selectRows(`
    select (select count(*) from sales_order) + (select count(*) from sales_order_line) + (select count(*) from sales_order_allocation)
      + (select count(*) from return_order) orders, json_agg(item order by pk) items
    from (select pk, quantity, sales_order, allocated_to_sales_orders from stock_item) item`)

async function assertRejected(records: FixtureRecord[], reason: RegExp, options?: Partial<ImportOptions>): Promise<void> {
  const before = await readState()
  await assert.rejects(load(records, options), (error) => {
    assert.ok(error instanceof OperatorError, String(error))
    assert.match(error.message, reason)
    assert.match(error.message, /nothing was imported/i)
    return true
  })
  assert.deepEqual(await readState(), before)
}

describe('importing a dump a second time', () => {
  test('loads the new kinds of records, and keeps what has changed since', async () => {
    await pool.query(`
      update part set "IPN" = 'B-12', description = 'Changed' where pk = 12;
      insert into part (pk, name, variant_of) values (50, 'Blue bracket', 12);
      update stock_item set quantity = 4, part = 50 where pk = 21;
      insert into company (name, currency) values ('Since', 'EUR');
      insert into stock_item (part, quantity, purchase_price_currency) values (13, 2, 'USD');
      delete from stock_item where pk = 22;
      delete from contact`)
    const result = await load(createAllRecords())
    const { problems } = result
    assert.deepEqual(problems.listFirst(), [])
    const report = describeImport(result).join('\n')
    assert.match(report, /^The database already has objects of this dump: .*only kinds without objects are imported\.$/m)
    assert.match(report, /^order\.salesorder +1 +1 +0$/m)
    assert.match(report, /^order\.returnorderlineitem +1 +1 +0$/m)
    assert.match(report, /^part\.part +2 +0 +2 {2}already present$/m)
    assert.match(report, /^stock\.stockitem +4 +0 +4 {2}already present, except 1$/m)
    assert.match(report, /^build\.build +1 +1 +0$/m)
    assert.match(report, /^taggit\.tag +1 +0 +1 {2}are deleted with their objects$/m)
    assert.deepEqual(await selectRows('select pk, "IPN", description from part where pk = 12'), [
      { pk: 12, IPN: 'B-12', description: 'Changed' },
    ])
    assert.deepEqual(
      await selectRows('select o.pk, line.item from return_order o join return_order_line line on line."order" = o.pk'),
      [{ pk: 3, item: 23 }],
    )
    assert.deepEqual(await selectRows('select pk, is_open from sales_order_allocation order by pk'), [
      { pk: 1, is_open: false },
      { pk: 2, is_open: true },
    ])
    // stored numbers become references; those without an object become null and are listed
    assert.match(report, /^stock_item 24: sales_order 99 was cleared: the object does not exist$/m)
    assert.equal(result.cleared.length, 1)
    assert.deepEqual(
      await selectRows('select pk, sales_order, allocated_to_sales_orders::float allocated from stock_item order by pk'),
      [
        { pk: 21, sales_order: null, allocated: 2.5 },
        { pk: 23, sales_order: 5, allocated: 0 },
        { pk: 24, sales_order: null, allocated: 0 },
        { pk: 25, sales_order: null, allocated: 0 },
      ],
    )
    assert.deepEqual(
      await selectRows(`select convalidated from pg_constraint where conrelid = 'stock_item'::regclass and not convalidated`),
      [],
    )
  })

  test('assigns no key twice', async () => {
    await pool.query(`insert into stock_item (part, quantity, purchase_price_currency) values (13, 2, 'USD')`)
    await pool.query('delete from stock_item where pk = 25')
    await load(createAllRecords())
    const next = await selectRows(
      `insert into stock_item (part, quantity, purchase_price_currency) values (13, 2, 'USD') returning pk`,
    )
    assert.deepEqual(next, [{ pk: 26 }])
    const order = await selectRows(
      `insert into sales_order (reference, total_price_currency) values ('SO-0100', 'USD') returning pk`,
    )
    assert.deepEqual(order, [{ pk: 100 }])
  })

  test('rejects a third import, and one with nothing new', async () => {
    await assertRejected(
      createAllRecords().filter(({ model }) => !LATER_MODELS.test(model)),
      /already has objects of every kind/,
    )
    await load(createAllRecords())
    await assertRejected(createAllRecords(), /already has objects of every kind/)
  })

  test('rejects other objects with the same keys, and names each, even with skipInvalid', async () => {
    const cases: [string, RegExp][] = [
      [`update part set name = 'Bolt' where pk = 12`, /line \d+: part.part 12: .*with name "Bolt" instead of name "Bracket"/],
      [`update company set name = 'Nuts' where pk = 2`, /company.company 2: .*name "Nuts" instead of name "Screws Ltd"/],
      [`update supplier_part set "SKU" = 'X' where pk = 41`, /company.supplierpart 41: .*SKU "X" instead of SKU "S-12"/],
      [`update user_account set username = 'eve' where pk = 3`, /auth.user 3: .*username "eve" instead of username "ann"/],
      [`update purchase_order set reference = 'PO-9' where pk = 8`, /order.purchaseorder 8: .*reference "PO-9" instead of/],
      [
        `insert into part (pk, name) values (99, 'Other'); update stock_item set part = 99 where pk = 21`,
        /stock.stockitem 21: .*part 99 instead of part 12/,
      ],
    ]
    for (const [statement] of cases) await pool.query(statement)
    for (const [, reason] of cases)
      for (const skipInvalid of [false, true]) await assertRejected(createAllRecords(), reason, { skipInvalid })
  })

  test('recognizes a part by its IPN or its name', async () => {
    const records = createAllRecords()
    const part = records.find(({ model, pk }) => model === 'part.part' && pk === 12)
    assert.ok(part)
    part.fields.IPN = 'B-12'
    await pool.query(`update part set name = 'Renamed', "IPN" = 'B-12' where pk = 12`)
    await load(records)
    assert.equal((await selectRows('select from sales_order')).length, 1)
  })

  test('rejects a database where an object is missing', async () => {
    await pool.query('delete from stock_item where pk = 21')
    await assertRejected(createAllRecords(), /line \d+: order.salesorderallocation 2: item 21 does not exist/)
  })

  test('rejects a database that holds none of its objects', async () => {
    const createProjectCode = (pk: number, code: string) => ({ model: 'common.projectcode', pk, fields: { code } })
    const createUnit = (pk: number) => ({
      model: 'common.customunit',
      pk,
      fields: { name: 'pack', definition: '12', symbol: '' },
    })
    await assertRejected([createProjectCode(1, 'P1')], /"stock_location" already has rows, and none of them comes from this dump/)
    await assertRejected(
      [createUnit(1), ...createAllRecords().filter(({ model }) => LATER_MODELS.test(model))],
      /none of them comes from this dump/,
    )
  })

  test('rejects keys that are taken', async () => {
    const insertLine = `insert into sales_order_line (pk, "order", part, sale_price_currency) values (4, 100, 12, 'USD')`
    await pool.query(`insert into sales_order (reference, total_price_currency) values ('SO-0100', 'USD')`)
    await assertRejected(createAllRecords(), /"sales_order" already has rows, and none of them comes from this dump/)
    await pool.query(insertLine)
    await assertRejected(
      createAllRecords(),
      /order.salesorderlineitem 4: its key belongs to another object, with order 100 instead of order 5/,
    )
    await pool.query(`insert into sales_order (pk, reference, total_price_currency) values (5, 'SO-0101', 'USD')`)
    await assertRejected(createAllRecords(), /order.salesorder 5: its key belongs .*"SO-0101" instead of reference "SO-0005"/)
  })

  test('rejects allocations that stock no longer covers', async () => {
    await pool.query('update stock_item set quantity = 2 where pk = 21')
    await assertRejected(
      createAllRecords(),
      /order.salesorderallocation 2: the allocated quantity of its stock item exceeds its quantity/,
    )
    await pool.query('update stock_item set quantity = 10, customer = 2 where pk = 21')
    await assertRejected(createAllRecords(), /order.salesorderallocation 2: item 21 is no longer in stock/)
    const { problems } = await load(createAllRecords(), { skipInvalid: true })
    assert.deepEqual([problems.count, await selectRows('select pk from sales_order_allocation')], [1, [{ pk: 1 }]])
  })

  test('copies the files of the new kinds, and keeps existing ones', async () => {
    const { dataDir, media } = createFilesFolder()
    const oldFolder = join(dataDir, 'old')
    for (const [folder, file, text] of [
      ['so_files/5', 'offer.pdf', 'an offer'],
      ['part_images', 'bracket.png', 'as it was'],
    ] as const) {
      mkdirSync(join(oldFolder, folder), { recursive: true })
      writeFileSync(join(oldFolder, folder, file), text)
    }
    await pool.query(`update part set image = 'part_images/bracket.png' where pk = 12`)
    const files = new MediaFolder(media)
    const attachment = {
      attachment: 'so_files/5/offer.pdf',
      link: null,
      comment: '',
      user: null,
      upload_date: '2024-01-02',
      order: 5,
    }
    const records = [...createAllRecords(), { model: 'order.salesorderattachment', pk: 1, fields: attachment }]
    const report = await load(records, { media: { sourceFolder: oldFolder, files } })
    assert.deepEqual([report.media.referenced, report.media.present], [1, 1])
    assert.equal(String(await files.bytes('so_files/5/offer.pdf')), 'an offer')
    assert.equal(await files.find('part_images/bracket.png'), undefined)
  })
})
