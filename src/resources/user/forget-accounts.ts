import type { Services } from '../../kit/services/services.ts'
import type { Tx } from '../../kit/sql/tx.ts'

/**
 * Forgets what is remembered of accounts (`accounts.ts`) with the commit of a transaction, before its request is answered. Every place
 * that changes or ends something of an account, its groups and their rights, its tokens, sessions or second factor calls it: what has
 * just ended must not be good for a moment longer. Other nodes hear of it from the database, which announces each such change itself;
 * `forget-accounts.test.ts` sees to it that nothing that it announces is missed here.
 */
export const forgetAccounts = ({ tx, accounts }: Pick<Services, 'accounts'> & { tx: Tx }): void =>
  tx.after(() => accounts.forget())
