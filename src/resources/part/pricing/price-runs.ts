import { isoTimestamp } from '../../../kit/definition/field.ts'
import type { Queue } from '../../../kit/services/jobs.ts'
import type { Services } from '../../../kit/services/services.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { setting } from '../../../settings/live.ts'
import { planSteps } from './price-order.ts'
import { claimDueParts, recalculatePrices } from './recalculate.ts'

const QUEUE = 'part-prices'
const REFRESH_INTERVAL_MINUTES = 24 * 60
/** Milliseconds between checks for due prices, and between checks for old prices. */
const DUE_CHECK_INTERVAL_MS = 3_000
const REFRESH_CHECK_INTERVAL_MS = 600_000
/** Parts per transaction. */
const MAX_PARTS_PER_BATCH = 200
/** Milliseconds between log lines with the progress of a long run. */
const LOG_INTERVAL_MS = 10_000

type PriceServices = { database: Services['database']; settings: Pick<Services['settings'], 'get' | 'upToDate'> }

type RunOptions = {
  signal?: AbortSignal
  /** Called with the number of affected parts that are done. */
  onProgress?: (done: number, total: number) => void
}

/**
 * Recalculates all due prices, and the prices that depend on those that changed: each part once, after its dependencies. The queue rows are
 * deleted in the transaction that stores the prices, so that an aborted run can be resumed.
 * @returns number of recalculated parts
 */
export async function recalculateDuePrices(services: PriceServices, { signal, onProgress }: RunOptions = {}): Promise<number> {
  const { database } = services
  await services.settings.upToDate()
  const due = await database.read<{ part: number }>({ text: 'select distinct part from part_price_due' })
  if (due.length === 0) return 0
  const { steps, cyclicParts } = await planSteps(
    database,
    due.map(({ part }) => part),
  )
  const total = steps.reduce((sum, step) => sum + step.length, 0)
  const run = total > MAX_PARTS_PER_BATCH ? await startRun(database, total) : undefined
  let checkedCount = 0
  let recalculatedCount = 0
  try {
    for (const step of steps)
      for (let start = 0; start < step.length; start += MAX_PARTS_PER_BATCH) {
        signal?.throwIfAborted()
        const parts = step.slice(start, start + MAX_PARTS_PER_BATCH)
        checkedCount += parts.length
        recalculatedCount += await database.transaction(async (tx) => {
          const claimedParts = await claimDueParts(tx, parts)
          if (claimedParts.length > 0) await recalculatePrices(tx, claimedParts, services, cyclicParts)
          if (run !== undefined)
            await tx.query('update part_price_run set done = $2, told = now() where pk = $1', [run, checkedCount])
          return claimedParts.length
        })
        onProgress?.(checkedCount, total)
      }
  } finally {
    if (run !== undefined) await database.read({ text: 'delete from part_price_run where pk = $1', values: [run] })
  }
  await database.read({ text: 'delete from part_price_due where not exists (select from part where pk = part_price_due.part)' })
  return recalculatedCount
}

/** Minutes without progress after which a run counts as aborted. */
const RUN_TIMEOUT_MINUTES = 10

/** Records a long run, so that its progress is reported; returns its key. */
async function startRun(database: Services['database'], total: number): Promise<number> {
  await database.read({
    text: 'delete from part_price_run where told < now() - make_interval(mins => $1)',
    values: [RUN_TIMEOUT_MINUTES],
  })
  const [run] = await database.read<{ pk: number }>({
    text: 'insert into part_price_run (total) values ($1) returning pk',
    values: [total],
  })
  return (run as { pk: number }).pk
}

/** Reads the progress of the long runs on all nodes: the number of completed parts. */
export const readPriceRuns = ({ database }: Pick<Services, 'database'>) =>
  database.read<{ started: string; done: number; total: number }>({
    text: `select ${isoTimestamp('started')} as started, done, total from part_price_run
      where told >= now() - make_interval(mins => $1) order by pk`,
    values: [RUN_TIMEOUT_MINUTES],
  })

/** Queues the prices of all parts. */
export const requestAllPrices = (tx: Tx): Promise<unknown> => tx.query('select ask_for_prices(array(select pk from part))')

/** Queues the prices of parts that depend on an amount in a currency other than this one, the default currency. */
export const requestConvertedPrices = (tx: Tx, currency: string): Promise<unknown> =>
  tx.query(
    `select ask_for_prices(array(
       select supplier_part.part from supplier_price_break price_break join supplier_part on supplier_part.pk = price_break.part
       where price_break.price_currency <> $1
       union select part from part_internal_price where price_currency <> $1
       union select part from part_sale_price where price_currency <> $1
       union select part from stock_item where purchase_price is not null and purchase_price_currency <> $1
       union
       select supplier_part.part from purchase_order_line line join supplier_part on supplier_part.pk = line.part
       where line.purchase_price is not null and line.purchase_price_currency <> $1
       union select part from sales_order_line where sale_price is not null and sale_price_currency <> $1
       union
       select part from part_pricing
       where (override_min is not null and override_min_currency <> $1) or (override_max is not null and override_max_currency <> $1)
         or (overall_min is not null or overall_max is not null) and currency <> $1
     ))`,
    [currency],
  )

/** Recalculates prices in the background, one run after another, on any node. */
export const priceQueue = (services: Services): Queue => ({
  name: QUEUE,
  retries: 3,
  retryDelay: 30,
  retryDelayMax: 600,
  timeoutSeconds: 3_600,
  // a run of a dead node is retried before its timeout
  heartbeatTimeoutSeconds: 15,
  concurrency: 1,
  async handle(_data, { signal }) {
    let lastLogTime = Date.now()
    const onProgress = (done: number, total: number) => {
      if (Date.now() - lastLogTime < LOG_INTERVAL_MS) return
      lastLogTime = Date.now()
      services.log.info({ done, total }, 'calculating prices')
    }
    await recalculateDuePrices(services, { signal, onProgress })
  },
})

/** Enqueues a job for due prices, unless such a job is waiting, or PRICING_AUTO_UPDATE is off. */
export async function enqueueDuePrices(services: Pick<Services, 'database' | 'jobs' | 'settings'>): Promise<void> {
  await services.settings.upToDate()
  if (!setting(services, 'PRICING_AUTO_UPDATE')) return
  const [due] = await services.database.read({ text: 'select from part_price_due limit 1' })
  if (due === undefined) return
  await services.database.transaction((tx) => services.jobs.send(tx, QUEUE, {}, { owner: 'prices', name: 'due' }))
}

const LAST_REFRESH_QUERY = 'select max(requested) from part_price_refresh'

/** Parts with stock that has passed the age limit since their prices were calculated, or that was updated and may count again. */
const AGED_STOCK_QUERY = `
  select item.part from stock_item item join part_pricing price on price.part = item.part
  where $2 > 0 and item.purchase_price is not null and (
    item.updated > price.updated
    or item.updated >= price.updated - make_interval(days => $2) and item.updated < now() - make_interval(days => $2)
  )`

/**
 * Queues prices that were calculated more than PRICING_UPDATE_DAYS ago, or never, or that depend on stock past its age limit
 * (PRICING_STOCK_ITEM_AGE_DAYS): on one node, once a day. The first check queues nothing: imported prices stay for at least a day.
 */
export async function requestOutdatedPrices(services: Pick<Services, 'database' | 'settings'>): Promise<void> {
  await services.settings.upToDate()
  if (!setting(services, 'PRICING_AUTO_UPDATE')) return
  const days = setting(services, 'PRICING_UPDATE_DAYS')
  const age = setting(services, 'PRICING_STOCK_ITEM_AGE_DAYS')
  await services.database.transaction(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtext('part_prices'), 0)`)
    const lastRefresh = await tx.first<{ is_first: boolean; due: boolean }>(
      `select last is null as is_first, last <= now() - make_interval(mins => $1) as due from (${LAST_REFRESH_QUERY}) refresh (last)`,
      [REFRESH_INTERVAL_MINUTES],
    )
    if (!lastRefresh?.is_first && !lastRefresh?.due) return
    await tx.query('delete from part_price_refresh')
    await tx.query('insert into part_price_refresh default values')
    if (lastRefresh.is_first) return
    await tx.query(
      `select ask_for_prices(array(
         select part.pk from part left join part_pricing price on price.part = part.pk
         where price.updated is null or price.updated < now() - make_interval(days => $1)
         union ${AGED_STOCK_QUERY}
       ))`,
      [days, age],
    )
  })
}

/** Schedule of the price calculation; `done`: query for its last time. */
export const priceSchedule = { name: 'Part prices', func: QUEUE, minutes: REFRESH_INTERVAL_MINUTES, done: LAST_REFRESH_QUERY }

/** Periodically checks for due and old prices while the service runs. Returns the function that stops it. */
export function schedulePriceUpdates(services: Services): () => void {
  const warn = (error: unknown) => services.log.warn({ err: error }, 'could not start the calculation of prices')
  const timers = [
    setInterval(() => enqueueDuePrices(services).catch(warn), DUE_CHECK_INTERVAL_MS).unref(),
    setInterval(() => requestOutdatedPrices(services).catch(warn), REFRESH_CHECK_INTERVAL_MS).unref(),
  ]
  return () => timers.forEach(clearInterval)
}
