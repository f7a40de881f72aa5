import type { Logger } from 'pino'
import type { Database } from './kit/tx.ts'

/** Milliseconds from the start to the first round, and from one round to the next. */
const FIRST = 60_000
const EVERY = 3_600_000

/** What nobody needs any more, by table. */
const OLD: Record<string, string> = {
  throttle: 'expire < extract(epoch from now()) * 1000',
  user_session: 'expires < now()',
  account_link: `expires < now() - interval '7 days'`,
  outgoing_mail: `state <> 'queued' and created < now() - interval '30 days'`,
  idempotency_key: `created < now() - interval '7 days'`,
  security_event: `created < now() - interval '1 year'`,
}

/** Deletes what has had its time. */
export async function sweep(database: Database): Promise<void> {
  for (const [table, isOld] of Object.entries(OLD)) await database.read({ text: `delete from ${table} where ${isOld}` })
}

/** Sweeps now and then, as long as the service runs. Gives what ends it. */
export function keepSwept(database: Database, log: Logger): () => void {
  const round = () => sweep(database).catch((error) => log.warn({ err: error }, 'old rows could not be deleted'))
  let timer = setTimeout(() => {
    round()
    timer = setInterval(round, EVERY).unref()
  }, FIRST).unref()
  return () => clearTimeout(timer)
}
