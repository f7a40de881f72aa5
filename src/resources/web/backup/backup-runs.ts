import { setTimeout as pause } from 'node:timers/promises'
import { isoTimestamp } from '../../../kit/definition/field.ts'
import type { Services } from '../../../kit/services/services.ts'
import { queryWithin, type RunQuery } from '../../../kit/sql/run-query.ts'
import type { Database, Tx } from '../../../kit/sql/tx.ts'
import { BACKUP_QUEUE } from '../../background-task/backups.ts'

/** Milliseconds between two writes of the progress. */
const PROGRESS_INTERVAL_MS = 250

/** Whether a task of the queue exists that will run, or runs. An unfinished run without one was broken off. */
const HAS_TASK = `exists (select from pgboss.job where name = '${BACKUP_QUEUE}' and state in ('created', 'retry', 'active'))`
const BROKEN_OFF = 'It was broken off.'

/** The data of a task in the queue: the run that it continues; none if the schedule requests one. */
export type BackupTask = { run?: number }

/**
 * Creates a run. Returns its key; undefined when another one is not finished. A run that was broken off, or one of an earlier attempt of the
 * schedule, is closed.
 */
export async function createRun(tx: Tx, { isAutomatic }: { isAutomatic: boolean }): Promise<number | undefined> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('backup_run'), 0)`)
  await tx.query(
    `update backup_run set finished = now(), failure = $1 where finished is null and (not ${HAS_TASK} or is_automatic and $2)`,
    [BROKEN_OFF, isAutomatic],
  )
  const row = await tx.first<{ pk: number }>(
    `insert into backup_run (is_automatic) select $1 where not exists (select from backup_run where finished is null) returning pk`,
    [isAutomatic],
  )
  return row?.pk
}

/**
 * Requests a backup, which is made after the commit.
 * @returns false when one is being made, by the service or by the command
 */
export async function requestBackup(tx: Tx, jobs: Services['jobs']): Promise<boolean> {
  // `makeBackup` holds this lock
  const lock = await tx.first<{ is_free: boolean }>(`select pg_try_advisory_xact_lock(hashtext('backup'), 0) as is_free`)
  const run = lock?.is_free ? await createRun(tx, { isAutomatic: false }) : undefined
  if (run === undefined) return false
  const task: BackupTask = { run }
  await jobs.send(tx, BACKUP_QUEUE, task, { owner: BACKUP_QUEUE, name: 'requested' })
  return true
}

/** Whether a run is still to be executed: it was not closed in the meantime. */
export async function isUnfinished(database: Database, run: number): Promise<boolean> {
  const rows = await database.read({ text: 'select from backup_run where pk = $1 and finished is null', values: [run] })
  return rows.length > 0
}

/** Closes a run, with the reason if it failed, and deletes those that ended before it. */
export async function endRun(database: Database, run: number, failure: string | null): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query('update backup_run set finished = now(), failure = $2 where pk = $1 and finished is null', [run, failure])
    await tx.query('delete from backup_run where pk < $1 and finished is not null', [run])
  })
}

/** Returns functions that store the progress of a run: the latest, at intervals, so that the backup does not wait for it. */
export function createProgress(database: Database, run: number) {
  let latest: readonly [phase: string, done: number, total: number] | undefined
  let isWriting = false
  const write = async () => {
    isWriting = true
    while (latest) {
      const values = [run, ...latest]
      latest = undefined
      const text = 'update backup_run set phase = $2, done = $3, total = $4 where pk = $1 and finished is null'
      // a lost write is followed by another
      await database.executeUnsynced({ text, values }).catch(() => undefined)
      await pause(PROGRESS_INTERVAL_MS, undefined, { ref: false })
    }
    isWriting = false
  }
  return (phase: 'tables' | 'files') => (done: number, total: number) => {
    latest = [phase, done, total]
    if (!isWriting) void write()
  }
}

type StoredRun = {
  requested: string
  is_automatic: boolean
  phase: string
  done: number
  total: number
  finished: string | null
  failure: string | null
}

/** Reads the progress of the current run, and the result of the last one. */
export async function readRuns(query: RunQuery) {
  const runs = await query<StoredRun>(
    `select ${isoTimestamp('requested')} as requested, is_automatic, phase, done, total,
       ${isoTimestamp(`coalesce(finished, case when not ${HAS_TASK} then now() end)`)} as finished,
       coalesce(failure, case when finished is null then '${BROKEN_OFF}' end) as failure
     from backup_run order by pk`,
    [],
  )
  const running = runs.find(({ finished }) => finished === null)
  const last = runs.findLast(({ finished }) => finished !== null)
  return {
    running: running ? pick(running, ['requested', 'is_automatic', 'phase', 'done', 'total']) : null,
    last: last ? pick(last, ['requested', 'is_automatic', 'finished', 'failure']) : null,
  }
}

/** The state of the runs within a transaction. */
export const readRunsWithin = (tx: Tx) => readRuns(queryWithin(tx))

const pick = <Row extends object, Name extends keyof Row>(row: Row, names: readonly Name[]): Pick<Row, Name> =>
  Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<Row, Name>
