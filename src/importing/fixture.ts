import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { runAfterAllFiles } from '../testing/after-all-files.ts'

/** Directory for dumps, deleted when the process ends. */
const folder = mkdtempSync(join(tmpdir(), 'stockroom-dump-'))
runAfterAllFiles(() => rmSync(folder, { recursive: true }))

/** Writes a dump and returns its path. The next dump overwrites it. */
export function writeDumpFile(content: string | Buffer): string {
  const path = join(folder, 'dump.json')
  writeFileSync(path, content)
  return path
}

/** Models that earlier versions did not import: sales, return and build orders. */
export const LATER_MODELS = /^(order\.(sales|return)order|build\.)/

/** Columns that refer to these models, with the action when such an object is deleted. */
const REFERENCE_COLUMNS = [
  ['sales_order', 'sales_order', 'set null'],
  ['build', 'build_order', 'set null'],
  ['consumed_by', 'build_order', 'cascade'],
] as const

/** Runs an import of a dump without these models, as an earlier version did: stock items keep the keys of their orders without a foreign key. */
export async function runWithoutLaterModels(pool: Pool, load: () => Promise<unknown>): Promise<void> {
  const getConstraintName = (column: string, target: string) => `stock_item_${column}_${target}_pk_fk`
  for (const [column, target] of REFERENCE_COLUMNS)
    await pool.query(`alter table stock_item drop constraint ${getConstraintName(column, target)}`)
  await load()
  for (const [column, target, onDelete] of REFERENCE_COLUMNS)
    await pool.query(`
      alter table stock_item add constraint ${getConstraintName(column, target)} foreign key (${column}) references ${target} (pk) on delete ${onDelete} not valid;
      select setval('${target}_pk_seq', greatest(max(${column}), (select last_value from ${target}_pk_seq)))
      from stock_item having max(${column}) is not null`)
}

/** Fields that the shipments of the workshop have in common. */
const SHIPMENT_FIELDS = {
  order: 5,
  delivery_date: null,
  checked_by: ['ann'],
  tracking_number: '',
  invoice_number: '',
  link: '',
  notes: '',
  metadata: null,
}

/** A record as it appears in a dump. */
export type FixtureRecord = { model: string; pk: number; fields: Record<string, unknown> }

/** A small workshop as a dump: some of each kind, in an order that forces the import to reorder every kind. */
export function createWorkshopRecords(): FixtureRecord[] {
  return [
    createRecord('build.build', 3, { reference: 'BO-3', part: 12 }),
    createRecord('stock.stockitemtracking', 5, {
      tracking_type: 11,
      item: 21,
      date: '2024-03-01T12:00:00.123Z',
      notes: null,
      user: ['ann'],
      deltas: { added: 5, build: 3 },
    }),
    createRecord('order.salesorderallocation', 1, { line: 4, shipment: 6, item: 23, quantity: '1.00000' }),
    createRecord('order.salesorderallocation', 2, { line: 4, shipment: 7, item: 21, quantity: '2.50000' }),
    createRecord('order.salesordershipment', 6, { ...SHIPMENT_FIELDS, reference: '1', shipment_date: '2024-03-01' }),
    createRecord('order.salesordershipment', 7, { ...SHIPMENT_FIELDS, reference: '2', shipment_date: null }),
    createRecord('order.salesorderlineitem', 4, {
      order: 5,
      part: 12,
      quantity: '5.00000',
      shipped: '1.00000',
      sale_price: '3.000000',
      sale_price_currency: 'USD',
      reference: '',
      notes: '',
      link: '',
      target_date: null,
      metadata: null,
    }),
    createRecord('order.salesorder', 5, {
      reference: 'SO-0005',
      status: 15,
      customer: 2,
      customer_reference: 'C-1',
      description: 'Brackets',
      order_currency: null,
      total_price: '15.000000',
      total_price_currency: 'USD',
      creation_date: '2024-02-29',
      created_by: ['ann'],
      shipped_by: null,
      link: '',
      notes: null,
      metadata: null,
    }),
    createRecord(
      'stock.stockitem',
      22,
      createStockItemFields({ part: 12, parent: 21, belongs_to: 23, location: null, quantity: '1.50000' }),
    ),
    createRecord(
      'stock.stockitem',
      23,
      createStockItemFields({ part: 13, serial: '7', quantity: '1.00000', location: 31, sales_order: 5 }),
    ),
    createRecord(
      'stock.stockitem',
      21,
      createStockItemFields({ part: 12, location: 32, quantity: '10.50000', batch: null, build: 3 }),
    ),
    createRecord('order.purchaseorderlineitem', 9, {
      order: 8,
      part: 41,
      quantity: '5.00000',
      received: '2.00000',
      reference: '',
      notes: '',
      link: '',
      target_date: null,
      purchase_price: '1.250000',
      purchase_price_currency: 'EUR',
      destination: 32,
      metadata: null,
    }),
    createRecord('order.purchaseorder', 8, {
      reference: 'PO-0008',
      reference_int: 8,
      status: 20,
      supplier: 2,
      supplier_reference: '',
      description: 'Screws',
      order_currency: null,
      total_price: '99.500000',
      total_price_currency: 'USD',
      creation_date: '2024-02-29',
      created_by: ['ann'],
      responsible: 6,
      link: '',
      notes: null,
      barcode_data: '',
      barcode_hash: '',
      metadata: null,
    }),
    createRecord('company.supplierpart', 41, {
      part: 12,
      supplier: 2,
      SKU: 'S-12',
      pack_quantity: '10',
      pack_quantity_native: '10.0000000000',
      description: null,
      available: '3.000',
      updated: null,
      barcode_data: 'ABC',
      barcode_hash: '902fbdd2b1df0c4f70b4a5d23525e932',
      metadata: { exact: 1.1 },
    }),
    createRecord('part.part', 13, createPartFields({ name: 'Red bracket', variant_of: 12, trackable: true })),
    createRecord(
      'part.part',
      12,
      createPartFields({ name: 'Bracket', is_template: true, default_supplier: 41, creation_user: ['ann'] }),
    ),
    createRecord('part.partpricing', 1, {
      part: 12,
      currency: 'USD',
      overall_min: '0.500000',
      overall_min_currency: 'USD',
      ...OVERRIDE_FIELDS,
    }),
    createRecord('part.partcategory', 15, {
      name: 'Steel',
      parent: 14,
      description: '',
      pathstring: 'Metal/Steel',
      default_location: 31,
    }),
    createRecord('part.partcategory', 14, {
      name: 'Metal',
      parent: null,
      description: '',
      pathstring: 'Metal',
      default_location: null,
    }),
    createRecord('stock.stocklocation', 32, { name: 'Shelf', parent: 31, description: '', external: true, owner: 7 }),
    createRecord('stock.stocklocation', 31, { name: 'Room', parent: null, description: '', external: false, owner: null }),
    createRecord('company.company', 2, { name: 'Screws Ltd', currency: 'EUR', is_supplier: true, email: null, metadata: {} }),
    createRecord('common.inventreesetting', 4, { key: 'INVENTREE_INSTANCE', value: 'The workshop' }),
    createRecord('common.inventreeusersetting', 4, { key: 'PART_RECENT_COUNT', value: '12', user: ['ann'] }),
    createRecord('plugin.notificationusersetting', 2, {
      key: 'NOTIFICATION_METHOD_MAIL',
      value: 'False',
      method: 'mail',
      user: ['ann'],
    }),
    createRecord('plugin.pluginsetting', 6, { key: 'SUPPLIER_ID', value: '2', plugin: 17 }),
    createRecord('plugin.pluginconfig', 17, { key: 'digikeyplugin', name: 'DigiKeyPlugin', active: true, metadata: {} }),
    createRecord('plugin.pluginconfig', 18, { key: 'their-own', name: 'Their own', active: true, metadata: {} }),
    createRecord('account.emailaddress', 8, { user: ['ann'], email: 'Ann@screws.example', verified: true, primary: true }),
    createRecord('users.owner', 6, { owner_type: ['auth', 'user'], owner_id: 3 }),
    createRecord('users.owner', 7, { owner_type: ['auth', 'group'], owner_id: 2 }),
    createRecord('users.ruleset', 19, {
      name: 'part',
      group: ['makers'],
      can_view: true,
      can_add: true,
      can_change: true,
      can_delete: false,
    }),
    createRecord('auth.user', 3, {
      username: 'ann',
      password: 'pbkdf2_sha256$1$salt$hash',
      first_name: 'Ann',
      last_name: '',
      email: '',
      is_staff: false,
      is_superuser: false,
      is_active: true,
      date_joined: '2021-11-08T03:29:40Z',
      last_login: null,
      groups: [['makers']],
    }),
    createRecord('auth.group', 2, { name: 'makers', permissions: [] }),
    createRecord('taggit.tag', 1, { name: 'heavy', slug: 'heavy' }),
    createRecord('taggit.taggeditem', 1, { tag: 1, content_type: ['part', 'part'], object_id: 12 }),
    createRecord('sessions.session', 1, { session_data: '' }),
  ]
}

const createRecord = (model: string, pk: number, fields: Record<string, unknown>): FixtureRecord => ({ model, pk, fields })

const OVERRIDE_FIELDS = { override_min: null, override_min_currency: 'USD', override_max: null, override_max_currency: 'USD' }

const createPartFields = (fields: Record<string, unknown>) => ({
  description: '',
  category: 15,
  IPN: null,
  revision: '',
  image: '',
  units: '',
  variant_of: null,
  default_supplier: null,
  responsible_owner: 6,
  minimum_stock: '2.000000',
  creation_date: '2024-01-02',
  lft: 1,
  ...fields,
})

const createStockItemFields = (fields: Record<string, unknown>) => ({
  status: 10,
  purchase_price: '0.123456',
  purchase_price_currency: 'CAD',
  updated: '2022-05-25T00:00:00Z',
  serial: null,
  serial_int: 7,
  delete_on_deplete: false,
  owner: 7,
  stocktake_user: ['ann'],
  ...fields,
})
