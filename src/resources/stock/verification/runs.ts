import type { Queue } from '../../../kit/services/jobs.ts'
import type { Services } from '../../../kit/services/services.ts'
import type { Database, Tx } from '../../../kit/sql/tx.ts'
import { CHECK_COUNT, type Finding, isConsistent, verifyStock } from './verify-stock.ts'

export const VERIFICATION_QUEUE = 'stock-verification'

/** Advisory lock, with the key of the run, that the process executing it holds on the connection that reads. */
const LOCK = `hashtext('stock_verification')`

/** Time after which a run that no process has started counts as lost. */
const START_TIMEOUT = '10 minutes'

/** The stored columns of a run. */
type StoredRun = {
  pk: number
  requested: string
  finished: string | null
  done: number
  findings: Finding[] | null
  failure: string | null
}

/**
 * Creates a run, to be executed after the commit, and returns its key. Undefined when one is in progress. A run whose process died, or that
 * no process started, is closed as a failure.
 */
export async function requestRun(tx: Tx): Promise<number | undefined> {
  await tx.query(`select pg_advisory_xact_lock(${LOCK}, 0)`)
  await tx.query(
    `update stock_verification set finished = now(), failure = 'It was broken off.'
     where finished is null and pg_try_advisory_xact_lock(${LOCK}, pk)
       and (started is not null or requested < now() - interval '${START_TIMEOUT}')`,
  )
  const row = await tx.first<{ pk: number }>(
    `insert into stock_verification (pk) select nextval(pg_get_serial_sequence('stock_verification', 'pk'))
     where not exists (select from stock_verification where finished is null) returning pk`,
  )
  return row?.pk
}

/**
 * Executes a run and stores its findings. Reads through one snapshot, on a connection of its own; does nothing if another process has
 * closed the run already.
 */
export async function executeRun(
  database: Database,
  run: number,
  options: { isThrottled: boolean; signal?: AbortSignal },
): Promise<Finding[] | undefined> {
  return database.snapshot(async (read) => {
    // waits for another process that executes this run; `requestRun` tests the lock to find out whether one does
    await read(`select pg_advisory_xact_lock(${LOCK}, ${run})`)
    const [claimedRun] = await database.read<{ pk: number }>({
      text: 'update stock_verification set started = now(), done = 0 where pk = $1 and finished is null returning pk',
      values: [run],
    })
    if (!claimedRun) return undefined
    const onProgress = async (done: number) => {
      await database.read({
        text: 'update stock_verification set done = $2 where pk = $1 and finished is null',
        values: [run, done],
      })
    }
    const findings = await verifyStock(read, { ...options, onProgress })
    await endRun(database, run, { findings })
    return findings
  }, options.signal)
}

/** Closes a run, and deletes those that ended before it. */
export async function endRun(
  database: Database,
  run: number,
  { findings, failure }: { findings?: Finding[]; failure?: string },
): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query(
      'update stock_verification set finished = now(), findings = $2, failure = $3 where pk = $1 and finished is null',
      [run, findings ? JSON.stringify(findings) : null, failure ?? null],
    )
    await tx.query('delete from stock_verification where pk < $1 and finished is not null', [run])
  })
}

/** The queue of runs requested over HTTP. */
export const verificationQueue = ({ database }: Pick<Services, 'database'>): Queue<{ run: number }> => ({
  name: VERIFICATION_QUEUE,
  retries: 1,
  retryDelay: 5,
  retryDelayMax: 60,
  timeoutSeconds: 1_800,
  // a run whose node died should not wait for its full timeout
  heartbeatTimeoutSeconds: 30,
  async handle({ run }, { isLast, signal }) {
    try {
      await executeRun(database, run, { isThrottled: true, signal })
    } catch (error) {
      if (isLast) await endRun(database, run, { failure: `The verification failed: ${(error as Error).message}` })
      throw error
    }
  },
})

/** Returns the progress of the current run, and the findings of the last one. */
export async function readRuns(read: (text: string) => Promise<StoredRun[]>) {
  const runs = await read(
    `select pk, to_char(requested, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as requested,
       to_char(finished, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as finished, done, findings, failure
     from stock_verification order by pk`,
  )
  const running = runs.find(({ finished }) => finished === null)
  const last = runs.findLast(({ finished }) => finished !== null)
  return {
    running: running ? { requested: running.requested, done: running.done, checks: CHECK_COUNT } : null,
    last: last
      ? {
          requested: last.requested,
          finished: last.finished,
          is_right: last.findings && isConsistent(last.findings),
          failure: last.failure,
          checks: last.findings ?? [],
        }
      : null,
  }
}
