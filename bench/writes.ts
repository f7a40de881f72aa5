import { Agent, request } from 'node:http'
import pg from 'pg'
import { randomUpTo } from './case.ts'

type Service = { base: string; token: string }
type Row = { write: string; 'p50 ms': string; 'p99 ms': string; 'times the bare update': string }

/** Runs of each write. */
const ROUNDS = 600
/** Uncounted first runs: statements get planned, and code gets compiled. */
const WARM_UP_ROUNDS = 100

/**
 * Measures single writes over one connection against a bare update of one row and its commit on a separate connection. They alternate, so
 * that all of them run under the same load.
 */
export async function measureWrites(service: Service, databaseUrl: string, orders: number): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('create table if not exists bench_bare (pk integer primary key, quantity numeric not null)')
  // as many rows as there are lines: after a checkpoint PostgreSQL logs the first change of each page in full, in both tables
  const rows = orders * 10
  await client.query('insert into bench_bare select i, 1 from generate_series(1, $1::integer) i on conflict do nothing', [rows])
  await client.query('checkpoint')
  const post = createPoster(service)
  const { add, receive } = createWrites(post, orders)
  let reference = 5_000_000 + orders
  const operations: Record<string, () => Promise<unknown>> = {
    'bare update of a row, with its commit': async () => {
      await client.query({ name: 'begin', text: 'begin' })
      const values = [randomUpTo(rows)]
      await client.query({ name: 'bare', text: 'update bench_bare set quantity = quantity + 1 where pk = $1', values })
      await client.query({ name: 'commit', text: 'commit' })
    },
    'add to one item': add,
    'receive one line': receive,
    'create an order': () => post('/api/order/po/', { reference: `PO-${++reference}`, supplier: randomUpTo(100) }),
  }
  const times = Object.fromEntries(Object.keys(operations).map((label) => [label, [] as number[]]))
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    for (const [label, run] of Object.entries(operations)) {
      const start = performance.now()
      await run()
      if (round >= WARM_UP_ROUNDS) times[label]?.push(performance.now() - start)
    }
  }
  await client.end()
  const getPercentile = (label: string, share: number) =>
    (times[label] ?? []).toSorted((a, b) => a - b)[Math.floor(ROUNDS * share)] ?? 0
  const [bare = ''] = Object.keys(operations)
  return Object.keys(operations).map((label) => ({
    write: label,
    'p50 ms': getPercentile(label, 0.5).toFixed(2),
    'p99 ms': getPercentile(label, 0.99).toFixed(2),
    'times the bare update': (getPercentile(label, 0.5) / getPercentile(bare, 0.5)).toFixed(1),
  }))
}

type Post = ReturnType<typeof createPoster>

const createWrites = (post: Post, orders: number) => ({
  add: () => post('/api/stock/add/', { items: [{ pk: randomUpTo(orders), quantity: 1 }] }),
  receive: () => {
    const order = 50 * randomUpTo(Math.floor(orders / 50))
    const items = [{ line_item: order * 10 - Math.floor(Math.random() * 10), quantity: 1 }]
    return post(`/api/order/po/${order}/receive/`, { location: randomUpTo(50), allow_over_receipt: true, items })
  },
})

/** Data maintained along with each write that can be left out: triggers of a table by the start of their names, or indexes. */
const DERIVED_DATA = {
  'quantities of locations and parts': [{ table: 'stock_item', triggers: 'hold_%' }],
  'due price updates': [
    { table: 'stock_item', triggers: 'ask_for_prices%' },
    { table: 'purchase_order_line', triggers: 'ask_for_prices%' },
  ],
  'low stock notifications': [{ table: 'part_quantity', triggers: 'notice_low_stock' }],
  'indexes for sorting stock': [{ table: 'stock_item', indexes: 'stock_item_by_%' }],
}

/** Rounds of each block, with and without the derived data; the uncounted first of them; and how often the two blocks alternate. */
const BLOCK = { rounds: 60, first: 10, turns: 6 }

/**
 * Measures single writes with and without each thing maintained along with them, in alternating blocks, so that both run under the same
 * load. The sums that were left out are wrong afterwards: the database is thrown away.
 */
export async function measureDerivedData(service: Service, databaseUrl: string, orders: number): Promise<object[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const writes = createWrites(createPoster(service), orders)
  const median = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
  const table: object[] = []
  for (const [label, omissions] of Object.entries(DERIVED_DATA)) {
    const times = {
      add: { with: [] as number[], without: [] as number[] },
      receive: { with: [] as number[], without: [] as number[] },
    }
    const block = async (side: 'with' | 'without') => {
      for (let round = 0; round < BLOCK.rounds; round++) {
        for (const kind of ['add', 'receive'] as const) {
          const start = performance.now()
          await writes[kind]()
          if (round >= BLOCK.first) times[kind][side].push(performance.now() - start)
        }
      }
    }
    for (let turn = 0; turn < BLOCK.turns; turn++) {
      await block('with')
      const restore = await dropOmitted(client, omissions)
      await block('without')
      for (const statement of restore) await client.query(statement)
    }
    const row: Record<string, string> = { 'derived data': label }
    for (const kind of ['add', 'receive'] as const) {
      const [withIt, without] = [median(times[kind].with), median(times[kind].without)]
      row[`${kind}: with, ms`] = withIt.toFixed(2)
      row[`${kind}: without, ms`] = without.toFixed(2)
      row[`${kind}: costs`] = `${((withIt / without - 1) * 100).toFixed(0)} %`
    }
    table.push(row)
  }
  await client.end()
  return table
}

/** Triggers or indexes of a table. */
type Omission = { table: string; triggers?: string; indexes?: string }

/** Drops triggers and indexes. Returns the statements that restore them. */
async function dropOmitted(client: pg.Client, omissions: readonly Omission[]): Promise<string[]> {
  const restore: string[] = []
  for (const { table, triggers, indexes } of omissions) {
    if (triggers) {
      const { rows } = await client.query(
        'select tgname as name from pg_trigger where tgrelid = $1::regclass and not tgisinternal and tgname like $2',
        [table, triggers],
      )
      if (rows.length === 0) throw new Error(`${table} has no triggers ${triggers}`)
      for (const { name } of rows) {
        await client.query(`alter table ${table} disable trigger ${name}`)
        restore.push(`alter table ${table} enable trigger ${name}`)
      }
    }
    if (indexes) {
      const { rows } = await client.query(
        'select indexname, indexdef from pg_indexes where tablename = $1 and indexname like $2',
        [table, indexes],
      )
      if (rows.length === 0) throw new Error(`${table} has no indexes ${indexes}`)
      for (const { indexname, indexdef } of rows) {
        await client.query(`drop index ${indexname}`)
        restore.push(indexdef)
      }
    }
  }
  return restore
}

/** Returns a function that sends POST requests one after the other over one connection. */
function createPoster({ base, token }: Service): (path: string, body: unknown) => Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers = { authorization: `Token ${token}`, 'content-type': 'application/json' }
  return (path, body) =>
    new Promise((resolve, reject) => {
      const outgoing = request(base + path, { method: 'POST', agent, headers }, (response) => {
        response.resume()
        response.once('end', () =>
          response.statusCode === 201 ? resolve() : reject(new Error(`${path}: ${response.statusCode}`)),
        )
      })
      outgoing.once('error', reject)
      outgoing.end(JSON.stringify(body))
    })
}
