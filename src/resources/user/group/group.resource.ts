import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { resource, type Write } from '../../../kit/definition/resource.ts'
import { readWriteAccess, signedIn, superuser } from '../../../kit/request/caller.ts'
import { accountErrors } from '../../auth/account-errors.ts'
import { CONFIRMATION_REMARK, requireConfirmation } from '../../auth/confirm/require-confirmation.ts'
import { invalidateAccounts } from '../invalidate-accounts.ts'
import { selectRoleLabel } from '../rights.ts'
import { recordEvent } from '../security-event/record-event.ts'
import { userGroup } from './user-group.table.ts'

const rights = Type.Object({
  pk: Type.Integer(),
  name: Type.String(),
  label: Type.String({ description: 'The name of the role.' }),
  group: Type.Integer(),
  can_view: Type.Boolean(),
  can_add: Type.Boolean(),
  can_change: Type.Boolean(),
  can_delete: Type.Boolean(),
})
const member = Type.Object({
  pk: Type.Integer(),
  username: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  email: Type.String(),
})

/** Only a superuser creates, changes or deletes groups (docs/decisions.md#permissions-for-accounts). */
export const group = resource({
  path: '/api/user/group/',
  name: 'Group',
  description: 'A group of accounts. Its permissions are at `/api/user/ruleset/`; the accounts have its members (`group_ids`).',
  remarks: {
    create: `Its members can view everything until its rule sets are changed. ${CONFIRMATION_REMARK}`,
    update: CONFIRMATION_REMARK,
    delete: `Its members remain, without the permissions of the group. ${CONFIRMATION_REMARK}`,
  },
  example: { pk: 1, create: { name: 'Workshop' }, replace: { name: 'Purchasing' }, change: { name: 'Purchasing and planning' } },
  model: 'group',
  table: userGroup,
  access: readWriteAccess(signedIn, superuser),
  fields: {
    pk: f.pk(userGroup.pk),
    name: f.column(userGroup.name, {
      required: true,
      search: true,
      order: true,
      api530: { metadata: { label: 'name' } },
      help: 'The unique name. New accounts join a group by its name.',
    }),
    roles: f.computed(
      Type.Array(rights),
      `(select coalesce(json_agg(json_build_object('pk', r.pk, 'name', r.name,
          'label', ${selectRoleLabel('r.name')}, 'group', r."group", 'can_view', r.can_view, 'can_add', r.can_add,
          'can_change', r.can_change, 'can_delete', r.can_delete) order by r.pk), '[]')
        {from rule_set} r where r."group" = {pk})`,
      {
        flag: { name: 'role_detail', list: false, detail: false, api530: true },
        help: 'The permissions of its members, by role: its rule sets.',
      },
    ),
    permissions: f.computed(Type.Record(Type.String(), Type.Array(Type.String())), `'{}'::json`, {
      flag: { name: 'permission_detail' },
      api530: { metadata: { label: 'permissions' } },
      help: 'Permissions beyond its roles: always none.',
    }),
    // only staff sees the members of a group, as in the list of accounts
    users: f.computed(
      Type.Array(member),
      `(select coalesce(json_agg(json_build_object('pk', u.pk, 'username', u.username, 'first_name', u.first_name,
          'last_name', u.last_name, 'email', u.email) order by u.username), '[]')
        {from user_group_member} m {join user_account} u on u.pk = m."user" where m."group" = {pk} and {@staff})`,
      { flag: { name: 'user_detail' }, help: 'Its members; empty unless the caller is staff.' },
    ),
  },
  rules: requireConfirmation,
  afterCreate: (write, pk) => recordChange(write, { group: pk, name: { before: null, after: write.values.name } }),
  afterUpdate: (write, pk) =>
    write.after('name') === write.before?.name
      ? undefined
      : recordChange(write, { group: pk, name: { before: write.before?.name, after: write.after('name') } }),
  deletesExclusively: true,
  beforeDelete: async ({ row, ...deletion }) => {
    await requireConfirmation(deletion)
    const members = await deletion.tx.query<{ username: string }>(
      'select u.username from user_group_member m join user_account u on u.pk = m."user" where m."group" = $1 order by u.username',
      [row.pk],
    )
    await recordChange(deletion, {
      group: row.pk,
      name: { before: row.name, after: null },
      members: { before: members.map(({ username }) => username), after: [] },
    })
  },
  constraints: { user_group_name_key: { name: [accountErrors.group_name_taken] } },
})

async function recordChange(write: Pick<Write, 'tx' | 'exchange' | 'caller' | 'accounts'>, details: Record<string, unknown>) {
  invalidateAccounts(write)
  await recordEvent(write, { kind: 'group_changed', actor: write.caller.pk, details })
}
