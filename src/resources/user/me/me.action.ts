import { action, type Request } from '../../../kit/definition/action.ts'
import type { Shape } from '../../../kit/definition/input.ts'
import { answerSchema } from '../../../kit/definition/resource.ts'
import { detailJson } from '../../../kit/reading/detail.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { Problem } from '../../../kit/request/problem.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { remove, update, writeOf } from '../../../kit/writing/write.ts'
import { endSession } from '../../auth/sessions.ts'
import { user } from '../user.resource.ts'
import { ownAccount } from './own-account.ts'

type OwnRequest = Request<Shape> & { tx: Tx }

const changeMe = (method: 'PUT' | 'PATCH') =>
  action({
    method,
    path: '/api/user/me/',
    summary: `${method === 'PUT' ? 'Replace' : 'Change'}: the caller's own account`,
    access: signedIn,
    writes: ownAccount,
    answer: answerSchema(user),
    async run(request) {
      refuseRights(request)
      return detailJson(await update(ownAccount, request.caller.pk, writeOf(request), method === 'PATCH'))
    },
  })

export const replaceMe = changeMe('PUT')
export const patchMe = changeMe('PATCH')

/** Everything that is the account's own goes with it; what it did stays, without its name. */
export const deleteMe = action({
  method: 'DELETE',
  path: '/api/user/me/',
  summary: "Delete: the caller's own account",
  access: signedIn,
  status: 204,
  async run(request) {
    await remove(ownAccount, request.caller.pk, writeOf(request))
    await endSession(request)
  },
})

/**
 * Nobody gives themselves rights, nor takes their own away by the way (decision 40). What is sent back as it was is no change.
 * @throws Problem 403
 */
function refuseRights({ caller, raw }: OwnRequest): void {
  const own = { is_staff: caller.isStaff, is_superuser: caller.isSuperuser, is_active: true }
  const isOther = Object.entries(own).some(([name, value]) => raw[name] !== undefined && raw[name] !== value)
  if (isOther || raw.group_ids !== undefined || raw.password !== undefined)
    throw new Problem('permission_denied', 'You do not have permission to change your own rights or password here.')
}
