import type { QueryResultRow } from 'pg'
import { getStatementName } from './statement.ts'
import type { Database, Tx } from './tx.ts'

/** Runs one statement and returns its rows, in a transaction or on its own. */
export type RunQuery = <Row extends QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>

/** Runs each statement on its own, through the pool; a repeated statement is prepared. */
export const queryThrough =
  ({ database }: { database: Pick<Database, 'read'> }): RunQuery =>
  (text, values) =>
    database.read({ text, values, name: getStatementName(text) })

/** Runs every statement in the transaction. */
export const queryWithin =
  (tx: Pick<Tx, 'query'>): RunQuery =>
  (text, values) =>
    tx.query(text, values)
