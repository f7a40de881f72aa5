import type pg from 'pg'
import { any, type Case } from './case.ts'

/** Number of stock items with a code. */
const ITEMS = 1_000_000
const AT_A_TIME = 100_000

const codeOf = (number: number): string => `BENCH-${number}`

/** Adds stock items with linked codes by SQL. */
export async function fillScans(client: pg.Client): Promise<void> {
  for (let from = 1; from <= ITEMS; from += AT_A_TIME)
    await client.query(
      `insert into stock_item (part, location, quantity, purchase_price_currency, supplier_part, barcode_data, barcode_hash)
       select 1 + i % 5000, 1 + i % 50, 1 + i % 100, 'USD', 1 + i % 10000, 'BENCH-' || i, md5('BENCH-' || i)
       from generate_series($1::integer, $2::integer) i`,
      [from, from + AT_A_TIME - 1],
    )
  await client.query('vacuum analyze stock_item, linked_code')
}

let deliveries = 0

/** A delivery label for one unit of one line of an order (`fill`). */
function labelFor(order: number): string {
  const line = order * 10 - any(10) + 1
  const fields = [`KPO-${String(order).padStart(6, '0')}`, `PSKU-${1 + (line % 10_000)}`, 'Q1', `11K${++deliveries}`]
  return `[)>\u001e06\u001d${fields.join('\u001d')}\u001e\u0004`
}

/** Scan cases for a database with that many stock items and this number of orders. */
export function scanCases(orders: number): Case[] {
  const open = () => 50 * any(Math.floor(orders / 50))
  const post = { method: 'POST' as const }
  const scan = { ...post, path: () => '/api/barcode/' }
  return [
    {
      ...scan,
      name: 'scan: a linked code',
      body: () => ({ barcode: codeOf(any(ITEMS)) }),
      bare: () => '/scan',
      bareBody: () => ({ barcode: codeOf(any(ITEMS)) }),
    },
    { ...scan, name: 'scan: a code of the service', body: () => ({ barcode: `{"stockitem": ${any(ITEMS)}}` }) },
    { ...scan, name: 'scan: a short code', body: () => ({ barcode: `INV-SI${any(ITEMS)}` }) },
    {
      ...scan,
      name: 'scan: the label of a supplier',
      body: () => ({ barcode: `[)>\u001e06\u001dPSKU-${any(10_000)}\u001dQ5\u001e\u0004` }),
    },
    {
      ...post,
      name: 'scan: receive by a label, against by the order',
      path: () => '/api/barcode/po-receive/',
      body: () => ({ barcode: labelFor(open()), location: any(50), allow_over_receipt: true }),
      against: 'ours',
      bare: () => `/api/order/po/${open()}/receive/`,
      bareBody: () => ({ location: any(50), allow_over_receipt: true, items: [{ line_item: 0, quantity: 1 }] }),
    },
  ]
}
