import { procedure } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { superuser } from '../../../kit/request/caller.ts'
import { invalid, notFound, Problem } from '../../../kit/request/problem.ts'
import { accountErrors } from '../../auth/account-errors.ts'
import { confirmationErrorDocs, requireConfirmation } from '../../auth/confirm/require-confirmation.ts'
import { lockAccount } from '../../auth/lock-account.ts'
import { detailSchema, PASSWORD_HELP, readPasswordAccount, setPassword } from '../../auth/password/new-password.ts'
import { validatePassword } from '../../auth/password/password-rules.ts'
import { hashPassword, isUsableHash } from '../password.ts'
import { requireStillSuperuser } from '../recheck-superuser.ts'

/** Sets another account's password. PATCH is the same: a password cannot be changed in part. */
const setPasswordBy = (method: 'PUT' | 'PATCH') =>
  procedure({
    method,
    path: '/api/user/{id}/set-password/',
    summary: `${method === 'PUT' ? 'Set' : 'Change'} the password of an account`,
    description:
      "Sets the password of an account. Ends its sessions, tokens and emailed links immediately; for the caller's own account, the session or token of the request remains. Notifies the owner by email.",
    errors: {
      ...confirmationErrorDocs,
      permission_denied:
        "It is the caller's own account, and `REQUIRE_OLD_PASSWORD` is on: change the password at `/api/auth/password/change/`; or the caller is not a superuser.",
    },
    example: { params: { id: 2 }, body: { password: 'nine grey pebbles' } },
    access: superuser,
    body: { password: input.secret({ required: true, api530: { metadata: { max_length: 128 } }, help: PASSWORD_HELP }) },
    response: detailSchema,
    async handle(request) {
      const { pk, body, caller, config, database } = request
      const holder = await readPasswordAccount(request, pk)
      if (!holder) throw notFound()
      // setting one's own password here must not bypass the old password
      if (pk === caller.pk && config.requireOldPassword && isUsableHash(holder.password))
        throw new Problem('permission_denied', accountErrors.own_password)
      const problems = await validatePassword(body.password, holder)
      if (problems.length) throw invalid({ password: problems })
      const hash = await hashPassword(body.password)
      await database.transaction(async (tx) => {
        await requireConfirmation({ tx, caller })
        if (!(await lockAccount(tx, pk))) throw notFound()
        await requireStillSuperuser({ tx, caller })
        const currentCaller = pk === caller.pk ? caller : undefined
        await setPassword({ ...request, tx }, holder, hash, {
          event: 'password_changed',
          actor: caller.pk,
          except: currentCaller,
        })
      })
      return { detail: 'The password has been set.' }
    },
  })

export const setAccountPassword = setPasswordBy('PUT')
export const changeAccountPassword = setPasswordBy('PATCH')
