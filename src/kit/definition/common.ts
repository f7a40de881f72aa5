import type { PgColumn } from 'drizzle-orm/pg-core'
import * as f from './field.ts'

/** Fields of columns that many tables share (`kit/sql/columns.ts`), each with its meaning. */

type Options = Parameters<typeof f.column>[1]

/** The MD5 of the barcode that is linked to an object; set by linking, not written. */
export const barcodeHash = (column: PgColumn): f.Field =>
  f.readonly(column, { label: 'Barcode Hash', help: 'The MD5 hash of the linked barcode; empty without one.' })

/** Maximum length of a URL that clients enter, in characters. Imported ones may have up to 2,000. */
const MAX_LINK_LENGTH = 200

/** The same for clients of API 530. */
export const MAX_LONG_LINK_LENGTH = 2_000

/** A URL. A longer one that was imported is accepted unchanged, from clients that return the whole object. */
export function link(column: PgColumn, options: Options = {}): f.Field {
  const field = f.column(column, {
    format: 'url',
    max: MAX_LINK_LENGTH,
    help: 'A link to an external page, with http, https, ftp or ftps; empty for none.',
    ...options,
  })
  const input = field.input as NonNullable<f.Field['input']>
  const longInput = f.column(column, { format: 'url', ...options, max: MAX_LONG_LINK_LENGTH }).input as typeof input
  const read: typeof input.read = (value, reading, fail) => {
    if (value === reading.before?.[column.name]) return value
    return (reading.services.config.wire.longLinks ? longInput : input).read(value, reading, fail)
  }
  return { ...field, input: { ...input, read } }
}

/** Markdown notes. */
export const notes = (column: PgColumn): f.Field =>
  f.column(column, { multiline: true, help: 'Notes in Markdown, with line breaks.' })
