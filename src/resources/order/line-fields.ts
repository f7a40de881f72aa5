import type { PgColumn } from 'drizzle-orm/pg-core'
import { link } from '../../kit/definition/common.ts'
import * as f from '../../kit/definition/field.ts'
import type { Filter } from '../../kit/definition/filter.ts'
import type { Resource } from '../../kit/definition/resource.ts'
import { projectCodeDetail, projectCodeLabel, projectCodeRef } from '../project-code/project-code.resource.ts'
import { createOrderLock } from './lock-orders.ts'
import type { LineTable } from './order.columns.ts'
import { type HeaderKind, type OrderKind, openStates, showExtended } from './order-kind.ts'
import { totalsHooks } from './recompute-totals.ts'

/** The order of a line. */
export const orderOfLine = (kind: HeaderKind, column: PgColumn): f.Field =>
  f.ref(column, {
    required: true,
    filter: true,
    model: kind.model,
    apiUrl: kind.path,
    help: 'The order of the line.',
  })

/** The order itself, on request. */
export const orderDetail = (column: PgColumn, order: () => f.ReadShape): f.Field =>
  f.nested(column, order, { flag: { name: 'order_detail' } })

/** The fields of lines and extra lines of every type of order, except quantity and reference, whose names differ. */
export const lineFields = (kind: HeaderKind, table: LineTable, order: () => f.ReadShape): f.Fields => ({
  pk: f.pk(table.pk),
  order: orderOfLine(kind, table.order),
  order_detail: orderDetail(table.order, order),
  line: showExtended(
    kind,
    f.column(table.line, {
      api530: { metadata: { default: '' } },
      label: 'Line Number',
      help: 'The number of the line within the order, such as 10 or 3a; may be empty. Lines are sorted by the number in it.',
    }),
  ),
  link: link(table.link),
  project_code: showExtended(kind, projectCodeRef(table.project_code)),
  project_code_label: projectCodeLabel(),
  project_code_detail: showExtended(kind, f.nested(table.project_code, projectCodeDetail)),
})

/** Order of the lists of lines by their numbers: 9 comes before 10. */
export const lineOrder: NonNullable<Resource['order']> = { line: ['{line_int}', '{line}'] }

/** Discount of a line with a price. */
export const lineDiscount = (kind: OrderKind, column: PgColumn): f.Field =>
  showExtended(
    kind,
    f.column(column, {
      min: 0,
      max: 100,
      round: false,
      help: 'The discount on quantity times price, as a percentage from 0 to 100 with up to two decimals.',
    }),
  )

/** Target date of a line. */
export const lineTargetDate = (table: LineTable): f.Field =>
  f.column(table.target_date, {
    order: true,
    label: 'Target Date',
    help: 'The target date of the line; empty for that of the order.',
  })

/** Filters of lines by properties of their order, for orders without prices also. */
export const headerLineFilters = (kind: HeaderKind): Record<string, Filter> => ({
  order_status: {
    kind: 'number',
    sql: '{order.status} = {@value}',
    help: `Lines of orders with this status${kind.states.hasPath === false ? '' : `, by its key in \`${kind.path}status/\``}.`,
  },
  order_outstanding: orderPending(kind),
})

/** Filters of lines with prices. */
export const lineFilters = (kind: OrderKind): Record<string, Filter> => ({
  ...headerLineFilters(kind),
  has_pricing: { kind: 'boolean', sql: `{${kind.lines.price}} is not null`, help: 'Whether the line has a price.' },
})

/** Filter for lines by whether their order is complete. */
export const orderComplete = (kind: HeaderKind): Filter => ({
  kind: 'boolean',
  sql: `{order.status} = ${kind.states.complete}`,
  help: 'Whether the order is complete.',
})

/** Filter for lines by whether their order is open. */
export const orderPending = (kind: HeaderKind): Filter => ({
  kind: 'boolean',
  sql: `{order.status} in ${openStates(kind)}`,
  help: `Whether the order is open, ${kind.words.open}.`,
})

/** Rules for writing lines of every type: they lock their order first. */
export const headerLineRules = (kind: HeaderKind, table: LineTable): Required<Pick<Resource, 'completeBody' | 'locksFirst'>> => ({
  // existing clients may omit the quantity (docs/configuration.md#wire-form)
  completeBody: ({ services, body }) => (services.config.wire.quantityOne ? { quantity: 1, ...body } : body),
  locksFirst: createOrderLock(kind, table),
})

/** Rules for writing lines and extra lines with prices, which maintain the total of the order as well. */
export const lineRules = (
  kind: OrderKind,
  table: LineTable,
): Required<Pick<Resource, 'completeBody' | 'locksFirst' | 'afterCreate' | 'afterUpdate' | 'afterDelete'>> => ({
  ...headerLineRules(kind, table),
  ...(totalsHooks(kind) as Required<ReturnType<typeof totalsHooks>>),
})
