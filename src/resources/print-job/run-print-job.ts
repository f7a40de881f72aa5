import type { Request } from '../../kit/definition/action.ts'
import type { Shape } from '../../kit/definition/input.ts'
import { type Caller, requireAccess } from '../../kit/request/caller.ts'
import type { Exchange } from '../../kit/request/exchange.ts'
import { Problem, toStoredProblem } from '../../kit/request/problem.ts'
import type { Queue } from '../../kit/services/jobs.ts'
import type { Services } from '../../kit/services/services.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import type { TemplateKind } from '../../printing/kinds.ts'
import { printErrors } from '../../printing/print-errors.ts'
import { enqueueFailedPrintNotification } from '../notifications/print-notifications.ts'
import { getSubject } from '../printing/subjects.ts'
import { PRINT_QUEUE, type PrintJob } from './print-job.ts'
import { type PrintOutcome, PrintOutcomeUnknown, type PrintSteps } from './steps.ts'

/** Runs a print, as its request would have. @throws Problem */
export type PrintRunner = (request: Request<Shape>, kind: TemplateKind, steps: PrintSteps) => Promise<PrintOutcome>

/** Maximum number of attempts, and the number of attempts after which a print fails if its process died. */
const MAX_ATTEMPTS = 6
const MAX_CRASHES = 3

/** Thrown when another worker has taken over the print: the catcher leaves it alone. */
class AttemptSuperseded extends Error {}

const noop = (): undefined => undefined
/** Exchange without a client: the job has the request. */
const NO_EXCHANGE: Exchange = {
  ...{ method: 'GET', site: '', address: '', userAgent: '' },
  ...{ header: noop, cookie: noop, setCookie: noop, clearCookie: noop, setHeader: noop },
  gone: new AbortController().signal,
}

/** Rebuilds the request of a print, on behalf of its sender, with their current permissions. */
const rebuildRequest = (services: Services, caller: Caller, { template, query, body }: PrintJob): Request<Shape> => ({
  ...services,
  ...{ caller, pk: template, params: {}, query, raw: body, url: '', exchange: NO_EXCHANGE },
  body: (body.copies === undefined ? {} : { copies: Number(body.copies) }) as Request<Shape>['body'],
})

/** The print queue. A print whose process died is restarted, unless its machine had been called: the result of that is unknown. */
export function printQueue(
  services: Services,
  { accountOf, printing }: { accountOf: (pk: number) => Promise<Caller | undefined>; printing: PrintRunner },
): Queue<{ job: number }> {
  const { database } = services
  /** Ends this attempt, unless another one has taken over. */
  const endAttempt = (job: PrintJob, status: 'waiting' | 'failed' | 'unknown', problem?: Problem) =>
    database.transaction((tx) => endJob(tx, job, status, problem))
  const createSteps = (job: PrintJob, onDispatch: () => void): PrintSteps => ({
    reportProgress: (done, total) =>
      database.transaction(async (tx) => {
        await tx.query('update print_job set done = $3, total = $4 where pk = $1 and attempt = $2', [
          ...[job.pk, job.attempt, done, total],
        ])
      }),
    async markDispatched() {
      const marked = await database.transaction((tx) =>
        tx.first(
          `update print_job set asked = now() where pk = $1 and attempt = $2 and status = 'running' and asked is null returning pk`,
          [job.pk, job.attempt],
        ),
      )
      if (!marked) throw new AttemptSuperseded()
      onDispatch()
    },
    async complete(tx, { file, message, warnings = [] }) {
      const ended = await tx.first(
        `update print_job set status = 'done', file = $3, message = $4, warnings = $5, done = coalesce(total, done), finished = now()
         where pk = $1 and attempt = $2 and status = 'running' returning pk`,
        [job.pk, job.attempt, file ?? null, message?.slice(0, 500) ?? null, JSON.stringify(warnings)],
      )
      if (!ended) throw new AttemptSuperseded()
    },
  })
  return {
    name: PRINT_QUEUE,
    // more than the maximum: a print whose process died is taken once more, to fail it
    retries: MAX_ATTEMPTS + 1,
    retryDelay: 5,
    retryDelayMax: 300,
    timeoutSeconds: 900,
    heartbeatTimeoutSeconds: 20,
    concurrency: 2,
    async handle({ job: pk }) {
      await services.settings.upToDate()
      const job = await claimJob(services, pk)
      if (!job) return
      let isDispatched = false
      try {
        const caller = await accountOf(job.user)
        if (!caller) throw new Problem('permission_denied', printErrors.print_account_inactive)
        const request = rebuildRequest(services, caller, job)
        requireAccess(getSubject(job.kind).access, caller, 'view')
        await printing(
          request,
          job.kind,
          createSteps(job, () => (isDispatched = true)),
        )
      } catch (error) {
        if (error instanceof AttemptSuperseded) return
        if (isDispatched && (error instanceof PrintOutcomeUnknown || !(error instanceof Problem))) {
          const unknown =
            error instanceof PrintOutcomeUnknown ? error : new PrintOutcomeUnknown(printErrors.print_outcome_unknown)
          await endAttempt(job, 'unknown', unknown)
          services.log.warn({ job: job.id, err: error }, 'it is unknown whether something was printed')
          return
        }
        const isTransient = !(error instanceof Problem) || error.code === 'unavailable' || error.code === 'conflict'
        if (isTransient && !isDispatched && job.attempt < MAX_ATTEMPTS) {
          await endAttempt(job, 'waiting')
          throw error
        }
        const problem = error instanceof Problem ? error : new Problem('internal')
        await endAttempt(job, 'failed', problem)
        if (!(error instanceof Problem)) throw error
      }
    },
  }
}

/** Ends an attempt, unless another one was started. Notifies the user of a failed print that no request waits for. */
async function endJob(
  tx: Tx,
  { pk, attempt }: Pick<PrintJob, 'pk' | 'attempt'>,
  status: 'waiting' | 'failed' | 'unknown',
  problem?: Problem,
): Promise<void> {
  const ended = await tx.first<{ user: number; in_background: boolean }>(
    `update print_job set status = $3::varchar, error = $4, finished = case when $3 <> 'waiting' then now() end
     where pk = $1 and attempt = $2 and status = 'running' returning "user", in_background`,
    [pk, attempt, status, problem ? JSON.stringify(toStoredProblem(problem)) : null],
  )
  if (ended?.in_background && status !== 'waiting') await enqueueFailedPrintNotification(tx, pk, ended.user)
}

/** Claims a job; undefined if there is nothing to do. */
async function claimJob({ database }: Services, pk: number): Promise<PrintJob | undefined> {
  return await database.transaction(async (tx) => {
    const row = await tx.first<PrintJob>('select pk, attempt, status, asked from print_job where pk = $1 for no key update', [pk])
    if (!row || !['waiting', 'running'].includes(row.status)) return undefined
    if (row.asked !== null) {
      await endJob(tx, row, 'unknown')
      return undefined
    }
    // the last attempts died without an error: possibly because of the printed content
    if (row.status === 'running' && row.attempt >= MAX_CRASHES) {
      await endJob(tx, row, 'failed', new Problem('unavailable', printErrors.print_interrupted))
      return undefined
    }
    return await tx.first<PrintJob>(
      `update print_job set status = 'running', attempt = attempt + 1, done = 0 where pk = $1
       returning pk, id, "user", kind, template, query, body, status, attempt`,
      [pk],
    )
  })
}
