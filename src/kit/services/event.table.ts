import { sql } from 'drizzle-orm'
import { bigint, index, integer, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { instant, text, varchar } from '../sql/columns.ts'

/**
 * Changes of objects: a row for each change, written in its transaction (by triggers, see `watch_events`; events of actions by
 * `buildEventStatement`). Never contains the new values. ADR 0029 explains the order in which readers see them.
 */
export const event = pgTable(
  'event',
  {
    /** In the order in which they were written: for one object, that of the commits. */
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    /** The position in the order that all readers see; null until its transaction has committed and it was numbered. */
    position: bigint({ mode: 'number' }),
    /** The table of the object, and its key there. */
    model: varchar(63).notNull(),
    key: integer().notNull(),
    /** `created`, `saved`, `deleted`; or the name of the action, such as `purchaseorder.placed`. */
    kind: varchar(63).notNull(),
    /** The account that made the change, if known. It may have been deleted since. */
    account: integer(),
    /** Start of the change's transaction. */
    created: instant().notNull().default(sql`now()`),
  },
  (table) => [
    index('event_unnumbered_idx').on(table.id).where(sql`${table.position} is null`),
    uniqueIndex('event_position_idx').on(table.position).where(sql`${table.position} is not null`),
  ],
)

/** Readers of events, and their positions. */
export const eventReader = pgTable('event_reader', {
  name: varchar(150).primaryKey(),
  /** The position of the last event that it received. */
  position: bigint({ mode: 'number' }).notNull(),
  /** The node that currently delivers to it, and the end of its lease. */
  holder: text(),
  held_until: instant(),
  /** Number of failures since it last received an event, the reason, and the time of the next retry. */
  failures: integer().notNull().default(0),
  problem: text(),
  retry_at: instant(),
})
