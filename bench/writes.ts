import { Agent, request } from 'node:http'
import pg from 'pg'
import { any } from './case.ts'

type Service = { base: string; token: string }
type Row = { what: string; 'p50 ms': string; 'p99 ms': string; 'times the bare update': string }

/** How often each write is made. */
const ROUNDS = 600
/** How many of the first are not counted: statements are planned, and code is compiled. */
const FIRST = 100

/**
 * How long single writes take over one connection, beside a bare update of one row and its commit on a connection of its own. They are made
 * by turns, so that all of them meet the same machine.
 */
export async function measureWrites(service: Service, databaseUrl: string, orders: number): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('create table if not exists bench_bare (pk integer primary key, quantity numeric not null)')
  await client.query('insert into bench_bare select i, 1 from generate_series(1, 1000) i on conflict do nothing')
  const post = poster(service)
  let reference = 5_000_000 + orders
  const open = () => 50 * any(Math.floor(orders / 50))
  const kinds: Record<string, () => Promise<unknown>> = {
    'bare update of a row, with its commit': async () => {
      await client.query({ name: 'begin', text: 'begin' })
      const values = [any(1000)]
      await client.query({ name: 'bare', text: 'update bench_bare set quantity = quantity + 1 where pk = $1', values })
      await client.query({ name: 'commit', text: 'commit' })
    },
    'add to one item': () => post('/api/stock/add/', { items: [{ pk: any(orders), quantity: 1 }] }),
    'receive one line': () => {
      const order = open()
      const items = [{ line_item: order * 10 - Math.floor(Math.random() * 10), quantity: 1 }]
      return post(`/api/order/po/${order}/receive/`, { location: any(50), allow_over_receipt: true, items })
    },
    'create an order': () => post('/api/order/po/', { reference: `PO-${++reference}`, supplier: any(100) }),
  }
  const times = Object.fromEntries(Object.keys(kinds).map((what) => [what, [] as number[]]))
  for (let round = 0; round < FIRST + ROUNDS; round++) {
    for (const [what, make] of Object.entries(kinds)) {
      const start = performance.now()
      await make()
      if (round >= FIRST) times[what]?.push(performance.now() - start)
    }
  }
  await client.end()
  const at = (what: string, share: number) =>
    (times[what] ?? []).toSorted((one, other) => one - other)[Math.floor(ROUNDS * share)] ?? 0
  const [bare = ''] = Object.keys(kinds)
  return Object.keys(kinds).map((what) => ({
    what,
    'p50 ms': at(what, 0.5).toFixed(2),
    'p99 ms': at(what, 0.99).toFixed(2),
    'times the bare update': (at(what, 0.5) / at(bare, 0.5)).toFixed(1),
  }))
}

/** Sends one POST after the other over one connection. */
function poster({ base, token }: Service): (path: string, body: unknown) => Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers = { authorization: `Token ${token}`, 'content-type': 'application/json' }
  return (path, body) =>
    new Promise((resolve, reject) => {
      const sent = request(base + path, { method: 'POST', agent, headers }, (answer) => {
        answer.resume()
        answer.once('end', () => (answer.statusCode === 201 ? resolve() : reject(new Error(`${path}: ${answer.statusCode}`))))
      })
      sent.once('error', reject)
      sent.end(JSON.stringify(body))
    })
}
