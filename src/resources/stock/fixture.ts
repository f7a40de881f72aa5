import assert from 'node:assert/strict'
import { getEmptyStatement, refill } from '../../testing/refill.ts'
import type { TestService } from '../../testing/service.ts'

/** Keys of the parts and locations used by stock tests. */
export const parts = { screw: 1, board: 2, blueBoard: 3, lamp: 4, service: 5, redBoard: 6 }
export const locations = { house: 1, shelf: 2, box: 3, garage: 4, shed: 5 }

/**
 * Creates parts and locations without stock. The screw is plain; the board is a trackable template with two variants; the lamp is trackable
 * and salable; the service is virtual. House (structural) contains shelf, which contains box; the shed is external.
 */
export async function fillStock(service: TestService): Promise<void> {
  await refill(
    service,
    `${await getEmptyStatement(service, 'company', 'part', 'part_category', 'stock_item', 'stock_location', 'stock_location_type')};
    insert into stock_location (name, parent, structural, external) values
      ('House', null, true, false), ('Shelf', 1, false, false), ('Box', 2, false, false), ('Garage', null, false, false),
      ('Shed', null, false, true);
    insert into company (name, currency, is_supplier, is_customer) values
      ('Bolts', 'EUR', true, false), ('Buyer', 'EUR', false, true);
    insert into part_category (name, parent, default_location) values ('Hardware', null, 4), ('Small', 1, null);
    insert into part (name, trackable, virtual, salable, variant_of, category, default_expiry) values
      ('Screw', false, false, false, null, 2, 0), ('Board', true, false, false, null, null, 0),
      ('Board blue', true, false, false, 2, null, 0), ('Lamp', true, false, true, null, null, 30),
      ('Service', false, true, false, null, null, 0), ('Board red', true, false, false, 2, null, 0);
    insert into supplier_part (part, supplier, "SKU", pack_quantity, pack_quantity_native) values
      (1, 1, 'S-100', '100', 100), (1, 1, 'S-1', '', 1), (4, 1, 'L-1', '', 1)`,
  )
}

/** Allows installing any item in any other, regardless of BOMs. */
export async function allowAnyInstallation({ superuser }: TestService): Promise<void> {
  const { status } = await superuser.patch('/api/settings/global/STOCK_ENFORCE_BOM_INSTALLATION/', { value: false })
  assert.equal(status, 200)
}

/** Creates one stock item with a plain insert; returns its key. */
export async function insertItem(service: TestService, values: Record<string, unknown> = {}): Promise<number> {
  const row = { part: parts.screw, quantity: '10', location: locations.shelf, purchase_price_currency: 'EUR', ...values }
  const names = Object.keys(row)
  const [insertedRow] = await service.rows(
    `insert into stock_item (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')}) returning pk`,
    Object.values(row),
  )
  return insertedRow.pk
}

/** Reads the history of an item, oldest entry first: codes and deltas. */
export const readHistory = async (service: TestService, item: number): Promise<[number, Record<string, unknown>][]> =>
  (await service.rows('select tracking_type, deltas from stock_tracking where item = $1 order by pk', [item])).map((row) => [
    row.tracking_type,
    row.deltas,
  ])

/** Asserts that the quantity of every item is its opening quantity plus the changes in its history. */
export const assertHistorySums = async (service: TestService): Promise<void> =>
  assert.deepEqual(
    await service.rows(
      `select pk, quantity, opening_quantity, changes from stock_item item, lateral (
         select coalesce(sum(quantity_change), 0) from stock_tracking where stock_tracking.item = item.pk
       ) history (changes) where quantity <> opening_quantity + changes`,
    ),
    [],
  )
