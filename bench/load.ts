import autocannon from 'autocannon'
import pg from 'pg'
import { randomUpTo } from './case.ts'

type Service = { base: string; token: string }
type Row = {
  workload: string
  'requests per second': number
  'p50 ms': number
  'p99 ms': number
  'rows per minute': number
  'statement ms': number
}

/** Seconds per measurement. */
const SECONDS = 20
/** Rows per statement, and milliseconds between the starts of two statements: 100,000 rows a minute. */
const ROWS_PER_STATEMENT = 1_000
const STATEMENT_INTERVAL_MS = 600
const REQUESTS_PER_SECOND = 200

const LOAD_STATEMENT = `insert into stock_item (part, location, quantity, purchase_price_currency)
  select 1 + (i * 7919 + $1) % 5000, 1 + i % 50, 10, 'USD' from generate_series(1, ${ROWS_PER_STATEMENT}) i`

/** Measures the duration of requests with and without SQL that loads stock on a separate connection. */
export async function measureLoad({ base, token }: Service, databaseUrl: string, orders: number): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const paths = [
    () => `/api/stock/?limit=25&offset=${25 * randomUpTo(20)}`,
    () => `/api/order/po/?limit=25&offset=${25 * randomUpTo(20)}`,
    () => `/api/stock/${randomUpTo(orders)}/`,
    () => `/api/part/?limit=25&offset=${25 * randomUpTo(20)}`,
    () => '/api/stock/location/?limit=25',
  ]
  let index = 0
  const setupRequest = (request: object) => ({ ...request, path: paths[index++ % paths.length]?.() })
  const sendRequests = (duration: number) =>
    autocannon({
      url: base,
      connections: 8,
      overallRate: REQUESTS_PER_SECOND,
      duration,
      requests: [{ headers: { authorization: `Token ${token}` }, setupRequest }],
    } as unknown as autocannon.Options)
  const measureWorkload = async (workload: string, load: (until: number) => Promise<number[]>): Promise<Row> => {
    const times = load(Date.now() + SECONDS * 1_000)
    const { latency, requests, non2xx, errors } = await sendRequests(SECONDS)
    if (non2xx + errors > 0) throw new Error(`${non2xx + errors} requests failed`)
    const statements = await times
    return {
      workload,
      'requests per second': Math.round(requests.average),
      'p50 ms': latency.p50,
      'p99 ms': latency.p99,
      'rows per minute': Math.round((statements.length * ROWS_PER_STATEMENT * 60) / SECONDS),
      'statement ms': Math.round(statements.reduce((sum, time) => sum + time, 0) / Math.max(1, statements.length)),
    }
  }
  await sendRequests(3)
  const rows = [
    await measureWorkload('nothing', async () => []),
    await measureWorkload('a load of 100,000 rows a minute', async (until) => {
      const times: number[] = []
      for (let next = Date.now(); Date.now() < until; next += STATEMENT_INTERVAL_MS) {
        const start = performance.now()
        await client.query(LOAD_STATEMENT, [randomUpTo(5000)])
        times.push(performance.now() - start)
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, next + STATEMENT_INTERVAL_MS - Date.now())))
      }
      return times
    }),
  ]
  await client.end()
  return rows
}
