import { Problem } from '../../kit/request/problem.ts'
import type { Queue } from '../../kit/services/jobs.ts'
import type { Services } from '../../kit/services/services.ts'

const QUEUE = 'news'
const DAY_SECONDS = 86_400
/** Maximum bytes of a feed. */
const MAX_FEED_BYTES = 1_000_000
/** Milliseconds from the start to the first check whether the feed is due, and between checks. */
const FIRST_CHECK_DELAY_MS = 60_000
const CHECK_INTERVAL_MS = 600_000

/**
 * Reads the feed and stores entries newer than the newest stored one; if none is stored, those of the last 30 days. Deleted entries
 * therefore do not return when the feed is read again.
 * @throws Error when it cannot be read
 */
export async function fetchNews({
  config,
  download,
  database,
}: Pick<Services, 'config' | 'download' | 'database'>): Promise<void> {
  const { newsFeedUrl } = config
  if (!newsFeedUrl) return
  const { readFeed } = await import('./read-feed.ts')
  const entries = readFeed((await download(newsFeedUrl, { limit: MAX_FEED_BYTES })).toString('utf8'))
  await database.transaction((tx) =>
    tx.query(
      `insert into news_entry (feed_id, title, link, published, author, summary)
       select feed_id, title, link, published, author, summary
       from jsonb_to_recordset($1::jsonb)
         as entry (feed_id text, title text, link text, published timestamptz, author text, summary text)
       where published > coalesce((select max(published) from news_entry), now() - interval '30 days')
       order by published
       on conflict (feed_id) do nothing`,
      [JSON.stringify(entries)],
    ),
  )
}

/** Reads the feed in the background. Retries for some hours while the feed is down, then on the next day. */
export const createNewsQueue = (services: Services): Queue => ({
  name: QUEUE,
  retries: 6,
  retryDelay: 300,
  retryDelayMax: 7_200,
  timeoutSeconds: 60,
  handle: () => fetchNews(services),
})

/** The schedule for reading the feed, if one is configured. `claim` is the key in the table `throttle`. */
export const createNewsSchedule = ({ config }: Pick<Services, 'config'>) =>
  config.newsFeedUrl ? [{ name: 'News', func: QUEUE, minutes: DAY_SECONDS / 60, claim: `${QUEUE}:all` }] : []

/** Requests the news once a day, on one of the nodes. */
export async function enqueueNewsFetch({ config, throttle, database, jobs }: Services): Promise<void> {
  if (!config.newsFeedUrl) return
  try {
    await throttle.count(QUEUE, { points: 1, seconds: DAY_SECONDS }, 'all')
  } catch (error) {
    if (error instanceof Problem && error.code === 'throttled') return
    throw error
  }
  await database.transaction((tx) => jobs.send(tx, QUEUE, {}))
}

/** Checks regularly whether news is due while the service runs. Returns a function that stops it. */
export function scheduleNewsFetch(services: Services): () => void {
  const check = () =>
    enqueueNewsFetch(services).catch((error) => services.log.warn({ err: error }, 'could not start fetching news'))
  let timer = setTimeout(() => {
    check()
    timer = setInterval(check, CHECK_INTERVAL_MS).unref()
  }, FIRST_CHECK_DELAY_MS).unref()
  return () => clearTimeout(timer)
}
