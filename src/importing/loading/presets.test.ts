import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databasePerTest } from '../../testing/database.ts'
import { writeDumpFile } from '../fixture.ts'
import { importDump } from '../import.ts'

const getPool = databasePerTest()
const selectRows = async (statement: string) => (await getPool().query(statement)).rows
const readToday = async () => (await selectRows('select current_date::text as day'))[0].day

/** Records with only their required fields. */
const minimalRecords = [
  { model: 'stock.stockitem', pk: 1, fields: { part: 1 } },
  { model: 'stock.stockitemtracking', pk: 1, fields: { item: 1 } },
  { model: 'order.purchaseorderlineitem', pk: 1, fields: { order: 2 } },
  { model: 'order.purchaseorderextraline', pk: 1, fields: { order: 2 } },
  { model: 'order.purchaseorder', pk: 1, fields: {} },
  { model: 'order.purchaseorder', pk: 2, fields: { reference: 'PO-0007', supplier: 1 } },
  { model: 'company.supplierpricebreak', pk: 1, fields: { part: 1 } },
  { model: 'company.supplierpart', pk: 1, fields: { part: 1, supplier: 1, SKU: 'S' } },
  { model: 'company.manufacturerpart', pk: 1, fields: { part: 1, manufacturer: 1, MPN: 'M' } },
  { model: 'company.address', pk: 1, fields: { company: 1, title: 'Home' } },
  { model: 'company.contact', pk: 1, fields: { company: 1, name: 'Ann' } },
  { model: 'company.company', pk: 1, fields: { name: 'Bolts' } },
  { model: 'part.partpricing', pk: 1, fields: { part: 1, overall_min: '1.5' } },
  { model: 'part.part', pk: 1, fields: { name: 'Bolt' } },
  { model: 'part.partcategory', pk: 1, fields: { name: 'Hardware' } },
  { model: 'stock.stocklocation', pk: 1, fields: { name: 'Shelf' } },
  { model: 'stock.stocklocationtype', pk: 1, fields: { name: 'Box' } },
  { model: 'common.projectcode', pk: 1, fields: { code: 'P' } },
  { model: 'common.customunit', pk: 1, fields: { name: 'dozen', definition: '12' } },
  { model: 'common.inventreeusersetting', pk: 1, fields: { key: 'PART_RECENT_COUNT', user: ['ann'] } },
  { model: 'users.ruleset', pk: 1, fields: { name: 'part', group: ['makers'] } },
  { model: 'auth.user', pk: 1, fields: { username: 'ann' } },
  { model: 'auth.group', pk: 1, fields: { name: 'makers' } },
]

type Fields = Record<string, unknown>
const createSetting = (pk: number, key: string, value: string) => ({
  model: 'common.inventreesetting',
  pk,
  fields: { key, value },
})

/** Loads the minimal records, some with extra fields, together with extra records. */
async function load(extraFields: Record<string, Fields> = {}, extraRecords: object[] = []): Promise<void> {
  const records = minimalRecords.map((record) => ({
    ...record,
    fields: { ...record.fields, ...(record.pk === 1 ? extraFields[record.model] : undefined) },
  }))
  const options = { skipInvalid: false }
  await importDump(getPool(), writeDumpFile(JSON.stringify([...records, ...extraRecords], null, 2)), options)
}

test("omitted fields get the defaults of InvenTree's models", async () => {
  await load()
  const [item] = await selectRows('select *, quantity::float as quantity from stock_item')
  const { status, delete_on_deplete, is_building, purchase_price, purchase_price_currency, serial, batch, location } = item
  assert.deepEqual(
    { status, delete_on_deplete, is_building, purchase_price, purchase_price_currency, serial, batch, location, link: item.link },
    {
      status: 10,
      delete_on_deplete: true,
      is_building: false,
      purchase_price: null,
      purchase_price_currency: 'USD',
      serial: null,
      batch: '',
      location: null,
      link: '',
    },
  )
  assert.deepEqual([item.quantity, item.in_stock, item.metadata, item.tags], [1, true, {}, []])
  assert.deepEqual(await selectRows('select tracking_type, deltas, notes, "user" from stock_tracking'), [
    { tracking_type: 0, deltas: {}, notes: null, user: null },
  ])
  assert.deepEqual(
    await selectRows(`select active, assembly, component, is_template, purchaseable, salable, trackable, virtual, units,
      minimum_stock::float, default_expiry, creation_date from part`),
    [
      {
        active: true,
        assembly: false,
        component: true,
        is_template: false,
        purchaseable: true,
        salable: false,
        trackable: false,
        virtual: false,
        units: '',
        minimum_stock: 0,
        default_expiry: 0,
        creation_date: await readToday(),
      },
    ],
  )
  assert.deepEqual(
    await selectRows('select currency, active, is_supplier, is_customer, is_manufacturer, description from company'),
    [{ currency: 'USD', active: true, is_supplier: true, is_customer: false, is_manufacturer: false, description: '' }],
  )
  assert.deepEqual(
    await selectRows(
      'select pack_quantity_native::float, available::float, active, base_cost::float, multiple from supplier_part',
    ),
    [{ pack_quantity_native: 1, available: 0, active: true, base_cost: 0, multiple: 1 }],
  )
  assert.deepEqual(await selectRows('select quantity::float, price, price_currency from supplier_price_break'), [
    { quantity: 1, price: null, price_currency: 'USD' },
  ])
  assert.deepEqual(await selectRows('select currency, override_min_currency, scheduled_for_update from part_pricing'), [
    { currency: 'USD', override_min_currency: 'USD', scheduled_for_update: false },
  ])
  assert.deepEqual(
    await selectRows(
      'select status, creation_date, total_price, total_price_currency, order_currency from purchase_order where pk = 2',
    ),
    [{ status: 10, creation_date: await readToday(), total_price: null, total_price_currency: 'USD', order_currency: null }],
  )
  assert.deepEqual(
    await selectRows('select quantity::float, received::float, purchase_price_currency from purchase_order_line'),
    [{ quantity: 1, received: 0, purchase_price_currency: 'USD' }],
  )
  assert.deepEqual(await selectRows('select quantity::float, price_currency from purchase_order_extra_line'), [
    { quantity: 1, price_currency: 'USD' },
  ])
  assert.deepEqual(await selectRows(`select can_view, can_add, can_change, can_delete from rule_set where name = 'part'`), [
    { can_view: true, can_add: false, can_change: false, can_delete: false },
  ])
  assert.deepEqual(await selectRows('select password, email, is_active, is_staff, is_superuser from user_account'), [
    { password: '', email: '', is_active: true, is_staff: false, is_superuser: false },
  ])
})

test("defaults that depend on settings use the dump's settings", async () => {
  await load({}, [
    createSetting(1, 'INVENTREE_DEFAULT_CURRENCY', 'EUR'),
    createSetting(2, 'PART_COMPONENT', 'False'),
    createSetting(3, 'PART_SALABLE', 'True'),
    createSetting(4, 'STOCK_DELETE_DEPLETED_DEFAULT', 'False'),
    createSetting(5, 'STOCK_BATCH_CODE_TEMPLATE', 'B-1'),
    createSetting(6, 'PURCHASEORDER_REFERENCE_PATTERN', 'O-{ref:03d}'),
  ])
  for (const [table, column] of [
    ['company', 'currency'],
    ['stock_item', 'purchase_price_currency'],
    ['supplier_price_break', 'price_currency'],
    ['purchase_order_line', 'purchase_price_currency'],
    ['purchase_order_extra_line', 'price_currency'],
    ['purchase_order', 'total_price_currency'],
    ['part_pricing', 'currency'],
    ['part_pricing', 'override_max_currency'],
  ])
    assert.deepEqual(await selectRows(`select distinct ${column} as currency from ${table}`), [{ currency: 'EUR' }], table)
  assert.deepEqual(await selectRows('select component, salable from part'), [{ component: false, salable: true }])
  assert.deepEqual(await selectRows('select delete_on_deplete, batch from stock_item'), [
    { delete_on_deplete: false, batch: 'B-1' },
  ])
  assert.deepEqual(await selectRows('select reference, reference_int from purchase_order order by pk'), [
    { reference: 'O-008', reference_int: 8 },
    { reference: 'PO-0007', reference_int: 7 },
  ])
})

test('values in a record take precedence, and null and empty currencies count as missing', async () => {
  await load({
    'company.company': { currency: 'CAD', is_supplier: false },
    'stock.stockitem': { purchase_price_currency: null, batch: null, delete_on_deplete: false },
    'company.supplierpricebreak': { price_currency: '' },
    'part.part': { component: false, purchaseable: null, units: null },
  })
  assert.deepEqual(await selectRows('select currency, is_supplier from company'), [{ currency: 'CAD', is_supplier: false }])
  assert.deepEqual(await selectRows('select purchase_price_currency, batch, delete_on_deplete from stock_item'), [
    { purchase_price_currency: 'USD', batch: null, delete_on_deplete: false },
  ])
  assert.deepEqual(await selectRows('select price_currency from supplier_price_break'), [{ price_currency: 'USD' }])
  assert.deepEqual(await selectRows('select component, purchaseable, units from part'), [
    { component: false, purchaseable: true, units: null },
  ])
})

test('values that follow from other fields are computed from them', async () => {
  await load({
    'part.part': { units: 'm' },
    'company.supplierpart': { pack_quantity: '50 cm', barcode_data: 'ABC' },
    'order.purchaseorder': { reference: 'PO-0042' },
  })
  assert.deepEqual(await selectRows('select pack_quantity_native::float, barcode_hash from supplier_part'), [
    { pack_quantity_native: 0.5, barcode_hash: '902fbdd2b1df0c4f70b4a5d23525e932' },
  ])
  assert.deepEqual(await selectRows('select reference_int from purchase_order where pk = 1'), [{ reference_int: 42 }])
})

test('a default can break a rule, and the problem names its record', async () => {
  await assert.rejects(load({ 'company.supplierpart': { pack_quantity: '3 apples' } }), /company.supplierpart 1: pack_quantity: /)
  await assert.rejects(
    load({ 'part.partpricing': { currency: 'EUR' } }),
    /part.partpricing 1: overall_min_currency USD is not the currency EUR/,
  )
})

test('missing parameter numbers and test keys of older dumps are computed', async () => {
  await load({}, [
    { model: 'part.partparametertemplate', pk: 1, fields: { name: 'Resistance', units: 'ohm' } },
    { model: 'part.partparameter', pk: 1, fields: { part: 1, template: 1, data: '4k7' } },
    { model: 'part.parttesttemplate', pk: 1, fields: { part: 1, test_name: 'Blue paint', description: 'Is dry' } },
    { model: 'part.partsellpricebreak', pk: 1, fields: { part: 1, price: '2.5' } },
  ])
  assert.deepEqual(await selectRows('select data, data_numeric::float from parameter'), [{ data: '4k7', data_numeric: 4700 }])
  assert.deepEqual(await selectRows('select key, required from part_test_template'), [{ key: 'bluepaint', required: true }])
  assert.deepEqual(await selectRows('select quantity::float, price_currency from part_sale_price'), [
    { quantity: 1, price_currency: 'USD' },
  ])
})
