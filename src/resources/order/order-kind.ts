import { getTableName } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { extended, type Field } from '../../kit/definition/field.ts'
import type { Choice } from '../../kit/definition/input.ts'
import type { Access } from '../../kit/request/caller.ts'
import { quote } from '../../kit/sql/sql.ts'
import type { OrderKind as ReferencedModel } from '../../plugin-api/index.ts'
import type { StatusName } from '../generic/status/custom/custom-states.ts'
import type { ExtraLineTable } from './extra-line.columns.ts'
import type { HeaderTable, LineTable, OrderTable } from './order.columns.ts'

/** A type of object whose references follow a pattern in the settings: every type of order, and build orders. */
export type ReferencedOrder = {
  /** Its name in words: `purchase order`. */
  name: string
  /** Its name for existing clients: `purchaseorder`. */
  model: ReferencedModel
  table: PgTable & { reference: PgColumn; reference_int: PgColumn }
  /** Prefix of its settings. */
  settings: 'PURCHASEORDER' | 'SALESORDER' | 'RETURNORDER' | 'TRANSFERORDER' | 'BUILDORDER'
}

/**
 * The differences between types of orders. Everything that they share is built from it: fields, filters and rules of the header,
 * references, lines, copies, locks and status changes.
 */
export type HeaderKind = {
  /** Its name in words: `purchase order`. */
  name: string
  /** Its name for existing clients: `purchaseorder`. */
  model: 'purchaseorder' | 'salesorder' | 'returnorder' | 'transferorder'
  /** The URL of its list. */
  path: string
  access: Access
  table: HeaderTable
  lines: {
    table: LineTable
    /** Columns that a copied line keeps, in addition to those that every line has. */
    copied: readonly string[]
  }
  /** Prefix of its settings. */
  settings: 'PURCHASEORDER' | 'SALESORDER' | 'RETURNORDER' | 'TRANSFERORDER'
  states: {
    /** Its status table. */
    table: StatusName
    choices: readonly Choice[]
    /** Codes of the statuses in which it is open. */
    open: readonly number[]
    complete: number
    /** Whether they have a list of their own below the path of the orders. */
    hasPath?: boolean
    /** The column with its completion date. */
    completedOn: string
  }
  /** Parts of sentences for help texts. */
  words: {
    /** After "The day by which". */
    target: string
    /** After "How many of its lines". */
    completed: string
    /** After "lines of which nothing". */
    copied: string
    /** The statuses and their numbers. */
    states: string
    /** The statuses in which it is open. */
    open: string
  }
}

/** A type of order with a company and prices, and so with totals and other charges. */
export type OrderKind = HeaderKind & {
  model: 'purchaseorder' | 'salesorder' | 'returnorder'
  table: OrderTable
  lines: {
    /** The column with the unit price; the currency is in `<price>_currency`. */
    price: string
  }
  extraLines: ExtraLineTable
  /** The column with the company of the order. */
  company: 'supplier' | 'customer'
}

/** Whether orders of a type have prices. */
export const hasPrices = (kind: HeaderKind): kind is OrderKind => 'extraLines' in kind

/** A field that orders with prices, and their lines, do not have in API 196. */
export const showExtended = (kind: HeaderKind, field: Field): Field => (hasPrices(kind) ? extended(field) : field)

/** SQL list of the statuses in which an order is open. */
export const openStates = ({ states }: { states: Pick<OrderKind['states'], 'open'> }): string => `(${states.open.join(', ')})`

/** The name of a table, quoted. */
export const tableName = (table: PgTable): string => quote(getTableName(table))

/** Capitalizes the first letter: `Purchase order`. */
export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
