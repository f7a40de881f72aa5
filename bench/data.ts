import type pg from 'pg'

/** Number of purchase orders, and of sales orders, in a database of the benchmark. */
export type Size = { orders: number }

/**
 * Fills a database through SQL, as fast as possible: suppliers, parts, supplier parts, stock, and that number of orders with ten lines
 * each, one in fifty of them open.
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
     select 1 + i % 5000, 1 + i % 50, 1 + i % 100, 'USD', 1 + (i - 1) % 10000 from generate_series(1, $1::integer) i`,
    [items],
  )
  await fillSales(client, orders)
  await client.query('commit')
  await client.query('vacuum analyze')
}

/** Number of pending shipments in each open sales order, each with one allocation: enough for a run, however few orders there are. */
export const countPendingShipments = ({ orders }: Size): number => Math.max(20, Math.ceil(500_000 / orders))

/**
 * Adds as many sales orders with five lines each, one in fifty of them open; three allocations per order, which are shipped in closed ones.
 * Each open order has pending shipments.
 */
async function fillSales(client: pg.Client, orders: number): Promise<void> {
  await client.query('update company set is_customer = true where pk <= 100')
  await client.query(
    `insert into sales_order (reference, reference_int, description, customer, status, total_price, total_price_currency, creation_date)
     select 'SO-' || lpad(i::text, 6, '0'), i, 'Order ' || i || ' of the benchmark', 1 + i % 100,
       case when i % 50 = 0 then 15 else 20 end, 50, 'USD', date '2020-01-01' + i % 2000
     from generate_series(1, $1::integer) i`,
    [orders],
  )
  // a line and a stock item of the same number have the same part
  await client.query(
    `insert into sales_order_line ("order", part, quantity, shipped, sale_price, sale_price_currency)
     select 1 + (i - 1) / 5, 1 + i % 5000, case when (1 + (i - 1) / 5) % 50 = 0 then 1000000 else 10 end,
       case when (1 + (i - 1) / 5) % 50 = 0 then 0 else 10 end, 1, 'USD'
     from generate_series(1, $1::integer * 5) i`,
    [orders],
  )
  await client.query(
    `insert into sales_order_shipment ("order", reference, shipment_date)
     select i, '1', date '2024-01-01' from generate_series(1, $1::integer) i where i % 50 <> 0`,
    [orders],
  )
  await client.query(
    `insert into sales_order_allocation (line, shipment, item, quantity, is_open)
     select line.pk, shipment.pk, 1 + (line.pk - 1) % $1::integer, 0.1, false
     from sales_order_line line join sales_order_shipment shipment on shipment."order" = line."order" where line.pk % 5 < 3`,
    [orders],
  )
  // pending shipments are allocated from large stock items of their own
  await client.query(
    `insert into stock_item (part, location, quantity, purchase_price_currency)
     select line.part, 1, 1000000000, 'USD' from sales_order_line line where line."order" % 50 = 0 and line.pk % 5 = 1 order by line.pk`,
  )
  await client.query(
    `insert into sales_order_shipment ("order", reference)
     select i, n from generate_series(50, $1::integer, 50) i, generate_series(1, $2::integer) n order by i, n`,
    [orders, countPendingShipments({ orders })],
  )
  await client.query(
    `insert into sales_order_allocation (line, shipment, item, quantity)
     select line.pk, shipment.pk, $1::integer + shipment."order" / 50, 1
     from sales_order_shipment shipment join sales_order_line line on line."order" = shipment."order" and line.pk % 5 = 1
     where shipment.shipment_date is null order by shipment.pk`,
    [orders],
  )
}
