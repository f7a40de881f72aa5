import { action } from '../../../kit/definition/action.ts'
import { superuser } from '../../../kit/request/caller.ts'
import { toWriteRequest, update } from '../../../kit/writing/write.ts'
import { CONFIRMATION_REMARK, confirmationErrorDocs } from '../../auth/confirm/require-confirmation.ts'
import { RULE_FLAGS, ruleSetResource } from './rule-set.resource.ts'

/** The rule set itself remains, as each group has one for each role. */
export const revokeRights = action({
  method: 'DELETE',
  path: '/api/user/ruleset/{id}/',
  summary: 'Revoke: permissions of a rule set',
  description: `Revokes all permissions that the group has in the role. The rule set remains, without permissions. ${CONFIRMATION_REMARK}`,
  errors: confirmationErrorDocs,
  versioned: true,
  example: { params: { id: 1 } },
  access: superuser,
  status: 204,
  async run(request) {
    const revoked = Object.fromEntries(RULE_FLAGS.map((flag) => [flag, false]))
    await update(ruleSetResource, request.pk, { ...toWriteRequest(request), body: revoked }, true)
  },
})
