import { action, type Request } from '../../../kit/definition/action.ts'
import type { Shape } from '../../../kit/definition/input.ts'
import type { Resource } from '../../../kit/definition/resource.ts'
import { readWriteFlags } from '../../../kit/reading/select.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { Problem } from '../../../kit/request/problem.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { remove, toWriteRequest, update } from '../../../kit/writing/write.ts'
import { accountErrors } from '../../auth/account-errors.ts'
import { endSession } from '../../auth/sessions.ts'
import { ownAccount, ownResponse, toOwnJson } from './own-account.ts'

type OwnRequest = Request<Shape> & { tx: Tx }

const changeMe = (method: 'PUT' | 'PATCH', resources: () => readonly Resource[]) =>
  action({
    method,
    path: '/api/user/me/',
    summary: `${method === 'PUT' ? 'Replace' : 'Change'} the caller's own account`,
    description: `Changes the name and address of the caller${method === 'PUT' ? ': a missing name becomes empty' : ', as far as they are given'}. A new address takes effect once it is verified. The other fields may be sent back unchanged.`,
    errors: { permission_denied: 'The body changes permissions or groups, or sets a password.' },
    example: { body: method === 'PUT' ? { first_name: 'Ada', last_name: 'Finch' } : { last_name: 'Finch' } },
    versioned: true,
    access: signedIn,
    writes: ownAccount,
    response: ownResponse,
    async run(request) {
      rejectRights(request)
      const flags = readWriteFlags(ownAccount, request.query, request.config.wire)
      const write = { ...toWriteRequest(request), flags }
      const detail = await update(ownAccount, request.caller.pk, write, method === 'PATCH')
      return toOwnJson(detail, request, resources())
    },
  })

/** @param resources returns all resources when called */
export const createChangeMe = (resources: () => readonly Resource[]) => [changeMe('PUT', resources), changeMe('PATCH', resources)]

export const deleteMe = action({
  method: 'DELETE',
  path: '/api/user/me/',
  summary: "Delete the caller's own account",
  description:
    "Deletes the caller's account with its sessions, tokens and settings; its records remain, without its name. The last active superuser cannot be deleted.",
  errors: { invalid: 'It is the last active superuser.' },
  versioned: true,
  access: signedIn,
  status: 204,
  async run(request) {
    await remove(ownAccount, request.caller.pk, toWriteRequest(request))
    await endSession(request)
  },
})

/**
 * Rejects a change of the caller's own permissions, including accidental removal. Values that are sent back unchanged are accepted.
 * @throws Problem 403
 */
function rejectRights({ caller, raw }: OwnRequest): void {
  const currentRights = { is_staff: caller.isStaff, is_superuser: caller.isSuperuser, is_active: true }
  const isChanged = Object.entries(currentRights).some(([name, value]) => raw[name] !== undefined && raw[name] !== value)
  if (isChanged || raw.group_ids !== undefined || raw.password !== undefined)
    throw new Problem('permission_denied', accountErrors.own_rights)
}
