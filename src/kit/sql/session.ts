import type { ClientBase, QueryConfig } from 'pg'
import { type Statement, TextQuery, type Texts } from '../../database/text-query.ts'

// What is said to a session of the database, and how it answers.

export const BEGIN: Statement = { text: 'begin', name: 'begin' }
export const COMMIT: Statement = { text: 'commit', name: 'commit' }

/** Says for whom the transaction is: events of what it changes name the account. */
export const nameAccount = (account: number): Statement => ({
  text: `select set_config('stockroom.account', $1, true)`,
  name: 'name_account',
  values: [String(account)],
})

/**
 * Sets the time limit of what is sent along with it, and of nothing else: without a transaction of their own, statements that are
 * sent together are one, with which the limit ends.
 */
export const limitTime = (milliseconds: number): Statement => ({
  text: `select set_config('statement_timeout', $1, true)`,
  name: 'time_limit',
  values: [String(milliseconds)],
})

/** The commit of what is sent along with it does not wait for the disk, as `limitTime` limits the time of that alone. */
export const NOT_WAITING: Statement = { text: `select set_config('synchronous_commit', 'off', true)`, name: 'not_waiting' }

/** A client takes a query of one's own and a callback, which the types of `pg` do not know. */
type Runs = {
  query(query: QueryConfig, values: undefined, done: (error: Error | null) => void): unknown
  connectionParameters?: { query_timeout?: number | false }
}

/** Statements that wait for nothing. */
const QUICK = new Set(['begin', 'name_account', 'time_limit', 'not_waiting'])

/** Sends statements together, each with as much time for its answer as it would have alone. */
export function run(client: ClientBase, query: TextQuery): Promise<void> {
  const { connectionParameters } = client as unknown as Runs
  const alone = connectionParameters?.query_timeout || Number.POSITIVE_INFINITY
  const time = alone * Math.max(1, query.countBeside(QUICK))
  if (time < Number.POSITIVE_INFINITY) query.query_timeout = time
  return new Promise((resolve, reject) => {
    const done = (error?: Error | null) => (error ? reject(error) : resolve())
    ;(client as unknown as Runs).query(query as unknown as QueryConfig, undefined, done)
  })
}

/** The rows of statements that are sent together, as texts. */
export async function readTexts(client: ClientBase, statements: readonly Statement[]): Promise<Texts[]> {
  const query = new TextQuery(...statements)
  await run(client, query)
  return query.rows
}

/** A value that cannot be read or worked with, such as a regular expression; a statement that was broken off. */
export const SPARES_CONNECTION = /^(22...|57014)$/
/** Of two that wait for each other, or met in the same rows, one goes again. */
const TRANSIENT = new Set(['40001', '40P01'])
/** PostgreSQL closes the connection; or does not answer on it any more, so that there is no point in asking for a rollback. */
export const isFatal = (error: unknown) =>
  ['FATAL', 'PANIC'].includes((error as { severity?: string }).severity ?? '') ||
  (error as Error).message === 'Query read timeout'
export const isTransient = (error: unknown) => TRANSIENT.has((error as { code?: string }).code ?? '')
