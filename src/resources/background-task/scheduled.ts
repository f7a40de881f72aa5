import type { Services } from '../../kit/services/services.ts'
import { listScheduledTasks } from '../../plugin-host/schedules.ts'
import { createRatesSchedule } from '../currency/fetch-rates.ts'
import { createNewsSchedule } from '../news/fetch-news.ts'
import { priceSchedule } from '../part/pricing/price-runs.ts'
import { stocktakeSchedule } from '../part/stocktake/report/runs.ts'
import { getRegistry } from '../plugins/plugin-registry.ts'
import { getBackupSchedule } from './backups.ts'

/**
 * A scheduled task: it runs every `minutes` minutes, on the one node that claims it; without a claim, on each node. A task that shares its
 * queue with others has a key (`singleton`), and so do its jobs. `done` is SQL for the time of its last run, if that delays the next one.
 */
type Schedule = {
  name: string
  func: string
  minutes: number
  claim?: string
  singleton?: string
  done?: string
  /** Last run, in milliseconds since 1970, if the database does not store it. */
  last?: number
  /** Next run, if it is not the interval after the last one. */
  next?: number
}

const HOUSEKEEPING: Schedule = { name: 'Housekeeping', func: 'housekeeping', minutes: 60 }

/** Lists the enabled scheduled tasks, with their last and next run where known. */
export async function readScheduledTasks(services: Services) {
  const schedules: Schedule[] = [
    HOUSEKEEPING,
    ...createRatesSchedule(services),
    ...createNewsSchedule(services),
    ...stocktakeSchedule(services),
    ...(await getBackupSchedule(services)),
    priceSchedule,
    ...listScheduledTasks({ ...services, plugins: getRegistry(services) }),
  ]
  const [claims, failed, lastRun] = await Promise.all([
    services.database.read<{ key: string; expire: number }>({
      text: 'select key, expire::double precision as expire from throttle where key = any($1)',
      values: [schedules.flatMap(({ claim }) => claim ?? [])],
    }),
    services.database.read<{ name: string; singleton: string | null }>({
      text: LAST_FAILED_QUERY,
      values: [schedules.map(({ func }) => func)],
    }),
    readLastRuns(services, schedules),
  ])
  return schedules.map(({ name, func, minutes, claim, singleton = null, last: storedLast, next: storedNext }, index) => {
    const expire = claims.find(({ key }) => key === claim)?.expire
    const last = expire === undefined ? (storedLast ?? lastRun.get(func)) : expire - minutes * 60_000
    const next = storedNext ?? (last === undefined ? undefined : last + minutes * 60_000)
    return {
      pk: index + 1,
      name,
      func,
      args: null,
      kwargs: null,
      schedule_type: 'I',
      minutes,
      repeats: -1,
      last_run: last === undefined ? null : formatInstant(last),
      next_run: next === undefined ? null : formatInstant(next),
      success: !failed.some((failure) => failure.name === func && failure.singleton === singleton),
      task: null,
    }
  })
}

/** Returns the last runs that `done` queries find, by function, in milliseconds since 1970. */
async function readLastRuns({ database }: Services, schedules: readonly Schedule[]): Promise<ReadonlyMap<string, number>> {
  const entries = await Promise.all(
    schedules.map(async ({ func, done: lastRun }) => {
      const [row] = lastRun
        ? await database.read<{ at: number | null }>({
            text: `select extract(epoch from (${lastRun}))::double precision * 1000 as at`,
          })
        : []
      return [func, row?.at ?? null] as const
    }),
  )
  return new Map(entries.flatMap(([func, at]) => (at === null ? [] : [[func, at] as const])))
}

/** Tasks whose last finished run failed, of the runs that are stored (for a day). */
const LAST_FAILED_QUERY = `select name, singleton from (
    select distinct on (name, singleton_key) name, singleton_key as singleton, state
    from pgboss.job where name = any($1) and state in ('completed', 'failed')
    order by name, singleton_key, completed_on desc
  ) last where state = 'failed'`

/** Formats milliseconds since 1970 as a timestamp of the API. */
const formatInstant = (milliseconds: number): string => new Date(milliseconds).toISOString().replace(/\.\d+Z$/, 'Z')
