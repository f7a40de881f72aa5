import type { Exchange } from '../../../kit/request/exchange.ts'
import type { Services } from '../../../kit/services/services.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { invalidateAccounts } from '../invalidate-accounts.ts'
import { recordEvent } from '../security-event/record-event.ts'

/**
 * Ends the browser sessions of an account.
 * @param options.except a session that remains
 * @param options.actor who does it, if not the owner
 * @returns the number of ended sessions
 */
export async function endSessions(
  context: Pick<Services, 'accounts'> & { tx: Tx; exchange: Exchange },
  user: number,
  { except, actor }: { except?: number; actor?: number },
): Promise<number> {
  const ended = await context.tx.query<{ address: string }>(
    'delete from user_session where "user" = $1 and pk is distinct from $2 returning address',
    [user, except ?? null],
  )
  if (ended.length > 0) invalidateAccounts(context)
  for (const { address } of ended) await recordEvent(context, { kind: 'session_ended', user, actor, details: { address } })
  return ended.length
}
