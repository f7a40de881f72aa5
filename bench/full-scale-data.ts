import type pg from 'pg'
import { fill } from './data.ts'

/** Counts of the rows that `fill` inserts. */
const FILLED = { parts: 5_000, supplierParts: 10_000, shelves: 50 }
export const LOCATIONS = 1_000
const CATEGORIES = 200
/** Lines of the BOMs: a few long ones; half of the other lines are in BOMs of a hundred, half in BOMs of ten. */
const LONG = { boms: 2, lines: 500 }
const MIDDLE = 100
const SHORT = 10
/** Build orders for the assemblies with long BOMs: enough to allocate and complete in all measurements, and as many by the bare route. */
export const LONG_BUILDS = 40

/** Quantity of a stock item made by `fillStock`. */
export const getItemQuantity = (item: number): number => 1 + (Math.floor(item / 7) % 100)

/** Contents of a database of the group `whole`. Primary keys start at 1 without gaps. */
export type DatasetSizes = {
  parts: number
  items: number
  lines: number
  builds: number
  /** Parts up to this key are components, the others assemblies: first those with long BOMs, then those with medium ones. */
  components: number
  assemblies: { long: number; middle: number; short: number }
}

/** Sizes derived from the number of stock items: a tenth of it as parts, a fifth as BOM lines, a fiftieth as build orders. */
export function getDatasetSizes(items: number): DatasetSizes {
  const parts = Math.max(items / 10, FILLED.parts + 1_000)
  const lines = Math.max(items / 5, 3_000)
  const rest = (lines - LONG.boms * LONG.lines) / 2
  const assemblies = { long: LONG.boms, middle: rest / MIDDLE, short: rest / SHORT }
  const components = parts - assemblies.long - assemblies.middle - assemblies.short
  return { parts, items, lines, builds: items / 50, components, assemblies }
}

/**
 * Fills a database with that number of stock items of a tenth as many parts, in BOMs of three levels and their build orders; and as many
 * purchase and sales orders as build orders, with their lines. Triggers would take long: the values that they maintain are written
 * directly, and verified by `updateDerivedData`.
 */
export async function fillDataset(client: pg.Client, items: number): Promise<void> {
  const sizes = getDatasetSizes(items)
  await fill(client, { orders: sizes.builds })
  await client.query('begin; set local session_replication_role = replica')
  await fillLocations(client)
  await fillParts(client, sizes)
  await fillStock(client, sizes)
  await fillBoms(client, sizes)
  await fillBuilds(client, sizes)
  await client.query('commit')
}

/** Updates everything derived from the rows that were filled in. */
export async function updateDerivedData(client: pg.Client): Promise<void> {
  await client.query('delete from part_price_due')
  await client.query('select correct_total(relation) from watched_table')
  await client.query('select correct_holdings()')
  await client.query('vacuum analyze')
  const { rows } = await client.query(
    'select part as key, what from verify_quantities() union all select item, null from verify_build_allocations() limit 5',
  )
  if (rows.length > 0) throw new Error(`the sums of the benchmark are wrong: ${JSON.stringify(rows)}`)
}

async function fillLocations(client: pg.Client): Promise<void> {
  const { shelves } = FILLED
  await client.query(
    `insert into stock_location (name, parent, path, level, pathstring)
     select 'Box ' || i, parent.pk, parent.path || (${shelves} + i), 1, parent.pathstring || '/Box ' || i
     from generate_series(1, ${LOCATIONS - shelves}) i join stock_location parent on parent.pk = 1 + i % ${shelves} order by i`,
  )
  await client.query(
    `insert into part_category (name, parent, path, level, pathstring)
     select 'Subcategory ' || i, parent.pk, parent.path || (20 + i), 1, parent.pathstring || '/Subcategory ' || i
     from generate_series(1, ${CATEGORIES - 20}) i join part_category parent on parent.pk = 1 + i % 20 order by i`,
  )
}

/** Adds parts, one in a hundred a template for the five before it, each with a supplier part, its price and its sums. */
async function fillParts(client: pg.Client, { parts, components }: DatasetSizes): Promise<void> {
  const { parts: filled, supplierParts } = FILLED
  await client.query(
    `insert into part (name, full_name, description, category, purchaseable, assembly, is_template, variant_of, path, level)
     select name, name, 'A part of the benchmark', 1 + i % ${CATEGORIES}, i <= $2, i > $2, is_template,
       template, case when template is null then array[i] else array[template, i] end, case when template is null then 0 else 1 end
     from generate_series(${filled} + 1, $1::integer) i
     cross join lateral (select 'Part ' || lpad(i::text, 6, '0') as name, i % 100 = 0 and i <= $2 as is_template,
       case when i % 100 >= 95 and i + 100 - i % 100 <= $2 then i + 100 - i % 100 end as template) family
     order by i`,
    [parts, components],
  )
  await client.query(
    `insert into supplier_part (part, supplier, "SKU") select part, 1 + part % 100, 'SKU-' || (${supplierParts} + part) from generate_series(1, $1::integer) part`,
    [parts],
  )
  await client.query(
    `insert into supplier_price_break (part, quantity, price, price_currency)
     select ${supplierParts} + part, amount, (1 + part % 500) / (10.0 * amount), 'USD'
     from generate_series(1, $1::integer) part, unnest(array[1, 10]) amount`,
    [parts],
  )
  await client.query(
    `insert into part_pricing (part, currency, override_min_currency, override_max_currency, updated, supplier_price_min, supplier_price_max, overall_min, overall_max)
     select part, 'USD', 'USD', 'USD', now(), min_price, max_price, min_price, max_price
     from generate_series(1, $1::integer) part cross join lateral (select (1 + part % 500) / 100.0 as min_price, (1 + part % 500) / 10.0 as max_price) cost`,
    [parts],
  )
  await client.query(
    `insert into part_quantity (pk, suppliers) select part, 1 from generate_series(1, $1::integer) part
     on conflict (pk) do update set suppliers = part_quantity.suppliers + 1`,
    [parts],
  )
}

/** Adds stock items, each with a history entry. */
async function fillStock(client: pg.Client, { parts, items }: DatasetSizes): Promise<void> {
  await client.query(
    `with inserted as (
       insert into stock_item (part, location, quantity, opening_quantity, purchase_price_currency, updated, status, batch, supplier_part, stocktake_date, expiry_date)
       select 1 + i % $2::integer, 1 + i % ${LOCATIONS}, 1 + (i / 7) % 100, 0, 'USD', timestamptz '2024-01-01 08:00Z' + i * interval '1 minute',
         case when i % 10 = 0 then 50 else 10 end, case when i % 3 = 0 then 'B' || i % 1000 end, ${FILLED.supplierParts} + 1 + i % $2::integer,
         case when i % 5 = 0 then date '2024-01-01' + i % 365 end, case when i % 7 = 0 then date '2030-01-01' + i % 365 end
       from generate_series((select count(*)::integer from stock_item) + 1, $1::integer) i returning pk, part, quantity, updated
     ), history as (
       insert into stock_tracking (item, tracking_type, deltas, quantity_change, date) select pk, 1, '{}', quantity, updated from inserted
     )
     update part_quantity sum set in_stock = in_stock + added.quantity, stock_item_count = stock_item_count + added.items,
       in_stock_item_count = in_stock_item_count + added.items
     from (select part, count(*) as items, sum(quantity) as quantity from inserted group by part) added where sum.pk = added.part`,
    [items, parts],
  )
  await client.query(
    `update part_quantity sum set variant_stock = variants.in_stock
     from (select variant_of, sum(in_stock) as in_stock from part join part_quantity using (pk) where variant_of is not null group by variant_of) variants
     where sum.pk = variants.variant_of`,
  )
}

/** Adds BOMs: the last component of a long one is an assembly with a medium one, and the last of that an assembly with a short one. */
async function fillBoms(client: pg.Client, { components, assemblies: { long, middle, short } }: DatasetSizes): Promise<void> {
  await client.query(
    `insert into bom_item (part, sub_part, quantity, reference, allow_variants)
     select $1::integer + n, case
         when line = lines and n <= $2 then $1::integer + $2::integer + n
         when line = lines and n <= $2::integer + $3::integer then $1::integer + $2::integer + $3::integer + n
         else 1 + (n * 7919 + line * 37) % $1::integer
       end, 1 + line % 4, 'R' || line, line % 10 = 0
     from generate_series(1, $2::integer + $3::integer + $4::integer) n
     cross join lateral (select case when n <= $2 then ${LONG.lines} when n <= $2::integer + $3::integer then ${MIDDLE} else ${SHORT} end as lines) length,
       generate_series(1, lines) line
     order by n, line`,
    [components, long, middle, short],
  )
  await client.query(
    `insert into bom_item_substitute (bom_item, part)
     select pk, 1 + sub_part % $1::integer from bom_item where pk % 20 = 0 and sub_part < $1`,
    [components],
  )
}

/**
 * Adds build orders: the last ones for the assemblies with long BOMs; one in twenty of the others is in production, and half of these have
 * allocations.
 */
async function fillBuilds(
  client: pg.Client,
  { builds, components, assemblies: { long, middle, short } }: DatasetSizes,
): Promise<void> {
  await client.query(
    `insert into build_order (reference, reference_int, title, part, quantity, completed, status, creation_date, target_date, completion_date)
     select 'BO-' || lpad(i::text, 6, '0'), i, 'Build ' || i || ' of the benchmark',
       $2::integer + case when is_long then 1 + i % $3::integer else $3::integer + 1 + i % ($4::integer + $5::integer) end,
       3, case when is_ended then 3 else 0 end, case when is_ended then 40 when is_long then 10 else 20 end, date '2020-01-01' + i % 2000,
       case when i % 4 = 0 then date '2024-01-01' + i % 2000 end, case when is_ended then date '2020-02-01' + i % 2000 end
     from generate_series(1, $1::integer) i
     cross join lateral (select i > $1::integer - ${LONG_BUILDS} as is_long) flags
     cross join lateral (select not is_long and i % 20 <> 0 as is_ended) state
     order by i`,
    [builds, components, long, middle, short],
  )
  await client.query(
    `insert into build_line (build, bom_item, part, quantity)
     select build.pk, line.pk, line.sub_part, bom_required(line.quantity, line.overage, build.quantity)
     from build_order build join bom_item line on line.part = build.part order by build.pk, line.pk`,
  )
  await client.query(
    `update part_quantity sum set building = building.quantity
     from (select part, sum(quantity) as quantity from build_order where status in (10, 20) group by part) building where sum.pk = building.part`,
  )
  await client.query(
    `update part_quantity sum set required_for_build_orders = required.quantity
     from (
       select line.part, sum(line.quantity) as quantity from build_line line join build_order build on build.pk = line.build
       where build.status in (10, 20) group by line.part
     ) required where sum.pk = required.part`,
  )
  await client.query(
    `with allocated as (
       insert into build_allocation (build_line, stock_item, quantity)
       select line.pk, item.pk, 0.05
       from build_order build join build_line line on line.build = build.pk
       join (select part, max(pk) as pk from stock_item group by part) item on item.part = line.part
       where build.status = 20 and build.pk % 40 = 0 order by line.pk
       returning stock_item, quantity
     ), counted as (
       update stock_item item set allocated_to_build_orders = sum.quantity
       from (select stock_item, sum(quantity) as quantity from allocated group by stock_item) sum where item.pk = sum.stock_item
       returning item.part, sum.quantity
     )
     update part_quantity sum set allocated_to_build_orders = counted.quantity
     from (select part, sum(quantity) as quantity from counted group by part) counted where sum.pk = counted.part`,
  )
}
