import { sql } from 'drizzle-orm'
import { index, integer, pgTable } from 'drizzle-orm/pg-core'
import { accountReference, instant, primaryKey, varchar } from '../../kit/sql/columns.ts'
import { userAccount } from '../user/user-account.table.ts'

/** A picture shown in notes by its URL. */
export const notesImage = pgTable(
  'notes_image',
  {
    pk: primaryKey(),
    /** Path of the picture below the media folder. */
    image: varchar(100).notNull(),
    /** The account that uploaded it. */
    user: accountReference(() => userAccount.pk, 'set null'),
    /** The kind of object whose notes show it, such as `part`. */
    model_type: varchar(100),
    /** The key of that object. */
    model_id: integer(),
    date: instant().notNull().default(sql`now()`),
  },
  (table) => [
    index('notes_image_image_idx').on(table.image),
    index('notes_image_user_idx').on(table.user).where(sql`${table.user} is not null`),
  ],
)
