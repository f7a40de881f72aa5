import type { PgColumn } from 'drizzle-orm/pg-core'
import { Type } from 'typebox'
import * as f from '../../kit/definition/field.ts'
import * as input from '../../kit/definition/input.ts'
import { resource } from '../../kit/definition/resource.ts'
import { reading, signedIn, superuser } from '../../kit/request/caller.ts'
import type { Expression } from '../../kit/sql/sql.ts'
import { accountErrors } from '../auth/account-errors.ts'
import { USERNAME_HELP, username } from '../auth/registration/username-rules.ts'
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
     {from user_group_member} m {join user_group} g on g.pk = m."group" where m."user" = {pk}), '[]')`,
  `'[]'::json`,
)

/** A flag that gives rights. It changes only when it is named: a PUT of a name alone is not meant to give or take any. */
function rightsFlag(column: PgColumn, words: { label: string; help: string }): f.Field {
  const sql = personal(`{${column.name}}`, 'false')
  return { ...f.column(column, words), isKept: true, sql, filter: { kind: 'boolean', sql }, order: [sql] }
}

/** The name to sign in with. It is read by the rules: the one that an account has already need not follow those for new ones. */
export const usernameField = (required = false): f.Field => ({
  ...f.column(userAccount.username, { search: true, order: true, help: USERNAME_HELP }),
  input: { ...username({ required }), read: (value) => value },
})

/** What people are called. */
export const nameFields = {
  first_name: f.column(userAccount.first_name, {
    search: true,
    order: true,
    help: 'The first name of whoever the account belongs to; it may be empty.',
  }),
  last_name: f.column(userAccount.last_name, {
    search: true,
    order: true,
    help: 'The last name of whoever the account belongs to; it may be empty.',
  }),
}

/** Only a superuser makes, changes or removes accounts (decision 40). */
export const user = resource({
  path: '/api/user/',
  name: 'User',
  description:
    'An account. Everyone with an account sees names, so that something can be assigned to somebody; addresses, groups and rights are seen by staff. For your own there is `/api/user/me/`.',
  remarks: {
    create:
      'Its address gets a mail with the link that verifies it, and where no password is given, another with the link that sets one.',
    update:
      'A new address gets a mail, and takes effect when the link in it is followed. An account that is made inactive loses its sessions and tokens at once. The last active superuser stays active, and a superuser.',
    delete:
      'Its sessions, tokens and settings go with it; what it did stays, without its name. The last active superuser is not deleted.',
  },
  example: {
    pk: 2,
    create: { username: 'tuner', first_name: 'Lena', last_name: 'Brandt', email: 'tuner@songbird.example', group_ids: [2] },
    replace: { username: 'buyer', first_name: 'Mira', last_name: 'Holt-Berger' },
    change: { group_ids: [1, 2] },
    deletable: 4,
  },
  model: 'user',
  table: userAccount,
  access: reading(signedIn, superuser),
  fields: {
    pk: f.pk(userAccount.pk),
    username: usernameField(),
    ...nameFields,
    email: {
      ...f.writeOnly(input.email(), {
        shown: email,
        schema: Type.String(),
        label: 'Email address',
        help: 'Where the account is reached. A new address takes effect once it is verified. Only staff and the account itself see it.',
      }),
      order: [email],
    },
    groups: f.computed(Type.Array(Type.Object({ pk: Type.Integer(), name: Type.String() })), groups, {
      help: 'The groups whose rights it has. Only staff and the account itself see them.',
    }),
    group_ids: f.writeOnly(
      input.list(
        input.reference(() => userGroup, { options: { model: 'group', api_url: '/api/user/group/' } }),
        { max: 1000 },
      ),
      { label: 'Groups', help: 'The groups that it belongs to, and no others. Where nothing is said, they stay.' },
    ),
    is_staff: rightsFlag(userAccount.is_staff, {
      label: 'Staff status',
      help: 'Whether it may do what is for staff, such as writing global settings. Where nothing is said, it stays. Only staff and the account itself see it.',
    }),
    is_superuser: rightsFlag(userAccount.is_superuser, {
      label: 'Superuser status',
      help: 'Whether it may do everything. Where nothing is said, it stays. Only staff and the account itself see it.',
    }),
    // kept likewise: a PUT must not open a closed account again by the way
    is_active: {
      ...f.column(userAccount.is_active, {
        label: 'Active',
        filter: true,
        order: true,
        help: 'Whether it may sign in. Made inactive, it loses its sessions and tokens at once. Where nothing is said, it stays.',
      }),
      isKept: true,
    },
    password: f.writeOnly(input.secret(), {
      help: 'The password of a new account; without one, its owner sets it by a mailed link.',
    }),
  },
  locksFirst: lockSuperusers,
  rules: async (write) => {
    await requireStillSuperuser(write)
    await checkAccount(write)
  },
  created: completeAccount,
  updated: followAccount,
  deletesExclusively: true,
  deleting: async (deletion) => {
    await requireStillSuperuser(deletion)
    await releaseAccount(deletion)
  },
  constraints: { user_account_username_key: { username: [accountErrors.username_taken] } },
})

/** An account inside another object. */
export const userBrief = f.brief(() => user, ['pk', 'username', 'first_name', 'last_name', 'email'])
