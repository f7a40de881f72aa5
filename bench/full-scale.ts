import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { withCachedDatabases } from './databases.ts'
import { type DatasetSizes, getDatasetSizes, getItemQuantity, LONG_BUILDS } from './full-scale-data.ts'
import { LARGE_DATABASE } from './largest-data.ts'
import { formatTimes, type RunningService, summarizeTimes, type Times, timedRequest, withService } from './service.ts'

/** Stock items of the two databases that are compared; `getDatasetSizes` derives the other sizes. */
const SIZES = [10_000, 1_000_000]
/** Requests of one measurement: as many as fit into `maxMs`, from `min` to `max`. */
const REQUESTS = { max: 100, maxMs: 2_000, min: 5 }
/** Uncounted requests for reads, for writes, and for writes that consume data: statements get planned, and code gets compiled. */
const WARM_UP_REQUESTS = { read: 50, write: 5, limited: 2 }
/** Maximum milliseconds to show a BOM of 500 lines. */
const MAX_BOM_MS = 100

/** Requests to the service and to the bare route; `index` counts up, so that no page is cached. */
type Case = {
  name: string
  ours: (index: number) => RequestSpec
  bare?: (index: number) => RequestSpec
  /** Selects the part of our response that the bare route returns as well. */
  toComparable?: (json: unknown) => unknown
  /** Maximum number of runs, where each one consumes data. */
  maxRequests?: number
}
type RequestSpec = { path: string; body?: unknown }

const get = (path: string): RequestSpec => ({ path })
const post = (path: string, body: unknown): RequestSpec => ({ path, body })
const getResults = (json: unknown) => (json as { results: unknown }).results

/** A list, page after page, next to the bare route. */
const createPageCase = (name: string, list: string, route: string, limit: number, query = ''): Case => ({
  name,
  ours: (index) => get(`${list}?limit=${limit}&offset=${1 + index}${query}`),
  bare: (index) => get(`/whole/${route}?offset=${1 + index}`),
  toComparable: getResults,
})

/** All rows of one object: a limit above their number makes a different page each time. */
const createRowsCase = (
  name: string,
  list: string,
  route: string,
  filter: string,
  keys: (index: number) => number,
  rows: number,
): Case => ({
  name,
  ours: (index) => get(`${list}${list.includes('?') ? '&' : '?'}${filter}=${keys(index)}&limit=${rows + 1 + index}`),
  bare: (index) => get(`/whole/${route}?${filter}=${keys(index)}`),
  toComparable: getResults,
})

function createCases({ parts, items, builds, components, assemblies: { long, middle } }: DatasetSizes): Case[] {
  const pickPart = (index: number) => 1 + ((index * 7_919) % parts)
  const pickBuild = (index: number) => 1 + ((index * 7_919) % builds)
  const pickLongBuild = (index: number) => builds - LONG_BUILDS + 1 + (index % LONG_BUILDS)
  const pickMiddleAssembly = (index: number) => components + long + 1 + (index % middle)
  // build orders for assemblies with medium BOMs, as `fillDataset` makes them
  const otherBuilds = Array.from({ length: builds - LONG_BUILDS }, (_, index) => 1 + index)
  const middleBuilds = otherBuilds.filter((pk) => pk % (parts - components - long) < middle)
  const pickMiddleBuild = (index: number) => middleBuilds[(index * 31) % middleBuilds.length] as number
  const pickWord = (index: number) => String(pickPart(index)).padStart(6, '0')
  const createSearchCase = (name: string, list: string, route?: string): Case => ({
    name,
    ours: (index) => get(`${list}&limit=25&search=${pickWord(index)}`),
    bare: route === undefined ? undefined : (index) => get(`/whole/${route}?offset=0&search=${pickWord(index)}`),
    toComparable: getResults,
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
  const pickHundredItems = (index: number) =>
    Array.from({ length: 100 }, (_, next) => items - ((index * 997 + next * 101) % (items / 2)))
  const limits = { maxRequests: LONG_BUILDS / 2 - 1 }
  return [
    createPageCase('100 parts', '/api/part/', 'parts', 100),
    createPageCase('250 stock items', '/api/stock/', 'stock', 250),
    createRowsCase('BOM of 100 lines with components', '/api/bom/?sub_part_detail=true', 'bom', 'part', pickMiddleAssembly, 100),
    createRowsCase(
      'BOM of 500 lines with components',
      '/api/bom/?sub_part_detail=true',
      'bom',
      'part',
      (index) => components + 1 + (index % long),
      500,
    ),
    createPageCase('100 build orders with parts', '/api/build/', 'builds', 100, '&part_detail=true'),
    createRowsCase('lines of a build order, 100', '/api/build/line/', 'build-lines', 'build', pickMiddleBuild, 100),
    createRowsCase('lines of a build order, 500', '/api/build/line/', 'build-lines', 'build', pickLongBuild, 500),
    {
      name: 'one part',
      ours: (index) => get(`/api/part/${pickPart(index)}/`),
      bare: (index) => get(`/whole/part?pk=${pickPart(index)}`),
    },
    {
      name: 'one build order',
      ours: (index) => get(`/api/build/${pickBuild(index)}/`),
      bare: (index) => get(`/whole/build?pk=${pickBuild(index)}`),
    },
    createSearchCase('search in parts', '/api/part/?', 'parts-search'),
    createSearchCase('search in stock', '/api/stock/?', 'stock-search'),
    createSearchCase('search in build orders', '/api/build/?part_detail=true', 'builds-search'),
    createSearchCase('search in BOMs', '/api/bom/?'),
    createSearchCase('search in purchase orders', '/api/order/po/?'),
    {
      name: 'search in three types at once',
      ours: (index) => post('/api/search/', { search: pickWord(index), limit: 25, ...searchedTypes }),
      bare: (index) => get(`/whole/everything?offset=0&search=${pickWord(index)}`),
      toComparable: (json) => Object.fromEntries(Object.entries(json as object).map(([name, page]) => [name, getResults(page)])),
    },
    {
      name: 'search in all types at once',
      ours: (index) => post('/api/search/', { search: pickWord(index), limit: 25, ...all }),
    },
    {
      name: 'transfer of 100 items',
      ours: (index) =>
        post('/api/stock/transfer/', {
          items: pickHundredItems(2 * index).map((pk) => ({ pk, quantity: getItemQuantity(pk) })),
          location: 1 + (index % 50),
        }),
      bare: (index) => post('/whole/transfer', { items: pickHundredItems(2 * index + 1), location: 1 + (index % 50) }),
    },
    {
      name: 'auto-allocation of 500 lines',
      ours: (index) => post(`/api/build/${pickLongBuild(2 * index)}/auto-allocate/`, { interchangeable: true }),
      bare: (index) => post('/whole/auto-allocate', { build: pickLongBuild(2 * index + 1) }),
      ...limits,
    },
    {
      name: 'completing a build order of 500 lines',
      ours: (index) =>
        post(`/api/build/${pickLongBuild(2 * index)}/finish/`, { accept_incomplete: true, accept_unallocated: true }),
      bare: (index) => post('/whole/finish', { build: pickLongBuild(2 * index + 1) }),
      ...limits,
    },
  ]
}

type Measurement = { ours: Times; bare?: Times; count: number }

/** Alternates between both, so that they run under the same load. */
async function measure(
  { base, bare: bareUrl, token }: RunningService,
  { name, ours, bare, toComparable = (json) => json, maxRequests = REQUESTS.max }: Case,
): Promise<Measurement> {
  const times: [number[], number[]] = [[], []]
  const isRead = bare && !(bare(0).body && ours(0).body)
  const isLimited = maxRequests < REQUESTS.max
  const first = WARM_UP_REQUESTS[isLimited ? 'limited' : isRead ? 'read' : 'write']
  const last = isLimited ? maxRequests : first + maxRequests
  let end = Number.POSITIVE_INFINITY
  for (let index = 0; index < last && (isLimited || index < first + REQUESTS.min || performance.now() < end); index++) {
    if (index === first) end = performance.now() + REQUESTS.maxMs
    const serviceResponse = await timedRequest(base, token, ours(index).path, ours(index).body)
    if (index >= first) times[0].push(serviceResponse.time)
    if (!bare) continue
    const bareResponse = await timedRequest(bareUrl, token, bare(index).path, bare(index).body)
    if (index >= first) times[1].push(bareResponse.time)
    if (
      isRead &&
      index === 0 &&
      !isDeepStrictEqual(toComparable(JSON.parse(serviceResponse.text)), JSON.parse(bareResponse.text))
    )
      throw new Error(
        `${name}: the response of the bare route differs from ${ours(0).path}: ${bareResponse.text.slice(0, 2_000)}`,
      )
  }
  return { ours: summarizeTimes(times[0]), bare: bare && summarizeTimes(times[1]), count: times[0].length }
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
  const measured: Map<string, Measurement>[] = []
  const prices: string[] = []
  await withCachedDatabases(LARGE_DATABASE, async (withCopy) => {
    for (const [index, items] of SIZES.entries())
      await withCopy(items, async (url) => {
        const results = new Map<string, Measurement>()
        await withService(url, 8_983 + index, async (service) => {
          for (const measuredCase of createCases(getDatasetSizes(items)))
            if (measuredCase.name.includes(only)) results.set(measuredCase.name, await measure(service, measuredCase))
        })
        measured.push(results)
        if ('price refresh'.includes(only)) prices.push(await refreshPrices(url))
      })
  })
  const [small, large] = measured
  const table = [...(large ?? [])].map(([name, { ours, bare }]) => {
    const smallTimes = small?.get(name)?.ours as Times
    return {
      request: name,
      ours: formatTimes(ours),
      bare: bare ? formatTimes(bare) : '',
      ratio: bare ? (bare.p50 / ours.p50).toFixed(2) : '',
      'ours, small': formatTimes(smallTimes),
      'large / small': (ours.p50 / smallTimes.p50).toFixed(1),
    }
  })
  const summaries = SIZES.map((items) => {
    const { parts, lines, builds } = getDatasetSizes(items)
    return `${parts} parts, ${items} stock items, ${lines} BOM lines, ${builds} build orders`
  })
  console.log(`milliseconds, p50 / p99; one client, no page is cached; ${summaries[1]}; small: ${summaries[0]}`)
  console.table(table)
  const bom = large?.get('BOM of 500 lines with components')
  if (bom) console.log(`a BOM of 500 lines is shown in ${bom.ours.p50.toFixed(0)} ms; the limit is ${MAX_BOM_MS} ms`)
  for (const output of prices) console.log(output)
}
