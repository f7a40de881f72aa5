import type { PgColumn } from 'drizzle-orm/pg-core'
import { Type } from 'typebox'
import * as f from '../../kit/definition/field.ts'
import { isoTimestamp } from '../../kit/definition/field.ts'
import * as input from '../../kit/definition/input.ts'
import { resource } from '../../kit/definition/resource.ts'
import { readWriteAccess, signedIn, superuser } from '../../kit/request/caller.ts'
import type { Expression } from '../../kit/sql/sql.ts'
import { accountErrors } from '../auth/account-errors.ts'
import { CONFIRMATION_REMARK, requireConfirmation } from '../auth/confirm/require-confirmation.ts'
import { createUsernameInput, USERNAME_HELP } from '../auth/registration/username-rules.ts'
import { completeAccount, completeAccountChange } from './account-changes.ts'
import { checkAccount, confirmRightsChange, prepareAccountDeletion } from './account-rules.ts'
import { userGroup } from './group/user-group.table.ts'
import { lockSuperusers } from './last-superuser.ts'
import { ownProfile } from './me/profile/own-profile.ts'
import { requireStillSuperuser } from './recheck-superuser.ts'
import { userAccount } from './user-account.table.ts'

/**
 * Builds the SQL of a value that only staff and the account itself see; others see `replacement`. Filters and sorting use the visible value
 * as well, as they would reveal it otherwise.
 */
const hideFromOthers = (sql: Expression, replacement: Expression): Expression =>
  `case when {@staff} or {pk} = {@caller} then ${sql} else ${replacement} end`

const email = hideFromOthers('{email}', `''`)

const groups = hideFromOthers(
  `coalesce((select json_agg(json_build_object('pk', g.pk, 'name', g.name) order by g.name)
     {from user_group_member} m {join user_group} g on g.pk = m."group" where m."user" = {pk}), '[]')`,
  `'[]'::json`,
)

/** The query parameter that adds the fields about sign-ins. */
export const SIGN_IN_FLAG = { name: 'sign_in_detail', afterWrites: false } as const

const secondFactor = hideFromOthers(
  `exists (select {from second_factor} s where s."user" = {pk} and s.confirmed is not null)`,
  'false',
)

const lastSignIn = hideFromOthers(
  isoTimestamp(
    `coalesce((select max(e.created) {from security_event} e where e."user" = {pk} and e.kind = 'sign_in'), {last_login})`,
  ),
  'null',
)

/** Declares a flag that grants permissions. It changes only when the body contains it: a PUT of a name alone is not meant to grant or revoke any. */
function rightsFlag(column: PgColumn, texts: Pick<f.Field, 'label' | 'api530' | 'help'>): f.Field {
  const sql = hideFromOthers(`{${column.name}}`, 'false')
  return { ...f.column(column, texts), isKeptOnPut: true, sql, filter: { kind: 'boolean', sql }, order: [sql] }
}

/** The name to sign in with. Validated by the rules: the current name of an account need not follow those for new names. */
export const usernameField = (required = false): f.Field => ({
  ...f.column(userAccount.username, { search: true, order: true, help: USERNAME_HELP }),
  input: { ...createUsernameInput({ required }), read: (value) => value },
})

/** Bodies of clients of API 530 must have the field. */
const requireFor530 = (field: f.Field): f.Field => ({ ...field, api530: { ...field.api530, input: { required: true } } })

/** First and last name of a person. */
export const nameFields = {
  first_name: f.column(userAccount.first_name, {
    search: true,
    order: true,
    api530: { metadata: { required: true, label: 'First Name' } },
    help: 'The first name; may be empty.',
  }),
  last_name: f.column(userAccount.last_name, {
    search: true,
    order: true,
    api530: { metadata: { required: true, label: 'Last Name' } },
    help: 'The last name; may be empty.',
  }),
}

/** The profile of an account, which staff and the account itself see. */
const profileKey = hideFromOthers('(select p.pk {from user_profile} p where p."user" = {pk})', 'null')

/** Fields of a profile that are about its account, not preferences for web interfaces. */
const publicProfile = f.brief(
  () => ownProfile,
  ['displayname', 'position', 'status', 'location', 'active', 'contact', 'type', 'organisation', 'primary_group'],
)

/** Profile of an account, with the fields of `shape`. */
export const profileField = (shape: () => f.ReadShape): f.Field =>
  f.extended(f.nested(profileKey, shape, { help: 'The profile of the account. Visible to staff and the account itself.' }))

/** Only a superuser creates, changes or deletes accounts (docs/decisions.md#permissions-for-accounts). */
export const user = resource({
  path: '/api/user/',
  name: 'User',
  description:
    "An account. All accounts can see names, so that they can assign objects; only staff can see addresses, groups and permissions. The caller's own account is at `/api/user/me/`.",
  remarks: {
    create: `Sends a verification link to its address and, if no password is given, a link for setting one. ${CONFIRMATION_REMARK}`,
    update: `A new address receives a verification link, and takes effect when it is followed. Making an account inactive ends its sessions and tokens immediately. The last active superuser must remain an active superuser. ${CONFIRMATION_REMARK} A change of its first or last name alone does not.`,
    delete: `Deletes its sessions, tokens and settings as well; its records remain, without its name. The last active superuser cannot be deleted. ${CONFIRMATION_REMARK}`,
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
  access: readWriteAccess(signedIn, superuser),
  fields: {
    pk: f.pk(userAccount.pk),
    username: requireFor530(usernameField()),
    first_name: requireFor530(nameFields.first_name),
    last_name: requireFor530(nameFields.last_name),
    email: {
      ...f.writeOnly(input.email(), {
        constant: email,
        schema: Type.String(),
        api530: { metadata: { required: true, label: 'Email' }, input: { required: true } },
        label: 'Email address',
        help: 'The email address. A new address takes effect once it is verified. Visible to staff and the account itself.',
      }),
      order: [email],
    },
    groups: f.computed(Type.Array(Type.Object({ pk: Type.Integer(), name: Type.String() })), groups, {
      api530: { metadata: { label: 'groups' } },
      help: 'The groups of the account. Visible to staff and the account itself.',
    }),
    group_ids: f.writeOnly(
      input.list(
        input.reference(() => userGroup, { options: { model: 'group', api_url: '/api/user/group/' } }),
        { max: 1000 },
      ),
      {
        api530: { metadata: { label: 'Group ids' } },
        label: 'Groups',
        help: 'The groups of the account; replaces all. Omit it to leave them unchanged.',
      },
    ),
    is_staff: rightsFlag(userAccount.is_staff, {
      label: 'Staff status',
      api530: { metadata: { label: 'Administrator' } },
      help: 'Whether it is staff, and can for example change global settings. Omit it to leave it unchanged. Visible to staff and the account itself.',
    }),
    is_superuser: rightsFlag(userAccount.is_superuser, {
      label: 'Superuser status',
      api530: { metadata: { label: 'Superuser' } },
      help: 'Whether it has all permissions. Omit it to leave it unchanged. Visible to staff and the account itself.',
    }),
    // a PUT without it leaves it unchanged: it must not reactivate an account accidentally
    is_active: {
      ...f.column(userAccount.is_active, {
        label: 'Active',
        filter: true,
        order: true,
        help: 'Whether it can sign in. Making it inactive ends its sessions and tokens immediately. Omit it to leave it unchanged.',
      }),
      isKeptOnPut: true,
    },
    second_factor: f.computed(Type.Boolean(), secondFactor, {
      flag: SIGN_IN_FLAG,
      filter: { kind: 'boolean', sql: secondFactor, help: 'Accounts with a second factor, as far as the caller sees it.' },
      type: 'boolean',
      help: 'Whether it has a second factor. Visible to staff and the account itself.',
    }),
    last_sign_in: f.computed(Type.Union([Type.String({ format: 'date-time' }), Type.Null()]), lastSignIn, {
      flag: SIGN_IN_FLAG,
      type: 'datetime',
      help: 'The last sign-in of the past year; null for none. Requests with a token or a password are no sign-ins. Visible to staff and the account itself.',
    }),
    profile: profileField(publicProfile),
    password: f.writeOnly(input.secret(), {
      help: 'The password of a new account; without one, its owner sets it with an emailed link.',
    }),
  },
  filters: {
    group: {
      kind: 'reference',
      table: () => userGroup,
      sql: `({@staff} or {pk} = {@caller}) and exists (select {from user_group_member} m where m."user" = {pk} and m."group" = {@value})`,
      help: 'Members of this group, as far as the caller sees them.',
    },
  },
  search: [email],
  locksFirst: lockSuperusers,
  rules: async (write) => {
    await requireStillSuperuser(write)
    await confirmRightsChange(write)
    await checkAccount(write)
  },
  afterCreate: completeAccount,
  afterUpdate: completeAccountChange,
  deletesExclusively: true,
  beforeDelete: async (deletion) => {
    await requireStillSuperuser(deletion)
    await requireConfirmation(deletion)
    await prepareAccountDeletion(deletion)
  },
  constraints: { user_account_username_key: { username: [accountErrors.username_taken] } },
})

/** An account inside another object. */
export const userBrief = f.brief(() => user, ['pk', 'username', 'first_name', 'last_name', 'email'])
