import autocannon from 'autocannon'
import type pg from 'pg'

type Service = { base: string; token: string }
type Row = { measurement: string; 'alone per second': number; 'during per second': number; ratio: string; 'run s': number }

/** Seconds per measurement; a run takes several of them. */
const WINDOW_SECONDS = 4

/** Adds that number of stock items, each with the history entry that created it. Triggers would take long: sums are written directly. */
export async function fillItems(client: pg.Client, items: number): Promise<void> {
  if (items === 0) return
  await client.query('begin; set local session_replication_role = replica')
  await client.query(
    `with inserted as (
       insert into stock_item (part, location, quantity, opening_quantity, purchase_price_currency)
       select 1 + i % 5000, 1 + i % 50, 10, 0, 'USD' from generate_series(1, $1::integer) i returning pk, part
     ), history as (
       insert into stock_tracking (item, tracking_type, deltas, quantity_change) select pk, 1, '{}', 10 from inserted
     )
     update part_quantity sum set in_stock = in_stock + added.items * 10, stock_item_count = stock_item_count + added.items,
       in_stock_item_count = in_stock_item_count + added.items
     from (select part, count(*) as items from inserted group by part) added where sum.pk = added.part`,
    [items],
  )
  await client.query('commit')
  await client.query(`select correct_total('stock_item'), correct_total('stock_tracking'), correct_holdings()`)
  await client.query('vacuum analyze')
}

/**
 * Measures the speed of lists and receipts while stock is verified, and the duration of a verification during them. Their speed alone is
 * measured before and after the run: machines are noisy.
 */
export async function measureVerification(service: Service, connections: number): Promise<Row[]> {
  let page = 0
  const createListRequest = () => ({ path: `/api/stock/?limit=25&offset=${page++ % 5_000}`, method: 'GET' as const })
  const createReceiptRequest = () => {
    const order = 50 * (1 + Math.floor(Math.random() * 20))
    const items = [{ line_item: order * 10 - Math.floor(Math.random() * 10), quantity: 1 }]
    const body = JSON.stringify({ location: 1 + Math.floor(Math.random() * 50), allow_over_receipt: true, items })
    return { path: `/api/order/po/${order}/receive/`, method: 'POST' as const, body }
  }
  const measureRate = async (next: () => object) => {
    const headers = { authorization: `Token ${service.token}`, 'content-type': 'application/json' }
    const requests = [{ setupRequest: (request: object) => ({ ...request, headers, ...next() }) }]
    const result = await autocannon({ url: service.base, connections, duration: WINDOW_SECONDS, requests } as autocannon.Options)
    if (result.non2xx + result.errors > 0) throw new Error(`${result.non2xx + result.errors} requests failed`)
    return result.requests.average
  }
  const rows: Row[] = []
  for (const [label, next] of Object.entries({ 'lists of 25': createListRequest, 'receive one line': createReceiptRequest })) {
    await measureRate(next)
    const before = await measureRate(next)
    await requestVerification(service, 'POST')
    const ratesDuring: number[] = []
    for (;;) {
      const now = await measureRate(next)
      if ((await requestVerification(service, 'GET')).running === null) break
      ratesDuring.push(now)
    }
    const { requested, finished, is_right } = (await requestVerification(service, 'GET')).last
    if (!is_right) throw new Error('the benchmark has broken stock')
    const alone = calculateMean([before, await measureRate(next)])
    rows.push({
      measurement: label,
      'alone per second': Math.round(alone),
      'during per second': Math.round(calculateMean(ratesDuring)),
      ratio: (calculateMean(ratesDuring) / alone).toFixed(2),
      'run s': (Date.parse(finished) - Date.parse(requested)) / 1000,
    })
  }
  return rows
}

async function requestVerification({ base, token }: Service, method: 'GET' | 'POST'): Promise<Record<string, any>> {
  const response = await fetch(`${base}/api/stock/verify/`, { method, headers: { authorization: `Token ${token}` } })
  if (!response.ok) throw new Error(`${method} /api/stock/verify/: ${response.status} ${await response.text()}`)
  return response.json() as Promise<Record<string, any>>
}

const calculateMean = (numbers: readonly number[]): number => numbers.reduce((sum, value) => sum + value, 0) / numbers.length
