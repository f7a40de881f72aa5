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
import { type Case, randomUpTo } from './case.ts'
import { runClients } from './clients.ts'
import { measureConsole } from './console.ts'
import { countPendingShipments, fill } from './data.ts'
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
 * npm run bench -- console [NAME]
 *
 * Measures the web console in a browser (`console.ts`): all pages, or those whose name contains NAME. `demo` measures the settings and
 * search results with the demo data, and nothing else.
 *
 * npm run bench -- clients [NAME]
 *
 * Installs clients of InvenTree from the Python Package Index, unchanged, and runs the steps of a script with each (`clients.ts`): all
 * clients, or those whose name contains NAME. Needs Python 3.11 or newer. Fails if a step fails.
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

type Measurement = { rate: number; p50: number; p99: number; failed: number }
/** Returns a body that allocates an item to a line in the last shipment of an open sales order (`fillSales`). */
const createAllocationBody = (order: number, orders: number) => ({
  items: [{ line_item: order * 5 - 4, stock_item: orders + order / 50, quantity: 1 }],
  shipment: orders - Math.floor(orders / 50) + (order / 50) * countPendingShipments({ orders }),
})

function createCases(orders: number): Case[] {
  let reference = 1_000_000 + orders
  const pickOpenOrder = () => 50 * randomUpTo(Math.floor(orders / 50))
  const shipmentsPerOrder = countPendingShipments({ orders })
  const openOrders = Math.floor(orders / 50)
  let shipped = 0
  // takes a shipment of each order in turn; the last shipment of each order is for the allocations
  const nextShipment = () => {
    const index = shipped++
    return (
      orders -
      openOrders +
      (index % openOrders) * shipmentsPerOrder +
      (Math.floor(index / openOrders) % (shipmentsPerOrder - 1)) +
      1
    )
  }
  // a different page each time; a page repeats only after it has left the cache, except with 1,000 orders, whose 975 pages all stay cached
  let pages = 0
  const createPageQuery = (limit: number, rows: number) => `limit=${limit}&offset=${pages++ % Math.min(rows - limit, 3_000)}`
  return [
    { name: 'list of 25', path: () => '/api/order/po/?limit=25', bare: () => '/list?limit=25' },
    {
      name: 'list of 25, status filter',
      path: () => '/api/order/po/?limit=25&status=20',
      bare: () => '/filtered?limit=25&status=20',
    },
    {
      name: 'search',
      path: () => `/api/order/po/?limit=25&search=${randomUpTo(orders)}`,
      bare: () => `/search?limit=25&search=${randomUpTo(orders)}`,
    },
    { name: 'detail', path: () => `/api/order/po/${randomUpTo(orders)}/`, bare: () => `/detail/${randomUpTo(orders)}` },
    {
      name: 'detail, by session',
      authentication: 'session',
      path: () => `/api/order/po/${randomUpTo(orders)}/`,
      bare: () => `/detail/${randomUpTo(orders)}`,
    },
    {
      name: 'create',
      method: 'POST',
      path: () => '/api/order/po/',
      body: () => ({ reference: `PO-${++reference}`, supplier: randomUpTo(100) }),
      bare: () => '/create',
      bareBody: () => ({ supplier: randomUpTo(100) }),
    },
    {
      name: 'receive one line',
      method: 'POST',
      path: () => `/api/order/po/${pickOpenOrder()}/receive/`,
      body: () => ({ location: randomUpTo(50), allow_over_receipt: true, items: [{ line_item: 0, quantity: 1 }] }),
      bare: () => '/receive',
      bareBody: () => ({ line: pickOpenOrder() * 10 }),
    },
    { name: '25 parts', path: () => '/api/part/?limit=25' },
    { name: 'one part', path: () => `/api/part/${randomUpTo(5000)}/` },
    { name: '25 stock items', path: () => '/api/stock/?limit=25' },
    { name: '250 stock items with part, location', path: () => '/api/stock/?limit=250&part_detail=true&location_detail=true' },
    {
      // each time with another filter that matches everything, so that no page is cached
      name: '250 stock items with part, location, uncached',
      path: () => `/api/stock/?limit=250&part_detail=true&location_detail=true&max_stock=${1e9 + randomUpTo(1e9)}`,
    },
    { name: 'one stock item', path: () => `/api/stock/${randomUpTo(orders)}/` },
    { name: 'search in stock', path: () => `/api/stock/?limit=25&search=${randomUpTo(5000)}` },
    {
      name: 'add to one item',
      method: 'POST',
      path: () => '/api/stock/add/',
      body: () => ({ items: [{ pk: randomUpTo(orders), quantity: 1 }] }),
    },
    {
      name: 'count 10 items',
      method: 'POST',
      path: () => '/api/stock/count/',
      body: () => ({
        items: Array.from({ length: 10 }, (_, index) => ({ pk: 1 + ((randomUpTo(orders) + index * 97) % orders), quantity: 5 })),
      }),
    },
    { name: 'sales: list of 25', path: () => '/api/order/so/?limit=25', bare: () => '/sales?limit=25' },
    {
      name: 'sales: list of 25, status filter',
      path: () => '/api/order/so/?limit=25&status=20',
      bare: () => '/sales?limit=25&status=20',
    },
    {
      name: 'sales: list of 25, uncached',
      path: () => `/api/order/so/?${createPageQuery(25, orders)}`,
      bare: () => `/sales?${createPageQuery(25, orders)}`,
    },
    {
      name: 'sales: 100 lines with details, uncached',
      path: () => `/api/order/so-line/?part_detail=true&order_detail=true&${createPageQuery(100, orders * 5)}`,
      bare: () => `/sales-lines?${createPageQuery(100, orders * 5)}`,
    },
    { name: 'sales: detail', path: () => `/api/order/so/${randomUpTo(orders)}/`, bare: () => `/sales/${randomUpTo(orders)}` },
    {
      name: 'sales: allocate',
      method: 'POST',
      path: () => `/api/order/so/${pickOpenOrder()}/allocate/`,
      orders,
      body: () => ({}),
      bare: () => '/allocate',
      bareBody: () => createAllocationBody(pickOpenOrder(), orders),
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
      body: () => ({ part: randomUpTo(5000), quantity: 5, location: randomUpTo(50) }),
    },
    {
      name: 'create a part',
      method: 'POST',
      path: () => '/api/part/',
      body: () => ({ name: `Made ${++reference}`, description: 'A part of the benchmark', category: randomUpTo(10) }),
    },
    { name: '100 parts with category', path: () => '/api/part/?limit=100&category_detail=true' },
    { name: 'search in parts', path: () => `/api/part/?limit=25&search=${randomUpTo(5000)}` },
    {
      name: '100 supplier parts with parts',
      path: () => '/api/company/part/?limit=100&part_detail=true&supplier_detail=true',
    },
    {
      name: '100 supplier parts with parts, uncached',
      path: () => `/api/company/part/?limit=100&part_detail=true&supplier_detail=true&offset=${randomUpTo(9_900)}`,
    },
    { name: 'all global settings', path: () => '/api/settings/global/' },
    { name: 'own roles', path: () => '/api/user/roles/' },
  ]
}

async function measure(base: string, headers: Record<string, string>, measuredCase: Case, bare: boolean): Promise<Measurement> {
  const path = bare ? (measuredCase.bare as () => string) : measuredCase.path
  const body = bare ? measuredCase.bareBody : measuredCase.body
  const createRequest = () => {
    const address = path()
    let payload = body?.() as Record<string, unknown> | undefined
    // the line has to belong to the order in the path
    const order = /\/po\/(\d+)\/receive/.exec(address)?.[1]
    if (order && payload)
      payload = { ...payload, items: [{ line_item: Number(order) * 10 - Math.floor(Math.random() * 10), quantity: 1 }] }
    const sale = /\/so\/(\d+)\/allocate/.exec(address)?.[1]
    if (sale) payload = createAllocationBody(Number(sale), measuredCase.orders as number)
    return {
      path: address,
      method: measuredCase.method ?? ('GET' as const),
      headers: payload ? { ...headers, 'content-type': 'application/json' } : headers,
      body: payload && JSON.stringify(payload),
    }
  }
  const requests = [{ ...createRequest(), setupRequest: (request: object) => ({ ...request, ...createRequest() }) }]
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

async function waitUntilReady(url: string): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt++) {
    try {
      await fetch(url)
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
  }
  throw new Error(`${url} does not respond`)
}

const [selection = '', argument] = positionals
const measurement = {
  flat: measureFlat,
  whole: measureLargeDatabase,
  console: measureConsole,
  clients: runClients,
  storm: (seconds = '60') => measureStorm(Number(seconds)),
}[selection]
if (measurement) {
  await measurement(argument)
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
    await waitUntilReady(`${bare}/detail/1`)
    await waitUntilReady(`${serviceUrl}/livez`)
    const basic = `Basic ${Buffer.from('bench:a password of the benchmark').toString('base64')}`
    const { token } = (await (
      await fetch(`${serviceUrl}/api/user/token/?name=bench`, { headers: { authorization: basic } })
    ).json()) as { token: string }
    const cookie = await sessionCookie(serviceUrl)
    const isSmallest = orders === Math.min(...sizes)
    const isSelected = (name: string) => !selection || selection.split(',').some((begin) => name.startsWith(begin))
    const table: object[] = []
    const add = async (measuredCase: Case) => {
      const tokenHeaders = { authorization: `Token ${token}` }
      const serviceResult = await measure(
        serviceUrl,
        measuredCase.authentication === 'session' ? { cookie } : tokenHeaders,
        measuredCase,
        false,
      )
      const [base, headers] = measuredCase.against === 'ours' ? [serviceUrl, tokenHeaders] : [bare, {}]
      const bareResult = measuredCase.bare ? await measure(base, headers, measuredCase, true) : undefined
      table.push({
        request: measuredCase.name,
        'per second': Math.round(serviceResult.rate),
        'p50 ms': serviceResult.p50,
        'p99 ms': serviceResult.p99,
        failed: serviceResult.failed,
        'bare per second': bareResult ? Math.round(bareResult.rate) : '',
        ratio: bareResult ? (serviceResult.rate / bareResult.rate).toFixed(2) : '',
      })
    }
    for (const measuredCase of createCases(orders)) if (isSelected(measuredCase.name)) await add(measuredCase)
    const scans = scanCases(orders).filter(({ name }) => isSelected(name))
    if (isSmallest && scans.length > 0) {
      const scanClient = new pg.Client({ connectionString: server.url })
      await scanClient.connect()
      await fillScans(scanClient)
      await scanClient.end()
      for (const measuredCase of scans) await add(measuredCase)
    }
    console.log(`${orders} orders, ${orders * 10} lines, ${orders} stock items; ${connections} connections`)
    console.table(table)
    if (isSelected('writes')) {
      console.table(await measureWrites({ base: serviceUrl, token }, server.url, orders))
      console.table(await measureDerivedData({ base: serviceUrl, token }, server.url, orders))
    }
    if (isSelected('load')) console.table(await measureLoad({ base: serviceUrl, token }, server.url, orders))
    if (isSmallest && isSelected('printing')) console.table(await measurePrinting({ base: serviceUrl, token, pid }, seconds))
    if (options.items !== '0' && isSelected('verification'))
      console.table(await measureVerification({ base: serviceUrl, token }, connections))
  } finally {
    for (const child of children) child.kill('SIGTERM')
    await new Promise((resolve) => setTimeout(resolve, 500))
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
