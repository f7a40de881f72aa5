import type { Expression } from '../sql/sql.ts'

/**
 * The number of rows with a value, as triggers count them in each transaction.
 * @param countName the name that a migration passed to `count_by`
 */
export const storedCount = (countName: string, value: number): Expression =>
  `(select coalesce(sum(counts.rows), 0)::bigint {from holding} counts where counts."of" = '${countName}' and counts.place = ${value})`
