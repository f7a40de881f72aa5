import type { Logger } from 'pino'
import type { Database } from '../sql/tx.ts'

/** Days for which events are kept after every reader has received them. */
const MIN_RETENTION_DAYS = 1
/** Rows per batch. */
const BATCH_SIZE = 2000

/** The backlog of a reader. */
export type Backlog = {
  reader: string
  events: number
  /** Seconds since the oldest of its events happened; 0 if there is none. */
  age: number
  /** Number of failures since it last received an event. */
  failures: number
}

/** The backlog of each reader, and the number of events without a position yet. */
export async function readBacklog(database: Database): Promise<{ readers: Backlog[]; unnumbered: number }> {
  const readers = await database.read<Backlog>({
    text: `select name as reader, failures, behind.events::float8 as events, coalesce(extract(epoch from now() - oldest.created), 0)::float8 as age
      from event_reader reader
      cross join lateral (select count(*) as events from event where event.position > reader.position) behind
      left join lateral (
        select created from event where event.position > reader.position order by event.position limit 1
      ) oldest on true order by name`,
  })
  const [unnumbered] = await database.read<{ count: number }>({
    text: 'select count(*)::float8 as count from event where position is null',
  })
  return { readers, unnumbered: unnumbered?.count ?? 0 }
}

/**
 * Deletes events that every reader has received, a day after they happened; and those older than `days`, even if a reader has not received
 * them: the log names it.
 */
export async function deleteOldEvents(database: Database, { days, log }: { days: number; log: Logger }): Promise<void> {
  const old = `created < now() - make_interval(days => $1)`
  const lost = await database.read<{ reader: string; events: number }>({
    text: `select name as reader, count(*)::float8 as events from event_reader reader join event on event.position > reader.position
      where ${old} group by name order by name`,
    values: [days],
  })
  for (const { reader, events } of lost)
    log.warn({ reader, events, days }, 'a listener did not receive events, which are now deleted')
  await deleteEvents(database, old, [days])
  await deleteEvents(database, `${old} and position <= (select min(position) from event_reader)`, [MIN_RETENTION_DAYS])
}

async function deleteEvents(database: Database, condition: string, values: unknown[]): Promise<void> {
  let deleted: number
  do {
    const [result] = await database.read<{ count: number }>({
      text: `with deleted as (
          delete from event where position in (
            select position from event where position is not null and ${condition} order by position limit ${BATCH_SIZE} for update skip locked
          ) returning 1
        ) select count(*)::integer as count from deleted`,
      values,
    })
    deleted = result?.count ?? 0
  } while (deleted === BATCH_SIZE)
}
