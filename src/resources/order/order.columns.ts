import { type SQL, sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  check,
  type ExtraConfigColumn,
  index,
  integer,
  type PgColumn,
  type PgTable,
  unique,
} from 'drizzle-orm/pg-core'
import {
  accountReference,
  barcode,
  currency,
  day,
  filledVarchar,
  metadata,
  money,
  notes,
  orderedBy,
  primaryKey,
  quantity,
  reference,
  varchar,
} from '../../kit/sql/columns.ts'
import { address } from '../company/address/address.table.ts'
import { contact } from '../company/contact/contact.table.ts'
import { projectCode } from '../project-code/project-code.table.ts'
import { owner } from '../user/owner/owner.table.ts'
import { userAccount } from '../user/user-account.table.ts'
import { MAX_REFERENCE_LENGTH } from './reference.ts'

/** The columns that every kind of order has. */
export const orderColumns = () => ({
  pk: primaryKey(),
  reference: varchar(MAX_REFERENCE_LENGTH).notNull(),
  /** The number in the reference, at most 2147483647: orders are listed by it. */
  reference_int: integer().notNull().default(0),
  description: filledVarchar(250),
  /** A code of the kind's own states; 10 is pending in each. */
  status: integer().notNull().default(10),
  creation_date: day().default(sql`current_date`),
  created_by: accountReference(() => userAccount.pk, 'set null'),
  target_date: day(),
  /** Number of lines, and of those that are done. Kept by a trigger; extra lines do not count. */
  line_items: integer().notNull().default(0),
  completed_lines: integer().notNull().default(0),
  /** Sum over all lines in `total_price_currency`. Null when an exchange rate is missing. */
  total_price: money(),
  total_price_currency: currency().notNull(),
  /** Null or empty: the currency of the company, then the default currency. */
  order_currency: varchar(3),
  link: filledVarchar(200),
  notes: notes(),
  contact: reference(() => contact.pk, 'set null'),
  address: reference(() => address.pk, 'set null'),
  project_code: reference(() => projectCode.pk, 'set null'),
  responsible: reference(() => owner.pk, 'set null'),
  ...barcode(),
  metadata: metadata(),
})

type Columns<Of> = { [Name in keyof Of]: PgColumn }

/** A table of orders, whatever else it holds. */
export type OrderTable = PgTable & Columns<ReturnType<typeof orderColumns>>

type Indexed = { [Name in keyof ReturnType<typeof orderColumns>]: ExtraConfigColumn }

/**
 * The indexes and checks that every table of orders has. Read backwards, the first ones give the default list order: alone, and
 * for the filters that are used most.
 *
 * @param name the table's own
 * @param company the column of whom the order is with, and its name
 * @param states all states of the kind, and those in which it is open, as SQL lists
 */
export function orderIndexes(
  name: string,
  table: Indexed,
  company: { name: string; column: ExtraConfigColumn },
  states: { all: SQL; open: SQL },
) {
  const listOrder = [table.reference_int, table.reference, table.pk] as const
  const ofSome = (column: ExtraConfigColumn, what: string) =>
    index(`${name}_${what}_idx`).on(column).where(sql`${column} is not null`)
  return [
    unique(`${name}_reference_key`).on(table.reference),
    index(`${name}_order_idx`).on(...listOrder),
    index(`${name}_status_idx`).on(table.status, ...listOrder),
    index(`${name}_${company.name}_idx`).on(company.column, ...listOrder),
    index(`${name}_open_idx`)
      .on(...listOrder)
      .where(sql`${table.status} in ${states.open}`),
    index(`${name}_target_date_idx`).on(table.target_date, table.pk),
    index(`${name}_creation_date_idx`).on(table.creation_date, table.pk),
    ...orderedBy(name, table.pk, table.line_items, table.responsible, table.status, table.total_price),
    ofSome(table.created_by, 'created_by'),
    ofSome(table.contact, 'contact'),
    ofSome(table.address, 'address'),
    ofSome(table.project_code, 'project_code'),
    check(`${name}_status_check`, sql`${table.status} in ${states.all}`),
  ]
}

/** The columns that the lines of every kind of order have. */
export const lineColumns = (order: () => AnyPgColumn) => ({
  pk: primaryKey(),
  order: reference(order, 'cascade').notNull(),
  reference: filledVarchar(100),
  quantity: quantity().notNull().default('1'),
  /** Null: the order's date applies. */
  target_date: day(),
  notes: filledVarchar(500),
  link: filledVarchar(200),
  metadata: metadata(),
})

/** A table of lines of orders, whatever else it holds. */
export type LineTable = PgTable & Columns<ReturnType<typeof lineColumns>>
