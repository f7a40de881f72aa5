import * as f from '../../../kit/definition/field.ts'
import { type Row, resource, type Write } from '../../../kit/definition/resource.ts'
import { type Caller, signedIn } from '../../../kit/request/caller.ts'
import { invalidObject, Problem } from '../../../kit/request/problem.ts'
import { lockAccount } from '../../auth/lock-account.ts'
import { serviceErrors } from '../../service-errors.ts'
import { user } from '../../user/user.resource.ts'
import { savedView as table } from './saved-view.table.ts'

/** Maximum number of views per account. */
const MAX_VIEWS = 500

/** A path below this site: without another host or a scheme. */
const PATH = /^\/(?![/\\])[^?#\\\p{Cc}\s]*$/u

/** The query of a URL, after the `?`. */
const QUERY = /^(?!\?)[^#\p{Cc}\s]*$/u

/** An account sees its own views, and those that are shared with everyone. */
const rows = () => ({ sql: '{user} = {@caller} or {shared}', values: [] })

export const savedView = resource({
  path: '/api/web/view/',
  name: 'Saved view',
  description:
    'A saved view of a page of a web client: the page and its query, with filters, order and columns. An account sees its own views and shared ones.',
  remarks: {
    create: 'The caller becomes its owner. An account can have at most 500.',
    update: 'Only the owner can change it; staff can also change shared views, which remain shared.',
    delete: 'Only the owner can delete it; staff can also delete shared views.',
  },
  example: {
    pk: 1,
    create: { name: 'Expiring', path: '/stock', query: 'stale=true&ordering=expiry_date' },
    replace: { name: 'Orders', path: '/purchase-orders', query: 'outstanding=true', shared: true },
    change: { query: 'outstanding=true&ordering=target_date' },
    deletable: 2,
  },
  model: 'savedview',
  table,
  access: signedIn,
  rows,
  defaultOrder: ['name'],
  fields: {
    pk: f.pk(table.pk),
    user: f.readonly(table.user, { filter: true, help: 'The owner.' }),
    user_detail: f.nested(table.user, () => user, { flag: { name: 'user_detail' }, help: 'The owner.' }),
    name: f.column(table.name, {
      required: true,
      search: true,
      order: true,
      help: 'The name of the view, unique within an account and page.',
    }),
    path: f.column(table.path, {
      required: true,
      filter: true,
      check: (text) => (PATH.test(text) ? undefined : serviceErrors.view_path),
      help: 'The page of the view.',
    }),
    query: f.column(table.query, {
      check: (text) => (QUERY.test(text) ? undefined : serviceErrors.view_query),
      help: 'Its filters and its order.',
    }),
    shared: f.column(table.shared, { filter: true, help: 'Whether all accounts can see it.' }),
  },
  constraints: {
    saved_view_user_path_name_key: { name: [serviceErrors.view_name_taken] },
  },
  rules,
  beforeDelete: ({ row, caller }) => requireOwner(row, caller),
})

async function rules({ tx, caller, before, hidden, errors, after }: Write): Promise<void> {
  if (before) {
    requireOwner(before, caller)
    // otherwise the change would hide the view from the account that made it
    if (before.user !== caller.pk && !after('shared')) errors.shared = [serviceErrors.view_shared_by_other]
    return
  }
  hidden.user = caller.pk
  // two concurrent requests would both find room for one more
  await lockAccount(tx, caller.pk)
  const existing = await tx.first<{ count: number }>('select count(*) as count from saved_view where "user" = $1', [caller.pk])
  if (existing && existing.count >= MAX_VIEWS) throw invalidObject(serviceErrors.max_views({ max_views: MAX_VIEWS }))
}

/** Rejects changes of a view by others; they see it only because it is shared. @throws Problem 403 */
function requireOwner({ user }: Row, { pk, isStaff, isSuperuser }: Caller): void {
  if (user !== pk && !isStaff && !isSuperuser) throw new Problem('permission_denied', serviceErrors.shared_view_protected)
}
