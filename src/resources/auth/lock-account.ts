import type { Tx } from '../../kit/sql/tx.ts'

/**
 * Holds an account to the end of the transaction. Whoever changes what belongs to it, such as its addresses and links, holds it
 * first, and only then the rows of these: so no two wait for each other.
 * @returns false when it is gone
 */
export const lockAccount = async (tx: Tx, user: number): Promise<boolean> =>
  (await tx.first('select from user_account where pk = $1 for no key update', [user])) !== undefined
