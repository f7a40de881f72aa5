import { timingSafeEqual } from 'node:crypto'
import type { Exchange } from '../../../kit/request/exchange.ts'
import { invalid } from '../../../kit/request/problem.ts'
import type { Secrets } from '../../../kit/services/secrets.ts'
import type { Services } from '../../../kit/services/services.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { accountErrors } from '../account-errors.ts'
import { tryCredentials } from '../wrong-credentials.ts'

/** Key for counting wrong codes: they belong to no account. */
const THROTTLE_NAME = 'setup code'

/**
 * Returns the code with which a registrant becomes superuser while there is none (docs/decisions.md#first-account). It is derived from the
 * server's secret, so it is stored nowhere, is the same on every node and after a restart, and cannot be guessed: 16 digits of base 32.
 */
export function deriveSetupCode(secrets: Secrets): string {
  const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
  const digits = [...secrets.digest('setup code', '').subarray(0, 16)].map((byte) => alphabet[byte % 32])
  return (digits.join('').match(/.{4}/g) as string[]).join('-')
}

/**
 * Checks the code of a registrant.
 * @throws Problem 400 on `setup_code`, which is counted, and 429 after too many
 */
export async function checkSetupCode(context: Services & { exchange: Exchange }, sentCode: string): Promise<void> {
  const { secrets, exchange } = context
  const digest = (code: string) => secrets.digest('setup code given', code.toUpperCase().replaceAll(/[\s-]/g, ''))
  const isCorrect = await tryCredentials(
    context,
    THROTTLE_NAME,
    exchange.address,
    async () => timingSafeEqual(digest(sentCode), digest(deriveSetupCode(secrets))) || undefined,
  )
  if (!isCorrect) throw createInvalidCodeError()
}

/**
 * Consumes the code: only one of several concurrent requests creates the first superuser.
 * @throws Problem 400 on `setup_code` when there is one already
 */
export async function useSetupCode(tx: Tx): Promise<void> {
  await tx.query('lock table user_account in share row exclusive mode')
  if (await tx.first('select from user_account where is_superuser limit 1')) throw createInvalidCodeError()
}

const createInvalidCodeError = () => invalid({ setup_code: [accountErrors.invalid_setup_code] })
