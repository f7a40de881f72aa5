import { type SQL, sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  check,
  type ExtraConfigColumn,
  index,
  integer,
  numeric,
  type PgColumn,
  type PgTable,
  unique,
} from 'drizzle-orm/pg-core'
import {
  accountReference,
  barcode,
  createOrderIndexes,
  currency,
  day,
  instant,
  metadata,
  money,
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
import { address } from '../company/address/address.table.ts'
import { contact } from '../company/contact/contact.table.ts'
import { projectCode } from '../project-code/project-code.table.ts'
import { owner } from '../user/owner/owner.table.ts'
import { userAccount } from '../user/user-account.table.ts'

/** Columns shared by all order tables, also those of orders without prices. */
export const headerColumns = () => ({
  pk: primaryKey(),
  reference: varchar(MAX_REFERENCE_LENGTH).notNull(),
  /** Number in the reference, at most 2147483647; orders are sorted by it. */
  reference_int: integer().notNull().default(0),
  description: varcharNotNull(250),
  /** Status code of the order type; 10 is pending in each type. */
  status: integer().notNull().default(10),
  /** Custom state of this status; null for none. A trigger clears it when the status changes. */
  status_custom_key: integer(),
  creation_date: day().default(sql`current_date`),
  created_by: accountReference(() => userAccount.pk, 'set null'),
  /** Day on which work on it begins. */
  start_date: day(),
  target_date: day(),
  /** Time of the last change of its own columns. Maintained by a trigger; null for imported orders that did not state it. */
  updated_at: instant().default(sql`now()`),
  /** Number of lines, and of completed lines. Maintained by a trigger; extra lines do not count. */
  line_items: integer().notNull().default(0),
  completed_lines: integer().notNull().default(0),
  link: urlNotNull(),
  notes: notes(),
  contact: reference(() => contact.pk, 'set null'),
  address: reference(() => address.pk, 'set null'),
  project_code: reference(() => projectCode.pk, 'set null'),
  responsible: reference(() => owner.pk, 'set null'),
  tags: tags(),
  ...barcode(),
  metadata: metadata(),
})

/** Columns shared by the tables of orders with prices. */
export const orderColumns = () => ({
  ...headerColumns(),
  /** Sum over all lines in `total_price_currency`. Null when an exchange rate is missing. */
  total_price: money(),
  total_price_currency: currency().notNull(),
  /** Null or empty: the currency of the company, then the default currency. */
  order_currency: varchar(3),
})

type Columns<Of> = { [Name in keyof Of]: PgColumn }

/** A table with the columns that all orders share. */
export type HeaderTable = PgTable & Columns<ReturnType<typeof headerColumns>>

/** A table with the shared columns of orders with prices. */
export type OrderTable = PgTable & Columns<ReturnType<typeof orderColumns>>

type IndexedColumns = { [Name in keyof ReturnType<typeof headerColumns>]: ExtraConfigColumn }

/**
 * Indexes and checks shared by all order tables. The first ones, scanned backwards, give the default list order: alone, and for the most
 * common filters.
 *
 * @param name name of the table
 * @param states all status codes of the order type, and those of open orders, as SQL lists
 */
export function headerIndexes(name: string, table: IndexedColumns, states: { all: SQL; open: SQL }) {
  const listOrder = [table.reference_int, table.reference, table.pk] as const
  const createPartialIndex = (column: ExtraConfigColumn, suffix: string) =>
    index(`${name}_${suffix}_idx`).on(column).where(sql`${column} is not null`)
  return [
    unique(`${name}_reference_key`).on(table.reference),
    index(`${name}_order_idx`).on(...listOrder),
    index(`${name}_status_idx`).on(table.status, ...listOrder),
    index(`${name}_open_idx`)
      .on(...listOrder)
      .where(sql`${table.status} in ${states.open}`),
    index(`${name}_target_date_idx`).on(table.target_date, table.pk),
    index(`${name}_creation_date_idx`).on(table.creation_date, table.pk),
    ...createOrderIndexes(
      name,
      table.pk,
      table.line_items,
      table.responsible,
      table.start_date,
      table.status,
      table.created_by,
      table.updated_at,
    ),
    createPartialIndex(table.created_by, 'created_by'),
    createPartialIndex(table.contact, 'contact'),
    createPartialIndex(table.address, 'address'),
    createPartialIndex(table.project_code, 'project_code'),
    createPartialIndex(table.status_custom_key, 'status_custom_key'),
    index(`${name}_tags_idx`).using('gin', table.tags),
    check(`${name}_status_check`, sql`${table.status} in ${states.all}`),
  ]
}

/**
 * The same for orders with prices.
 * @param company column of the other party of the order, and its name
 */
export const orderIndexes = (
  name: string,
  table: IndexedColumns & { total_price: ExtraConfigColumn },
  company: { name: string; column: ExtraConfigColumn },
  states: { all: SQL; open: SQL },
) => [
  ...headerIndexes(name, table, states),
  index(`${name}_${company.name}_idx`).on(company.column, table.reference_int, table.reference, table.pk),
  ...createOrderIndexes(name, table.pk, table.total_price),
]

/** Columns shared by all order line tables. */
export const lineColumns = (order: () => AnyPgColumn) => ({
  pk: primaryKey(),
  order: reference(order, 'cascade').notNull(),
  /** Number of the line as people write it, such as 10 or 3a; may be empty. */
  line: varcharNotNull(20),
  /** The first number in it; lines are sorted by it. */
  line_int: integer()
    .notNull()
    .generatedAlwaysAs(sql`least(coalesce(substring(line from '[0-9]+'), '0')::numeric, 2147483647)::integer`),
  reference: varcharNotNull(100),
  quantity: quantity().notNull().default('1'),
  /** Null if the order's date applies. */
  target_date: day(),
  notes: varcharNotNull(500),
  link: urlNotNull(),
  project_code: reference(() => projectCode.pk, 'set null'),
  metadata: metadata(),
})

/** A table with the shared order line columns. */
export type LineTable = PgTable & Columns<ReturnType<typeof lineColumns>>

type IndexedLineColumns = Record<'pk' | 'line' | 'line_int' | 'project_code', ExtraConfigColumn>

/** Indexes shared by all order line tables. */
export const lineIndexes = (name: string, table: IndexedLineColumns) => [
  index(`${name}_by_line_idx`).on(table.line_int, table.line, table.pk),
  index(`${name}_project_code_idx`).on(table.project_code).where(sql`${table.project_code} is not null`),
]

/** Discount of a line with a price, in percent: its amount is quantity times price, less this (`lineAmount` of `total.ts`). */
export const discount = () => numeric({ precision: 5, scale: 2 }).notNull().default('0')

export const discountCheck = (name: string, column: ExtraConfigColumn) =>
  check(`${name}_discount_check`, sql`${column} between 0 and 100`)
