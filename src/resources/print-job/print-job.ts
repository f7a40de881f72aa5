import { setTimeout as pause } from 'node:timers/promises'
import { type Static, Type } from 'typebox'
import { Reply, type Request } from '../../kit/definition/action.ts'
import { buildFileUrl } from '../../kit/definition/file.ts'
import { orNull, type Shape } from '../../kit/definition/input.ts'
import { fieldErrors } from '../../kit/definition/problem-schema.ts'
import { invalid, Problem, restoreProblem, type StoredProblem } from '../../kit/request/problem.ts'
import { requestErrors } from '../../kit/request/request-errors.ts'
import type { Services } from '../../kit/services/services.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { toComparableText } from '../../kit/writing/idempotency.ts'
import { toPlainJson } from '../../plugin-host/call-for.ts'
import type { TemplateKind } from '../../printing/kinds.ts'
import { printErrors } from '../../printing/print-errors.ts'
import type { Warning } from '../../printing/rendering.ts'

export const PRINT_QUEUE = 'print'
/** Milliseconds that a request waits for the print of its Idempotency-Key, and between checks. */
const PRINT_TIMEOUT_MS = 100_000
const POLL_INTERVAL_MS = 100
/** Seconds after which a called machine or plugin can no longer respond: each has a minute. */
const RESPONSE_TIMEOUT_SECONDS = 120

/** Warnings about the printed content. */
export const printWarnings = Type.Array(
  Type.Object({
    code: Type.String({ description: 'The type of the warning: `characters_missing`.' }),
    parameters: Type.Object({}, { additionalProperties: true, description: 'The parameters of the message, by name.' }),
    message: Type.String({ description: 'The English text.' }),
  }),
  { description: 'Warnings about the printed file, such as characters that no font has.' },
)

/** All statuses of a print job, and those of one that has not ended. */
export const PRINT_JOB_STATUSES = ['waiting', 'running', 'done', 'failed', 'unknown', 'cancelled'] as const
export const UNFINISHED: readonly string[] = ['waiting', 'running']

export const printJobSchema = Type.Object({
  id: Type.String({ format: 'uuid', description: 'Its id.' }),
  status: Type.String({
    enum: [...PRINT_JOB_STATUSES],
    description: '`unknown`: a machine or a plugin received the print, and the result is unknown. The print is not retried.',
  }),
  done: Type.Integer({ description: 'The number of completed labels or documents.' }),
  total: orNull(Type.Integer({ description: 'The total number; null until it is known.' })),
  file: orNull(Type.String({ description: 'The URL of the printed file, if one was created.' })),
  message: orNull(Type.String({ description: 'A description of what was printed.' })),
  warnings: printWarnings,
  errors: orNull(Type.Unknown({ description: 'The error with which the request would have been rejected.' })),
  field_errors: fieldErrors,
  created: Type.String({ description: 'When it was requested.' }),
  finished: orNull(Type.String({ description: 'When it completed, failed or was cancelled.' })),
})

/** Description of the asynchronous response, for all print operations. */
export const ASYNC_RESPONSE =
  'With `Prefer: respond-async` it is printed in the background: 202, with the URL of the job in `Location`. An Idempotency-Key identifies the job: the same key gets the same response.'

/** A stored print job. */
export type PrintJob = {
  pk: number
  id: string
  user: number
  kind: TemplateKind
  template: number
  query: Record<string, string>
  body: Record<string, unknown>
  status: (typeof PRINT_JOB_STATUSES)[number]
  attempt: number
  done: number
  total: number | null
  asked: string | null
  file: string | null
  message: string | null
  warnings: Warning[]
  error: StoredProblem | null
  created: string
  finished: string | null
  digest: Buffer | null
}

/** SQL of a job's status: `unknown` when its machine was called so long ago that it can no longer respond, even before its work is retried. */
export const statusSql = (status: string, asked: string): string =>
  `case when ${status} = 'running' and ${asked} < now() - interval '${RESPONSE_TIMEOUT_SECONDS} seconds' then 'unknown' else ${status} end`
const isoColumn = (column: string) => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as ${column}`
export const PRINT_JOB_QUERY = `select pk, id, "user", kind, template, query, body, ${statusSql('status', 'asked')} as status, attempt, done, total, asked::text, file, message, warnings, error,
  ${isoColumn('created')}, ${isoColumn('finished')}, digest from print_job`

/** Wire form of a print job. */
export const formatPrintJob = (services: Pick<Services, 'config'>, job: PrintJob): Static<typeof printJobSchema> => ({
  ...{ id: job.id, status: job.status, done: job.done, total: job.total },
  file: job.file === null ? null : buildFileUrl(services, job.file),
  ...{
    message: job.message,
    warnings: job.warnings,
    errors: job.error?.body ?? null,
    field_errors: job.error?.field_errors ?? [],
    created: job.created,
    finished: job.finished,
  },
})

/** Whether a request needs a job: it prefers an asynchronous response, or has an Idempotency-Key. */
export const requiresPrintJob = ({ exchange }: Request<Shape>): boolean =>
  prefersAsync(exchange) || exchange.header('idempotency-key') !== undefined

/** Headers of a response before the print has ended: with the URL of its job. */
export const backgroundHeaders = ({ id }: PrintJob): Record<string, string> => ({
  location: `/api/print-job/${id}/`,
  'preference-applied': 'respond-async',
})

/** Whether a request prefers a response before the print has ended. */
export const prefersAsync = ({ header }: Request<Shape>['exchange']): boolean =>
  /(^|,)\s*respond-async\s*(;|,|$)/i.test(header('prefer') ?? '')

/**
 * Prints with a job: the one of the Idempotency-Key, or a new one.
 * @param check checks whether a new one may be printed
 * @param toResponse returns the synchronous response for a completed job
 * @throws Problem of the failed print; 422 when the key was used with another request
 */
export async function printByJob(
  request: Request<Shape>,
  kind: TemplateKind,
  check: () => Promise<unknown>,
  toResponse: (job: PrintJob) => unknown,
): Promise<unknown> {
  const job = await obtainJob(request, kind, check)
  if (prefersAsync(request.exchange) || UNFINISHED.includes(job.status))
    return new Reply(202, formatPrintJob(request, job), backgroundHeaders(job))
  if (job.error) throw restoreProblem(job.error)
  if (job.status === 'unknown') throw new Problem('unavailable', printErrors.print_uncertain)
  return toResponse(job)
}

/**
 * The job of the Idempotency-Key, or a new one. Unless the request prefers an asynchronous response, it has usually ended.
 * @throws Problem 422 when the key was used with another request
 */
export async function obtainJob(request: Request<Shape>, kind: TemplateKind, check: () => Promise<unknown>): Promise<PrintJob> {
  const { exchange } = request
  const key = exchange.header('idempotency-key') ?? null
  if (key !== null && (key.length < 1 || key.length > 255))
    throw invalid({ non_field_errors: [requestErrors.invalid_idempotency_key] })
  const printRequest = { kind, template: request.pk, query: request.query, body: toPlainJson(request.raw ?? {}) }
  const digest = request.secrets.digest('idempotency', toComparableText(printRequest))
  let job = key === null ? undefined : await findJobByKey(request, key)
  if (!job) {
    await check()
    if (request.disk.isLow) throw new Problem('insufficient_storage')
    job = await createJob(request, { ...printRequest, key, digest, isInBackground: prefersAsync(exchange) })
  }
  if (key !== null && job.digest && !Buffer.from(digest).equals(job.digest)) throw new Problem('idempotency_mismatch')
  return prefersAsync(exchange) ? job : await waitForJob(request, job)
}

async function findJobByKey({ database, caller }: Request<Shape>, key: string): Promise<PrintJob | undefined> {
  const [job] = await database.read<PrintJob>({
    text: `${PRINT_JOB_QUERY} where "user" = $1 and key = $2`,
    values: [caller.pk, key],
  })
  return job
}

type NewPrintJob = {
  kind: TemplateKind
  template: number
  query: object
  body: unknown
  key: string | null
  digest: Buffer | null
  isInBackground: boolean
}

/** Creates the job, or, of two concurrent requests with the same key, finds the one that the first created. */
export async function createJob(
  request: Request<Shape>,
  { kind, template, query, body, key, digest, isInBackground }: NewPrintJob,
): Promise<PrintJob> {
  const { database, jobs, caller } = request
  const pk = await database.transaction(async (tx) => {
    const newJob = await tx.first<{ pk: number }>(
      `insert into print_job ("user", kind, template, query, body, key, digest, in_background)
       values ($1, $2, $3, $4, $5, $6, $7, $8)
       on conflict ("user", key) do nothing returning pk`,
      [caller.pk, kind, template, JSON.stringify(query), JSON.stringify(body), key, digest, isInBackground],
    )
    if (!newJob) return undefined
    const jobOptions = {
      owner: String(caller.pk),
      name: String(newJob.pk),
      priority: -(await countUnfinished(tx, caller.pk, newJob.pk)),
    }
    await jobs.send(tx, PRINT_QUEUE, { job: newJob.pk }, jobOptions)
    return newJob.pk
  })
  if (pk === undefined) return (await findJobByKey(request, key as string)) as PrintJob
  return (await readJob(request, pk)) as PrintJob
}

/** Counts the other unfinished prints of an account. Its next one gets that much less priority, so that accounts with fewer prints go first. */
async function countUnfinished(tx: Tx, account: number, pk: number): Promise<number> {
  const row = await tx.first<{ count: number }>(
    `select count(*)::integer as count from print_job where "user" = $1 and status in ('waiting', 'running') and pk <> $2`,
    [account, pk],
  )
  return row?.count ?? 0
}

/** Reads a print job by its primary key. */
export async function readJob({ database }: Pick<Services, 'database'>, pk: number): Promise<PrintJob | undefined> {
  const [job] = await database.read<PrintJob>({ text: `${PRINT_JOB_QUERY} where pk = $1`, values: [pk] })
  return job
}

/** Waits until the print has ended, or the timeout is reached. */
async function waitForJob(request: Request<Shape>, startedJob: PrintJob): Promise<PrintJob> {
  let job = startedJob
  for (const end = Date.now() + PRINT_TIMEOUT_MS; UNFINISHED.includes(job.status) && Date.now() < end; ) {
    await pause(POLL_INTERVAL_MS)
    job = (await readJob(request, job.pk)) ?? job
  }
  if (UNFINISHED.includes(job.status))
    await request.database.transaction((tx) => tx.query('update print_job set in_background = true where pk = $1', [job.pk]))
  return job
}
