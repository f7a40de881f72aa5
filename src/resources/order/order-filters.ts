import type { PgTable } from 'drizzle-orm/pg-core'
import { type Condition, type Filter, readKey, TRUE_WORDS, unknownReference } from '../../kit/definition/filter.ts'
import { isDate } from '../../kit/definition/input.ts'
import { tagFilters } from '../../kit/definition/tags.ts'
import { invalid } from '../../kit/request/problem.ts'
import { queryErrors } from '../../kit/values/value-errors.ts'
import { owner } from '../user/owner/owner.table.ts'
import { userAccount } from '../user/user-account.table.ts'
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

/** Filters by a day: before and after it. */
export const createDayFilters = (name: string, column: string, words: string): Record<string, Filter> => ({
  [`${name}_before`]: { kind: 'date', sql: `{${column}} < {@value}`, help: `Those ${words} before this day.` },
  [`${name}_after`]: { kind: 'date', sql: `{${column}} > {@value}`, help: `Those ${words} after this day.` },
})

/** Filters by the days of orders and of build orders. */
export const createOrderDayFilters = (completedOn: string): Record<string, Filter> => ({
  ...createDayFilters('created', 'creation_date', 'created'),
  ...createDayFilters('completed', completedOn, 'completed'),
  ...createDayFilters('start_date', 'start_date', 'that start'),
  ...createDayFilters('target_date', 'target_date', 'that are due'),
  has_start_date: { kind: 'boolean', sql: '{start_date} is not null', help: 'Whether it has a start date.' },
  has_target_date: { kind: 'boolean', sql: '{target_date} is not null', help: 'Whether it has a target date.' },
})

/**
 * Filter by a part, with its variants if `include_variants` is true.
 * @param sql the condition for the parts that `{parts}` stands for: ` = 7` or ` in (...)`
 */
export const createPartFilter = (table: PgTable, sql: string, help: string, ignoresUnknown = false): Filter => ({
  kind: 'custom',
  names: { part: help, include_variants: 'With `part`: whether its variants count as well. Off by default.' },
  read(query, { config }) {
    if (!query.part) return undefined
    const ignore = ignoresUnknown && !config.wire.rejectsUnknownKeys
    const pk = readKey(query.part)
    if (pk === undefined) {
      if (ignore) return undefined
      throw unknownReference('part')
    }
    const parts = TRUE_WORDS.has((query.include_variants ?? '').toLowerCase())
      ? 'in (select variant.pk {from part} variant where variant.path @> array[{@value}::integer])'
      : '= {@value}::integer'
    const condition = { sql: sql.replaceAll('{parts}', parts), values: [pk] }
    return { name: 'part', table, pk, negative: false, ignore, condition }
  },
})

/** Filters of every list of orders that do not belong to a single field. */
export const orderFilters = (kind: HeaderKind): Record<string, Filter> => ({
  ...tagFilters,
  ...createOrderDayFilters(kind.states.completedOn),
  ...createDayFilters('updated', 'updated_at', 'last changed'),
  created_by: {
    kind: 'reference',
    table: () => userAccount,
    sql: '{created_by} = {@value}',
    help: 'Orders that the account with this key created.',
  },
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

/**
 * `min_date` and `max_date` together select orders completed or due in this period; only one of them has no effect. For clients of API 530
 * each limits the period on its side, and orders match whose creation, start and target dates overlap it.
 */
export const createDateRangeFilter = (kind: { states: Omit<HeaderKind['states'], 'choices' | 'table'> }): Filter => ({
  kind: 'custom',
  names: {
    min_date:
      'With `max_date`: orders completed, or expected if still open, in this period; its first day. For clients of API 530 also alone: orders that are created, start or are due on this day or later.',
    max_date:
      'The last day of the period that starts with `min_date`. For clients of API 530 also alone: orders that are created, start or are due on this day or earlier.',
  },
  read(query, { config }) {
    const values = (['min_date', 'max_date'] as const).map((name) => {
      const value = (query[name] ?? '').trim()
      if (value !== '' && !isDate(value)) throw invalid({ [name]: [queryErrors.filter_date_expected] })
      return value
    })
    if (config.wire.openPeriods) return overlapPeriod(values)
    if (values.includes('')) return undefined
    const between = 'between {@value}::date and {@value1}::date'
    const { complete, completedOn } = kind.states
    return {
      sql: `({status} = ${complete} and {${completedOn}} ${between}) or ({status} in ${openStates(kind)} and {target_date} ${between})`,
      values,
    }
  },
})

const DAYS = '{creation_date}, {start_date}, {target_date}'

/** The orders whose days overlap a period, which may be open on either side. */
function overlapPeriod([from, to]: readonly string[]): Condition | undefined {
  const conditions = [...(from ? [`greatest(${DAYS}) >= `] : []), ...(to ? [`least(${DAYS}) <= `] : [])]
  if (conditions.length === 0) return undefined
  return {
    sql: conditions.map((condition, index) => `${condition}{@value${index || ''}}::date`).join(' and '),
    values: [from, to].filter(Boolean),
  }
}
