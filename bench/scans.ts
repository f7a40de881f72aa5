import type pg from 'pg'
import { type Case, randomUpTo } from './case.ts'

/** Number of stock items with a code. */
const ITEMS = 1_000_000
const ITEMS_PER_STATEMENT = 100_000

const formatCode = (number: number): string => `BENCH-${number}`

/** Adds stock items with linked codes by SQL. */
export async function fillScans(client: pg.Client): Promise<void> {
  for (let firstItem = 1; firstItem <= ITEMS; firstItem += ITEMS_PER_STATEMENT)
    await client.query(
      `insert into stock_item (part, location, quantity, purchase_price_currency, supplier_part, barcode_data, barcode_hash)
       select 1 + i % 5000, 1 + i % 50, 1 + i % 100, 'USD', 1 + i % 10000, 'BENCH-' || i, md5('BENCH-' || i)
       from generate_series($1::integer, $2::integer) i`,
      [firstItem, firstItem + ITEMS_PER_STATEMENT - 1],
    )
  await client.query('vacuum analyze stock_item, linked_code')
}

let deliveries = 0

/** Returns the barcode of a delivery label for one unit of a random line of an order (`fill`). */
function createDeliveryLabel(order: number): string {
  const line = order * 10 - randomUpTo(10) + 1
  const fields = [`KPO-${String(order).padStart(6, '0')}`, `PSKU-${1 + (line % 10_000)}`, 'Q1', `11K${++deliveries}`]
  return `[)>\u001e06\u001d${fields.join('\u001d')}\u001e\u0004`
}

/** Scan cases for a database with that many stock items and this number of orders. */
export function scanCases(orders: number): Case[] {
  const pickOpenOrder = () => 50 * randomUpTo(Math.floor(orders / 50))
  const post = { method: 'POST' as const }
  const scan = { ...post, path: () => '/api/barcode/' }
  return [
    {
      ...scan,
      name: 'scan: a linked code',
      body: () => ({ barcode: formatCode(randomUpTo(ITEMS)) }),
      bare: () => '/scan',
      bareBody: () => ({ barcode: formatCode(randomUpTo(ITEMS)) }),
    },
    { ...scan, name: 'scan: a code of the service', body: () => ({ barcode: `{"stockitem": ${randomUpTo(ITEMS)}}` }) },
    { ...scan, name: 'scan: a short code', body: () => ({ barcode: `INV-SI${randomUpTo(ITEMS)}` }) },
    {
      ...scan,
      name: 'scan: the label of a supplier',
      body: () => ({ barcode: `[)>\u001e06\u001dPSKU-${randomUpTo(10_000)}\u001dQ5\u001e\u0004` }),
    },
    {
      ...post,
      name: 'scan: receive by label, compared with receiving by order',
      path: () => '/api/barcode/po-receive/',
      body: () => ({ barcode: createDeliveryLabel(pickOpenOrder()), location: randomUpTo(50), allow_over_receipt: true }),
      against: 'ours',
      bare: () => `/api/order/po/${pickOpenOrder()}/receive/`,
      bareBody: () => ({ location: randomUpTo(50), allow_over_receipt: true, items: [{ line_item: 0, quantity: 1 }] }),
    },
  ]
}
