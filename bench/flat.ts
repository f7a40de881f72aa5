import { orderings } from '../src/kit/reading/list.ts'
import { resources } from '../src/resources/index.ts'
import { any } from './case.ts'
import { fillFlat } from './flat-data.ts'
import { withKept } from './kept.ts'
import { ask, type Served, shown, type Times, timesOf, withService } from './service.ts'

/** Stock items of the two databases that are compared. */
const SIZES = [1_000, 1_000_000]
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
      times[0].push((await ask(base, token, `${ours}&offset=${offset}`)).time)
      times[1].push((await ask(bare, token, `${other}&offset=${offset}`)).time)
    }
    const [mine, theirs] = times.map(timesOf) as [Times, Times]
    table.push({ list: name, ours: shown(mine), bare: shown(theirs), ratio: (theirs.p50 / mine.p50).toFixed(2) })
  }
  return table
}

/** Each case asked again and again, and right after a write each time; later pages where the database has them. */
async function measure({ base, token }: Served, items: number, cases: Case[]) {
  const write = () => ask(base, token, '/api/stock/add/', { items: [{ pk: any(items), quantity: 1 }] })
  const results = new Map<string, { again: Times; written: Times; deep?: Times }>()
  for (const { name, path } of cases) {
    const read = async (offset: number) => (await ask(base, token, path.replace('{n}', String(offset)))).time
    const early = items > 10_000 ? 9_975 : 25
    const sample = async (next: () => Promise<number>, most = REQUESTS.most) => {
      const all: number[] = []
      const end = performance.now() + REQUESTS.time
      while (all.length < most && (all.length < REQUESTS.fewest || performance.now() < end)) all.push(await next())
      return timesOf(all)
    }
    await sample(() => read(early), 3)
    const again = await sample(() => read(early))
    // another write, and in lists that it does not touch another page, each time
    let next = 0
    const written = await sample(async () => {
      await write()
      return read(early - (next++ % 25))
    })
    const deep =
      items > 10_000 && path.includes('{n}') ? await sample(() => read(Math.round(items * 0.9) + any(99)), 4) : undefined
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
  const cases = [...filtered, ...ordered].filter(({ name }) => name.includes(only))
  const bare: object[] = []
  const measured: Awaited<ReturnType<typeof measure>>[] = []
  await withKept({ group: 'flat', files: ['flat-data.ts', 'data.ts'], fill: fillFlat }, async (withCopy) => {
    for (const [at, items] of SIZES.entries())
      await withCopy(items, (url) =>
        withService(url, 8981 + at, async (served) => {
          if (items === Math.max(...SIZES)) bare.push(...(await compareWithBare(served)))
          measured.push(await measure(served, items, cases))
        }),
      )
  })
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
}
