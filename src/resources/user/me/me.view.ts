import { view } from '../../../kit/definition/action.ts'
import { responseSchema } from '../../../kit/definition/resource.ts'
import { readDetail, toDetailJson } from '../../../kit/reading/detail.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { user } from '../user.resource.ts'

export const readMe = view({
  path: '/api/user/me/',
  summary: "Get the caller's own account",
  description: "Returns the caller's account, with its groups and permissions. Its version is the ETag.",
  access: signedIn,
  response: responseSchema(user),
  async read({ caller, ...services }) {
    const detail = await readDetail(user, caller.pk, new Set(), { caller, services, executor: services.database })
    return toDetailJson(detail)
  },
})
