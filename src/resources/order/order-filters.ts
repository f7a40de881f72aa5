import type { Filter } from '../../kit/definition/filter.ts'
import { isDate } from '../../kit/definition/input.ts'
import { tagFilters } from '../../kit/definition/tags.ts'
import { invalid } from '../../kit/request/problem.ts'
import { queryErrors } from '../../kit/values/value-errors.ts'
import { owner } from '../user/owner/owner.table.ts'
import { type HeaderKind, openStates } from './order-kind.ts'

/** Filter by reference: exact, or ignoring case for existing clients (docs/configuration.md#wire-form). */
export const referenceFilter: Filter = {
  kind: 'custom',
  names: { reference: 'The order with exactly this reference.' },
  read: ({ reference = '' }, { config }) => ({
    sql: config.wire.referenceWithoutCase ? 'lower({reference}) = lower({@value})' : '{reference} = {@value}',
    values: [reference],
  }),
}

/** The owners of an account: its own, and those of its groups. */
export const selectOwners = (account: string): string => `(select o.pk {from owner} o where o."user" = ${account}
  or o."group" in (select m."group" {from user_group_member} m where m."user" = ${account}))`

export const assignedToMe: Filter = {
  kind: 'boolean',
  help: 'Whether the caller, or a group of the caller, is responsible for it.',
  sql: `{responsible} in ${selectOwners('{@caller}')}`,
}

export const hasProjectCode: Filter = {
  kind: 'boolean',
  sql: '{project_code} is not null',
  help: 'Whether it has a project code.',
}

/** Filters of every list of orders that do not belong to a single field. */
export const orderFilters = (kind: HeaderKind): Record<string, Filter> => ({
  ...tagFilters,
  assigned_to: {
    kind: 'reference',
    table: () => owner,
    sql: '{responsible} = {@value}',
    help: 'Orders for which the user or group with this key in `/api/user/owner/` is responsible.',
  },
  assigned_to_me: assignedToMe,
  outstanding: {
    kind: 'boolean',
    sql: `{status} in ${openStates(kind)}`,
    help: `Whether it is open, ${kind.words.open}.`,
  },
  has_project_code: hasProjectCode,
})

/** `min_date` and `max_date` together select orders completed or due in this period. Only one of them has no effect. */
export const createDateRangeFilter = (kind: { states: Omit<HeaderKind['states'], 'choices' | 'table'> }): Filter => ({
  kind: 'custom',
  names: {
    min_date: 'With `max_date`: orders completed, or expected if still open, in this period; its first day.',
    max_date: 'The last day of the period that starts with `min_date`.',
  },
  read(query) {
    const values = (['min_date', 'max_date'] as const).map((name) => {
      const value = (query[name] ?? '').trim()
      if (value !== '' && !isDate(value)) throw invalid({ [name]: [queryErrors.filter_date_expected] })
      return value
    })
    if (values.includes('')) return undefined
    const between = 'between {@value}::date and {@value1}::date'
    const { complete, completedOn } = kind.states
    return {
      sql: `({status} = ${complete} and {${completedOn}} ${between}) or ({status} in ${openStates(kind)} and {target_date} ${between})`,
      values,
    }
  },
})
