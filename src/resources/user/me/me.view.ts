import { view } from '../../../kit/definition/action.ts'
import type { Resource } from '../../../kit/definition/resource.ts'
import { readDetail } from '../../../kit/reading/detail.ts'
import { readDetailFlags } from '../../../kit/reading/select.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { OWN_QUERY, ownAccount, ownResponse, toOwnJson } from './own-account.ts'

/** @param resources returns all resources when called */
export const createReadMe = (resources: () => readonly Resource[]) =>
  view({
    path: '/api/user/me/',
    summary: "Get the caller's own account",
    description: "Returns the caller's account, with its groups and permissions. Its version is the ETag.",
    access: signedIn,
    query: OWN_QUERY,
    response: ownResponse,
    async read(request) {
      const { caller, query, ...services } = request
      const flags = readDetailFlags(ownAccount, query, services.config.wire)
      const detail = await readDetail(ownAccount, caller.pk, flags, { caller, services, executor: services.database })
      return toOwnJson(detail, request, resources())
    },
  })
