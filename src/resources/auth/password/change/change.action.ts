import { procedure } from '../../../../kit/definition/action.ts'
import * as input from '../../../../kit/definition/input.ts'
import { signedIn } from '../../../../kit/request/caller.ts'
import { texts } from '../../../../kit/request/errors.ts'
import { invalid, Problem } from '../../../../kit/request/problem.ts'
import { isUsable } from '../../../user/password.ts'
import { isOwnPassword } from '../../confirm-password.ts'
import { detailSchema, hashNewPassword, newPasswordFields, readHolder, setPassword } from '../new-password.ts'

/**
 * Sets another password for the caller. The old one need not be given unless REQUIRE_OLD_PASSWORD says so, but it must be right
 * when it is; a wrong one counts as a wrong log-in does (decisions 27 and 36).
 */
export const changePassword = procedure({
  method: 'POST',
  path: '/api/auth/password/change/',
  summary: 'Change the own password',
  access: signedIn,
  status: 200,
  body: { ...newPasswordFields, old_password: input.secret({ blank: true, nullable: true }) },
  answer: detailSchema,
  async handle(request) {
    const { caller, body, database, config, exchange } = request
    const holder = await readHolder(request, caller.pk)
    if (!holder) throw new Problem('not_authenticated')
    const old = body.old_password
    if (old) {
      const given = { password: old, stored: holder.password, address: exchange.address }
      if (!(await isOwnPassword(request, caller, given))) throw invalid({ old_password: ['This is not your present password.'] })
    } else if (config.requireOldPassword && isUsable(holder.password)) {
      throw invalid({ old_password: [texts.required] })
    }
    const hash = await hashNewPassword(body, holder)
    await database.transaction(async (tx) => {
      const [same] = await tx.query('select from user_account where pk = $1 and password = $2 for update', [
        holder.pk,
        holder.password,
      ])
      // another request changed it while this one was hashing
      if (!same) throw new Problem('conflict')
      await setPassword({ ...request, tx }, holder, hash, { event: 'password_changed', keep: caller })
    })
    return { detail: 'New password has been saved.' }
  },
})
