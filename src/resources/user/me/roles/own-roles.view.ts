import { Type } from 'typebox'
import { view } from '../../../../kit/definition/action.ts'
import type { Resource } from '../../../../kit/definition/resource.ts'
import { type Caller, signedIn } from '../../../../kit/request/caller.ts'
import { RIGHTS } from '../../rights.ts'
import { ROLES_METADATA, rolesOf, rolesSchema } from '../../roles/roles.view.ts'

/** The permissions that clients look up by object type, in the order in which existing clients know them. */
const PERMISSIONS = [...RIGHTS.filter((right) => right !== 'view'), 'view'] as const

/** @param resources returns all resources when called */
export const createOwnRolesView = (resources: () => readonly Resource[]) =>
  view({
    path: '/api/user/me/roles/',
    summary: "Get the caller's roles and permissions, also by object type",
    description:
      'Returns all roles with the permissions that the caller has through its groups (`view`, `add`, `change`, `delete`), null for none; and its permissions by object type, as far as it has any.',
    access: signedIn,
    response: Type.Object({
      ...rolesSchema,
      permissions: Type.Record(Type.String(), Type.Array(Type.String()), {
        description: 'The permissions by object type, such as `purchaseorder`.',
      }),
    }),
    described: ROLES_METADATA,
    read: ({ caller }) => ({ ...rolesOf(caller), permissions: listPermissions(resources(), caller) }),
  })

/** The permissions of a caller by object type. A type with several representations has the permissions of the first one. */
function listPermissions(resources: readonly Resource[], caller: Caller): Record<string, string[]> {
  const permissions: Record<string, string[]> = {}
  for (const { model, access } of resources) {
    const granted = PERMISSIONS.filter((right) => access(caller, right))
    if (granted.length > 0) permissions[model] ??= granted
  }
  return permissions
}
