import { sql } from 'drizzle-orm'
import { type ExtraConfigColumn, index, integer, uniqueIndex } from 'drizzle-orm/pg-core'
import {
  accountReference,
  flag,
  instant,
  metadata,
  primaryKey,
  text,
  textArray,
  varchar,
  varcharNotNull,
} from '../../kit/sql/columns.ts'
import { userAccount } from '../user/user-account.table.ts'

/** Columns that the templates of labels and of reports share. */
export const templateColumns = () => ({
  pk: primaryKey(),
  /** The kind of the objects that it prints, as on the wire. */
  model_type: varchar(50).notNull(),
  /** Its key among the templates of this kind, where these have a list of their own: `pk` of the view, such as `part_label`. */
  kind_pk: integer(),
  name: varchar(100).notNull(),
  /** The template: a path below the media folder, or a URL as entered. */
  template: text().notNull(),
  /** The objects that it applies to: `src/resources/printing/filters.ts`. */
  filters: varcharNotNull(250),
  enabled: flag(true),
  /** Number of saves; templates can print it. */
  revision: integer().notNull().default(1),
  /** Whether what it prints is attached to the printed objects. */
  attach_to_model: flag(false),
  /** When it was last saved, and by whom; null for a template that comes with the service, or of an earlier version. */
  updated: instant(),
  updated_by: accountReference(() => userAccount.pk, 'set null'),
  /** Problems that prevent printing it: unknown tags and filters. */
  problems: textArray().notNull().default(sql`'{}'`),
  /** The built-in template that this one was before its file was changed: its path below the media folder. */
  shipped: text(),
  metadata: metadata(),
})

type IndexedColumns = Record<'model_type' | 'kind_pk' | 'template' | 'updated_by', ExtraConfigColumn>

export const templateIndexes = (name: string, table: IndexedColumns) => [
  uniqueIndex(`${name}_kind_pk_key`).on(table.model_type, table.kind_pk),
  index(`${name}_template_idx`).using('hash', table.template),
  index(`${name}_updated_by_idx`).on(table.updated_by).where(sql`${table.updated_by} is not null`),
]
