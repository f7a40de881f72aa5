import type { Exchange } from '../../../kit/request/exchange.ts'
import type { Services } from '../../../kit/services/services.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { recordEvent } from '../../user/security-event/record-event.ts'
import { lockAccount } from '../lock-account.ts'
import { countRecoveryCodes, useRecoveryCode } from './recovery-codes/recovery-codes.ts'
import { consumeCode } from './totp/totp.ts'

/**
 * Whether an account has a confirmed second factor, so that sign-ins require it. The account stays locked until the end of
 * the transaction: this prevents a sign-in by the first factor alone while the second is being confirmed.
 */
export async function requiresSecondFactor(tx: Tx, user: number): Promise<boolean> {
  await lockAccount(tx, user)
  return (await tx.first('select 1 from second_factor where "user" = $1 and confirmed is not null', [user])) !== undefined
}

/**
 * Verifies a code against the account's second factor: the current code of its authenticator, or a recovery code. Each is valid once; it is
 * used up when the transaction commits. Whitespace is ignored. False for an account without a second factor. The caller counts wrong codes.
 */
export async function verifySecondFactor(
  context: Services & { tx: Tx; exchange?: Exchange },
  user: number,
  code: string,
): Promise<boolean> {
  const { tx } = context
  if (!(await requiresSecondFactor(tx, user))) return false
  if (await consumeCode(context, user, code, { isConfirmed: true })) return true
  if (!(await useRecoveryCode(tx, user, code))) return false
  await recordEvent(context, { kind: 'recovery_code_used', user, details: { left: await countRecoveryCodes(tx, user) } })
  return true
}
