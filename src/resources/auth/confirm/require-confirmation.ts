import type { Caller } from '../../../kit/request/caller.ts'
import { Problem } from '../../../kit/request/problem.ts'
import type { Tx } from '../../../kit/sql/tx.ts'

/** Minutes for which a sign-in, or a confirmation at `/api/auth/confirm/`, is sufficient. */
export const CONFIRMATION_MINUTES = 10

/** Description of the error of `requireConfirmation`, for operations that call it. */
export const confirmationErrorDocs = {
  confirmation_required: `The browser signed in, or confirmed its account at \`/api/auth/confirm/\`, more than ${CONFIRMATION_MINUTES} minutes ago.`,
}

/** The same for the descriptions of resources. */
export const CONFIRMATION_REMARK = `In a browser session this requires a sign-in, or a confirmation at \`/api/auth/confirm/\`, in the last ${CONFIRMATION_MINUTES} minutes.`

/**
 * Requires that the owner of the session is present: it signed in, or entered the password again, recently. Requests with a token or a
 * password have no session and pass. See docs/decisions.md#confirming-an-account.
 * @throws Problem 403 `confirmation_required`
 */
export async function requireConfirmation({ tx, caller }: { tx: Tx; caller: Caller }): Promise<void> {
  if (caller.session === undefined) return
  const recent = await tx.first('select from user_session where pk = $1 and confirmed > now() - make_interval(mins => $2)', [
    caller.session,
    CONFIRMATION_MINUTES,
  ])
  if (!recent) throw new Problem('confirmation_required')
}
