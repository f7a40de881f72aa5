import type { PgColumn } from 'drizzle-orm/pg-core'
import * as f from './field.ts'

/** Fields of columns that many tables share (`kit/sql/columns.ts`), each with its meaning. */

type Options = Parameters<typeof f.column>[1]

/** The MD5 of the barcode that is linked to an object; set by linking, not written. */
export const barcodeHash = (column: PgColumn): f.Field =>
  f.readonly(column, { label: 'Barcode Hash', help: 'The MD5 hash of the linked barcode; empty without one.' })

/** A web address. */
export const link = (column: PgColumn, options: Options = {}): f.Field =>
  f.column(column, {
    format: 'url',
    help: 'A link to an external page, with http, https, ftp or ftps; empty for none.',
    ...options,
  })

/** Markdown notes. */
export const notes = (column: PgColumn): f.Field =>
  f.column(column, { multiline: true, help: 'Notes in Markdown, with line breaks.' })
