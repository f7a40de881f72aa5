import type { Filter } from '../../kit/definition/filter.ts'
import { leadingTo } from '../../kit/sql/chains.ts'
import { assignedToMe, hasProjectCode, inDateRange, ownersOf } from '../order/order-filters.ts'
import { buildOrder } from './build.table.ts'
import { ACTIVE, ACTIVE_STATES, BUILD_STATUS } from './build-status.ts'

/** A build order and all its descendants. */
const below = leadingTo('build_order', 'parent')

const ofTree = (sql: string, help: string): Filter => ({
  kind: 'reference',
  table: () => buildOrder,
  unknown: 'ignore',
  sql,
  help: `${help} An unknown key has no effect.`,
})

/** Filters of the list of build orders that do not belong to a single field. (The reference description of parts and builds, section 12.) */
export const buildFilters: Record<string, Filter> = {
  active: { kind: 'boolean', sql: `{status} in ${ACTIVE}`, help: 'Whether it is open: pending or in production.' },
  ancestor: ofTree(`{pk} in (${below}) and {pk} <> {@value}`, 'Build orders below the one with this key, at any depth.'),
  exclude_tree: ofTree(`{pk} not in (${below})`, 'Excludes the build order with this key, and all below it.'),
  // a number, not a reference: an unknown owner finds nothing
  assigned_to: {
    kind: 'number',
    sql: `{responsible} in (select {@value} union select o.pk {from owner} own, lateral ${ownersOf('own."user"')} o (pk) where own.pk = {@value})`,
    help: 'Build orders for which the user or group with this key in `/api/user/owner/` is responsible; for a user, its groups count too.',
  },
  assigned_to_me: assignedToMe,
  has_project_code: hasProjectCode,
  date_range: inDateRange({
    states: { open: ACTIVE_STATES, complete: BUILD_STATUS.COMPLETE.key, completedOn: 'completion_date' },
  }),
}
