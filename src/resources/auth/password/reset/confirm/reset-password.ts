import type { Exchange } from '../../../../../kit/request/exchange.ts'
import { invalid } from '../../../../../kit/request/problem.ts'
import type { Services } from '../../../../../kit/services/services.ts'
import { accountErrors } from '../../../account-errors.ts'
import { decodeUid, findLink, useLink } from '../../../links.ts'
import { tryCredentials } from '../../../wrong-credentials.ts'
import { hashNewPassword, readPasswordAccount, setPassword } from '../../new-password.ts'

/** The exact message that existing clients look for. */
const INVALID_LINK = accountErrors.invalid_link

const invalidToken = () => invalid({ token: [INVALID_LINK] })

/**
 * Sets a new password by an emailed link. All sessions and tokens of the account end.
 * @throws Problem 400 on `uid` when it is malformed; on `token` when it is not a link of this account, no longer valid, or there is no such
 *   account (docs/decisions.md#password-reset-links), which is counted, and 429 after too many; then on `new_password2`
 */
export async function resetPassword(
  context: Services & { exchange: Exchange },
  body: { uid: string; token: string; new_password1: string; new_password2: string },
): Promise<void> {
  const { database, exchange } = context
  const user = decodeUid(body.uid)
  if (user === undefined) throw invalid({ uid: [INVALID_LINK] })
  const holder = await tryCredentials(context, user, exchange.address, async () => {
    const link = await database.transaction((tx) => findLink(tx, 'reset', body.token))
    return link?.user === user ? readPasswordAccount(context, user) : undefined
  })
  if (!holder) throw invalidToken()
  const hash = await hashNewPassword(body, holder)
  await database.transaction(async (tx) => {
    // another request may have used the link while this one was hashing
    if (!(await useLink(tx, 'reset', body.token))) throw invalidToken()
    await setPassword({ ...context, tx }, holder, hash, { event: 'password_reset' })
  })
}
