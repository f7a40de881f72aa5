import { action } from '../../../kit/definition/action.ts'
import { superuser } from '../../../kit/request/caller.ts'
import { Problem } from '../../../kit/request/problem.ts'
import { accountErrors } from '../../auth/account-errors.ts'
import { confirmationErrorDocs, requireConfirmation } from '../../auth/confirm/require-confirmation.ts'
import { lockAccount } from '../../auth/lock-account.ts'
import { removeSecondFactor } from '../../auth/mfa/remove-second-factor.ts'
import { endAccess } from '../../auth/sessions.ts'
import { requireStillSuperuser } from '../recheck-superuser.ts'
import { recordEvent } from '../security-event/record-event.ts'

/** A superuser's own second factor is disabled with a code instead, so that an open session is not enough. */
export const removeOtherSecondFactor = action({
  method: 'DELETE',
  path: '/api/user/{id}/second-factor/',
  summary: 'Remove the second factor of another account',
  description:
    'Removes the second factor of another account, whose owner has lost the authenticator and the recovery codes, and ends its sessions and tokens. Notifies the owner by email.',
  errors: {
    ...confirmationErrorDocs,
    permission_denied:
      "It is the caller's own second factor, which is disabled with a code at `/api/auth/mfa/disable/`; or the caller is not a superuser.",
    not_found: 'The account does not exist, or has no second factor.',
  },
  example: { params: { id: 2 }, status: 404 },
  access: superuser,
  status: 204,
  async run(request) {
    const { tx, pk, caller } = request
    if (pk === caller.pk) throw new Problem('permission_denied', accountErrors.own_second_factor)
    await requireConfirmation(request)
    await lockAccount(tx, pk)
    await requireStillSuperuser(request)
    if (!(await removeSecondFactor(request, pk))) throw new Problem('not_found')
    await endAccess(request, pk)
    await recordEvent(request, { kind: 'second_factor_removed', user: pk, actor: caller.pk })
  },
})
