import type pg from 'pg'

/** Orders a database of the benchmark holds, with ten lines each, and what they stand on. */
export type Size = { orders: number }

/**
 * Fills a database through SQL, as fast as it goes: suppliers, parts, supplier parts, stock, and so many orders with ten
 * lines each, one in fifty of them open.
 */
export async function fill(client: pg.Client, { orders }: Size): Promise<void> {
  const items = orders
  await client.query('begin')
  await client.query(
    `insert into company (name, is_supplier, currency) select 'Supplier ' || i, true, 'USD' from generate_series(1, 100) i`,
  )
  await client.query(`insert into part_category (name, description) select 'Category ' || i, '' from generate_series(1, 20) i`)
  await client.query(`insert into stock_location (name, description) select 'Shelf ' || i, '' from generate_series(1, 50) i`)
  await client.query(
    `insert into part (name, description, category, purchaseable) select 'Part ' || lpad(i::text, 6, '0'), 'A part of the benchmark', 1 + i % 20, true from generate_series(1, 5000) i`,
  )
  await client.query(
    `insert into supplier_part (part, supplier, "SKU") select 1 + i % 5000, 1 + i % 100, 'SKU-' || i from generate_series(1, 10000) i`,
  )
  await client.query(
    `insert into purchase_order (reference, reference_int, description, supplier, status, total_price, total_price_currency, creation_date)
     select 'PO-' || lpad(i::text, 6, '0'), i, 'Order ' || i || ' of the benchmark', 1 + i % 100, case when i % 50 = 0 then 20 when i % 50 = 1 then 10 else 30 end, 100, 'USD', date '2020-01-01' + i % 2000
     from generate_series(1, $1::integer) i`,
    [orders],
  )
  await client.query(
    `insert into purchase_order_line ("order", part, quantity, received, purchase_price, purchase_price_currency)
     select 1 + (i - 1) / 10, 1 + i % 10000, case when (1 + (i - 1) / 10) % 50 in (0, 1) then 1000000 else 10 end,
            case when (1 + (i - 1) / 10) % 50 in (0, 1) then 0 else 10 end, 1, 'USD'
     from generate_series(1, $1::integer * 10) i`,
    [orders],
  )
  await client.query(
    `insert into stock_item (part, location, quantity, purchase_price_currency, supplier_part)
     select 1 + i % 5000, 1 + i % 50, 1 + i % 100, 'USD', 1 + i % 10000 from generate_series(1, $1::integer) i`,
    [items],
  )
  await client.query('commit')
  await client.query('vacuum analyze')
}
