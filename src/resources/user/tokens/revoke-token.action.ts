import { action } from '../../../kit/definition/action.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { lockRow } from '../../../kit/writing/write.ts'
import { invalidateAccounts } from '../invalidate-accounts.ts'
import { recordEvent } from '../security-event/record-event.ts'
import { tokens } from './api-token.resource.ts'

export const revokeToken = action({
  method: 'DELETE',
  path: '/api/user/tokens/{id}/',
  summary: "Revoke one of the caller's tokens",
  description:
    'Revokes a token of the caller: requests with it are rejected, and its key is never issued again. It remains in the list for a while.',
  versioned: true,
  example: { params: { id: 1 } },
  access: signedIn,
  status: 204,
  async run(request) {
    const { tx, caller, pk } = request
    const token = await lockRow(tokens, pk, request)
    if (token.revoked) return
    invalidateAccounts(request)
    await tx.query('update api_token set revoked = true where pk = $1', [pk])
    await recordEvent(request, { kind: 'token_revoked', user: caller.pk, details: { name: token.name } })
  },
})
