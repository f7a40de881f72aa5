import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { lockOwnAddress, removeAddress } from './addresses.ts'
import { emailAddressSchema, toWireAddress } from './email-address.resource.ts'

/** Existing clients receive the removed address without its key (docs/configuration.md#wire-form). */
export const removeEmailAddress = action({
  method: 'POST',
  path: '/api/auth/emails/{id}/remove/',
  summary: 'Remove an email address',
  description:
    "Removes one of the caller's addresses. The primary address can be removed only if it is the last one. If it was the address of the account (`email` of `/api/user/me/`), that becomes the primary address, or empty.",
  errors: { invalid: 'It is the primary address, and there are others.' },
  example: { params: { id: 2 } },
  access: signedIn,
  status: 200,
  response: Type.Object({ ...emailAddressSchema.properties, id: Type.Union([Type.Integer(), Type.Null()]) }),
  async run(request) {
    const { pk } = await lockOwnAddress(request.tx, request.caller.pk, request.pk)
    const removed = toWireAddress(await removeAddress(request, pk))
    return request.config.wire.nullRemovedEmail ? { ...removed, id: null } : removed
  },
})
