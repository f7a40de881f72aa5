import type { Expression } from '../sql/sql.ts'

/**
 * The number of rows with a value, as triggers count them in each transaction.
 * @param countName the name that a migration passed to `count_by`
 */
export const storedCount = (countName: string, value: number): Expression =>
  `(select coalesce(sum(held.rows), 0)::bigint {from holding} held where held."of" = '${countName}' and held.place = ${value})`
