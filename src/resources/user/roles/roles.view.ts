import { Type } from 'typebox'
import { view } from '../../../kit/definition/action.ts'
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

export const readRoles = view({
  path: '/api/user/roles/',
  summary: "Get the caller's roles and permissions",
  description:
    'Returns all roles with the permissions that the caller has through its groups (`view`, `add`, `change`, `delete`), null for none. A superuser has all permissions.',
  access: signedIn,
  response: Type.Object(rolesSchema),
  described: ROLES_METADATA,
  read: ({ caller }) => rolesOf(caller),
})
