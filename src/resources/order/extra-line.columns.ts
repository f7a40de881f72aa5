import { type AnyPgColumn, index, json, pgTable } from 'drizzle-orm/pg-core'
import { createOrderIndexes, currency, money, varcharNotNull } from '../../kit/sql/columns.ts'
import { discount, discountCheck, lineColumns, lineIndexes } from './order.columns.ts'

/** A table of order lines without a part, such as freight. They may be negative, such as a discount. */
export const extraLineTable = <Name extends string>(name: Name, order: () => AnyPgColumn) =>
  pgTable(
    name,
    {
      ...lineColumns(order),
      description: varcharNotNull(250),
      /** Unit price. */
      price: money(),
      price_currency: currency().notNull(),
      discount: discount(),
      /** Any JSON, for other programs. */
      context: json(),
    },
    (table) => [
      index(`${name}_order_idx`).on(table.order, table.pk),
      ...createOrderIndexes(name, table.pk, table.quantity, table.reference),
      ...lineIndexes(name, table),
      discountCheck(name, table.discount),
    ],
  )

/** A table of extra lines of one type of order. */
export type ExtraLineTable = ReturnType<typeof extraLineTable>
