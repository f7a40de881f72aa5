import type { Exchange } from '../../../kit/request/exchange.ts'
import { invalid } from '../../../kit/request/problem.ts'
import type { Services } from '../../../kit/services/services.ts'
import { accountErrors } from '../../auth/account-errors.ts'
import { tryCredentials } from '../../auth/wrong-credentials.ts'
import { findInvitation, type Invitation } from './invitation-token.ts'

/** Key for counting wrong tokens: they belong to no account. */
const THROTTLE_NAME = 'invitation token'

export const createInvalidInvitationError = () => invalid({ token: [accountErrors.invalid_invitation] })

/**
 * Returns the invitation of a token.
 * @throws Problem 400 on `token` when it is not valid, which is counted, and 429 after too many
 */
export async function requireInvitation(context: Services & { exchange: Exchange }, token: string): Promise<Invitation> {
  const { database, exchange } = context
  const found = await tryCredentials(context, THROTTLE_NAME, exchange.address, () =>
    database.transaction((tx) => findInvitation(tx, token)),
  )
  if (!found) throw createInvalidInvitationError()
  return found
}
