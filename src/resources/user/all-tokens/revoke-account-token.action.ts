import { action } from '../../../kit/definition/action.ts'
import { superuser } from '../../../kit/request/caller.ts'
import { requireStillSuperuser } from '../recheck-superuser.ts'
import { revoke } from '../tokens/revoke-token.action.ts'
import { accountTokens } from './account-token.resource.ts'

export const revokeAccountToken = action({
  method: 'DELETE',
  path: '/api/user/all-tokens/{id}/',
  summary: 'Revoke a token of any account',
  description:
    'Revokes a token: requests with it are rejected, and its key is never issued again. It remains in the list for a while.',
  versioned: true,
  example: { params: { id: 1 } },
  access: superuser,
  status: 204,
  async run(request) {
    await requireStillSuperuser(request)
    await revoke(accountTokens, request)
  },
})
