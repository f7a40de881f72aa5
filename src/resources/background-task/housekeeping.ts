import { deleteOldEvents } from '../../kit/services/event-cleanup.ts'
import type { Services } from '../../kit/services/services.ts'
import { quote } from '../../kit/sql/sql.ts'
import { setting } from '../../settings/live.ts'
import { backfillFileSizes } from '../attachment/backfill-file-sizes.ts'
import { MAX_REPORTS, reportLostJobs } from '../error-report/error-reports.ts'

/** Time from the start to the first round, and between rounds. */
const FIRST_DELAY_MS = 60_000
const ROUND_INTERVAL_MS = 3_600_000

/** Maximum number of emails in the log. */
const MAX_STORED_MAILS = 10_000

/** Rows per batch: few enough that a large backlog neither exceeds the statement timeout nor holds up other work. */
const BATCH_ROWS = 2000

/**
 * Returns conditions by table for rows that an import can load, but that are deleted because of their age.
 * @param reportDays retention of stocktake reports in days
 */
export const outdatedConditions = (reportDays: number): Readonly<Record<string, string>> => ({
  news_entry: `published < now() - interval '1 year' or pk <= (select pk from news_entry order by pk desc offset 500 limit 1)`,
  // the file is deleted with the row
  part_stocktake_report: `date < current_date - ${reportDays}`,
})

/** Conditions by table for rows that are no longer needed. */
const buildConditions = (services: RetentionServices): Record<string, string> => ({
  throttle: 'expire < extract(epoch from now()) * 1000',
  user_session: 'expires < now()',
  // the time of a revocation is not stored with the token; the security events still show it
  api_token: `expiry < current_date - 30 or revoked and coalesce(last_seen, created::date) < current_date - 30`,
  account_link: `expires < now() - interval '7 days'`,
  invitation: `expires < now() - interval '30 days'`,
  outgoing_mail: `${!setting(services, 'INVENTREE_PROTECT_EMAIL_LOG')} and state not in ('queued', 'sending')
    and (created < now() - make_interval(days => ${setting(services, 'INVENTREE_DELETE_EMAIL_DAYS')})
    or pk <= (select pk from outgoing_mail order by pk desc offset ${MAX_STORED_MAILS} limit 1))`,
  idempotency_key: `created < now() - interval '7 days'`,
  // the file is deleted with the row; what was imported remains
  import_session: `timestamp < now() - interval '30 days'`,
  // the headings of files that are no longer imported
  import_heading: `used < now() - interval '400 days'`,
  barcode_batch_entry: `created < now() - interval '30 days'`,
  stock_adjustment: `created < now() - interval '1 day'`,
  security_event: `created < now() - interval '1 year'`,
  error_report: `"when" < now() - make_interval(days => ${setting(services, 'INVENTREE_DELETE_ERRORS_DAYS')})
    or pk <= (select pk from error_report order by pk desc offset ${MAX_REPORTS} limit 1)`,
  ...outdatedConditions(setting(services, 'STOCKTAKE_DELETE_REPORT_DAYS')),
  part_stocktake: `${setting(services, 'STOCKTAKE_DELETE_OLD_ENTRIES')}
    and date < current_date - ${setting(services, 'STOCKTAKE_DELETE_DAYS')}`,
  // the file is deleted with the row
  printed_file: `created < now() - make_interval(days => ${services.config.printedFileDays})`,
  print_job: `created < now() - make_interval(days => ${services.config.printedFileDays})`,
  notification: `creation < now() - make_interval(days => ${setting(services, 'INVENTREE_DELETE_NOTIFICATIONS_DAYS')})`,
  // no one is notified again about anything older than that (LATEST in order-notifications.ts)
  told_notice: `told < now() - interval '30 days'`,
  // a notification that could not be sent within a week is out of date
  notice: `created < now() - interval '7 days'`,
  // the time of the last scheduled run is still needed
  stocktake_run: `requested < now() - interval '30 days'
    and pk is distinct from (select pk from stocktake_run where is_automatic order by requested desc limit 1)`,
  // completed jobs are shown nowhere; failed ones are read by staff
  'pgboss.job_common': `state = 'completed' and completed_on < now() - interval '1 day'
    or state in ('failed', 'cancelled') and completed_on < now() - make_interval(days => ${setting(services, 'INVENTREE_DELETE_TASKS_DAYS')})`,
  barcode_scan: `timestamp < now() - make_interval(days => ${setting(services, 'BARCODE_RESULTS_DAYS')})`,
})

/** The retention times that the operator configures. */
type RetentionServices = Pick<Services, 'config' | 'settings'>

/**
 * Deletes expired rows in batches, folds the counters, and corrects the stored numbers of rows per table and location, which can drift
 * (ADR 0008). Rows locked by others, such as another node's sweep, are left for the next round.
 * @param batch rows per statement
 */
export async function sweep(services: RetentionServices & Pick<Services, 'database'>, batch = BATCH_ROWS): Promise<void> {
  const { database } = services
  for (const [table, isOld] of Object.entries(buildConditions(services))) {
    const text = `with deleted as (
        delete from ${table} where ctid = any(array(select ctid from ${table} where ${isOld} limit $1 for update skip locked)) returning 1
      ) select count(*)::integer as count from deleted`
    let deleted: number
    do {
      const [row] = await database.read<{ count: number }>({ text, values: [batch] })
      deleted = row?.count ?? 0
    } while (deleted === batch)
  }
  // an ended connection leaves a counter for each table that it wrote, and every list reads them
  await database.read({ text: 'select fold_change_counters()' })
  await database.read({ text: 'select fold_holdings()' })
  await database.read({ text: 'select correct_holdings()' })
  const watched = await database.read<{ name: string }>({ text: 'select name from watched_table order by name' })
  for (const { name } of watched) await database.read({ text: 'select correct_total($1::regclass)', values: [quote(name)] })
}

type SweepServices = Pick<Services, 'database' | 'files' | 'storedFiles' | 'config' | 'settings' | 'log'>

/** Deletes old rows and files, and stores the sizes of imported files, periodically while the service runs. Returns a function that stops it. */
export function startSweeping(services: SweepServices): () => void {
  const { database, storedFiles, log } = services
  const logFailure = (subject: string) => (error: unknown) => log.warn({ err: error }, `could not delete ${subject}`)
  const runRound = () => {
    reportLostJobs(database)
      .catch((error) => log.warn({ err: error }, 'could not report lost background tasks'))
      .then(() => sweep(services))
      .catch(logFailure('old rows'))
    deleteOldEvents(database, { days: services.config.eventDays, log }).catch(logFailure('obsolete events'))
    storedFiles.clear().catch(logFailure('unreferenced files'))
    backfillFileSizes(services).catch((error) => log.warn({ err: error }, 'could not store the sizes of files'))
  }
  let timer = setTimeout(() => {
    runRound()
    timer = setInterval(runRound, ROUND_INTERVAL_MS).unref()
  }, FIRST_DELAY_MS).unref()
  return () => clearTimeout(timer)
}
