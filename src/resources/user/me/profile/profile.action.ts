import { action, view } from '../../../../kit/definition/action.ts'
import { responseSchema } from '../../../../kit/definition/resource.ts'
import { readDetail, toDetailJson } from '../../../../kit/reading/detail.ts'
import { signedIn } from '../../../../kit/request/caller.ts'
import type { RunQuery } from '../../../../kit/sql/run-query.ts'
import { queryThrough, queryWithin } from '../../../../kit/sql/run-query.ts'
import { toWriteRequest, update } from '../../../../kit/writing/write.ts'
import { ownProfile } from './own-profile.ts'

/** The key of the profile of an account. Each account has one. */
async function findProfile(query: RunQuery, account: number): Promise<number> {
  const [profile] = await query<{ pk: number }>('select pk from user_profile where "user" = $1', [account])
  return (profile as { pk: number }).pk
}

const readProfile = (path: string) =>
  view({
    path,
    summary: "Get the caller's profile",
    description: "Returns the caller's profile. Its version is the ETag.",
    access: signedIn,
    response: responseSchema(ownProfile),
    async read({ caller, ...services }) {
      const pk = await findProfile(queryThrough(services), caller.pk)
      const detail = await readDetail(ownProfile, pk, new Set(), { caller, services, executor: services.database })
      return toDetailJson(detail)
    },
  })

const changeProfile = (path: string, method: 'PUT' | 'PATCH') =>
  action({
    method,
    path,
    summary: `${method === 'PUT' ? 'Replace' : 'Change'} the caller's profile`,
    description: `Changes the caller's profile${method === 'PUT' ? ': fields that are left out return to their defaults' : ', as far as fields are given'}.`,
    errors: { invalid: 'A value is invalid, or the account is no member of the primary group.' },
    example: { body: { displayname: 'Ada', position: 'Purchasing' } },
    versioned: true,
    access: signedIn,
    writes: ownProfile,
    response: responseSchema(ownProfile),
    async run(request) {
      const pk = await findProfile(queryWithin(request.tx), request.caller.pk)
      return toDetailJson(await update(ownProfile, pk, toWriteRequest(request), method === 'PATCH'))
    },
  })

/** GET, PUT and PATCH of the caller's profile, at both of its paths. */
export const profileOperations = ['/api/user/me/profile/', '/api/user/profile/'].flatMap((path) => [
  readProfile(path),
  changeProfile(path, 'PUT'),
  changeProfile(path, 'PATCH'),
])
