import type { Tx } from '../../kit/sql/tx.ts'

/**
 * Locks an account until the end of the transaction. Changes to what belongs to it, such as addresses and links, lock it first, and only then
 * their own rows, so that no two transactions deadlock.
 * @returns false when it no longer exists
 */
export const lockAccount = async (tx: Tx, user: number): Promise<boolean> =>
  (await tx.first('select from user_account where pk = $1 for no key update', [user])) !== undefined
