import { getTableConfig, type PgColumn } from 'drizzle-orm/pg-core'
import pg from 'pg'
import type { Resource } from '../src/kit/definition/resource.ts'
import { listOrderings } from '../src/kit/reading/list.ts'
import { resources } from '../src/resources/index.ts'
import { randomUpTo } from './case.ts'
import { withCachedDatabases } from './databases.ts'
import { fillFlat } from './flat-data.ts'
import { createConnection, type RunningService, summarizeTimes, timedRequest, withService } from './service.ts'

/** Stock items of the two databases that are compared. */
const [SMALL_ITEMS, LARGE_ITEMS] = [1_000, 1_000_000]
/** Requests of one measurement: as many as fit into `maxMs`, from `min` to `max`. */
const REQUESTS = { max: 40, maxMs: 250, min: 3 }
/** Requests before the first measurement: statements get planned, and code gets compiled. */
const WARM_UP_REQUESTS = 300
/** Milliseconds between writes in the background: 20 a second. */
const WRITE_INTERVAL_MS = 50

/**
 * Limits for unfiltered lists in an order with an index of their own table: how many times longer the first page, or a page of a walk, may
 * take with a million items than with a thousand, and the milliseconds of a page at an offset.
 */
const LIMITS = { ratio: 2, offsets: { 10000: 25, 900000: 400 } }

/** Lists that grow with use, each in every order that it offers. */
const LISTS = ['stock', 'stock/track', 'order/po', 'order/po-line', 'order/so', 'order/so-line']

/** A list: its path without the offset or cursor. `isLimited`: whether the limits apply to it. */
type Case = { name: string; path: string; isLimited: boolean; isWalk?: true }

const findResource = (path: string): Resource => {
  const resource = resources.find((candidate) => candidate.path === path)
  if (!resource) throw new Error(`no list ${path}`)
  return resource
}

/** Whether an index of the table begins with all terms of an order. */
function hasOwnIndex({ table }: Resource, order: readonly string[]): boolean {
  const columns = order.map((term) => /^\{(\w+)\}$/.exec(term)?.[1])
  const indexed = getTableConfig(table).indexes.map(({ config }) => config.columns.map((column) => (column as PgColumn).name))
  return (
    columns.join() === 'pk' ||
    indexed.some((names) => columns.every((name, index) => name !== undefined && names[index] === name))
  )
}

const cases: Case[] = LISTS.flatMap((list) => {
  const path = `/api/${list}/`
  const resource = findResource(path)
  const all = listOrderings(resource)
  const byDefault = (resource.defaultOrder ?? []).flatMap((name) => all[name.replace('-', '')] ?? [])
  return [
    { name: `${path} by cursor`, path: `${path}?limit=250`, isLimited: true, isWalk: true as const },
    { name: path, path: `${path}?limit=25`, isLimited: hasOwnIndex(resource, byDefault.length ? byDefault : ['{pk}']) },
    ...Object.entries(all).map(([name, order]) => ({
      name: `${path}?ordering=-${name}`,
      path: `${path}?limit=25&ordering=-${name}`,
      isLimited: hasOwnIndex(resource, order),
    })),
  ]
})

const reported: Case[] = [
  'stock/?limit=25&in_stock=true',
  'stock/?limit=25&status=10',
  'stock/?limit=25&available=true',
  'stock/?limit=25&location=7&cascade=false',
  'stock/?limit=25&search=000123',
  'stock/?limit=250&part_detail=true&location_detail=true',
  'stock/location/?limit=25&ordering=-items',
  'part/category/?limit=25',
  'part/?limit=25',
].map((list) => ({ name: `/api/${list}`, path: `/api/${list}`, isLimited: false }))

/** A database, a service on it, and a connection to it. */
type Target = { service: RunningService; items: number; client: pg.Client }

const writer = createConnection()
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Adds quantity to a random item. */
const write = ({ service: { base, token }, items }: Target) =>
  timedRequest(base, token, '/api/stock/add/', { items: [{ pk: randomUpTo(items), quantity: 1 }] }, writer)

/** Adds quantity to random items 20 times a second while the work lasts. */
async function duringWrites<T>(target: Target, work: () => Promise<T>): Promise<T> {
  let isOver = false
  const writing = (async () => {
    for (let next = performance.now(); !isOver; next += WRITE_INTERVAL_MS) {
      await write(target)
      await pause(Math.max(0, next + WRITE_INTERVAL_MS - performance.now()))
    }
  })()
  try {
    return await work()
  } finally {
    isOver = true
    await writing
  }
}

/** The median time of requests with an uncached page, in milliseconds. */
async function measure(
  { service: { base, token }, client }: Target,
  path: () => string,
  maxRequests = REQUESTS.max,
): Promise<number> {
  const times: number[] = []
  const end = performance.now() + REQUESTS.maxMs
  // the first one is also planned, and is not counted
  while (times.length <= maxRequests && (times.length <= REQUESTS.min || performance.now() < end)) {
    await client.query(`update change_counter set value = value + 1 where slot = 0`)
    times.push((await timedRequest(base, token, path())).time)
  }
  return summarizeTimes(times.slice(1)).p50
}

type Measurement = { first: number; offsets: number[] }

/** Measures the first page of a list, or any page of a walk; in the large database also pages at offsets. */
const measureCase = (target: Target, { path, isWalk }: Case): Promise<Measurement> =>
  duringWrites(target, async () => {
    // another part of the table each time, within the length of the shortest list
    const first = await measure(target, () => (isWalk ? `${path}&cursor=${randomUpTo(target.items / 20)}` : path))
    const offsets: number[] = []
    if (target.items === LARGE_ITEMS && !isWalk)
      for (const offset of Object.keys(LIMITS.offsets)) offsets.push(await measure(target, () => `${path}&offset=${offset}`, 4))
    return { first, offsets }
  })

/** The values of a case that exceed the limits. */
function listExceededLimits({ isLimited, isWalk }: Case, ratio: number, offsets: readonly number[]): string[] {
  if (!isLimited) return []
  const slowOffsets = Object.entries(LIMITS.offsets).flatMap(([offset, limit], index) =>
    (offsets[index] ?? 0) > limit ? [`offset ${offset} takes ${offsets[index]?.toFixed(1)} ms, more than ${limit}`] : [],
  )
  return ratio > LIMITS.ratio
    ? [`${isWalk ? 'the walk' : 'the first page'} takes ${ratio.toFixed(1)} times as long`, ...slowOffsets]
    : slowOffsets
}

/**
 * Measures the cost of pages with a thousand and with a million stock items while 20 items a second are written. The databases alternate
 * case by case, as the load of the machine varies over time. Only unfiltered lists in an order with an index of their own table have
 * limits; the others are reported.
 * @param only cases whose name contains this
 */
export async function measureFlat(only = ''): Promise<void> {
  const chosen = [...cases, ...reported].filter(({ name }) => name.includes(only))
  await withCachedDatabases({ group: 'flat', files: ['flat-data.ts', 'data.ts'], fill: fillFlat }, async (withCopy) => {
    const withTarget = <T>(items: number, port: number, work: (target: Target) => Promise<T>) =>
      withCopy(items, (url) =>
        withService(url, port, async (service) => {
          const client = new pg.Client({ connectionString: url })
          await client.connect()
          // a row of every table that the measurements change, so that no page of it is cached
          await client.query(
            `insert into change_counter (table_name, slot, value) select name, 0, 1 from watched_table on conflict do nothing`,
          )
          return work({ service, items, client }).finally(() => client.end())
        }),
      )
    await withTarget(SMALL_ITEMS, 8981, (small) =>
      withTarget(LARGE_ITEMS, 8982, async (large) => {
        for (const { service } of [small, large])
          for (let index = 0; index < WARM_UP_REQUESTS; index++)
            await timedRequest(service.base, service.token, `/api/${LISTS[index % LISTS.length]}/?limit=25&offset=${index}`)
        const exceededLimits: string[] = []
        const table = []
        for (const measuredCase of chosen) {
          const [smallResult, largeResult] = [await measureCase(small, measuredCase), await measureCase(large, measuredCase)]
          const ratio = largeResult.first / smallResult.first
          exceededLimits.push(
            ...listExceededLimits(measuredCase, ratio, largeResult.offsets).map((message) => `${measuredCase.name}: ${message}`),
          )
          const offsets = Object.keys(LIMITS.offsets).map((offset, index) => [
            `offset ${offset}`,
            largeResult.offsets[index]?.toFixed(1) ?? '',
          ])
          table.push({
            list: measuredCase.name,
            limited: measuredCase.isLimited ? 'yes' : '',
            'first, 1,000': smallResult.first.toFixed(1),
            'first, 1,000,000': largeResult.first.toFixed(1),
            ratio: ratio.toFixed(1),
            ...Object.fromEntries(offsets),
          })
        }
        console.log('milliseconds (medians) with 1,000 and with 1,000,000 stock items, during 20 writes a second; one client')
        console.table(table)
        console.log(
          exceededLimits.length ? `above the limits:\n  ${exceededLimits.join('\n  ')}` : 'everything is within the limits',
        )
        if (exceededLimits.length) process.exitCode = 1
      }),
    )
  })
}
