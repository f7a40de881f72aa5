import type pg from 'pg'
import { fill } from './data.ts'

/** Number of parts, locations and categories, whatever the number of items. */
const PARTS = 5_000
const LOCATIONS = 1_000
const CATEGORIES = 200
/** Number of locations of `fill`, the parents of the others. */
const SHELVES = 50
const TOP_CATEGORIES = 20

/**
 * Fills a database with that number of stock items in a tree of locations, each with a history entry, and a twentieth as many purchase and
 * sales orders with their lines. Triggers would take long: the values that they maintain are written directly.
 */
export async function fillFlat(client: pg.Client, items: number): Promise<void> {
  const orders = items / 20
  await fill(client, { orders })
  await client.query(
    `insert into stock_location (name, parent) select 'Box ' || i, 1 + i % ${SHELVES} from generate_series(1, ${LOCATIONS - SHELVES}) i`,
  )
  await client.query(
    `insert into part_category (name, parent) select 'Subcategory ' || i, 1 + i % ${TOP_CATEGORIES} from generate_series(1, ${CATEGORIES - TOP_CATEGORIES}) i`,
  )
  await client.query('begin; set local session_replication_role = replica')
  await client.query(
    `with inserted as (
       insert into stock_item (part, location, quantity, opening_quantity, purchase_price_currency, updated, status, batch, stocktake_date, expiry_date)
       select 1 + i % ${PARTS}, 1 + i % ${LOCATIONS}, 1 + i % 100, 0, 'USD', timestamptz '2024-01-01 08:00Z' + i * interval '1 minute',
         case when i % 10 = 0 then 50 else 10 end, case when i % 3 = 0 then 'B' || i % 1000 end,
         case when i % 5 = 0 then date '2024-01-01' + i % 365 end, case when i % 7 = 0 then date '2030-01-01' + i % 365 end
       from generate_series(1, $1::integer) i returning pk, part, quantity, updated
     ), history as (
       insert into stock_tracking (item, tracking_type, deltas, quantity_change, date) select pk, 1, '{}', quantity, updated from inserted
     )
     update part_quantity sum set in_stock = in_stock + added.quantity, stock_item_count = stock_item_count + added.items,
       in_stock_item_count = in_stock_item_count + added.items
     from (select part, count(*) as items, sum(quantity) as quantity from inserted group by part) added where sum.pk = added.part`,
    [items - orders],
  )
  await client.query('commit')
  await client.query('select correct_total(relation) from watched_table')
  await client.query('select correct_holdings()')
  await client.query('vacuum analyze')
}
