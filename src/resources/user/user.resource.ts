import type { PgColumn } from 'drizzle-orm/pg-core'
import { Type } from 'typebox'
import * as f from '../../kit/definition/field.ts'
import * as input from '../../kit/definition/input.ts'
import { resource } from '../../kit/definition/resource.ts'
import { reading, signedIn, superuser } from '../../kit/request/caller.ts'
import type { Expression } from '../../kit/sql/sql.ts'
import { username } from '../auth/registration/username-rules.ts'
import { completeAccount, followAccount } from './account-changes.ts'
import { checkAccount, releaseAccount } from './account-rules.ts'
import { userGroup } from './group/user-group.table.ts'
import { lockSuperusers } from './last-superuser.ts'
import { requireStillSuperuser } from './still-superuser.ts'
import { userAccount } from './user-account.table.ts'

/**
 * A value that only staff and the account itself see; to others it looks like `instead`. They also filter and order by what they
 * see, which would tell it otherwise.
 */
const personal = (sql: Expression, instead: Expression): Expression =>
  `case when {@staff} or {pk} = {@caller} then ${sql} else ${instead} end`

const email = personal('{email}', `''`)

const groups = personal(
  `coalesce((select json_agg(json_build_object('pk', g.pk, 'name', g.name) order by g.name)
     from user_group_member m join user_group g on g.pk = m."group" where m."user" = {pk}), '[]')`,
  `'[]'::json`,
)

/** A flag that gives rights. It changes only when it is named: a PUT of a name alone is not meant to give or take any. */
function rightsFlag(column: PgColumn, label: string): f.Field {
  const sql = personal(`{${column.name}}`, 'false')
  return { ...f.column(column, { label }), isKept: true, sql, filter: { kind: 'boolean', sql }, order: [sql] }
}

/**
 * Accounts. Everyone with an account sees names, so that something can be assigned to somebody; addresses, groups and rights are
 * seen by staff. Only a superuser makes, changes or removes accounts (decision 40); for one's own there is `/api/user/me/`.
 */
export const user = resource({
  path: '/api/user/',
  name: 'User',
  model: 'user',
  table: userAccount,
  access: reading(signedIn, superuser),
  fields: {
    pk: f.pk(userAccount.pk),
    // read by the rules: the name that an account has already need not follow them
    username: {
      ...f.column(userAccount.username, { search: true, order: true }),
      input: { ...username(), read: (value) => value },
    },
    first_name: f.column(userAccount.first_name, { search: true, order: true }),
    last_name: f.column(userAccount.last_name, { search: true, order: true }),
    email: {
      ...f.writeOnly(input.email(), { shown: email, schema: Type.String(), label: 'Email address' }),
      order: [email],
    },
    groups: f.computed(Type.Array(Type.Object({ pk: Type.Integer(), name: Type.String() })), groups),
    group_ids: f.writeOnly(
      input.list(
        input.reference(() => userGroup, { options: { model: 'group', api_url: '/api/user/group/' } }),
        { max: 1000 },
      ),
      { label: 'Groups' },
    ),
    is_staff: rightsFlag(userAccount.is_staff, 'Staff status'),
    is_superuser: rightsFlag(userAccount.is_superuser, 'Superuser status'),
    // kept likewise: a PUT must not open a closed account again by the way
    is_active: { ...f.column(userAccount.is_active, { label: 'Active', filter: true, order: true }), isKept: true },
    password: f.writeOnly(input.secret()),
  },
  locksFirst: lockSuperusers,
  rules: async (write) => {
    await requireStillSuperuser(write)
    await checkAccount(write)
  },
  created: completeAccount,
  updated: followAccount,
  deleting: async (deletion) => {
    await requireStillSuperuser(deletion)
    await releaseAccount(deletion)
  },
  constraints: { user_account_username_key: { username: ['A user with that username already exists.'] } },
})
