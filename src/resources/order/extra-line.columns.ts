import { type AnyPgColumn, index, json, pgTable } from 'drizzle-orm/pg-core'
import { currency, filledVarchar, money, orderedBy } from '../../kit/sql/columns.ts'
import { lineColumns } from './order.columns.ts'

/** A table of the lines of orders that are no part, such as freight. They may be negative, such as a discount. */
export const extraLineTable = <Name extends string>(name: Name, order: () => AnyPgColumn) =>
  pgTable(
    name,
    {
      ...lineColumns(order),
      description: filledVarchar(250),
      /** Price of one. */
      price: money(),
      price_currency: currency().notNull(),
      /** Any JSON, for other programs. */
      context: json(),
    },
    (table) => [
      index(`${name}_order_idx`).on(table.order, table.pk),
      ...orderedBy(name, table.pk, table.quantity, table.reference),
    ],
  )

/** A table of extra lines of one kind of order. */
export type ExtraLineTable = ReturnType<typeof extraLineTable>
