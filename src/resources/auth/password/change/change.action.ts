import { procedure } from '../../../../kit/definition/action.ts'
import * as input from '../../../../kit/definition/input.ts'
import { signedIn } from '../../../../kit/request/caller.ts'
import { invalid, Problem } from '../../../../kit/request/problem.ts'
import { valueErrors } from '../../../../kit/values/value-errors.ts'
import { isUsableHash } from '../../../user/password.ts'
import { accountErrors } from '../../account-errors.ts'
import { isOwnPassword } from '../../confirm-password.ts'
import { detailSchema, hashNewPassword, newPasswordFields, readPasswordAccount, setPassword } from '../new-password.ts'

/** See docs/decisions.md#changing-a-password. */
export const changePassword = procedure({
  method: 'POST',
  path: '/api/auth/password/change/',
  summary: "Change the caller's password",
  description:
    'Changes the password of the caller. Ends its sessions, tokens and emailed links, except the session or token of the request. Notifies the owner by email.',
  errors: {
    invalid: 'The new password breaks a rule, the two passwords differ, or the old one is wrong or missing.',
    conflict: 'Another request changed the password at the same time.',
    throttled: 'Too many wrong passwords: a wrong old password counts as a failed sign-in.',
  },
  example: {
    username: 'storekeeper',
    body: { old_password: 'stockroom', new_password1: 'seven blue horses', new_password2: 'seven blue horses' },
  },
  access: signedIn,
  status: 200,
  body: {
    ...newPasswordFields,
    old_password: input.secret({
      blank: true,
      nullable: true,
      help: 'The current password. It may be empty unless the service requires it; if given, it must be correct.',
    }),
  },
  response: detailSchema,
  async handle(request) {
    const { caller, body, database, config, exchange } = request
    const holder = await readPasswordAccount(request, caller.pk)
    if (!holder) throw new Problem('not_authenticated')
    const oldPassword = body.old_password
    if (oldPassword) {
      const credentials = { password: oldPassword, stored: holder.password, address: exchange.address }
      if (!(await isOwnPassword(request, caller, credentials)))
        throw invalid({ old_password: [accountErrors.old_password_wrong] })
    } else if (config.requireOldPassword && isUsableHash(holder.password)) {
      throw invalid({ old_password: [valueErrors.required] })
    }
    const hash = await hashNewPassword(body, holder)
    await database.transaction(async (tx) => {
      const [unchanged] = await tx.query('select from user_account where pk = $1 and password = $2 for no key update', [
        holder.pk,
        holder.password,
      ])
      // another request changed it while this one was hashing
      if (!unchanged) throw new Problem('conflict')
      await setPassword({ ...request, tx }, holder, hash, { event: 'password_changed', except: caller })
    })
    return { detail: 'New password has been saved.' }
  },
})
