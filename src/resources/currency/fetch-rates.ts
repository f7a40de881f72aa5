import { FieldError } from '../../kit/request/errors.ts'
import { Problem } from '../../kit/request/problem.ts'
import type { Queue } from '../../kit/services/jobs.ts'
import type { ActivePlugin, Services } from '../../kit/services/services.ts'
import type { Decimal } from '../../kit/values/decimal.ts'
import { isObject } from '../../kit/values/json.ts'
import { RATES_HOOK, setting } from '../../settings/live.ts'
import { serviceErrors } from '../service-errors.ts'
import { storeFetchedRates } from './exchange.ts'
import { CURRENCIES, defaultCurrency, positiveRate } from './rates.ts'

const QUEUE = 'currency-rates'
const DAY_SECONDS = 86_400
/** Milliseconds from the start to the first check for old rates, and between checks. */
const FIRST_CHECK_DELAY_MS = 60_000
const CHECK_INTERVAL_MS = 600_000

/** What the failure of a plugin says of its code: users know the plugin by its title. */
const HOOK_PREFIX = new RegExp(`^${RATES_HOOK} (failed: (the address could not be fetched: )?)?`)

/** SQL of the time when rates were last fetched, or set without becoming own ones; null before the first time. */
export const LAST_UPDATE = 'max(case when is_own then live_updated else updated end)'

/** Returns the plugin selected for exchange rates; undefined if none is. @throws Problem 400 if the selected one is not running */
function findRatesPlugin(services: Pick<Services, 'settings' | 'plugins'>): ActivePlugin | undefined {
  const selectedKey = setting(services, 'CURRENCY_UPDATE_PLUGIN')
  if (selectedKey === '') return undefined
  const plugin = services.plugins.withHook(RATES_HOOK).find(({ key }) => key === selectedKey)
  if (!plugin) throw new Problem('wrong_state', serviceErrors.rates_plugin_inactive({ plugin: selectedKey }))
  return plugin
}

/**
 * Fetches the exchange rates and stores them; a currency without a new rate keeps its old one, and own rates stay. The error is stored until
 * the next success.
 * @throws Problem 400 when no plugin fetches rates, 503 when the source gives none
 */
export async function fetchRates(services: Services): Promise<void> {
  try {
    await fetchAndStore(services)
  } catch (error) {
    if (error instanceof Problem) await storeFailure(services, error)
    throw error
  }
}

async function fetchAndStore(services: Services): Promise<void> {
  const source = findRatesPlugin(services)
  if (!source) throw new Problem('wrong_state', serviceErrors.rates_plugin_required)
  const base = defaultCurrency(services)
  const otherCurrencies = CURRENCIES.map(({ value }) => String(value)).filter((code) => code !== base)
  let rates: ReadonlyMap<string, Decimal>
  try {
    rates = readRates(await source.call([base, otherCurrencies]), otherCurrencies, services)
  } catch (error) {
    const reason = (error as Error).message.replace(HOOK_PREFIX, '')
    throw new Problem('unavailable', serviceErrors.rates_not_fetched({ plugin: source.title, reason }))
  }
  await services.database.transaction(async (tx) => {
    await storeFetchedRates(tx, base, rates)
    await tx.query('delete from currency_failure')
  })
}

const storeFailure = (services: Services, { fieldErrors }: Problem): Promise<void> =>
  services.database.transaction(async (tx) => {
    const [failure] = fieldErrors
    if (!failure) return
    await tx.query('delete from currency_failure')
    await tx.query('insert into currency_failure (code, parameters, message) values ($1, $2, $3)', [
      failure.code,
      JSON.stringify(failure.parameters ?? {}),
      failure.message,
    ])
  })

/** Validates the rates that a plugin returned; plugins are not trusted. */
function readRates(result: unknown, codes: readonly string[], services: Services): ReadonlyMap<string, Decimal> {
  if (!isObject(result)) throw new Error('it returned no rates')
  const rates = new Map<string, Decimal>()
  for (const code of codes) {
    if (!Object.hasOwn(result, code)) continue
    try {
      rates.set(
        code,
        positiveRate.read(result[code], { references: [], services }, () => {}),
      )
    } catch (error) {
      if (error instanceof FieldError) throw new Error(`its rate of ${code} is invalid`)
      throw error
    }
  }
  if (rates.size === 0) throw new Error('it returned no rate of any currency')
  return rates
}

/** Fetches rates in the background. Retries for some hours while the source is down, then waits for the next interval. */
export const createRatesQueue = (services: Services): Queue => ({
  name: QUEUE,
  retries: 6,
  retryDelay: 300,
  retryDelayMax: 7200,
  timeoutSeconds: 60,
  handle: () => fetchRates(services),
})

/** Selects when rates were last set. */
const SELECT_LAST_UPDATE = `select ${LAST_UPDATE} from currency_rate`

/**
 * The schedule for fetching rates, unless it is off. `claim` is the key in the table `throttle`. `done` is the query for the last time rates
 * were set, which postpones the next run; it is missing for intervals over 30 days, for which the next run may be postponed by more than
 * `minutes`.
 */
export function createRatesSchedule(services: Pick<Services, 'settings'>) {
  const days = setting(services, 'CURRENCY_UPDATE_INTERVAL')
  if (days === 0 || setting(services, 'CURRENCY_UPDATE_PLUGIN') === '') return []
  const minutes = Math.min(days, 30) * (DAY_SECONDS / 60)
  return [
    { name: 'Exchange rates', func: QUEUE, minutes, claim: `${QUEUE}:all`, ...(days <= 30 && { done: SELECT_LAST_UPDATE }) },
  ]
}

/** Requests new rates when the stored ones are too old, once per interval on one of the nodes. */
export async function requestRates(services: Services): Promise<void> {
  const days = setting(services, 'CURRENCY_UPDATE_INTERVAL')
  if (days === 0 || setting(services, 'CURRENCY_UPDATE_PLUGIN') === '') return
  const [last] = await services.database.read<{ fresh: boolean }>({
    text: `select coalesce(${LAST_UPDATE} > now() - make_interval(days => $1), false) as fresh from currency_rate`,
    values: [days],
  })
  if (last?.fresh) return
  try {
    await services.throttle.count(QUEUE, { points: 1, seconds: Math.min(days, 30) * DAY_SECONDS }, 'all')
  } catch (error) {
    if (error instanceof Problem && error.code === 'throttled') return
    throw error
  }
  await services.database.transaction((tx) => services.jobs.send(tx, QUEUE, {}))
}

/** Checks regularly whether rates are too old while the service runs. Returns a function that stops it. */
export function startRateRefresh(services: Services): () => void {
  const check = () =>
    requestRates(services).catch((error) => services.log.warn({ err: error }, 'could not start fetching exchange rates'))
  let timer = setTimeout(() => {
    check()
    timer = setInterval(check, CHECK_INTERVAL_MS).unref()
  }, FIRST_CHECK_DELAY_MS).unref()
  return () => clearTimeout(timer)
}
