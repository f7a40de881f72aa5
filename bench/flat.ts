import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { createPool } from '../src/database/connect.ts'
import { startEmbedded } from '../src/database/embedded.ts'
import { migrate } from '../src/database/migrate.ts'
import { orderings } from '../src/kit/reading/list.ts'
import { resources } from '../src/resources/index.ts'
import { createSuperuser } from '../src/resources/user/first-account.ts'
import { any } from './case.ts'
import { fillFlat } from './flat-data.ts'

/** Stock items of the two databases that are compared. */
const SIZES = [1_000, 1_000_000]
/** Where the databases that are copied for a run are kept; made by SQL once, and anew when the migrations or their filling change. */
const KEPT = join(import.meta.dirname, '../node_modules/.cache/stockroom-bench')
const PASSWORD = 'a password of the benchmark'
/** Requests of one measurement: so many, or as many as fit into so many milliseconds, but a few. */
const REQUESTS = { most: 40, time: 250, fewest: 3 }

/** Lists that grow with use; each is read in every order that it offers. */
const LISTS = [
  '/api/stock/',
  '/api/stock/track/',
  '/api/order/po/',
  '/api/order/po-line/',
  '/api/order/so/',
  '/api/order/so-line/',
]

/** One list as it is asked for; `{n}` is where a page begins. */
type Case = { name: string; path: string }

const page = (list: string, query: string, offset = '{n}') => `${list}?limit=25${query}&offset=${offset}`

const filtered: Case[] = [
  { name: 'stock, nothing passed over', path: page('/api/stock/', '', '0') },
  { name: 'stock, in_stock=true', path: page('/api/stock/', '&in_stock=true') },
  { name: 'stock, one location', path: page('/api/stock/', '&location=7&cascade=false', '0') },
  { name: 'stock, search', path: page('/api/stock/', '&search=000123', '0') },
  { name: '250 stock items with part, location', path: '/api/stock/?limit=250&part_detail=true&location_detail=true&offset={n}' },
  { name: 'locations', path: page('/api/stock/location/', '') },
  { name: 'locations by items', path: page('/api/stock/location/', '&ordering=-items') },
  { name: 'categories', path: page('/api/part/category/', '', '0') },
  { name: 'parts', path: page('/api/part/', '') },
]

const ordered: Case[] = LISTS.flatMap((path) => {
  const resource = resources.find((one) => one.path === path)
  if (!resource) throw new Error(`no list ${path}`)
  return ['', ...Object.keys(orderings(resource))].map((name) => ({
    name: `${path}${name && `?ordering=-${name}`}`,
    path: page(path, name && `&ordering=-${name}`),
  }))
})

type Times = { p50: number; p99: number }

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** Milliseconds of one request, until the last byte of its answer came. */
function ask(base: string, token: string, path: string, body?: unknown): Promise<number> {
  const started = performance.now()
  const headers = { authorization: `Token ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) }
  return new Promise((resolve, reject) => {
    const asked = request(`${base}${path}`, { agent, headers, method: body ? 'POST' : 'GET' }, (answer) => {
      answer.resume()
      answer.on('end', () => {
        if (answer.statusCode !== 200 && answer.statusCode !== 201) reject(new Error(`${path}: ${answer.statusCode}`))
        else resolve(performance.now() - started)
      })
    })
    asked.on('error', reject)
    asked.end(body && JSON.stringify(body))
  })
}

const timesOf = (all: number[]): Times => {
  const sorted = all.toSorted((one, other) => one - other)
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] as number
  return { p50: at(0.5), p99: at(0.99) }
}

/** A database with so many items that nobody else uses, copied from the one that is kept. */
async function copyOf(server: pg.Client, url: string, items: number): Promise<string> {
  const kept = `flat_${items}`
  const { rows } = await server.query('select 1 from pg_database where datname = $1', [kept])
  const urlOf = (name: string) => url.replace('/stockroom?', `/${name}?`)
  if (rows.length === 0) {
    const making = `making_${items}`
    await server.query(`drop database if exists ${making}`)
    await server.query(`create database ${making}`)
    const pool = createPool(urlOf(making), 2, { statementTimeout: 0 })
    await migrate(pool)
    await createSuperuser(pool, { username: 'bench', password: PASSWORD, email: '' })
    await pool.end()
    const client = new pg.Client({ connectionString: urlOf(making) })
    await client.connect()
    await fillFlat(client, items)
    await client.end()
    await server.query(`alter database ${making} rename to ${kept}`)
  }
  await server.query(`drop database if exists run_${items} with (force)`)
  await server.query(`create database run_${items} template ${kept} strategy file_copy`)
  return urlOf(`run_${items}`)
}

/** A service on a database, and the bare routes (`bare.ts`) on the same. */
type Served = { base: string; token: string; bare: string }

/** Waits until something answers there. */
async function answering(address: string): Promise<void> {
  const end = performance.now() + 60_000
  for (;;) {
    try {
      await fetch(address)
      return
    } catch (error) {
      if (performance.now() > end) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

async function withService<T>(url: string, port: number, work: (served: Served) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'stockroom-flat-'))
  const children: ChildProcess[] = []
  const start = (file: string, at: number) => {
    const environment = { DATABASE_URL: url, DATA_DIR: folder, LOG_LEVEL: 'silent', PORT: String(at) }
    const env = { ...process.env, ...environment }
    children.push(spawn(process.execPath, [file, 'serve'], { env, stdio: ['ignore', 'ignore', 'inherit'] }))
    return `http://127.0.0.1:${at}`
  }
  const base = start('src/cli.ts', port)
  const bare = start('bench/bare.ts', port + 10)
  try {
    await answering(`${base}/livez`)
    await answering(`${bare}/sales?limit=1`)
    const authorization = `Basic ${Buffer.from(`bench:${PASSWORD}`).toString('base64')}`
    const answer = await fetch(`${base}/api/user/token/?name=bench`, { headers: { authorization } })
    return await work({ base, bare, token: ((await answer.json()) as { token: string }).token })
  } finally {
    for (const child of children) {
      child.kill('SIGTERM')
      if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve))
    }
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Pages of sales orders that were not read before, against a bare route with one hand-written statement: medians, in turn. */
async function compareWithBare({ base, token, bare }: Served): Promise<object[]> {
  const cases = [
    { name: '25 sales orders', ours: '/api/order/so/?limit=25', other: '/sales?limit=25' },
    {
      name: '100 lines with part and order',
      ours: '/api/order/so-line/?part_detail=true&order_detail=true&limit=100',
      other: '/sales-lines?limit=100',
    },
  ]
  const table: object[] = []
  for (const { name, ours, other } of cases) {
    const times: [number[], number[]] = [[], []]
    for (let offset = 1; offset <= 300; offset++) {
      times[0].push(await ask(base, token, `${ours}&offset=${offset}`))
      times[1].push(await ask(bare, token, `${other}&offset=${offset}`))
    }
    const [mine, theirs] = times.map(timesOf) as [Times, Times]
    table.push({ list: name, ours: shown(mine), bare: shown(theirs), ratio: (theirs.p50 / mine.p50).toFixed(2) })
  }
  return table
}

const shown = ({ p50, p99 }: Times) => `${p50.toFixed(1)} / ${p99.toFixed(1)}`

/** Each case asked again and again, and right after a write each time; later pages where the database has them. */
async function measure({ base, token }: Served, items: number, cases: Case[]) {
  const write = () => ask(base, token, '/api/stock/add/', { items: [{ pk: any(items), quantity: 1 }] })
  const results = new Map<string, { again: Times; written: Times; deep?: Times }>()
  for (const { name, path } of cases) {
    const at = (offset: number) => path.replace('{n}', String(offset))
    const early = items > 10_000 ? 9_975 : 25
    const sample = async (next: () => Promise<number>, most = REQUESTS.most) => {
      const all: number[] = []
      const end = performance.now() + REQUESTS.time
      while (all.length < most && (all.length < REQUESTS.fewest || performance.now() < end)) all.push(await next())
      return timesOf(all)
    }
    await sample(() => ask(base, token, at(early)), 3)
    const again = await sample(() => ask(base, token, at(early)))
    // another write, and in lists that it does not touch another page, each time
    let next = 0
    const written = await sample(async () => {
      await write()
      return ask(base, token, at(early - (next++ % 25)))
    })
    const deep =
      items > 10_000 && path.includes('{n}')
        ? await sample(() => ask(base, token, at(Math.round(items * 0.9) + any(99))), 4)
        : undefined
    results.set(name, { again, written, deep })
  }
  return results
}

/**
 * What a page costs with a thousand and with a million stock items: asked again, and after a write. The page begins at row 9,975 of a
 * million, `deep` at row 900,000 or behind the end of shorter lists.
 * @param only cases whose name holds this
 */
export async function measureFlat(only = ''): Promise<void> {
  const made = ['flat-data.ts', 'data.ts'].map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
  const migrations = readFileSync(join(import.meta.dirname, '../migrations/meta/_journal.json'), 'utf8')
  const digest = createHash('sha256')
    .update([...made, migrations].join(''))
    .digest('hex')
    .slice(0, 12)
  mkdirSync(KEPT, { recursive: true })
  for (const folder of readdirSync(KEPT)) if (folder !== digest) rmSync(join(KEPT, folder), { recursive: true, force: true })
  const server = await startEmbedded(join(KEPT, digest), pino({ level: 'silent' }))
  const client = new pg.Client({ connectionString: server.url })
  try {
    await client.connect()
    const cases = [...filtered, ...ordered].filter(({ name }) => name.includes(only))
    const bare: object[] = []
    const measured: Awaited<ReturnType<typeof measure>>[] = []
    for (const [at, items] of SIZES.entries()) {
      const url = await copyOf(client, server.url, items)
      const work = async (served: Served) => {
        if (items === Math.max(...SIZES)) bare.push(...(await compareWithBare(served)))
        measured.push(await measure(served, items, cases))
      }
      await withService(url, 8981 + at, work)
      await client.query(`drop database run_${items} with (force)`)
    }
    const [small, large] = measured
    const table = cases.map(({ name }) => {
      const [one, other] = [small?.get(name), large?.get(name)]
      if (!one || !other) throw new Error(`${name} was not measured`)
      return {
        list: name,
        'again, 1,000': shown(one.again),
        'again, 1,000,000': shown(other.again),
        'after a write, 1,000': shown(one.written),
        'after a write, 1,000,000': shown(other.written),
        ratio: (other.written.p50 / one.written.p50).toFixed(1),
        deep: other.deep ? shown(other.deep) : '',
      }
    })
    console.log('milliseconds, p50 / p99; one client')
    console.table(table)
    console.log('pages that were not read before, with a million stock items; ratio: bare / ours')
    console.table(bare)
  } finally {
    await client.end()
    await server.stop()
  }
}
