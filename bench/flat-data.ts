import type pg from 'pg'
import { fill } from './data.ts'
import { fillItems } from './verification.ts'

/** How many locations and categories there are in all, whatever the number of items. */
export const PLACES = { locations: 1_000, categories: 200 }

/**
 * A database in which so many stock items lie in a tree of locations, each with an entry of history, and beside them a twentieth as
 * many purchase and sales orders with their lines.
 */
export async function fillFlat(client: pg.Client, items: number): Promise<void> {
  const orders = items / 20
  await fill(client, { orders })
  // below the shelves and categories that are there
  await client.query(
    `insert into stock_location (name, parent) select 'Box ' || i, 1 + i % 50 from generate_series(1, $1::integer - 50) i`,
    [PLACES.locations],
  )
  await client.query(
    `insert into part_category (name, parent) select 'Kind ' || i, 1 + i % 20 from generate_series(1, $1::integer - 20) i`,
    [PLACES.categories],
  )
  await client.query('update part set category = 1 + pk % $1::integer', [PLACES.categories])
  await fillItems(client, items - orders, PLACES.locations)
  await client.query(
    `begin; set local session_replication_role = replica;
     update stock_item set updated = timestamptz '2024-01-01 08:00Z' + pk * interval '1 minute', status = case when pk % 10 = 0 then 50 else 10 end,
       batch = case when pk % 3 = 0 then 'B' || pk % 1000 end, stocktake_date = case when pk % 5 = 0 then date '2024-01-01' + pk % 365 end,
       expiry_date = case when pk % 7 = 0 then date '2030-01-01' + pk % 365 end;
     update stock_tracking set date = timestamptz '2024-01-01 08:00Z' + pk * interval '1 minute';
     commit`,
  )
  await client.query('vacuum full stock_item')
  await client.query('vacuum analyze')
}
