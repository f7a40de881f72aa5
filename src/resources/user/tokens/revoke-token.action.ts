import { type Action, action, type Request } from '../../../kit/definition/action.ts'
import type { Shape } from '../../../kit/definition/input.ts'
import type { Resource } from '../../../kit/definition/resource.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { lockRow } from '../../../kit/writing/write.ts'
import { invalidateAccounts } from '../invalidate-accounts.ts'
import { recordEvent } from '../security-event/record-event.ts'
import { tokens } from './api-token.resource.ts'

/**
 * Revokes a token.
 * @param resource the tokens that the caller may revoke
 * @throws Problem 404 when it is none of these
 */
export async function revoke(resource: Resource, request: Request<Shape> & { tx: Tx }): Promise<void> {
  const { tx, caller, pk } = request
  const token = await lockRow(resource, pk, request)
  if (token.revoked) return
  invalidateAccounts(request)
  await tx.query('update api_token set revoked = true where pk = $1', [pk])
  await recordEvent(request, {
    kind: 'token_revoked',
    user: token.user as number,
    actor: caller.pk,
    details: { name: token.name },
  })
}

export const revokeToken: Action = action({
  method: 'DELETE',
  path: '/api/user/tokens/{id}/',
  summary: "Revoke one of the caller's tokens",
  description:
    'Revokes a token of the caller: requests with it are rejected, and its key is never issued again. It remains in the list for a while.',
  versioned: true,
  example: { params: { id: 1 } },
  access: signedIn,
  status: 204,
  run: (request) => revoke(tokens, request),
})
