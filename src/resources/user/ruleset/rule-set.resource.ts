import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { resource, type Write } from '../../../kit/definition/resource.ts'
import { readWriteAccess, signedIn, superuser } from '../../../kit/request/caller.ts'
import { CONFIRMATION_REMARK, requireConfirmation } from '../../auth/confirm/require-confirmation.ts'
import { ruleSet } from '../group/user-group.table.ts'
import { invalidateAccounts } from '../invalidate-accounts.ts'
import { selectRoleLabel } from '../rights.ts'
import { listChanges } from '../security-event/list-changes.ts'
import { recordEvent } from '../security-event/record-event.ts'

/** The permissions of a rule set. */
export const RULE_FLAGS = ['can_view', 'can_add', 'can_change', 'can_delete'] as const

const label = selectRoleLabel('{name}')

/** Only a superuser changes rule sets (docs/decisions.md#permissions-for-accounts). */
export const ruleSetResource = resource({
  path: '/api/user/ruleset/',
  name: 'Rule set',
  description:
    'The permissions of a group in one role. Each group has one rule set for each role, created and deleted with it. An account has the permissions of all its groups.',
  remarks: {
    update: `Permission to add or delete includes permission to change, and each of these includes permission to view. Changes take effect at the next request. ${CONFIRMATION_REMARK}`,
  },
  example: { pk: 1, replace: { can_view: true }, change: { can_view: true } },
  model: 'ruleset',
  table: ruleSet,
  access: readWriteAccess(signedIn, superuser),
  without: ['create', 'delete'],
  fields: {
    pk: f.pk(ruleSet.pk),
    name: f.readonly(ruleSet.name, {
      filter: true,
      search: true,
      order: true,
      api530: { metadata: { type: 'choice' } },
      help: 'The role, such as `purchase_order`.',
    }),
    label: f.computed(Type.String(), label, { api530: { metadata: { type: 'field' } }, help: 'The name of the role.' }),
    group: f.ref(ruleSet.group, {
      readonly: true,
      filter: true,
      order: true,
      model: 'group',
      apiUrl: '/api/user/group/',
      api530: { metadata: { type: 'field' } },
      help: 'The group.',
    }),
    can_view: f.column(ruleSet.can_view, {
      api530: { metadata: { label: 'View', default: false } },
      help: 'Permission to view.',
    }),
    can_add: f.column(ruleSet.can_add, {
      api530: { metadata: { label: 'Add' } },
      help: 'Permission to create objects and run actions.',
    }),
    can_change: f.column(ruleSet.can_change, {
      api530: { metadata: { label: 'Change' } },
      help: 'Permission to change objects.',
    }),
    can_delete: f.column(ruleSet.can_delete, {
      api530: { metadata: { label: 'Delete' } },
      help: 'Permission to delete objects.',
    }),
  },
  rules: async (write) => {
    await requireConfirmation(write)
    addImpliedRights(write)
  },
  afterUpdate: recordRights,
})

/** Adds implied permissions: add and delete imply change, and each of them implies view. */
function addImpliedRights({ values, after }: Write): void {
  if (after('can_add') || after('can_delete')) values.can_change = true
  if (after('can_change')) values.can_view = true
}

async function recordRights(write: Write): Promise<void> {
  invalidateAccounts(write)
  const { tx, before, after, caller } = write
  if (!before) return
  const changes = listChanges(RULE_FLAGS, (flag) => before[flag], after)
  if (Object.keys(changes).length === 0) return
  const group = await tx.first<{ name: string }>('select name from user_group where pk = $1', [before.group])
  await recordEvent(write, {
    kind: 'rights_changed',
    actor: caller.pk,
    details: { group: group?.name, role: before.name, ...changes },
  })
}
