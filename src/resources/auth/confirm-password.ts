import type { Caller } from '../../kit/request/caller.ts'
import { invalid, Problem } from '../../kit/request/problem.ts'
import type { Services } from '../../kit/services/services.ts'
import { valueErrors } from '../../kit/values/value-errors.ts'
import { isUsableHash, verifyPassword } from '../user/password.ts'
import { accountErrors } from './account-errors.ts'
import { getThrottleKey } from './check-credentials.ts'
import { tryCredentials } from './wrong-credentials.ts'

/**
 * Verifies that a request, perhaps with a token or from an unattended browser, is from the account's owner: by its password, or, without
 * one, by a session.
 * @throws Problem 400 on `password`, 403, 429
 */
export async function confirmPassword(
  services: Services,
  caller: Caller,
  password: string | undefined,
  address: string,
): Promise<void> {
  const [row] = await services.database.read<{ password: string }>({
    text: 'select password from user_account where pk = $1',
    values: [caller.pk],
  })
  const stored = row?.password ?? ''
  if (!isUsableHash(stored)) {
    if (caller.session === undefined) throw new Problem('permission_denied', accountErrors.password_required_for_session)
    return
  }
  if (password === undefined) throw invalid({ password: [valueErrors.required] })
  if (!(await isOwnPassword(services, caller, { password, stored, address })))
    throw invalid({ password: [accountErrors.password_wrong] })
}

/**
 * Whether a password is the caller's own. A wrong one counts like a failed sign-in under their name.
 * @param given.stored hash of the account
 * @param given.address network address of the client
 * @throws Problem 429
 */
export async function isOwnPassword(
  services: Services,
  caller: Caller,
  { password, stored, address }: { password: string; stored: string; address: string },
): Promise<boolean> {
  const attempt = async () => (await verifyPassword(password, stored)) || undefined
  return (await tryCredentials(services, getThrottleKey(caller), address, attempt)) === true
}
