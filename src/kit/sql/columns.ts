import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  customType,
  date,
  type ExtraConfigColumn,
  index,
  integer,
  json,
  numeric,
  text as plainText,
  uuid as plainUuid,
  varchar as plainVarchar,
  timestamp,
} from 'drizzle-orm/pg-core'

/** The column types of every table. The name of a column is its key in the table's definition. */

/** The effect on a row when the row that it refers to is deleted. */
type OnDelete = 'cascade' | 'set null'

/** The primary key. An import may set it, otherwise the next number is used. */
export const primaryKey = () => integer().primaryKey().generatedByDefaultAsIdentity()

/** A reference to another row. */
export const reference = (getTarget: () => AnyPgColumn, onDelete: OnDelete) => integer().references(getTarget, { onDelete })

/** A reference to an account or group. An import assigns new keys to these, and the references are updated with them. */
export const accountReference = (getTarget: () => AnyPgColumn, onDelete: OnDelete) =>
  integer().references(getTarget, { onDelete, onUpdate: 'cascade' })

/** Text of at most `length` characters. */
export const varchar = <Length extends number>(length: Length) => byCodePoint(plainVarchar({ length }), `varchar(${length})`)

/** Text without a limit. */
export const text = () => byCodePoint(plainText(), 'text')

/** A list of strings. */
export const textArray = () => byCodePoint(plainText().array(), 'text array')

/** Text that is empty rather than null. */
export const varcharNotNull = <Length extends number>(length: Length) => varchar(length).notNull().default('')

/** A URL. Imported ones may be longer than those that clients may enter (`link` of `../definition/common.ts`). */
export const urlColumn = () => varchar(2000)

/** A URL that may be empty, but not null. */
export const urlNotNull = () => varcharNotNull(2000)

/** The names that users attach to an object. */
export const tags = () => textArray().notNull().default(sql`'{}'`)

/** Metadata that clients attach to an object. Stored as received: the service does not interpret it. */
export const metadata = () => json().default({})

/** Markdown notes. */
export const notes = () => varchar(50000)

/** A quantity, in the units of its part or in packs. */
export const quantity = () => numeric({ precision: 19, scale: 5 })

/** An amount of money. Its currency is in a column of its own. */
export const money = () => numeric({ precision: 19, scale: 6 })

/** ISO 4217 code of a currency. The default is a setting, so the application fills it in. */
export const currency = () => varchar(3)

/** A calendar day. */
export const day = () => date({ mode: 'string' })

/** A timestamp, in UTC. */
export const instant = () => timestamp({ withTimezone: true, mode: 'string' })

/** A random, unguessable identifier by which clients know an object. */
export const uuid = () => plainUuid().notNull().defaultRandom()

/** A boolean with a default. */
export const flag = (defaultValue: boolean) => boolean().notNull().default(defaultValue)

/** Raw bytes. */
export const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })

/** Maximum characters of a barcode's text. */
export const MAX_BARCODE_LENGTH = 4_095

/**
 * The barcode that is linked to an object: its text, the MD5 of the text by which a scan finds it, and the same over its decoded form, if
 * that differs.
 */
export const barcode = () => ({
  barcode_data: varcharNotNull(MAX_BARCODE_LENGTH),
  barcode_hash: varcharNotNull(128),
  barcode_key: varcharNotNull(32),
})

/**
 * Orders and compares strings by code point on every machine, whatever the server's locale, so that lists have the same order everywhere and
 * an index survives a change of the locale library. Drizzle has no option for it, but it takes the type as a string.
 */
function byCodePoint<Builder extends object>(builder: Builder, type: string): Builder {
  const buildable = builder as { build(table: unknown): { getSQLType(): string } }
  const build = buildable.build.bind(builder)
  buildable.build = (table) => Object.assign(build(table), { getSQLType: () => `${type} collate "C"` })
  return builder
}

/**
 * An index for each column by which a list can be ordered: scanned forwards or backwards it returns the page, and rows before a later page
 * are skipped in it. The primary key comes last in every order. Not for texts that may be longer than 500 characters, which do not fit into
 * an index, nor for a column that is updated all the time in rows that otherwise stay unchanged (ADR 0035).
 * @param name the name of the table
 */
export const createOrderIndexes = (name: string, key: ExtraConfigColumn, ...columns: ExtraConfigColumn[]) =>
  columns.map((column) => index(`${name}_by_${column.name}_idx`).on(column, key))
