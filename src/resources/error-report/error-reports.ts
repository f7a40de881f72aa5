import type { Logger } from 'pino'
import type { FailedJob } from '../../kit/services/jobs.ts'
import type { Services } from '../../kit/services/services.ts'
import type { Database } from '../../kit/sql/tx.ts'
import { ERROR_REPORTED } from '../notifications/error-notifications.ts'
import { MAX_DATA_LENGTH, MAX_INFO_LENGTH, MAX_PATH_LENGTH } from './error-report.table.ts'
import { describeSafely, redactSecrets } from './redact-secrets.ts'

/** Maximum number of stored reports. */
export const MAX_REPORTS = 1_000
/** Maximum reports per node and minute: the log has every error. */
const MAX_REPORTS_PER_MINUTE = 30
/** Maximum reports that wait to be written. */
const MAX_WAITING_REPORTS = 10

type Report = { info: string; data: string; path: string | null; request: string }

/**
 * Stores errors of the service itself for staff: the message and the stack trace, never a value from a request. Reports are written
 * afterwards, one at a time, so that they never delay a response or cause further errors; reports that cannot be written are dropped.
 */
export class ErrorReports {
  readonly #database: Database
  readonly #disk: Services['disk']
  readonly #log: Logger
  readonly #waiting: Report[] = []
  #writing: Promise<void> | undefined
  #minute = 0
  #reportsInMinute = 0

  constructor(database: Database, disk: Services['disk'], log: Logger) {
    this.#database = database
    this.#disk = disk
    this.#log = log
  }

  /** Reports a request that failed with 500. @param path its URL without query and secrets */
  reportRequest(error: unknown, { id, path }: { id: string; path: string }): void {
    this.#add({ ...describeError(error), path: redactSecrets(path.slice(0, MAX_PATH_LENGTH)), request: id })
  }

  /** Reports a background job that failed for good. */
  reportJob({ error, queue, id }: FailedJob): void {
    const { info, data } = describeError(error)
    this.#add({ info: `${queue}: ${info}`, data, path: null, request: id })
  }

  /** Resolves when no report waits to be written. */
  async waitUntilWritten(): Promise<void> {
    while (this.#writing) await this.#writing
  }

  #add(report: Report): void {
    const minute = Math.floor(Date.now() / 60_000)
    if (minute !== this.#minute) [this.#minute, this.#reportsInMinute] = [minute, 0]
    if (this.#disk.isLow || this.#waiting.length >= MAX_WAITING_REPORTS || this.#reportsInMinute >= MAX_REPORTS_PER_MINUTE) return
    this.#reportsInMinute++
    this.#waiting.push(report)
    this.#writing ??= this.#write()
  }

  async #write(): Promise<void> {
    try {
      for (let report = this.#waiting.shift(); report; report = this.#waiting.shift()) {
        const { info, data, path, request } = report
        const values = [
          truncate(info, MAX_INFO_LENGTH),
          truncate(data, MAX_DATA_LENGTH),
          path === null ? null : truncate(path, MAX_PATH_LENGTH),
          request,
        ]
        await this.#database.read({
          text: insertWithNotification('insert into error_report (info, data, path, request) values ($1, $2, $3, $4)'),
          values,
        })
      }
    } catch (error) {
      // the waiting reports would fail in the same way
      this.#waiting.length = 0
      this.#log.warn({ err: error }, 'could not store an error report')
    } finally {
      this.#writing = undefined
    }
  }
}

/** SQL that writes reports and a pending notification of them. */
const insertWithNotification = (insert: string): string =>
  `with report as (${insert} returning pk)
   insert into notice (kind, model, target) select '${ERROR_REPORTED}', 'error', 0 from report limit 1`

/**
 * Reports background jobs that failed without an error of their own, because their process ended or they took too long. Covers the last two
 * hours, so that older reports that staff deleted do not return.
 */
export async function reportLostJobs(database: Database): Promise<void> {
  await database.read({
    text: insertWithNotification(`insert into error_report (info, request, "when")
      select left(j.name, 200) || ': ' || case when j.output #>> '{value,message}' = $1 then $2 else $3 end, j.id::text, j.completed_on
      from pgboss.job j
      where j.state = 'failed' and j.completed_on > now() - interval '2 hours'
        and not exists (select from error_report r where r.request = j.id::text)
      order by j.completed_on desc limit 100`),
    values: [
      'job heartbeat timeout',
      'the process that ran it ended without a message',
      'it exceeded its time limit, or the process that ran it ended',
    ],
  })
}

/** The message and the stack trace of an error, with its cause. */
function describeError(error: unknown): Pick<Report, 'info' | 'data'> {
  if (!(error instanceof Error)) return { info: 'Something other than an error was thrown', data: '' }
  const { cause } = error
  const causeText = cause instanceof Error ? `\ncaused by ${summarizeError(cause)}\n${stackFrames(cause)}` : ''
  return { info: summarizeError(error), data: `${stackFrames(error)}${causeText}` }
}

/** The message of an error with its code: the SQLSTATE for database errors, or a system code such as `ECONNREFUSED`. */
function summarizeError(error: Error & { code?: unknown }): string {
  const { name, code } = error
  const codeSuffix = typeof code === 'string' && /^\w{1,40}$/.test(code) ? ` (${code})` : ''
  return `${redactSecrets(name.slice(0, 100))}${codeSuffix}: ${describeSafely(error)}`.replaceAll(/\s+/g, ' ')
}

/** The stack of an error without its message. */
const stackFrames = ({ stack = '' }: Error): string =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')

/** Truncates a string, and replaces characters that cannot be stored and control characters. */
const truncate = (text: string, maxLength: number): string =>
  [...text.toWellFormed().replaceAll(/[^\P{Cc}\n\t]/gu, '\ufffd')].slice(0, maxLength).join('')
