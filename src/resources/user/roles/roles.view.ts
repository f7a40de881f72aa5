import { Type } from 'typebox'
import { view } from '../../../kit/definition/action.ts'
import type { Resource } from '../../../kit/definition/resource.ts'
import { type Caller, signedIn } from '../../../kit/request/caller.ts'
import { RIGHTS, ROLES } from '../rights.ts'

const rights = Type.Union([Type.Array(Type.String()), Type.Null()])

/** The fields of the roles of an account. */
export const rolesSchema = {
  user: Type.Integer(),
  username: Type.String(),
  roles: Type.Record(Type.String(), rights),
  is_staff: Type.Boolean(),
  is_superuser: Type.Boolean(),
}

/** Metadata of these fields in OPTIONS for clients of API 530. */
export const ROLES_METADATA = {
  user: { read_only: false },
  username: { label: 'username', read_only: false, max_length: 150 },
  is_staff: { label: 'Staff status', read_only: false, required: false, default: false },
  is_superuser: { label: 'Superuser status', read_only: false, required: false, default: false },
} as const

/** The roles of a caller, each with its permissions. */
export const rolesOf = (caller: Caller) => ({
  user: caller.pk,
  username: caller.username,
  roles: Object.fromEntries(
    ROLES.map((role) => {
      const granted = RIGHTS.filter((right) => caller.isSuperuser || caller.roles.get(role)?.has(right))
      return [role, granted.length ? granted : null]
    }),
  ),
  is_staff: caller.isStaff,
  is_superuser: caller.isSuperuser,
})

/** @param resources returns all resources when called */
export const createRolesView = (resources: () => readonly Resource[]) =>
  view({
    path: '/api/user/roles/',
    summary: "Get the caller's roles and permissions",
    description:
      'Returns all roles with the permissions that the caller has through its groups (`view`, `add`, `change`, `delete`), null for none; and to clients of API 530 its permissions by object type. A superuser has all permissions.',
    access: signedIn,
    response: Type.Object({ ...rolesSchema, permissions: Type.Optional(permissionsSchema) }),
    api530: { metadata: ROLES_METADATA },
    read: ({ caller, config }) => ({
      ...rolesOf(caller),
      ...(config.wire.extendedFields && { permissions: listPermissions(resources(), caller) }),
    }),
  })

export const permissionsSchema = Type.Record(Type.String(), Type.Array(Type.String()), {
  description: 'The permissions by object type, such as `purchaseorder`.',
})

/** The permissions that clients look up by object type, in the order in which existing clients know them. */
const PERMISSIONS = [...RIGHTS.filter((right) => right !== 'view'), 'view'] as const

/** The permissions of a caller by object type. A type with several representations has the permissions of the first one. */
export function listPermissions(resources: readonly Resource[], caller: Caller): Record<string, string[]> {
  const permissions: Record<string, string[]> = {}
  for (const { model, access } of resources) {
    const granted = PERMISSIONS.filter((right) => access(caller, right))
    if (granted.length > 0) permissions[model] ??= granted
  }
  return permissions
}
