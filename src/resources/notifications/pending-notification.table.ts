import { sql } from 'drizzle-orm'
import { integer, pgTable, primaryKey as primaryKeyOf } from 'drizzle-orm/pg-core'
import { instant, primaryKey, varchar, varcharNotNull } from '../../kit/sql/columns.ts'

/**
 * A notification that is not delivered yet: written in the transaction that causes it, deleted shortly after in the one that notifies the
 * accounts (ADR 0028). It refers to its object and actor by key only, since either may be deleted by then.
 */
export const pendingNotification = pgTable('notice', {
  pk: primaryKey(),
  /**
   * Kind of event: `new`, `held`, `canceled`, `received`, `responsible`, `overdue` of an order, `completed` and `lacks_stock` of a build order,
   * `low_stock` of a part, `print_failed` of a print, `stocktake` of a stocktake report, `released` of stock that a count released, `error`
   * of any error reports (target 0).
   */
  kind: varchar(20).notNull(),
  /** Type of object, as existing clients know it: `purchaseorder`. */
  model: varchar(20).notNull(),
  target: integer().notNull(),
  /** The account that caused it. */
  actor: integer(),
  created: instant().notNull().default(sql`now()`),
})

/** Time when an account was last notified of an object, by category; it is notified at most once a day. */
export const sentNotification = pgTable(
  'told_notice',
  {
    /** Category of notifications; with the prefix `event ` that of an event that plugins receive. */
    category: varchar(250).notNull(),
    target: integer().notNull(),
    /** Name of a notification that is sent only once, such as the day since which an order is overdue. */
    occasion: varcharNotNull(30),
    /** The notified account, by key only; 0 for a notification that is sent only once to all recipients. */
    user: integer().notNull().default(0),
    told: instant().notNull().default(sql`now()`),
  },
  (table) => [primaryKeyOf({ name: 'told_notice_pkey', columns: [table.category, table.target, table.occasion, table.user] })],
)
