import { stringify } from 'csv-stringify/sync'
import type { Queue } from '../../../../kit/services/jobs.ts'
import type { Services } from '../../../../kit/services/services.ts'
import { claimUploads, storeUpload, type Upload } from '../../../../kit/services/uploads.ts'
import { queryThrough } from '../../../../kit/sql/run-query.ts'
import type { Tx } from '../../../../kit/sql/tx.ts'
import { toExact, toPlainText } from '../../../../kit/values/decimal.ts'
import { setting } from '../../../../settings/live.ts'
import { defaultCurrency, readRates } from '../../../currency/rates.ts'
import { countParts, type PartCount, type StocktakeScope } from '../count-parts.ts'
import { REPORT_FOLDER } from './stocktake-report.resource.ts'

const QUEUE = 'stocktake'
const DAY_SECONDS = 86_400
/** Milliseconds from startup to the first check for a due stocktake, and between checks. */
const FIRST_CHECK_DELAY_MS = 60_000
const CHECK_INTERVAL_MS = 600_000

/** Parameters of a stocktake. */
export type StocktakeRequest = StocktakeScope & {
  /** Whether to create a report. */
  generate_report: boolean
  /** Whether to create an entry for each part. */
  update_parts: boolean
}

/** Starts a stocktake in the background, after the commit. @param user who requested it; undefined for a scheduled one */
export async function enqueueStocktake(
  { tx, jobs }: Pick<Services, 'jobs'> & { tx: Tx },
  stocktakeRequest: StocktakeRequest,
  user?: number,
): Promise<void> {
  const run = await tx.first<{ pk: number }>(
    'insert into stocktake_run (asked, "user", is_automatic) values ($1, $2, $3) returning pk',
    [JSON.stringify(stocktakeRequest), user ?? null, user === undefined],
  )
  await jobs.send(tx, QUEUE, { run: run?.pk })
}

/** Runs a stocktake: its result is stored once, however often it is retried. */
async function runStocktake(services: Services, pk: number, signal: AbortSignal): Promise<void> {
  const { database } = services
  const [run] = await database.read<{ asked: StocktakeRequest; user: number | null }>({
    text: 'select asked, "user" from stocktake_run where pk = $1 and finished is null',
    values: [pk],
  })
  if (!run) return
  const { asked: stocktakeRequest, user } = run
  const currency = defaultCurrency(services)
  const rates = await readRates({ query: queryThrough(services) })
  const counts = await countParts(database, stocktakeRequest, currency, rates, signal)
  const upload =
    stocktakeRequest.generate_report && counts.length > 0 ? await createReport(services, counts, currency) : undefined
  await database.transaction(async (tx) => {
    tx.lockShared()
    const finishedRun = await tx.first(
      'update stocktake_run set finished = now() where pk = $1 and finished is null returning pk',
      [pk],
    )
    if (!finishedRun) return
    if (stocktakeRequest.update_parts) await storeEntries(tx, counts, currency, user)
    if (upload) await storeReport(tx, upload, counts.length, user)
  }, user ?? undefined)
}

async function storeEntries(tx: Tx, counts: readonly PartCount[], currency: string, user: number | null): Promise<void> {
  // parts deleted since the count get no entry; other writers lock parts in this order, too
  await tx.query('select from part where pk = any($1::integer[]) order by pk for no key update', [counts.map(({ part }) => part)])
  await tx.query(
    `with entry as (
       insert into part_stocktake (part, item_count, quantity, cost_min, cost_max, cost_min_currency, cost_max_currency, "user")
       select part.pk, item_count, quantity, cost_min, cost_max, $6, $6, $7
       from unnest($1::integer[], $2::integer[], $3::numeric[], $4::numeric[], $5::numeric[])
         counted (part, item_count, quantity, cost_min, cost_max)
       join part on part.pk = counted.part
       order by part.pk
       returning part, date
     ) update part set last_stocktake = entry.date from entry where part.pk = entry.part`,
    [
      counts.map(({ part }) => part),
      counts.map(({ item_count }) => item_count),
      counts.map(({ quantity }) => quantity),
      counts.map(({ cost_min }) => cost_min),
      counts.map(({ cost_max }) => cost_max),
      currency,
      user,
    ],
  )
}

/** Stores a report and notifies the user who requested it. */
async function storeReport(tx: Tx, upload: Upload, parts: number, user: number | null): Promise<void> {
  const report = await tx.first<{ pk: number }>(
    'insert into part_stocktake_report (report, part_count, "user") values ($1, $2, $3) returning pk',
    [upload.path, parts, user],
  )
  await claimUploads(tx, [upload])
  if (user === null) return
  await tx.query(`insert into notice (kind, model, target, actor) values ('stocktake', 'partstocktakereport', $1, $2)`, [
    report?.pk,
    user,
  ])
}

/** Creates the report as a file. Escapes strings that a spreadsheet would evaluate as formulas. */
function createReport(services: Services, counts: readonly PartCount[], currency: string): Promise<Upload> {
  const formatNumber = (text: string) => toPlainText(toExact(text))
  const header = [
    'Part ID',
    'Part Name',
    'Part Description',
    'Category ID',
    'Category Name',
    'Stock Items',
    'Total Quantity',
    `Total Cost Min (${currency})`,
    `Total Cost Max (${currency})`,
  ]
  const rows = counts.map((count) => [
    count.part,
    count.full_name,
    count.description,
    count.category,
    count.category_name,
    count.location_item_count,
    formatNumber(count.location_quantity),
    formatNumber(count.location_cost_min),
    formatNumber(count.location_cost_max),
  ])
  const text = stringify([header, ...rows], { escape_formulas: true, record_delimiter: 'windows' })
  const name = `Stockroom_Stocktake_${new Date().toISOString().slice(0, 10)}.csv`
  return storeUpload(services, { folder: REPORT_FOLDER, name, length: 100 }, [Buffer.from(text)])
}

/** Runs stocktakes in the background. */
export const stocktakeQueue = (services: Services): Queue<{ run: number }> => ({
  name: QUEUE,
  retries: 2,
  retryDelay: 30,
  retryDelayMax: 300,
  timeoutSeconds: 1_800,
  // a run of a dead node is retried before its timeout
  heartbeatTimeoutSeconds: 30,
  handle: ({ run }, { signal }) => runStocktake(services, run, signal),
})

const LAST_RUN_QUERY = 'select max(requested) from stocktake_run where is_automatic'

/** Interval of scheduled stocktakes, if enabled; `done`: query for the last one. */
export function stocktakeSchedule(services: Pick<Services, 'settings'>) {
  const days = getIntervalDays(services)
  return days === 0 ? [] : [{ name: 'Stocktake', func: QUEUE, minutes: days * (DAY_SECONDS / 60), done: LAST_RUN_QUERY }]
}

/** Starts a stocktake of all parts when the last scheduled one is old enough, on one node only. */
export async function enqueueDueStocktake(services: Services): Promise<void> {
  const days = getIntervalDays(services)
  if (days === 0) return
  await services.database.transaction(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtext('stocktake'), 0)`)
    const due = await tx.first<{ is_due: boolean }>(
      `select coalesce((${LAST_RUN_QUERY}) < now() - make_interval(days => $1), true) as is_due`,
      [days],
    )
    if (!due?.is_due) return
    const all = { part: null, category: null, location: null }
    const exclude_external = setting(services, 'STOCKTAKE_EXCLUDE_EXTERNAL')
    await enqueueStocktake({ ...services, tx }, { ...all, exclude_external, generate_report: true, update_parts: true })
  })
}

const getIntervalDays = (services: Pick<Services, 'settings'>): number =>
  setting(services, 'STOCKTAKE_ENABLE') ? setting(services, 'STOCKTAKE_AUTO_DAYS') : 0

/** Periodically checks whether a stocktake is due while the service runs. Returns the function that stops it. */
export function scheduleStocktakes(services: Services): () => void {
  const check = () =>
    enqueueDueStocktake(services).catch((error) => services.log.warn({ err: error }, 'could not start a stocktake'))
  let timer = setTimeout(() => {
    check()
    timer = setInterval(check, CHECK_INTERVAL_MS).unref()
  }, FIRST_CHECK_DELAY_MS).unref()
  return () => clearTimeout(timer)
}
