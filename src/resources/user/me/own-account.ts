import { Type } from 'typebox'
import { Json, type Request } from '../../../kit/definition/action.ts'
import type { Field } from '../../../kit/definition/field.ts'
import { TRUE_WORDS } from '../../../kit/definition/filter.ts'
import type { Shape } from '../../../kit/definition/input.ts'
import { type Resource, resource, responseSchema } from '../../../kit/definition/resource.ts'
import { type Detail, toDetailJson } from '../../../kit/reading/detail.ts'
import { checkAccount, prepareAccountDeletion } from '../account-rules.ts'
import { listPermissions, permissionsSchema, rolesOf, rolesSchema } from '../roles/roles.view.ts'
import { profileField, SIGN_IN_FLAG, user } from '../user.resource.ts'
import { ownProfile } from './profile/own-profile.ts'

/** Fields that every account can change of itself; an address only after verification. */
const OWN_FIELDS = new Set(['first_name', 'last_name', 'email'])

const OWN_LABELS: Record<string, Pick<Field, 'api530'>> = { is_staff: { api530: { metadata: { label: 'Staff' } } } }

/** An account as its owner writes it, without the fields that only lists of accounts can add. */
export const ownAccount: Resource = resource({
  ...user,
  rules: checkAccount,
  beforeDelete: prepareAccountDeletion,
  fields: Object.fromEntries(
    Object.entries({ ...user.fields, profile: profileField(() => ownProfile) })
      .filter(([, field]) => field.flag?.name !== SIGN_IN_FLAG.name)
      .map(([name, field]) => [
        name,
        OWN_FIELDS.has(name)
          ? { ...field, api530: { ...field.api530, input: undefined } }
          : { ...field, ...OWN_LABELS[name], input: undefined },
      ]),
  ),
})

const ROLES_FLAG = 'roles'

/** Query parameters of the caller's own account. */
export const OWN_QUERY = { [ROLES_FLAG]: 'With `true`, the response has the roles and permissions of the caller.' }

/** The caller's own account in responses. */
export const ownResponse = Type.Object({
  ...responseSchema(ownAccount).properties,
  roles: Type.Optional(rolesSchema.roles),
  permissions: Type.Optional(permissionsSchema),
})

/** The response with the caller's own account: with its roles if the query asks for them. */
export function toOwnJson(
  detail: Detail,
  { caller, query }: Pick<Request<Shape>, 'caller' | 'query'>,
  resources: readonly Resource[],
): Json {
  const json = toDetailJson(detail)
  if (!TRUE_WORDS.has((query[ROLES_FLAG] ?? '').toLowerCase())) return json
  const { roles } = rolesOf(caller)
  const permissions = listPermissions(resources, caller)
  return new Json(JSON.stringify({ ...JSON.parse(json.text), roles, permissions }), json.headers)
}
