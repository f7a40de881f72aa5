import type { PgColumn } from 'drizzle-orm/pg-core'
import { link } from '../../kit/definition/common.ts'
import * as f from '../../kit/definition/field.ts'
import type { Filter } from '../../kit/definition/filter.ts'
import type { Resource } from '../../kit/definition/resource.ts'
import { createOrderLock } from './lock-orders.ts'
import type { LineTable } from './order.columns.ts'
import { type OrderKind, openStates } from './order-kind.ts'
import { totalsHooks } from './recompute-totals.ts'

/** The order of a line. */
export const orderOfLine = (kind: OrderKind, column: PgColumn): f.Field =>
  f.ref(column, {
    required: true,
    filter: true,
    model: kind.model,
    address: kind.path,
    help: 'The order of the line.',
  })

/** The order itself, on request. */
export const orderDetail = (column: PgColumn, order: () => f.ReadShape): f.Field =>
  f.nested(column, order, { flag: { name: 'order_detail' } })

/** The fields of lines and extra lines of every type of order, except quantity and reference, whose names differ. */
export const lineFields = (kind: OrderKind, table: LineTable, order: () => f.ReadShape): f.Fields => ({
  pk: f.pk(table.pk),
  order: orderOfLine(kind, table.order),
  order_detail: orderDetail(table.order, order),
  link: link(table.link),
})

/** Target date of a line. */
export const lineTargetDate = (table: LineTable): f.Field =>
  f.column(table.target_date, {
    order: true,
    label: 'Target Date',
    help: 'The target date of the line; empty for that of the order.',
  })

/** Filters of lines by properties of their order. */
export const lineFilters = (kind: OrderKind): Record<string, Filter> => ({
  order_status: {
    kind: 'number',
    sql: '{order.status} = {@value}',
    help: `Lines of orders with this status, by its key in \`${kind.path}status/\`.`,
  },
  order_outstanding: orderPending(kind),
  has_pricing: { kind: 'boolean', sql: `{${kind.lines.price}} is not null`, help: 'Whether the line has a price.' },
})

/** Filter for lines by whether their order is complete. */
export const orderComplete = (kind: OrderKind): Filter => ({
  kind: 'boolean',
  sql: `{order.status} = ${kind.states.complete}`,
  help: 'Whether the order is complete.',
})

/** Filter for lines by whether their order is open. */
export const orderPending = (kind: OrderKind): Filter => ({
  kind: 'boolean',
  sql: `{order.status} in ${openStates(kind)}`,
  help: `Whether the order is open, ${kind.words.open}.`,
})

/** Rules for writing lines and extra lines of every type: they lock their order first, and maintain its total. */
export const lineRules = (
  kind: OrderKind,
  table: LineTable,
): Required<Pick<Resource, 'completed' | 'locksFirst' | 'created' | 'updated' | 'deletedAll'>> => ({
  // existing clients may omit the quantity (docs/configuration.md#wire-form)
  completed: ({ services, body }) => (services.config.wireForm === 'inventree' ? { quantity: 1, ...body } : body),
  locksFirst: createOrderLock(kind, table),
  ...(totalsHooks(kind) as Required<ReturnType<typeof totalsHooks>>),
})
