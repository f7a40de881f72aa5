import type pg from 'pg'
import type { DatabaseRecipe } from './databases.ts'
import { type DatasetSizes, fillDataset, getDatasetSizes, LOCATIONS, updateDerivedData } from './full-scale-data.ts'

/** Number of parts with items in the largest location, in addition to the part that has the most. */
const HALL_PARTS = 100
/** Number of child locations in the largest location, and of lines in the largest orders. */
const BAY_COUNT = 1_000
const LINES_PER_ORDER = 1_000

/** Primary keys of the objects with the most rows below them. */
export type LargestObjects = {
  /** A part with a tenth as many stock items as all others together. */
  part: number
  /** A location that holds, with its child locations, a fifth as many. */
  location: number
  purchaseOrder: number
  salesOrder: number
  /** The assembly with the longest BOM. */
  assembly: number
  /** A build order for that assembly. */
  build: number
}

/** The databases in which parts, BOMs, build orders and the console are measured. */
export const LARGE_DATABASE: DatabaseRecipe = {
  group: 'whole',
  files: ['full-scale-data.ts', 'largest-data.ts', 'data.ts'],
  async fill(client, items) {
    await fillDataset(client, items)
    await fillLargestObjects(client, getDatasetSizes(items))
    await updateDerivedData(client)
  },
}

/** Returns the keys of the largest objects. They follow all other objects of their type, so no other measurement includes them. */
export const getLargestObjects = ({ parts, builds, components }: DatasetSizes): LargestObjects => ({
  part: parts + 1,
  location: LOCATIONS + 1,
  purchaseOrder: builds + 1,
  salesOrder: builds + 1,
  assembly: components + 1,
  build: builds,
})

/** Adds the largest objects to a filled database. Sums over stock are written directly, the others by triggers. */
async function fillLargestObjects(client: pg.Client, sizes: DatasetSizes): Promise<void> {
  const { part, location, purchaseOrder, salesOrder } = getLargestObjects(sizes)
  await client.query('begin')
  const { rows: partRows } = await client.query(
    `insert into part (name, description, category, purchaseable, salable)
     select case when i = 0 then 'The screw that is everywhere' else 'Part ' || i || ' in the hall' end, 'A part of the benchmark', 1, true, true
     from generate_series(0, ${HALL_PARTS}) i order by i returning pk`,
  )
  const { rows: locationRows } = await client.query(`insert into stock_location (name) values ('Hall') returning pk`)
  await client.query(`insert into stock_location (name, parent) select 'Bay ' || i, $1 from generate_series(1, ${BAY_COUNT}) i`, [
    location,
  ])
  const { rows: purchaseOrderRows } = await client.query(
    `insert into purchase_order (reference, reference_int, supplier, status, total_price, total_price_currency, creation_date)
     values ('PO-LONG', 2000000000, 1, 20, 150000, 'USD', date '2026-01-01') returning pk`,
  )
  const { rows: salesOrderRows } = await client.query(
    `insert into sales_order (reference, reference_int, customer, status, total_price, total_price_currency, creation_date)
     values ('SO-LONG', 2000000000, 1, 15, 150000, 'USD', date '2026-01-01') returning pk`,
  )
  const primaryKeys = [partRows[0].pk, locationRows[0].pk, purchaseOrderRows[0].pk, salesOrderRows[0].pk]
  if (String(primaryKeys) !== String([part, location, purchaseOrder, salesOrder]))
    throw new Error(`the keys of the largest objects are ${primaryKeys}`)
  await client.query(
    `insert into purchase_order_line ("order", part, quantity, received, purchase_price, purchase_price_currency, reference)
     select $1, i, 100, 0, 1.5, 'USD', 'L' || i from generate_series(1, ${LINES_PER_ORDER}) i`,
    [purchaseOrder],
  )
  await client.query(
    `insert into sales_order_line ("order", part, quantity, shipped, sale_price, sale_price_currency, reference)
     select $1, i, 100, 0, 1.5, 'USD', 'L' || i from generate_series(1, ${LINES_PER_ORDER}) i`,
    [salesOrder],
  )
  await client.query('commit')
  await client.query('begin; set local session_replication_role = replica')
  await fillItems(client, sizes)
  await client.query('commit')
}

/** Adds a quarter as many items as there are: two fifths have one part, four fifths are in the hall. */
async function fillItems(client: pg.Client, sizes: DatasetSizes): Promise<void> {
  const { part, location } = getLargestObjects(sizes)
  await client.query(
    `with inserted as (
       insert into stock_item (part, location, quantity, opening_quantity, purchase_price_currency, updated, status, batch)
       select case when i % 5 < 2 then $2::integer else $2::integer + 1 + i % ${HALL_PARTS} end,
         case i % 5 when 0 then 1 + i % ${LOCATIONS} when 1 then $3::integer else $3::integer + 1 + i % ${BAY_COUNT} end,
         1 + (i / 7) % 100, 0, 'USD', timestamptz '2026-01-01 08:00Z' + i * interval '1 second', 10, 'F' || i % 1000
       from generate_series(1, $1::integer) i returning pk, part, quantity, updated
     ), history as (
       insert into stock_tracking (item, tracking_type, deltas, quantity_change, date) select pk, 1, '{}', quantity, updated from inserted
     )
     update part_quantity sum set in_stock = in_stock + added.quantity, stock_item_count = stock_item_count + added.items,
       in_stock_item_count = in_stock_item_count + added.items
     from (select part, count(*) as items, sum(quantity) as quantity from inserted group by part) added where sum.pk = added.part`,
    [sizes.items / 4, part, location],
  )
}
