import { sql } from 'drizzle-orm'
import { integer, pgTable, primaryKey as primaryKeyOf } from 'drizzle-orm/pg-core'
import { filledVarchar, moment, primaryKey, varchar } from '../../kit/sql/columns.ts'

/**
 * Something happened of which accounts may have to be told: written in the transaction in which it did, gone with the one in which they
 * are told, a moment later (ADR 0028). It names its object and who did it by key alone: either may be gone by then.
 */
export const notice = pgTable('notice', {
  pk: primaryKey(),
  /**
   * What happened: `new`, `canceled`, `received`, `responsible`, `overdue` of an order, `completed` and `lacks_stock` of a build order, `low_stock` of a part,
   * `print_failed` of a print, `stocktake` of the report of one, `released` of stock that a count released, `error` of reports of errors, whichever (target 0).
   */
  kind: varchar(20).notNull(),
  /** The kind of object, as existing clients know it: `purchaseorder`. */
  model: varchar(20).notNull(),
  target: integer().notNull(),
  /** The account that did it. */
  actor: integer(),
  created: moment().notNull().default(sql`now()`),
})

/** When an account was last told of an object, by category: of the same within a day only once. */
export const toldNotice = pgTable(
  'told_notice',
  {
    /** Of notifications; behind `event ` that of an event that plugins hear. */
    category: varchar(250).notNull(),
    target: integer().notNull(),
    /** What is told once for good has a name here, such as the day since when an order is overdue. */
    occasion: filledVarchar(30),
    /** The account that was told, by key alone; 0 for what is told once for good, to whoever there is. */
    user: integer().notNull().default(0),
    told: moment().notNull().default(sql`now()`),
  },
  (table) => [primaryKeyOf({ name: 'told_notice_pkey', columns: [table.category, table.target, table.occasion, table.user] })],
)
