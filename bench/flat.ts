import { orderings } from '../src/kit/reading/list.ts'
import { resources } from '../src/resources/index.ts'
import { any } from './case.ts'
import { fillFlat } from './flat-data.ts'
import { withKept } from './kept.ts'
import { ask, connection, type Served, shown, type Times, timesOf, withService } from './service.ts'

/** Stock items of the two databases that are compared. */
const SIZES = [1_000, 1_000_000] as const
/** Requests of one measurement: so many, or as many as fit into so many milliseconds, but a few. */
const REQUESTS = { most: 40, time: 250, fewest: 3 }
/** Requests that are compared with the bare route, and those before that are not counted: statements are planned, and code is compiled. */
const COMPARED = 300
const FIRST = 300
/** Milliseconds from one of the writes beside to the next: 20 a second. */
const EVERY = 50

/** Lists that grow with use; each is read in every order that it offers. */
const LISTS = [
  '/api/stock/',
  '/api/stock/track/',
  '/api/order/po/',
  '/api/order/po-line/',
  '/api/order/so/',
  '/api/order/so-line/',
]

/** One list as it is asked for; `{n}` is where a page begins. `isUsed`: somebody works in it for a while before it is measured. */
type Case = { name: string; path: string; isUsed?: true }

const page = (list: string, query: string, offset = '{n}') => `${list}?limit=25${query}&offset=${offset}`

const filtered: Case[] = [
  { name: 'stock, nothing passed over', path: page('/api/stock/', '', '0') },
  { name: 'stock, in_stock=true', path: page('/api/stock/', '&in_stock=true') },
  { name: 'stock, in_stock=true, by place', path: page('/api/stock/', '&in_stock=true&ordering=-location') },
  { name: 'stock, status=10', path: page('/api/stock/', '&status=10', '0') },
  { name: 'stock, status=10, in use', path: page('/api/stock/', '&status=10'), isUsed: true },
  { name: 'stock, available=true', path: page('/api/stock/', '&available=true', '0') },
  { name: 'stock, available=true, in use', path: page('/api/stock/', '&available=true'), isUsed: true },
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
    for (let offset = 1; offset <= FIRST + COMPARED; offset++) {
      const [mine, theirs] = [
        await ask(base, token, `${ours}&offset=${offset}`),
        await ask(bare, token, `${other}&offset=${offset}`),
      ]
      if (offset <= FIRST) continue
      times[0].push(mine.time)
      times[1].push(theirs.time)
    }
    const [mine, theirs] = times.map(timesOf) as [Times, Times]
    table.push({ list: name, ours: shown(mine), bare: shown(theirs), ratio: (theirs.p50 / mine.p50).toFixed(2) })
  }
  return table
}

const writer = connection()

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Does some work while any of the items are added to 20 times a second over another connection. Gives how long the writes took, too. */
async function besideWrites<T>(write: () => Promise<number>, work: () => Promise<T>): Promise<{ done: T; writes: number[] }> {
  const writes: number[] = []
  let isOver = false
  const writing = (async () => {
    for (let next = performance.now() + EVERY; !isOver; next += EVERY) {
      writes.push(await write())
      await pause(Math.max(0, next - performance.now()))
    }
  })()
  try {
    return { done: await work(), writes }
  } finally {
    isOver = true
    await writing
  }
}

/** A database, and the service on it. */
type Place = { served: Served; items: number }

type Measured = { again: Times; written: Times; beside: Times; deep?: Times; walked?: Times }

/** Adds to any of the items; gives the milliseconds it took. */
const write = async ({ served: { base, token }, items }: Place, agent?: typeof writer) =>
  (await ask(base, token, '/api/stock/add/', { items: [{ pk: any(items), quantity: 1 }] }, agent)).time

/** Nothing is measured of code that is not compiled yet, nor of statements that are not planned. */
async function warmUp(place: Place): Promise<void> {
  const { base, token } = place.served
  for (let offset = 0; offset < FIRST; offset++) {
    await ask(base, token, page('/api/stock/', '', String(offset)))
    await ask(base, token, page('/api/order/so-line/', '', String(offset)))
    if (offset % 10 === 0) await write(place)
  }
}

/**
 * A case asked again and again, right after a write each time, and beside 20 writes a second; pages far behind where the database has them,
 * beside them too: the first that are asked for, and those of one who goes on.
 */
async function measure(place: Place, { path, isUsed }: Case): Promise<{ measured: Measured; writes: number[] }> {
  const { served, items } = place
  const isLarge = items > 10_000
  const read = async (offset: number) => (await ask(served.base, served.token, path.replace('{n}', String(offset)))).time
  const early = isLarge ? 9_975 : 25
  const sample = async (next: () => Promise<number>, most = REQUESTS.most) => {
    const all: number[] = []
    const end = performance.now() + REQUESTS.time
    while (all.length < most && (all.length < REQUESTS.fewest || performance.now() < end)) all.push(await next())
    return timesOf(all)
  }
  // in lists that the writes do not touch another page each time
  let next = 0
  const another = () => read(early - (next++ % 25))
  await sample(another, 3)
  for (let round = 0; isUsed && round < 20; round++) {
    await write(place)
    await read(early)
    await pause(100)
  }
  const again = await sample(() => read(early))
  const written = await sample(async () => {
    await write(place)
    return another()
  })
  const far = Math.round(items * 0.9)
  const { done, writes } = await besideWrites(
    () => write(place, writer),
    async () => {
      const beside = await sample(another)
      if (!isLarge || !path.includes('{n}')) return { beside }
      const deep = await sample(() => read(far + any(99)), 4)
      // whoever goes on lets the service read the order meanwhile
      const begun = performance.now()
      for (let at = far; performance.now() < begun + 1_000; at += 25) {
        await read(at)
        await pause(50)
      }
      let pages = 0
      return { beside, deep, walked: await sample(() => read(far - 25 * ++pages)) }
    },
  )
  return { measured: { again, written, ...done }, writes }
}

/**
 * What a page costs with a thousand and with a million stock items: asked again, right after a write, and beside 20 writes a second. The
 * page begins at row 9,975 of a million, `deep` at row 900,000 or behind the end of shorter lists, and `walked` before it. Both databases
 * are measured in turn, case by case: the machine may have more to do at one time than at another.
 * @param only cases whose name holds this
 */
export async function measureFlat(only = ''): Promise<void> {
  const cases = [...filtered, ...ordered].filter(({ name }) => name.includes(only))
  await withKept({ group: 'flat', files: ['flat-data.ts', 'data.ts'], fill: fillFlat }, async (withCopy) => {
    const [few, many] = SIZES
    const on = <T>(items: number, port: number, work: (place: Place) => Promise<T>) =>
      withCopy(items, (url) => withService(url, port, (served) => work({ served, items })))
    await on(few, 8981, (small) =>
      on(many, 8982, async (large) => {
        const places = [small, large]
        for (const place of places) await warmUp(place)
        const bare = await compareWithBare(large.served)
        const writes: number[][] = [[], []]
        const table: object[] = []
        for (const one of cases) {
          const measured: Measured[] = []
          for (const [at, place] of places.entries()) {
            const result = await measure(place, one)
            measured.push(result.measured)
            writes[at]?.push(...result.writes)
          }
          table.push(rowOf(one, measured as [Measured, Measured]))
        }
        const starts = places.map(({ served }) => served.startTime.toFixed(0))
        console.log(`from the start of the service to its first answer, its database running: ${starts.join('   ')} ms`)
        console.log('milliseconds, p50 / p99, with 1,000 stock items and with 1,000,000; one client')
        console.table(table)
        console.log(`the writes beside: ${writes.map((times) => shown(timesOf(times))).join('   ')}`)
        console.log('pages that were not read before, with a million stock items; ratio: bare / ours')
        console.table(bare)
      }),
    )
  })
}

const rowOf = ({ name }: Case, [one, other]: [Measured, Measured]): object => ({
  list: name,
  again: `${shown(one.again)}   ${shown(other.again)}`,
  'after a write': `${shown(one.written)}   ${shown(other.written)}`,
  ratio: (other.written.p50 / one.written.p50).toFixed(1),
  'beside 20 writes a second': `${shown(one.beside)}   ${shown(other.beside)}`,
  'ratio beside': (other.beside.p50 / one.beside.p50).toFixed(1),
  'deep, beside': other.deep ? shown(other.deep) : '',
  'walked, beside': other.walked ? shown(other.walked) : '',
})
