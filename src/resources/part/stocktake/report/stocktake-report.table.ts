import { sql } from 'drizzle-orm'
import { index, integer, json, pgTable } from 'drizzle-orm/pg-core'
import { accountReference, day, flag, moment, primaryKey, varchar } from '../../../../kit/sql/columns.ts'
import { userAccount } from '../../../user/user-account.table.ts'

/** A table of what a stocktake found, as a file. */
export const stocktakeReport = pgTable(
  'part_stocktake_report',
  {
    pk: primaryKey(),
    date: day().notNull().default(sql`current_date`),
    /** Path of the file below the media folder. */
    report: varchar(100).notNull(),
    /** How many parts are in it. */
    part_count: integer().notNull().default(0),
    /** Who asked for it; null where nobody did. */
    user: accountReference(() => userAccount.pk, 'set null'),
  },
  (table) => [
    index('part_stocktake_report_report_idx').on(table.report),
    index('part_stocktake_report_user_idx').on(table.user).where(sql`${table.user} is not null`),
  ],
)

/** A stocktake that was asked for. What it found is stored in the transaction that closes it, so that it is stored once. */
export const stocktakeRun = pgTable(
  'stocktake_run',
  {
    pk: primaryKey(),
    requested: moment().notNull().default(sql`now()`),
    finished: moment(),
    /** Nobody asked for it but the clock (STOCKTAKE_AUTO_DAYS). */
    is_automatic: flag(false),
    /** Who asked for it. */
    user: accountReference(() => userAccount.pk, 'cascade'),
    /** What was asked for (`Asked`). */
    asked: json().notNull(),
  },
  (table) => [
    index('stocktake_run_automatic_idx').on(table.requested).where(sql`${table.is_automatic}`),
    index('stocktake_run_user_idx').on(table.user).where(sql`${table.user} is not null`),
  ],
)
