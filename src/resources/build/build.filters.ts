import type { Filter } from '../../kit/definition/filter.ts'
import { tagFilters } from '../../kit/definition/tags.ts'
import { selectRowsLeadingTo } from '../../kit/sql/chains.ts'
import {
  assignedToMe,
  createDateRangeFilter,
  createOrderDayFilters,
  createPartFilter,
  hasProjectCode,
  selectOwners,
} from '../order/order-filters.ts'
import { partCategory } from '../part/category/part-category.table.ts'
import { part } from '../part/part.table.ts'
import { buildOrder } from './build.table.ts'
import { ACTIVE_STATES, ACTIVE_STATES_SQL, BUILD_STATUS } from './build-status.ts'

/** A build order and all its descendants. */
const SELF_AND_DESCENDANTS = selectRowsLeadingTo('build_order', 'parent')

const createTreeFilter = (sql: string, help: string, negative = false): Filter => ({
  kind: 'reference',
  table: () => buildOrder,
  unknown: 'ignore',
  negative,
  sql,
  help: `${help} An unknown key has no effect.`,
})

/** Filters of the list of build orders that do not belong to a single field. */
export const buildFilters: Record<string, Filter> = {
  ...tagFilters,
  active: {
    kind: 'boolean',
    sql: `{status} in ${ACTIVE_STATES_SQL}`,
    help: 'Whether it is open: pending, in production or on hold.',
  },
  ancestor: createTreeFilter(
    `{pk} in (${SELF_AND_DESCENDANTS}) and {pk} <> {@value}`,
    'Build orders below the one with this key, at any depth.',
  ),
  exclude_tree: createTreeFilter(
    `{pk} not in (${SELF_AND_DESCENDANTS})`,
    'Excludes the build order with this key, and all below it.',
    true,
  ),
  // a number, not a reference: an unknown owner finds nothing
  assigned_to: {
    kind: 'number',
    sql: `{responsible} in (select {@value} union select related.pk {from owner} owner, lateral ${selectOwners('owner."user"')} related (pk) where owner.pk = {@value})`,
    help: 'Build orders for which the user or group with this key in `/api/user/owner/` is responsible; for a user, its groups count too.',
  },
  assigned_to_me: assignedToMe,
  ...createOrderDayFilters('completion_date'),
  outstanding: {
    kind: 'boolean',
    sql: `{status} in ${ACTIVE_STATES_SQL}`,
    help: 'The same as `active`.',
  },
  category: {
    kind: 'reference',
    table: () => partCategory,
    sql: '{part.category} in (select below.pk {from part_category} below where below.path @> array[{@value}])',
    help: 'Build orders for parts in the category with this key, or below it.',
  },
  part: createPartFilter(part, '{part} {parts}', 'Build orders for the part with this key.'),
  has_project_code: hasProjectCode,
  date_range: createDateRangeFilter({
    states: { open: ACTIVE_STATES, complete: BUILD_STATUS.COMPLETE.key, completedOn: 'completion_date' },
  }),
}
