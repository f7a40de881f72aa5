import { NonRetryableError, type Queue, toSingletonKey } from '../kit/services/jobs.ts'
import type { Services } from '../kit/services/services.ts'
import type { Tx } from '../kit/sql/tx.ts'
import { setting } from '../settings/live.ts'
import type { PluginRegistry } from './registry.ts'
import { PluginFailure } from './running.ts'

/** The name of the queue of plugin runs, and the prefix of their throttle keys. */
const QUEUE = 'plugin-schedule'
/** Milliseconds between checks for due runs. */
const CHECK_INTERVAL_MS = 5_000
/** Time limit of one run in milliseconds. */
const RUN_TIMEOUT_MS = 60_000

/** One run of an entry of a plugin's `schedule`. */
type Run = {
  plugin: string
  entry: string
  /** The time (milliseconds since 1970) after which it is skipped: the next one is due then. */
  until?: number
}

type WithRegistry = Services & { plugins: PluginRegistry }

const isScheduleEnabled = (services: Pick<Services, 'settings'>): boolean => setting(services, 'ENABLE_PLUGINS_SCHEDULE')

const sendRun = ({ jobs }: Pick<Services, 'jobs'>, tx: Tx, run: Run): Promise<void> =>
  jobs.send(tx, QUEUE, run, { owner: run.plugin, name: run.entry })

/** An entry of the schedule of a plugin that runs here, with its interval in minutes. */
type Entry = { plugin: string; entry: string; minutes: number }

const listEntries = (plugins: PluginRegistry): Entry[] =>
  plugins.running.flatMap(({ key, manifest }) =>
    Object.entries(manifest.schedule).map(([entry, minutes]) => ({ plugin: key, entry, minutes })),
  )

/** The name under which an entry is claimed. A changed interval starts over. */
const getClaimName = ({ plugin, entry, minutes }: Entry): string => `${minutes} ${plugin} ${entry}`

/** Scheduled work of a plugin; `claim`: its key in the table `throttle`, `singleton`: the key of its jobs. */
type ScheduledTask = { name: string; func: string; minutes: number; claim: string; singleton: string }

/** The scheduled work of plugins, if the setting enables it. */
export const listScheduledTasks = (services: WithRegistry): ScheduledTask[] =>
  isScheduleEnabled(services)
    ? listEntries(services.plugins).map((item) => ({
        name: `${item.plugin}: ${item.entry}`,
        func: QUEUE,
        minutes: item.minutes,
        claim: `${QUEUE}:${getClaimName(item)}`,
        singleton: toSingletonKey({ owner: item.plugin, name: item.entry }),
      }))
    : []

/** Enqueues the due runs of the plugins that run here: one node enqueues each, once per interval. */
export async function sendDueRuns(services: WithRegistry): Promise<void> {
  const { plugins, database, throttle, settings } = services
  await settings.upToDate()
  if (!isScheduleEnabled(services)) return
  const entries = listEntries(plugins)
  if (entries.length === 0) return
  await database.transaction(async (tx) => {
    const due = await throttle.claim(tx, QUEUE, new Map(entries.map((item) => [getClaimName(item), item.minutes * 60])))
    for (const item of entries.filter((entry) => due.includes(getClaimName(entry))))
      await sendRun(services, tx, { plugin: item.plugin, entry: item.entry, until: Date.now() + item.minutes * 60_000 })
  })
}

/** Checks periodically for due runs while the service runs. Returns a function that stops it. */
export function startScheduler(services: WithRegistry): () => void {
  let isChecking = false
  const check = async () => {
    if (isChecking) return
    isChecking = true
    try {
      await sendDueRuns(services)
    } catch (error) {
      services.log.warn({ err: error }, 'could not look for scheduled tasks of plugins')
    } finally {
      isChecking = false
    }
  }
  const timer = setInterval(check, CHECK_INTERVAL_MS).unref()
  return () => clearInterval(timer)
}

/**
 * Runs an entry of a plugin's schedule once, in the background. While it is queued, it is not added again.
 * @throws Error with a message for the plugin
 */
export async function runLater(services: Services, plugin: string, schedule: object, entry: string): Promise<void> {
  if (!Object.hasOwn(schedule, entry)) throw new Error(`its schedule has no ${entry}`)
  await services.settings.upToDate()
  if (!isScheduleEnabled(services))
    throw new Error('scheduled tasks of plugins are disabled by the setting ENABLE_PLUGINS_SCHEDULE')
  await services.database.transaction((tx) => sendRun(services, tx, { plugin, entry }))
}

/** Runs due and requested entries, on any idle node. An incomplete run is retried for an hour. */
export const createScheduleQueue = (services: WithRegistry): Queue<Run> => ({
  name: QUEUE,
  retries: 12,
  retryDelay: 10,
  retryDelayMax: 600,
  timeoutSeconds: 90,
  concurrency: 3,
  async handle(run, { signal }) {
    const { plugins, maintenance, settings, log } = services
    const { plugin: key, entry, until } = run
    await maintenance.requireAvailable()
    await settings.upToDate()
    if (!isScheduleEnabled(services)) return
    if (until !== undefined && Date.now() > until) return log.warn(run, 'skipped a late run of a scheduled plugin task')
    const plugin = plugins.withHook(`schedule.${entry}.run`).find((item) => item.key === key)
    if (!plugin) return assertNotEnabled(services, key)
    try {
      await raceWithAbort(signal, plugin.call([], { milliseconds: RUN_TIMEOUT_MS }))
    } catch (error) {
      // it ran and failed, which is no reason to retry
      if (error instanceof PluginFailure && error.reason !== 'ended')
        throw new NonRetryableError(`${key}: ${error.message}`, { cause: error })
      throw error
    }
  },
})

/** @throws Error if a plugin is enabled and does not run here: another node may run it, or this one soon */
async function assertNotEnabled({ plugins, database }: WithRegistry, key: string): Promise<void> {
  // it runs, and no longer has the entry
  if (plugins.isRunning(key)) return
  const text = 'select active from plugin_config where key = $1'
  const [row] = await database.read<{ active: boolean }>({ text, values: [key] })
  if (row?.active) throw new Error(`the plugin ${key} is enabled but does not run here`)
}

/** @throws Error if the service stops first */
async function raceWithAbort<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const stopped = Promise.withResolvers<never>()
  const stop = () => stopped.reject(new Error('the service is stopping'))
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  try {
    return await Promise.race([work, stopped.promise])
  } finally {
    signal.removeEventListener('abort', stop)
    // an abandoned call fails with the plugin
    work.catch(() => {})
  }
}
