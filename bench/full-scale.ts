import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { withCachedDatabases } from './databases.ts'
import { type DatasetSizes, datasetSizesOf, LONG_BUILDS, quantityOf } from './full-scale-data.ts'
import { LARGE_DATABASE } from './largest-data.ts'
import { formatTimes, type Served, type Times, timedRequest, timesOf, withService } from './service.ts'

/** Stock items of the two databases that are compared; `wholeOf` derives the other sizes. */
const SIZES = [10_000, 1_000_000]
/** Requests of one measurement: at most `most`, as many as fit into `time` milliseconds, and at least `fewest`. */
const REQUESTS = { most: 100, time: 2_000, fewest: 5 }
/** Uncounted requests for reads, for writes, and for writes that use something up: statements get planned, and code gets compiled. */
const FIRST = { read: 50, write: 5, limited: 2 }
/** Maximum milliseconds to show a BOM of 500 lines. */
const MAX_BOM_MS = 100

/** Requests to the service and to the bare route; `at` counts up, so that no page is cached. */
type Case = {
  name: string
  ours: (at: number) => RequestSpec
  bare?: (at: number) => RequestSpec
  /** Selects the part of our response that the bare route returns as well. */
  of?: (json: unknown) => unknown
  /** Maximum number of runs, where each one uses something up. */
  maxRequests?: number
}
type RequestSpec = { path: string; body?: unknown }

const get = (path: string): RequestSpec => ({ path })
const post = (path: string, body: unknown): RequestSpec => ({ path, body })
const resultsOf = (json: unknown) => (json as { results: unknown }).results

/** A list, page after page, next to the bare route. */
const pages = (name: string, list: string, route: string, limit: number, query = ''): Case => ({
  name,
  ours: (at) => get(`${list}?limit=${limit}&offset=${1 + at}${query}`),
  bare: (at) => get(`/whole/${route}?offset=${1 + at}`),
  of: resultsOf,
})

/** All rows of one object: a limit above their number makes a different page each time. */
const rowsOf = (name: string, list: string, route: string, of: string, keys: (at: number) => number, rows: number): Case => ({
  name,
  ours: (at) => get(`${list}${list.includes('?') ? '&' : '?'}${of}=${keys(at)}&limit=${rows + 1 + at}`),
  bare: (at) => get(`/whole/${route}?${of}=${keys(at)}`),
  of: resultsOf,
})

function cases({ parts, items, builds, components, assemblies: { long, middle } }: DatasetSizes): Case[] {
  const part = (at: number) => 1 + ((at * 7_919) % parts)
  const build = (at: number) => 1 + ((at * 7_919) % builds)
  const longBuild = (at: number) => builds - LONG_BUILDS + 1 + (at % LONG_BUILDS)
  const middleAt = (at: number) => components + long + 1 + (at % middle)
  // build orders for assemblies with medium BOMs, as `fillWhole` makes them
  const ofMiddle = Array.from({ length: builds - LONG_BUILDS }, (_, at) => 1 + at)
  const middleBuilds = ofMiddle.filter((pk) => pk % (parts - components - long) < middle)
  const middleBuild = (at: number) => middleBuilds[(at * 31) % middleBuilds.length] as number
  const word = (at: number) => String(part(at)).padStart(6, '0')
  const search = (name: string, list: string, route?: string): Case => ({
    name,
    ours: (at) => get(`${list}&limit=25&search=${word(at)}`),
    bare: route === undefined ? undefined : (at) => get(`/whole/${route}?offset=0&search=${word(at)}`),
    of: resultsOf,
  })
  const searchedTypes = { build: { part_detail: true }, part: {}, stockitem: {} }
  const everything = [
    'company',
    'manufacturerpart',
    'partcategory',
    'purchaseorder',
    'returnorder',
    'salesorder',
    'stocklocation',
    'supplierpart',
  ]
  const all = { ...searchedTypes, ...Object.fromEntries(everything.map((name) => [name, {}])) }
  const hundred = (at: number) => Array.from({ length: 100 }, (_, next) => items - ((at * 997 + next * 101) % (items / 2)))
  const halves = { maxRequests: LONG_BUILDS / 2 - 1 }
  return [
    pages('100 parts', '/api/part/', 'parts', 100),
    pages('250 stock items', '/api/stock/', 'stock', 250),
    rowsOf('bill of 100 lines with components', '/api/bom/?sub_part_detail=true', 'bom', 'part', middleAt, 100),
    rowsOf(
      'bill of 500 lines with components',
      '/api/bom/?sub_part_detail=true',
      'bom',
      'part',
      (at) => components + 1 + (at % long),
      500,
    ),
    pages('100 build orders with parts', '/api/build/', 'builds', 100, '&part_detail=true'),
    rowsOf('lines of a build order, 100', '/api/build/line/', 'build-lines', 'build', middleBuild, 100),
    rowsOf('lines of a build order, 500', '/api/build/line/', 'build-lines', 'build', longBuild, 500),
    { name: 'one part', ours: (at) => get(`/api/part/${part(at)}/`), bare: (at) => get(`/whole/part?pk=${part(at)}`) },
    { name: 'one build order', ours: (at) => get(`/api/build/${build(at)}/`), bare: (at) => get(`/whole/build?pk=${build(at)}`) },
    search('search in parts', '/api/part/?', 'parts-found'),
    search('search in stock', '/api/stock/?', 'stock-found'),
    search('search in build orders', '/api/build/?part_detail=true', 'builds-found'),
    search('search in bills of materials', '/api/bom/?'),
    search('search in purchase orders', '/api/order/po/?'),
    {
      name: 'search in three kinds at once',
      ours: (at) => post('/api/search/', { search: word(at), limit: 25, ...searchedTypes }),
      bare: (at) => get(`/whole/everything?offset=0&search=${word(at)}`),
      of: (json) => Object.fromEntries(Object.entries(json as object).map(([name, page]) => [name, resultsOf(page)])),
    },
    { name: 'search in all kinds at once', ours: (at) => post('/api/search/', { search: word(at), limit: 25, ...all }) },
    {
      name: 'transfer of 100 items',
      ours: (at) =>
        post('/api/stock/transfer/', {
          items: hundred(2 * at).map((pk) => ({ pk, quantity: quantityOf(pk) })),
          location: 1 + (at % 50),
        }),
      bare: (at) => post('/whole/transfer', { items: hundred(2 * at + 1), location: 1 + (at % 50) }),
    },
    {
      name: 'auto-allocation of 500 lines',
      ours: (at) => post(`/api/build/${longBuild(2 * at)}/auto-allocate/`, { interchangeable: true }),
      bare: (at) => post('/whole/auto-allocate', { build: longBuild(2 * at + 1) }),
      ...halves,
    },
    {
      name: 'finishing 500 lines',
      ours: (at) => post(`/api/build/${longBuild(2 * at)}/finish/`, { accept_incomplete: true, accept_unallocated: true }),
      bare: (at) => post('/whole/finish', { build: longBuild(2 * at + 1) }),
      ...halves,
    },
  ]
}

type Measured = { ours: Times; bare?: Times; count: number }

/** Alternates between both, so that they run under the same load. */
async function measure(
  { base, bare: bareUrl, token }: Served,
  { name, ours, bare, of = (json) => json, maxRequests = REQUESTS.most }: Case,
): Promise<Measured> {
  const times: [number[], number[]] = [[], []]
  const isRead = bare && !(bare(0).body && ours(0).body)
  const isLimited = maxRequests < REQUESTS.most
  const first = FIRST[isLimited ? 'limited' : isRead ? 'read' : 'write']
  const last = isLimited ? maxRequests : first + maxRequests
  let end = Number.POSITIVE_INFINITY
  for (let at = 0; at < last && (isLimited || at < first + REQUESTS.fewest || performance.now() < end); at++) {
    if (at === first) end = performance.now() + REQUESTS.time
    const serviceResponse = await timedRequest(base, token, ours(at).path, ours(at).body)
    if (at >= first) times[0].push(serviceResponse.time)
    if (!bare) continue
    const bareResponse = await timedRequest(bareUrl, token, bare(at).path, bare(at).body)
    if (at >= first) times[1].push(bareResponse.time)
    if (isRead && at === 0 && !isDeepStrictEqual(of(JSON.parse(serviceResponse.text)), JSON.parse(bareResponse.text)))
      throw new Error(`${name}: the bare route answers otherwise than ${ours(0).path}: ${bareResponse.text.slice(0, 2_000)}`)
  }
  return { ours: timesOf(times[0]), bare: bare && timesOf(times[1]), count: times[0].length }
}

/** Recalculates the prices of all parts, and returns the output of the command. */
async function refreshPrices(url: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'stockroom-bench-'))
  try {
    const env = { ...process.env, DATABASE_URL: url, DATA_DIR: folder, LOG_LEVEL: 'silent' }
    const child = spawn(process.execPath, ['src/stockroom.js', 'prices'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    const code = await new Promise((resolve) => child.once('exit', resolve))
    if (code !== 0) throw new Error(`prices: exit code ${code}`)
    return output.trim().split('\n').at(-1) ?? ''
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Measures parts, BOMs and build orders in a large and in a small database; in the large one also against a bare route with a hand-written
 * statement for the same response.
 * @param only cases whose name contains this
 */
export async function measureLargeDatabase(only = ''): Promise<void> {
  const measured: Map<string, Measured>[] = []
  const prices: string[] = []
  await withCachedDatabases(LARGE_DATABASE, async (withCopy) => {
    for (const [at, items] of SIZES.entries())
      await withCopy(items, async (url) => {
        const results = new Map<string, Measured>()
        await withService(url, 8_983 + at, async (served) => {
          for (const one of cases(datasetSizesOf(items)))
            if (one.name.includes(only)) results.set(one.name, await measure(served, one))
        })
        measured.push(results)
        if ('price refresh'.includes(only)) prices.push(await refreshPrices(url))
      })
  })
  const [small, large] = measured
  const table = [...(large ?? [])].map(([name, { ours, bare }]) => {
    const before = small?.get(name)?.ours as Times
    return {
      request: name,
      ours: formatTimes(ours),
      bare: bare ? formatTimes(bare) : '',
      ratio: bare ? (bare.p50 / ours.p50).toFixed(2) : '',
      'ours, small': formatTimes(before),
      'large / small': (ours.p50 / before.p50).toFixed(1),
    }
  })
  const summaries = SIZES.map((items) => {
    const { parts, lines, builds } = datasetSizesOf(items)
    return `${parts} parts, ${items} stock items, ${lines} lines of bills of materials, ${builds} build orders`
  })
  console.log(`milliseconds, p50 / p99; one client, each page read for the first time; ${summaries[1]}; small: ${summaries[0]}`)
  console.table(table)
  const bom = large?.get('bill of 500 lines with components')
  if (bom) console.log(`a bill of 500 lines is shown in ${bom.ours.p50.toFixed(0)} ms; it is to be less than ${MAX_BOM_MS}`)
  for (const output of prices) console.log(output)
}
