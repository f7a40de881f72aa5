import { getTableName } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Choice } from '../../kit/definition/input.ts'
import type { Access } from '../../kit/request/caller.ts'
import { quote } from '../../kit/sql/sql.ts'
import type { OrderKind as ReferencedModel } from '../../plugin-api/index.ts'
import type { ExtraLineTable } from './extra-line.columns.ts'
import type { LineTable, OrderTable } from './order.columns.ts'

/** What has references by a pattern of the settings: every kind of order, and build orders. */
export type Referenced = {
  /** In words: `purchase order`. */
  name: string
  /** As existing clients know it: `purchaseorder`. */
  model: ReferencedModel
  table: PgTable & { reference: PgColumn; reference_int: PgColumn }
  /** What its settings begin with. */
  settings: 'PURCHASEORDER' | 'SALESORDER' | 'RETURNORDER' | 'BUILDORDER'
}

/**
 * What tells one kind of order from another. Everything that the kinds share is made of it: fields, filters and rules of the
 * header, references, totals, lines, extra lines, copies, locks and changes of state.
 */
export type OrderKind = {
  /** In words: `purchase order`. */
  name: string
  /** As existing clients know it: `purchaseorder`. */
  model: 'purchaseorder' | 'salesorder' | 'returnorder'
  /** The address of its list. */
  path: string
  access: Access
  table: OrderTable
  lines: {
    table: LineTable
    /** The column with the price of one; the currency stands in `<price>_currency`. */
    price: string
    /** What a copied line keeps, beside the columns that every line has. */
    copied: readonly string[]
  }
  extraLines: ExtraLineTable
  /** The column of the company that the order is with. */
  company: 'supplier' | 'customer'
  /** What its settings begin with. */
  settings: 'PURCHASEORDER' | 'SALESORDER' | 'RETURNORDER'
  states: {
    choices: readonly Choice[]
    /** Codes of the states in which it is open. */
    open: readonly number[]
    complete: number
    /** The column with the day on which it was completed. */
    completedOn: string
  }
  /** Half sentences for help texts. */
  words: {
    /** After "The day by which". */
    target: string
    /** After "How many of its lines". */
    completed: string
    /** After "lines of which nothing". */
    copied: string
    /** The states and their numbers. */
    states: string
    /** The states in which it is open. */
    open: string
  }
}

/** SQL list of the states in which an order is open. */
export const openStates = ({ states }: { states: Pick<OrderKind['states'], 'open'> }): string => `(${states.open.join(', ')})`

/** The name of a table, quoted. */
export const tableName = (table: PgTable): string => quote(getTableName(table))

/** `Purchase order`. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
