import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { superuser } from '../../../kit/request/caller.ts'
import { requireStillSuperuser } from '../recheck-superuser.ts'
import { recordEvent } from '../security-event/record-event.ts'
import { userBrief } from '../user.resource.ts'
import { invitation } from './invitation.table.ts'

const groups = `coalesce((select json_agg(json_build_object('pk', g.pk, 'name', g.name) order by g.name)
  {from invitation_group} i {join user_group} g on g.pk = i."group" where i.invitation = {pk}), '[]')`

/** Open invitations, for superusers (docs/decisions.md#invitations). */
export const invitations = resource({
  path: '/api/user/invitation/',
  name: 'Invitation',
  description:
    'An open invitation: anyone who has its link can create an account with its groups and permissions, once. It ends when it is accepted or revoked, when it expires, or when the account that created it no longer is an active superuser.',
  remarks: { delete: 'Revokes it: its link becomes invalid immediately.' },
  example: { pk: 1, hasNoObject: true },
  model: 'invitation',
  table: invitation,
  access: superuser,
  without: ['create', 'update'],
  fields: {
    pk: f.pk(invitation.pk),
    email: f.readonly(invitation.email, {
      search: true,
      order: true,
      help: 'The address of the invited person; empty if it is unknown.',
    }),
    groups: f.computed(Type.Array(Type.Object({ pk: Type.Integer(), name: Type.String() })), groups, {
      help: 'The groups that the account joins.',
    }),
    is_staff: f.readonly(invitation.is_staff, {
      label: 'Staff status',
      filter: true,
      help: 'Whether the account becomes staff.',
    }),
    is_superuser: f.readonly(invitation.is_superuser, {
      label: 'Superuser status',
      filter: true,
      help: 'Whether the account becomes a superuser.',
    }),
    is_mailed: f.readonly(invitation.is_mailed, { help: 'Whether its link is emailed.' }),
    created: f.readonly(invitation.created, { order: true, help: 'When it was created.' }),
    expires: f.readonly(invitation.expires, { order: true, help: 'When its link expires.' }),
    expired: f.computed(Type.Boolean(), '{expires} <= now()', { type: 'boolean', help: 'Whether its link has expired.' }),
    created_by: f.ref(invitation.created_by, {
      readonly: true,
      filter: true,
      model: 'user',
      apiUrl: '/api/user/',
      help: 'The account that created it.',
    }),
    created_by_detail: f.nested(invitation.created_by, userBrief, { help: 'The account that created it.' }),
  },
  defaultOrder: ['-created'],
  async beforeDelete(deletion) {
    await requireStillSuperuser(deletion)
    const { caller, row } = deletion
    await recordEvent(deletion, {
      kind: 'invitation_revoked',
      actor: caller.pk,
      details: { invitation: row.pk, email: row.email },
    })
  },
})
