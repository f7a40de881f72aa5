import { sql } from 'drizzle-orm'
import { index, integer, json, pgTable } from 'drizzle-orm/pg-core'
import { accountReference, day, flag, instant, primaryKey, varchar } from '../../../../kit/sql/columns.ts'
import { userAccount } from '../../../user/user-account.table.ts'

/** The result of a stocktake, as a file. */
export const stocktakeReport = pgTable(
  'part_stocktake_report',
  {
    pk: primaryKey(),
    date: day().notNull().default(sql`current_date`),
    /** Path of the file below the media folder. */
    report: varchar(100).notNull(),
    /** Number of parts in it. */
    part_count: integer().notNull().default(0),
    /** User who requested it; null for a scheduled one. */
    user: accountReference(() => userAccount.pk, 'set null'),
  },
  (table) => [
    index('part_stocktake_report_report_idx').on(table.report),
    index('part_stocktake_report_user_idx').on(table.user).where(sql`${table.user} is not null`),
  ],
)

/** A requested stocktake. Its result is stored in the transaction that finishes it, so that it is stored once. */
export const stocktakeRun = pgTable(
  'stocktake_run',
  {
    pk: primaryKey(),
    requested: instant().notNull().default(sql`now()`),
    finished: instant(),
    /** Whether it was started by the schedule (STOCKTAKE_AUTO_DAYS). */
    is_automatic: flag(false),
    /** User who requested it. */
    user: accountReference(() => userAccount.pk, 'cascade'),
    /** The request (`StocktakeRequest`). */
    asked: json().notNull(),
  },
  (table) => [
    index('stocktake_run_automatic_idx').on(table.requested).where(sql`${table.is_automatic}`),
    index('stocktake_run_user_idx').on(table.user).where(sql`${table.user} is not null`),
  ],
)
