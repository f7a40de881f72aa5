import type { ClientBase, QueryConfig } from 'pg'
import { type Statement, TextQuery, type TextRow } from '../../database/text-query.ts'

// Statements that configure a database session, and the classification of its errors.

export const BEGIN: Statement = { text: 'begin', name: 'begin' }
export const COMMIT: Statement = { text: 'commit', name: 'commit' }

/** Sets the account of the transaction, which the events of its changes name. */
export const setAccount = (account: number): Statement => ({
  text: `select set_config('stockroom.account', $1, true)`,
  name: 'name_account',
  values: [String(account)],
})

/**
 * Sets the time limit of the statements sent along with it, and of no others: without an explicit transaction, statements sent together
 * form one, and the limit ends with it.
 */
export const limitTime = (milliseconds: number): Statement => ({
  text: `select set_config('statement_timeout', $1, true)`,
  name: 'time_limit',
  values: [String(milliseconds)],
})

/** Lets the commit of the statements sent along with it, and of no others, return without waiting for the disk (like `limitTime`). */
export const ASYNC_COMMIT: Statement = { text: `select set_config('synchronous_commit', 'off', true)`, name: 'not_waiting' }

/** A `pg` client accepts a custom query object and a callback, which its types do not declare. */
type CallbackClient = {
  query(query: QueryConfig, values: undefined, done: (error: Error | null) => void): unknown
  connectionParameters?: { query_timeout?: number | false }
}

/** Names of statements that never wait. */
const INSTANT_STATEMENTS = new Set(['begin', 'name_account', 'time_limit', 'not_waiting'])

/** Sends statements together, each with as much time for its response as it would have alone. */
export function runTogether(client: ClientBase, query: TextQuery): Promise<void> {
  const { connectionParameters } = client as unknown as CallbackClient
  const statementTimeoutMs = connectionParameters?.query_timeout || Number.POSITIVE_INFINITY
  const totalTimeoutMs = statementTimeoutMs * Math.max(1, query.countExcept(INSTANT_STATEMENTS))
  if (totalTimeoutMs < Number.POSITIVE_INFINITY) query.query_timeout = totalTimeoutMs
  return new Promise((resolve, reject) => {
    const done = (error?: Error | null) => (error ? reject(error) : resolve())
    ;(client as unknown as CallbackClient).query(query as unknown as QueryConfig, undefined, done)
  })
}

/** Sends statements together and returns their rows as strings. */
export async function readTexts(client: ClientBase, statements: readonly Statement[]): Promise<TextRow[]> {
  const query = new TextQuery(...statements)
  await runTogether(client, query)
  return query.rows
}

/**
 * Errors after which the connection stays usable: a value that PostgreSQL cannot read or process, such as a regular expression, or a
 * canceled statement.
 */
export const NON_FATAL_SQLSTATE = /^(22...|57014)$/
/** Serialization failure and deadlock: one of the two transactions is retried. */
const TRANSIENT = new Set(['40001', '40P01'])
/** Whether the connection is lost: PostgreSQL closes it, or no longer responds on it, so that a rollback request is pointless. */
export const isFatal = (error: unknown) =>
  ['FATAL', 'PANIC'].includes((error as { severity?: string }).severity ?? '') ||
  (error as Error).message === 'Query read timeout'
export const isTransient = (error: unknown) => TRANSIENT.has((error as { code?: string }).code ?? '')
