import { sql } from 'drizzle-orm'
import { bigint, index, integer, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { moment, text, varchar } from '../sql/columns.ts'

/**
 * What happened to objects: a row for each change, written in its transaction (by triggers: `watch_events`; named ones by `eventWrite`).
 * Never what was written. ADR 0029 tells in which order they are seen.
 */
export const event = pgTable(
  'event',
  {
    /** In the order in which they were written: of one object, that of the commits. */
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    /** The place in the order in which all readers see it; null until its transaction is committed and it was numbered. */
    position: bigint({ mode: 'number' }),
    /** The table of the object, and its key there. */
    model: varchar(63).notNull(),
    key: integer().notNull(),
    /** `created`, `saved`, `deleted`; or the name of what was done, such as `purchaseorder.placed`. */
    kind: varchar(63).notNull(),
    /** Who did it, where anyone is known. The account may be gone since. */
    account: integer(),
    /** When the transaction of the change began. */
    created: moment().notNull().default(sql`now()`),
  },
  (table) => [
    index('event_unnumbered_idx').on(table.id).where(sql`${table.position} is null`),
    uniqueIndex('event_position_idx').on(table.position).where(sql`${table.position} is not null`),
  ],
)

/** Who reads events, and how far each has come. */
export const eventReader = pgTable('event_reader', {
  name: varchar(150).primaryKey(),
  /** The position of the last event that it had. */
  position: bigint({ mode: 'number' }).notNull(),
  /** The node that delivers to it now, and until when the others leave it alone. */
  holder: text(),
  held_until: moment(),
  /** How often it failed since it last had an event, why, and when it is tried again. */
  failures: integer().notNull().default(0),
  problem: text(),
  retry_at: moment(),
})
