import autocannon from 'autocannon'
import pg from 'pg'
import { any } from './case.ts'

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
const ROWS = 1_000
const EVERY = 600
const REQUESTS = 200

const LOAD = `insert into stock_item (part, location, quantity, purchase_price_currency)
  select 1 + (i * 7919 + $1) % 5000, 1 + i % 50, 10, 'USD' from generate_series(1, ${ROWS}) i`

/** Measures how long requests take with and without stock being loaded by SQL on a separate connection. */
export async function measureLoad({ base, token }: Service, databaseUrl: string, orders: number): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const paths = [
    () => `/api/stock/?limit=25&offset=${25 * any(20)}`,
    () => `/api/order/po/?limit=25&offset=${25 * any(20)}`,
    () => `/api/stock/${any(orders)}/`,
    () => `/api/part/?limit=25&offset=${25 * any(20)}`,
    () => '/api/stock/location/?limit=25',
  ]
  let at = 0
  const setupRequest = (request: object) => ({ ...request, path: paths[at++ % paths.length]?.() })
  const ask = (duration: number) =>
    autocannon({
      url: base,
      connections: 8,
      overallRate: REQUESTS,
      duration,
      requests: [{ headers: { authorization: `Token ${token}` }, setupRequest }],
    } as unknown as autocannon.Options)
  const measured = async (workload: string, load: (until: number) => Promise<number[]>): Promise<Row> => {
    const times = load(Date.now() + SECONDS * 1_000)
    const { latency, requests, non2xx, errors } = await ask(SECONDS)
    if (non2xx + errors > 0) throw new Error(`${non2xx + errors} requests were refused`)
    const statements = await times
    return {
      workload,
      'requests per second': Math.round(requests.average),
      'p50 ms': latency.p50,
      'p99 ms': latency.p99,
      'rows per minute': Math.round((statements.length * ROWS * 60) / SECONDS),
      'statement ms': Math.round(statements.reduce((sum, one) => sum + one, 0) / Math.max(1, statements.length)),
    }
  }
  await ask(3)
  const rows = [
    await measured('nothing', async () => []),
    await measured('a load of 100,000 rows a minute', async (until) => {
      const times: number[] = []
      for (let next = Date.now(); Date.now() < until; next += EVERY) {
        const start = performance.now()
        await client.query(LOAD, [any(5000)])
        times.push(performance.now() - start)
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, next + EVERY - Date.now())))
      }
      return times
    }),
  ]
  await client.end()
  return rows
}
