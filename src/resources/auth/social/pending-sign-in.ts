import type { Exchange } from '../../../kit/request/exchange.ts'
import type { Services } from '../../../kit/services/services.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { createSealedCookie } from './sealed-cookie.ts'

type PendingSignIn = { user: number; standsOn: string }
type Account = { pk: number; password: string; state: string }

const cookie = createSealedCookie<PendingSignIn>('pending_sign_in', { seconds: 300 })

/**
 * The state that the first factor of an account depends on, while it requires a second: its password, the linked accounts at providers, and
 * the second factor itself. A sign-in that waits for a code is void as soon as one of them changes.
 */
const STATE_QUERY = `select u.pk, u.password, concat_ws(' ', f.pk, u.password,
    (select string_agg(s.pk::text, ',' order by s.pk) from social_account s where s."user" = u.pk)) as state
  from user_account u join second_factor f on f."user" = u.pk and f.confirmed is not null
  where u.pk = $1 and u.is_active`

const digestState = ({ secrets }: Pick<Services, 'secrets'>, { state }: Account): string =>
  secrets.digest('pending sign-in', state).toString('base64url')

/**
 * Stores in the browser that an account has passed its first factor, at a provider or by an emailed link, and still needs the second. POST
 * /api/auth/login/ with only the code completes it.
 */
export async function storePendingSignIn(
  context: Pick<Services, 'secrets'> & { tx: Tx; exchange: Exchange },
  user: number,
): Promise<void> {
  const account = await context.tx.first<Account>(STATE_QUERY, [user])
  if (account) cookie.write(context.exchange, context.secrets, { user, standsOn: digestState(context, account) })
}

/**
 * Signs in the account whose sign-in waits in the browser for a code: once, even with copies of the cookie. After a wrong code, another can
 * be sent.
 * @param completeSignIn receives the account and the hash of its password, which must be unchanged when the session is opened; it throws when the
 *   code is wrong
 * @returns undefined when no sign-in waits, it took too long, it was completed before, or the state that it depends on has changed
 */
export async function completePendingSignIn<T>(
  context: Services & { exchange: Exchange },
  completeSignIn: (account: { pk: number; password: string }) => Promise<T>,
): Promise<T | undefined> {
  const { exchange, secrets, database, throttle } = context
  const pending = cookie.read(exchange, secrets)
  if (!pending) return undefined
  const { id, value } = pending
  const [account] = await database.read<Account>({ text: STATE_QUERY, name: 'pending_sign_in', values: [value.user] })
  if (!account || digestState(context, account) !== value.standsOn) return undefined
  const undoUse = await cookie.markUsed(throttle, id)
  if (!undoUse) return undefined
  try {
    const result = await completeSignIn({ pk: account.pk, password: account.password })
    cookie.clear(exchange)
    return result
  } catch (error) {
    await undoUse()
    throw error
  }
}
