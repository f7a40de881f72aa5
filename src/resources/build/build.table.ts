import { sql } from 'drizzle-orm'
import { type AnyPgColumn, boolean, check, index, integer, pgTable, unique } from 'drizzle-orm/pg-core'
import {
  accountReference,
  barcode,
  createOrderIndexes,
  day,
  metadata,
  notes,
  primaryKey,
  quantity,
  reference,
  tags,
  urlNotNull,
  varchar,
  varcharNotNull,
} from '../../kit/sql/columns.ts'
import { MAX_REFERENCE_LENGTH } from '../../settings/reference-pattern.ts'
import { salesOrder } from '../order/so/so.table.ts'
import { part } from '../part/part.table.ts'
import { projectCode } from '../project-code/project-code.table.ts'
import { stockLocation } from '../stock/location/stock-location.table.ts'
import { owner } from '../user/owner/owner.table.ts'
import { userAccount } from '../user/user-account.table.ts'

/** An order to build a quantity of an assembly. */
export const buildOrder = pgTable(
  'build_order',
  {
    pk: primaryKey(),
    reference: varchar(MAX_REFERENCE_LENGTH).notNull(),
    /** The number in the reference, at most 2147483647; build orders are sorted by it. */
    reference_int: integer().notNull().default(0),
    title: varcharNotNull(100),
    /** The part to build. */
    part: reference(() => part.pk, 'cascade').notNull(),
    /** The build order for which this one builds a component. */
    parent: reference((): AnyPgColumn => buildOrder.pk, 'set null'),
    /** The sales order for which it is built. */
    sales_order: reference(() => salesOrder.pk, 'set null'),
    /** Source location of its components; null for any. */
    take_from: reference(() => stockLocation.pk, 'set null'),
    /** Location of its outputs. */
    destination: reference(() => stockLocation.pk, 'set null'),
    /** Quantity to build, in units of the part. */
    quantity: quantity().notNull().default('1'),
    /** Quantity completed. */
    completed: quantity().notNull().default('0'),
    /** Status code; 10 is pending. */
    status: integer().notNull().default(10),
    /** Custom state of this status; null for none. A trigger clears it when the status changes. */
    status_custom_key: integer(),
    batch: varchar(100),
    /** Whether it is built outside of the workshop. */
    external: boolean().notNull().default(false),
    creation_date: day().default(sql`current_date`),
    /** The day on which work is to start, at the latest the target date. */
    start_date: day(),
    target_date: day(),
    completion_date: day(),
    completed_by: accountReference(() => userAccount.pk, 'set null'),
    issued_by: accountReference(() => userAccount.pk, 'set null'),
    responsible: reference(() => owner.pk, 'set null'),
    project_code: reference(() => projectCode.pk, 'set null'),
    priority: integer().notNull().default(0),
    link: urlNotNull(),
    notes: notes(),
    tags: tags(),
    ...barcode(),
    metadata: metadata(),
  },
  (table) => {
    const listOrder = [table.reference_int, table.reference, table.pk] as const
    const createPartialIndex = (column: AnyPgColumn, name: string) =>
      index(`build_order_${name}_idx`).on(column).where(sql`${column} is not null`)
    return [
      unique('build_order_reference_key').on(table.reference),
      index('build_order_order_idx').on(...listOrder),
      index('build_order_status_idx').on(table.status, ...listOrder),
      index('build_order_part_idx').on(table.part, ...listOrder),
      index('build_order_active_idx')
        .on(...listOrder)
        .where(sql`${table.status} in (10, 20, 25)`),
      index('build_order_start_date_idx').on(table.start_date, table.pk),
      index('build_order_target_date_idx').on(table.target_date, table.pk),
      index('build_order_creation_date_idx').on(table.creation_date, table.pk),
      index('build_order_tags_idx').using('gin', table.tags),
      createPartialIndex(table.parent, 'parent'),
      createPartialIndex(table.sales_order, 'sales_order'),
      createPartialIndex(table.take_from, 'take_from'),
      createPartialIndex(table.destination, 'destination'),
      createPartialIndex(table.completed_by, 'completed_by'),
      ...createOrderIndexes(
        'build_order',
        table.pk,
        table.completed,
        table.completion_date,
        table.quantity,
        table.issued_by,
        table.responsible,
        table.priority,
        table.status,
        table.external,
      ),
      createPartialIndex(table.project_code, 'project_code'),
      createPartialIndex(table.status_custom_key, 'status_custom_key'),
      check('build_order_status_check', sql`${table.status} in (10, 20, 25, 30, 40)`),
      check('build_order_quantity_check', sql`${table.quantity} > 0`),
      check('build_order_completed_check', sql`${table.completed} >= 0`),
      check('build_order_parent_check', sql`${table.parent} <> ${table.pk}`),
    ]
  },
)
