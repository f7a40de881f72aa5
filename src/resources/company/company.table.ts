import { sql } from 'drizzle-orm'
import { index, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { currency, flag, metadata, notes, primaryKey, tags, urlNotNull, varchar, varcharNotNull } from '../../kit/sql/columns.ts'

/** A company that parts are bought from, made by or sold to. */
export const company = pgTable(
  'company',
  {
    pk: primaryKey(),
    name: varchar(100).notNull(),
    description: varcharNotNull(500),
    website: urlNotNull(),
    phone: varcharNotNull(50),
    email: varchar(254),
    /** Name of a person, as free text. */
    contact: varcharNotNull(100),
    link: urlNotNull(),
    /** Path of the picture below the media folder. */
    image: varchar(100),
    /** The currency in which the company quotes. */
    currency: currency().notNull(),
    tax_id: varcharNotNull(50),
    active: flag(true),
    is_customer: flag(false),
    is_manufacturer: flag(false),
    is_supplier: flag(true),
    notes: notes(),
    tags: tags(),
    metadata: metadata(),
  },
  (table) => [
    // two companies may share a name, but not both a name and an email address
    uniqueIndex('company_name_email_key').on(table.name, table.email).where(sql`${table.email} <> ''`),
    index('company_image_idx').on(table.image).where(sql`${table.image} is not null`),
    index('company_name_idx').on(table.name, table.pk),
    index('company_tags_idx').using('gin', table.tags),
  ],
)
