import type { Expression } from '../sql/sql.ts'

/**
 * How many rows there are of a value, as triggers count them in each transaction.
 * @param named under which name a migration called `count_by`
 */
export const tally = (named: string, value: number): Expression =>
  `(select coalesce(sum(held.rows), 0)::bigint {from holding} held where held."of" = '${named}' and held.place = ${value})`
