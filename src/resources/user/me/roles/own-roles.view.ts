import { Type } from 'typebox'
import { view } from '../../../../kit/definition/action.ts'
import type { Resource } from '../../../../kit/definition/resource.ts'
import { signedIn } from '../../../../kit/request/caller.ts'
import { listPermissions, permissionsSchema, ROLES_METADATA, rolesOf, rolesSchema } from '../../roles/roles.view.ts'

/** @param resources returns all resources when called */
export const createOwnRolesView = (resources: () => readonly Resource[]) =>
  view({
    path: '/api/user/me/roles/',
    summary: "Get the caller's roles and permissions, also by object type",
    description:
      'Returns all roles with the permissions that the caller has through its groups (`view`, `add`, `change`, `delete`), null for none; and its permissions by object type, as far as it has any.',
    access: signedIn,
    response: Type.Object({ ...rolesSchema, permissions: permissionsSchema }),
    api530: { metadata: ROLES_METADATA },
    read: ({ caller }) => ({ ...rolesOf(caller), permissions: listPermissions(resources(), caller) }),
  })
