import type pg from 'pg'
import type { Making } from './kept.ts'
import { fillWhole, LOCATIONS, settle, type Whole, wholeOf } from './whole-data.ts'

/** Parts of which there are items in the fattest place, beside the one of which there are most. */
const KINDS = 100
/** Places in the fattest place, and lines of the fattest orders. */
const PLACES = 1_000
const LINES = 1_000

/** The objects that have most below them: what they are, by their primary keys. */
export type Fattest = {
  /** Of this part there are a tenth as many stock items as there are of all others. */
  part: number
  /** In this place and those in it there are a fifth as many. */
  location: number
  purchaseOrder: number
  salesOrder: number
  /** Its bill has the most lines. */
  assembly: number
  /** It builds that assembly. */
  build: number
}

/** The databases in which parts, bills, build orders and the console are measured. */
export const WHOLE: Making = {
  group: 'whole',
  files: ['whole-data.ts', 'fattest-data.ts', 'data.ts'],
  async fill(client, items) {
    await fillWhole(client, items)
    await fillFattest(client, wholeOf(items))
    await settle(client)
  },
}

/** They come after everything else of their kind, of which they are no part: nothing else is measured by them. */
export const fattestOf = ({ parts, builds, components }: Whole): Fattest => ({
  part: parts + 1,
  location: LOCATIONS + 1,
  purchaseOrder: builds + 1,
  salesOrder: builds + 1,
  assembly: components + 1,
  build: builds,
})

/** Makes them in a database that is filled otherwise. Sums over stock are written at once, the others by triggers. */
async function fillFattest(client: pg.Client, whole: Whole): Promise<void> {
  const { part, location, purchaseOrder, salesOrder } = fattestOf(whole)
  await client.query('begin')
  const { rows: made } = await client.query(
    `insert into part (name, description, category, purchaseable, salable)
     select case when i = 0 then 'The screw that is everywhere' else 'Kind ' || i || ' in the hall' end, 'A part of the benchmark', 1, true, true
     from generate_series(0, ${KINDS}) i order by i returning pk`,
  )
  const { rows: places } = await client.query(`insert into stock_location (name) values ('Hall') returning pk`)
  await client.query(`insert into stock_location (name, parent) select 'Bay ' || i, $1 from generate_series(1, ${PLACES}) i`, [
    location,
  ])
  const { rows: bought } = await client.query(
    `insert into purchase_order (reference, reference_int, supplier, status, total_price, total_price_currency, creation_date)
     values ('PO-LONG', 2000000000, 1, 20, 150000, 'USD', date '2026-01-01') returning pk`,
  )
  const { rows: sold } = await client.query(
    `insert into sales_order (reference, reference_int, customer, status, total_price, total_price_currency, creation_date)
     values ('SO-LONG', 2000000000, 1, 15, 150000, 'USD', date '2026-01-01') returning pk`,
  )
  const found = [made[0].pk, places[0].pk, bought[0].pk, sold[0].pk]
  if (String(found) !== String([part, location, purchaseOrder, salesOrder])) throw new Error(`the fattest objects are ${found}`)
  await client.query(
    `insert into purchase_order_line ("order", part, quantity, received, purchase_price, purchase_price_currency, reference)
     select $1, i, 100, 0, 1.5, 'USD', 'L' || i from generate_series(1, ${LINES}) i`,
    [purchaseOrder],
  )
  await client.query(
    `insert into sales_order_line ("order", part, quantity, shipped, sale_price, sale_price_currency, reference)
     select $1, i, 100, 0, 1.5, 'USD', 'L' || i from generate_series(1, ${LINES}) i`,
    [salesOrder],
  )
  await client.query('commit')
  await client.query('begin; set local session_replication_role = replica')
  await fillItems(client, whole)
  await client.query('commit')
}

/** A quarter as many items as there are: two fifths are of one part, four fifths in the hall. */
async function fillItems(client: pg.Client, whole: Whole): Promise<void> {
  const { part, location } = fattestOf(whole)
  await client.query(
    `with made as (
       insert into stock_item (part, location, quantity, opening_quantity, purchase_price_currency, updated, status, batch)
       select case when i % 5 < 2 then $2::integer else $2::integer + 1 + i % ${KINDS} end,
         case i % 5 when 0 then 1 + i % ${LOCATIONS} when 1 then $3::integer else $3::integer + 1 + i % ${PLACES} end,
         1 + (i / 7) % 100, 0, 'USD', timestamptz '2026-01-01 08:00Z' + i * interval '1 second', 10, 'F' || i % 1000
       from generate_series(1, $1::integer) i returning pk, part, quantity, updated
     ), told as (
       insert into stock_tracking (item, tracking_type, deltas, quantity_change, date) select pk, 1, '{}', quantity, updated from made
     )
     update part_quantity sum set in_stock = in_stock + added.quantity, stock_item_count = stock_item_count + added.items,
       in_stock_item_count = in_stock_item_count + added.items
     from (select part, count(*) as items, sum(quantity) as quantity from made group by part) added where sum.pk = added.part`,
    [whole.items / 4, part, location],
  )
}
