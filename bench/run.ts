import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import pg from 'pg'
import { pino } from 'pino'
import packageJson from '../package.json' with { type: 'json' }
import { createPool } from '../src/database/connect.ts'
import { startEmbedded } from '../src/database/embedded.ts'
import { migrate } from '../src/database/migrate.ts'
import { createSuperuser } from '../src/resources/user/first-account.ts'
import { any, type Case } from './case.ts'
import { measureConsole } from './console.ts'
import { fill, waitingShipments } from './data.ts'
import { measureFlat } from './flat.ts'
import { measureLargeDatabase } from './full-scale.ts'
import { measureLoad } from './load.ts'
import { measurePrinting } from './printing.ts'
import { fillScans, scanCases } from './scans.ts'
import { measureStorm } from './storm.ts'
import { fillItems, measureVerification } from './verification.ts'
import { measureDerivedData, measureWrites } from './writes.ts'

/**
 * npm run bench -- flat [NAME]
 *
 * Measures pages of lists with a thousand and with a million stock items (`flat.ts`): all of them, or those whose name contains NAME.
 *
 * npm run bench -- whole [NAME]
 *
 * Measures parts, BOMs and build orders in a large database (`full-scale.ts`), in the same way.
 *
 * npm run bench -- console [ITEMS]
 *
 * Measures the web console in a browser (`console.ts`).
 *
 * npm run bench -- storm [SECONDS]
 *
 * Runs 24 clients that send every operation that locks rows, at random (`storm.ts`), for 60 seconds by default: fails on a deadlock or a
 * wrong sum.
 *
 * npm run bench -- [list,detail] [--orders 1000,100000] [--seconds 5] [--connections 8] [--items 0]
 *
 * Loads the given number of purchase orders with ten lines each, and as many sales orders and stock items, into a fresh database, and
 * measures the service against a bare Fastify route with one hand-written statement, in the same run on the same database. Machines are
 * noisy: read the ratios. Printing and files (`printing` runs them alone) are measured once, on the smallest of these databases, and so are
 * scans (`scan`), with a million stock items that have codes. `writes` compares single writes with a bare update of one row, and with
 * themselves without the data maintained along with them; `load` loads rows by SQL during requests. `--items 1000000` adds that number of
 * stock items, and also measures the speed of lists and receipts while all of it is verified (`verification` runs that alone).
 */
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    orders: { type: 'string', default: '1000,100000' },
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '8' },
    items: { type: 'string', default: '0' },
  },
})
const seconds = Number(options.seconds)
const connections = Number(options.connections)

type Measured = { rate: number; p50: number; p99: number; failed: number }
/** The line and item that can be allocated to the last shipment of an open sales order (`fillSales`). */
const waitingIn = (order: number, orders: number) => ({
  items: [{ line_item: order * 5 - 4, stock_item: orders + order / 50, quantity: 1 }],
  shipment: orders - Math.floor(orders / 50) + (order / 50) * waitingShipments({ orders }),
})

function cases(orders: number): Case[] {
  let reference = 1_000_000 + orders
  const open = () => 50 * any(Math.floor(orders / 50))
  const waiting = waitingShipments({ orders })
  const openOrders = Math.floor(orders / 50)
  let shipped = 0
  // one order after the other; the last shipment of each is left for allocations
  const nextShipment = () => {
    const at = shipped++
    return orders - openOrders + (at % openOrders) * waiting + (Math.floor(at / openOrders) % (waiting - 1)) + 1
  }
  // page after page, and back to the first once it has left the cache, except for the 975 pages of 1,000 orders, which all stay cached
  let pages = 0
  const newPage = (limit: number, rows: number) => `limit=${limit}&offset=${pages++ % Math.min(rows - limit, 3_000)}`
  return [
    { name: 'list of 25', path: () => '/api/order/po/?limit=25', bare: () => '/list?limit=25' },
    {
      name: 'list of 25, status filter',
      path: () => '/api/order/po/?limit=25&status=20',
      bare: () => '/filtered?limit=25&status=20',
    },
    {
      name: 'search',
      path: () => `/api/order/po/?limit=25&search=${any(orders)}`,
      bare: () => `/search?limit=25&search=${any(orders)}`,
    },
    { name: 'detail', path: () => `/api/order/po/${any(orders)}/`, bare: () => `/detail/${any(orders)}` },
    {
      name: 'detail, by session',
      signed: 'session',
      path: () => `/api/order/po/${any(orders)}/`,
      bare: () => `/detail/${any(orders)}`,
    },
    {
      name: 'create',
      method: 'POST',
      path: () => '/api/order/po/',
      body: () => ({ reference: `PO-${++reference}`, supplier: any(100) }),
      bare: () => '/create',
      bareBody: () => ({ supplier: any(100) }),
    },
    {
      name: 'receive one line',
      method: 'POST',
      path: () => `/api/order/po/${open()}/receive/`,
      body: () => ({ location: any(50), allow_over_receipt: true, items: [{ line_item: 0, quantity: 1 }] }),
      bare: () => '/receive',
      bareBody: () => ({ line: open() * 10 }),
    },
    { name: '25 parts', path: () => '/api/part/?limit=25' },
    { name: 'one part', path: () => `/api/part/${any(5000)}/` },
    { name: '25 stock items', path: () => '/api/stock/?limit=25' },
    { name: '250 stock items with part, location', path: () => '/api/stock/?limit=250&part_detail=true&location_detail=true' },
    {
      // each time with another filter that matches everything, so that no page is cached
      name: '250 stock items with part, location, read anew',
      path: () => `/api/stock/?limit=250&part_detail=true&location_detail=true&max_stock=${1e9 + any(1e9)}`,
    },
    { name: 'one stock item', path: () => `/api/stock/${any(orders)}/` },
    { name: 'search in stock', path: () => `/api/stock/?limit=25&search=${any(5000)}` },
    {
      name: 'add to one item',
      method: 'POST',
      path: () => '/api/stock/add/',
      body: () => ({ items: [{ pk: any(orders), quantity: 1 }] }),
    },
    {
      name: 'count 10 items',
      method: 'POST',
      path: () => '/api/stock/count/',
      body: () => ({
        items: Array.from({ length: 10 }, (_, at) => ({ pk: 1 + ((any(orders) + at * 97) % orders), quantity: 5 })),
      }),
    },
    { name: 'sales: list of 25', path: () => '/api/order/so/?limit=25', bare: () => '/sales?limit=25' },
    {
      name: 'sales: list of 25, status filter',
      path: () => '/api/order/so/?limit=25&status=20',
      bare: () => '/sales?limit=25&status=20',
    },
    {
      name: 'sales: list of 25, read anew',
      path: () => `/api/order/so/?${newPage(25, orders)}`,
      bare: () => `/sales?${newPage(25, orders)}`,
    },
    {
      name: 'sales: 100 lines with details, read anew',
      path: () => `/api/order/so-line/?part_detail=true&order_detail=true&${newPage(100, orders * 5)}`,
      bare: () => `/sales-lines?${newPage(100, orders * 5)}`,
    },
    { name: 'sales: detail', path: () => `/api/order/so/${any(orders)}/`, bare: () => `/sales/${any(orders)}` },
    {
      name: 'sales: allocate',
      method: 'POST',
      path: () => `/api/order/so/${open()}/allocate/`,
      orders,
      body: () => ({}),
      bare: () => '/allocate',
      bareBody: () => waitingIn(open(), orders),
    },
    {
      name: 'sales: ship',
      method: 'POST',
      path: () => `/api/order/so/shipment/${nextShipment()}/ship/`,
      body: () => ({}),
      bare: () => '/ship',
      bareBody: () => ({ shipment: nextShipment() }),
    },
    {
      name: 'create a stock item',
      method: 'POST',
      path: () => '/api/stock/',
      body: () => ({ part: any(5000), quantity: 5, location: any(50) }),
    },
    {
      name: 'create a part',
      method: 'POST',
      path: () => '/api/part/',
      body: () => ({ name: `Made ${++reference}`, description: 'A part of the benchmark', category: any(10) }),
    },
    { name: '100 parts with category', path: () => '/api/part/?limit=100&category_detail=true' },
    { name: 'search in parts', path: () => `/api/part/?limit=25&search=${any(5000)}` },
    {
      name: '100 supplier parts with parts',
      path: () => '/api/company/part/?limit=100&part_detail=true&supplier_detail=true',
    },
    {
      name: '100 supplier parts with parts, read anew',
      path: () => `/api/company/part/?limit=100&part_detail=true&supplier_detail=true&offset=${any(9_900)}`,
    },
    { name: 'all global settings', path: () => '/api/settings/global/' },
    { name: 'own roles', path: () => '/api/user/roles/' },
  ]
}

async function measure(base: string, headers: Record<string, string>, one: Case, bare: boolean): Promise<Measured> {
  const path = bare ? (one.bare as () => string) : one.path
  const body = bare ? one.bareBody : one.body
  const next = () => {
    const address = path()
    let sent = body?.() as Record<string, unknown> | undefined
    // the line has to belong to the order in the path
    const order = /\/po\/(\d+)\/receive/.exec(address)?.[1]
    if (order && sent)
      sent = { ...sent, items: [{ line_item: Number(order) * 10 - Math.floor(Math.random() * 10), quantity: 1 }] }
    const sale = /\/so\/(\d+)\/allocate/.exec(address)?.[1]
    if (sale) sent = waitingIn(Number(sale), one.orders as number)
    return {
      path: address,
      method: one.method ?? ('GET' as const),
      headers: sent ? { ...headers, 'content-type': 'application/json' } : headers,
      body: sent && JSON.stringify(sent),
    }
  }
  const requests = [{ ...next(), setupRequest: (request: object) => ({ ...request, ...next() }) }]
  const run = (duration: number) => autocannon({ url: base, connections, duration, requests } as autocannon.Options)
  // the first requests are slower: statements get planned, and code gets compiled
  await run(2)
  const result = await run(seconds)
  return {
    rate: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failed: result.non2xx + result.errors,
  }
}

/** The cookie that a browser sends once signed in. */
async function sessionCookie(base: string): Promise<string> {
  const response = await fetch(`${base}/api/auth/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'bench', password: 'a password of the benchmark' }),
  })
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ')
}

async function ready(url: string): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt++) {
    try {
      await fetch(url)
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
  }
  throw new Error(`${url} does not answer`)
}

const [only = '', more] = positionals
const measurement = {
  flat: measureFlat,
  whole: measureLargeDatabase,
  console: measureConsole,
  storm: (seconds = '60') => measureStorm(Number(seconds)),
}[only]
if (measurement) {
  await measurement(more)
  process.exit()
}

const sizes = options.orders.split(',').map(Number)
for (const orders of sizes) {
  const folder = mkdtempSync(join(tmpdir(), 'stockroom-bench-'))
  const server = await startEmbedded(folder, pino({ level: 'silent' }))
  const children: ChildProcess[] = []
  try {
    const pool = createPool(server.url, 2, { statementTimeout: 0 })
    await migrate(pool)
    await createSuperuser(pool, { username: 'bench', password: 'a password of the benchmark', email: '' })
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    await fill(client, { orders })
    await fillItems(client, Number(options.items))
    // the checkpoint after the load would otherwise be written during the measurements
    await client.query('checkpoint')
    await client.end()
    await pool.end()
    const start = (command: string[], port: number, environment: Record<string, string>) => {
      const child = spawn(process.execPath, [...command, 'serve'], {
        env: {
          ...process.env,
          DATABASE_URL: server.url,
          DATA_DIR: folder,
          LOG_LEVEL: 'silent',
          PORT: String(port),
          ...environment,
        },
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      children.push(child)
      return { base: `http://127.0.0.1:${port}`, pid: child.pid as number }
    }
    const { base: bare } = start(['bench/bare.ts'], 8961, {})
    const { base: serviceUrl, pid } = start(packageJson.scripts.start.split(' ').slice(2, -1), 8962, {})
    await ready(`${bare}/detail/1`)
    await ready(`${serviceUrl}/livez`)
    const basic = `Basic ${Buffer.from('bench:a password of the benchmark').toString('base64')}`
    const { token } = (await (
      await fetch(`${serviceUrl}/api/user/token/?name=bench`, { headers: { authorization: basic } })
    ).json()) as { token: string }
    const cookie = await sessionCookie(serviceUrl)
    const isSmallest = orders === Math.min(...sizes)
    const isAsked = (name: string) => !only || only.split(',').some((begin) => name.startsWith(begin))
    const table: object[] = []
    const add = async (one: Case) => {
      const signed = { authorization: `Token ${token}` }
      const serviceResult = await measure(serviceUrl, one.signed === 'session' ? { cookie } : signed, one, false)
      const [base, headers] = one.against === 'ours' ? [serviceUrl, signed] : [bare, {}]
      const bareResult = one.bare ? await measure(base, headers, one, true) : undefined
      table.push({
        request: one.name,
        'per second': Math.round(serviceResult.rate),
        'p50 ms': serviceResult.p50,
        'p99 ms': serviceResult.p99,
        refused: serviceResult.failed,
        'bare per second': bareResult ? Math.round(bareResult.rate) : '',
        ratio: bareResult ? (serviceResult.rate / bareResult.rate).toFixed(2) : '',
      })
    }
    for (const one of cases(orders)) if (isAsked(one.name)) await add(one)
    const scans = scanCases(orders).filter(({ name }) => isAsked(name))
    if (isSmallest && scans.length > 0) {
      const filling = new pg.Client({ connectionString: server.url })
      await filling.connect()
      await fillScans(filling)
      await filling.end()
      for (const one of scans) await add(one)
    }
    console.log(`${orders} orders, ${orders * 10} lines, ${orders} stock items; ${connections} connections`)
    console.table(table)
    if (isAsked('writes')) {
      console.table(await measureWrites({ base: serviceUrl, token }, server.url, orders))
      console.table(await measureDerivedData({ base: serviceUrl, token }, server.url, orders))
    }
    if (isAsked('load')) console.table(await measureLoad({ base: serviceUrl, token }, server.url, orders))
    if (isSmallest && isAsked('printing')) console.table(await measurePrinting({ base: serviceUrl, token, pid }, seconds))
    if (options.items !== '0' && isAsked('verification'))
      console.table(await measureVerification({ base: serviceUrl, token }, connections))
  } finally {
    for (const child of children) child.kill('SIGTERM')
    await new Promise((resolve) => setTimeout(resolve, 500))
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
