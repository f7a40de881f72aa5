import type { Tx } from '../../kit/tx.ts'

/**
 * Holds an account to the end of the transaction. Whoever changes what belongs to it, such as its addresses and links, holds it
 * first, and only then the rows of these: so no two wait for each other.
 */
export const lockAccount = (tx: Tx, user: number): Promise<unknown> =>
  tx.query('select from user_account where pk = $1 for no key update', [user])
