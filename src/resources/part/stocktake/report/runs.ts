import { stringify } from 'csv-stringify/sync'
import type { Queue } from '../../../../kit/services/jobs.ts'
import type { Services } from '../../../../kit/services/services.ts'
import { claimUploads, receive, type Upload } from '../../../../kit/services/uploads.ts'
import { queryThrough } from '../../../../kit/sql/run-query.ts'
import type { Tx } from '../../../../kit/sql/tx.ts'
import { exact, toPlainText } from '../../../../kit/values/decimal.ts'
import { setting } from '../../../../settings/live.ts'
import { defaultCurrency, readRates } from '../../../currency/rates.ts'
import { type Counted, countParts, type PartCount } from '../count-parts.ts'
import { REPORT_FOLDER } from './stocktake-report.resource.ts'

const QUEUE = 'stocktake'
const DAY = 86_400
/** Milliseconds from startup to the first check for a due stocktake, and between checks. */
const FIRST = 60_000
const CHECK_INTERVAL_MS = 600_000

/** Parameters of a stocktake. */
export type StocktakeRequest = Counted & {
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
  const upload = stocktakeRequest.generate_report && counts.length > 0 ? await reportOf(services, counts, currency) : undefined
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

/** Creates the report as a file. A text that a spreadsheet would evaluate as a formula is escaped. */
function reportOf(services: Services, counts: readonly PartCount[], currency: string): Promise<Upload> {
  const number = (text: string) => toPlainText(exact(text))
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
    number(count.location_quantity),
    number(count.location_cost_min),
    number(count.location_cost_max),
  ])
  const text = stringify([header, ...rows], { escape_formulas: true, record_delimiter: 'windows' })
  const name = `Stockroom_Stocktake_${new Date().toISOString().slice(0, 10)}.csv`
  return receive(services, { folder: REPORT_FOLDER, name, length: 100 }, [Buffer.from(text)])
}

/** Runs stocktakes in the background. */
export const stocktakeQueue = (services: Services): Queue<{ run: number }> => ({
  name: QUEUE,
  retries: 2,
  retryDelay: 30,
  retryDelayMax: 300,
  timeoutSeconds: 1_800,
  // a run of a dead node is retried before its timeout
  silence: 30,
  handle: ({ run }, { signal }) => runStocktake(services, run, signal),
})

const LAST = 'select max(requested) from stocktake_run where is_automatic'

/** Interval of scheduled stocktakes, if enabled; `done`: query for the last one. */
export function stocktakeSchedule(services: Pick<Services, 'settings'>) {
  const days = daysBetween(services)
  return days === 0 ? [] : [{ name: 'Stocktake', func: QUEUE, minutes: days * (DAY / 60), done: LAST }]
}

/** Starts a stocktake of all parts when the last scheduled one is old enough, on one node only. */
export async function enqueueDueStocktake(services: Services): Promise<void> {
  const days = daysBetween(services)
  if (days === 0) return
  await services.database.transaction(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtext('stocktake'), 0)`)
    const due = await tx.first<{ yes: boolean }>(`select coalesce((${LAST}) < now() - make_interval(days => $1), true) as yes`, [
      days,
    ])
    if (!due?.yes) return
    const all = { part: null, category: null, location: null }
    const exclude_external = setting(services, 'STOCKTAKE_EXCLUDE_EXTERNAL')
    await enqueueStocktake({ ...services, tx }, { ...all, exclude_external, generate_report: true, update_parts: true })
  })
}

const daysBetween = (services: Pick<Services, 'settings'>): number =>
  setting(services, 'STOCKTAKE_ENABLE') ? setting(services, 'STOCKTAKE_AUTO_DAYS') : 0

/** Periodically checks whether a stocktake is due while the service runs. Returns the function that stops it. */
export function scheduleStocktakes(services: Services): () => void {
  const look = () =>
    enqueueDueStocktake(services).catch((error) => services.log.warn({ err: error }, 'could not start a stocktake'))
  let timer = setTimeout(() => {
    look()
    timer = setInterval(look, CHECK_INTERVAL_MS).unref()
  }, FIRST).unref()
  return () => clearTimeout(timer)
}
