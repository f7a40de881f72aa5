import type { Services } from '../../kit/services/services.ts'
import type { Tx } from '../../kit/sql/tx.ts'

/**
 * Invalidates the account cache (`accounts.ts`) with the commit of a transaction, before its response is sent. All code that changes or
 * ends a property of an account, its groups and their permissions, its tokens, sessions or second factor calls it, so that ended credentials are
 * invalid immediately. Other nodes are notified by the database, which announces each such change itself; `invalidate-accounts.test.ts` checks
 * that every announced change is covered here.
 */
export const invalidateAccounts = ({ tx, accounts }: Pick<Services, 'accounts'> & { tx: Tx }): void =>
  tx.after(() => accounts.invalidate())
