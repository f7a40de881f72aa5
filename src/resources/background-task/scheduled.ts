import type { Services } from '../../kit/services/services.ts'
import { clockwork } from '../../plugin-host/schedules.ts'
import { ratesClockwork } from '../currency/fetch-rates.ts'
import { newsClockwork } from '../news/fetch-news.ts'
import { registryOf } from '../plugins/registry-of.ts'

/**
 * What is done by the clock: every so many minutes, by the one node that claims it; without a claim, by each node. What shares its queue
 * with others has a key, which its jobs have too.
 */
type Clockwork = { name: string; func: string; minutes: number; claim?: string; singleton?: string }

const HOUSEKEEPING: Clockwork = { name: 'Housekeeping', func: 'housekeeping', minutes: 60 }

/** What is done by the clock, as far as it is switched on, with the moments that are known. */
export async function scheduled(services: Services) {
  const all: Clockwork[] = [
    HOUSEKEEPING,
    ...ratesClockwork(services),
    ...newsClockwork(services),
    ...clockwork({ ...services, plugins: registryOf(services) }),
  ]
  const [claims, failed] = await Promise.all([
    services.database.read<{ key: string; expire: number }>({
      text: 'select key, expire::double precision as expire from throttle where key = any($1)',
      values: [all.flatMap(({ claim }) => claim ?? [])],
    }),
    services.database.read<{ name: string; singleton: string | null }>({
      text: LAST_FAILED,
      values: [all.map(({ func }) => func)],
    }),
  ])
  return all.map(({ name, func, minutes, claim, singleton = null }, at) => {
    const known = claims.find(({ key }) => key === claim)
    return {
      pk: at + 1,
      name,
      func,
      args: null,
      kwargs: null,
      schedule_type: 'I',
      minutes,
      repeats: -1,
      last_run: known ? momentOf(known.expire - minutes * 60_000) : null,
      next_run: known ? momentOf(known.expire) : null,
      success: !failed.some((one) => one.name === func && one.singleton === singleton),
      task: null,
    }
  })
}

/** Of which the last run that ended, of those that are kept (a day), failed. */
const LAST_FAILED = `select name, singleton from (
    select distinct on (name, singleton_key) name, singleton_key as singleton, state
    from pgboss.job where name = any($1) and state in ('completed', 'failed')
    order by name, singleton_key, completed_on desc
  ) last where state = 'failed'`

/** Milliseconds since 1970 as a moment on the wire. */
const momentOf = (milliseconds: number): string => new Date(milliseconds).toISOString().replace(/\.\d+Z$/, 'Z')
