import { sql } from 'drizzle-orm'
import { check, index, pgTable, unique } from 'drizzle-orm/pg-core'
import { createOrderIndexes, currency, instant, money, primaryKey, quantity, reference } from '../../kit/sql/columns.ts'
import { part } from './part.table.ts'

/** A table of part prices, each from a minimum quantity. */
export const partPriceTable = (name: string) =>
  pgTable(
    name,
    {
      pk: primaryKey(),
      part: reference(() => part.pk, 'cascade').notNull(),
      /** Minimum quantity for this price, in units of the part. */
      quantity: quantity().notNull().default('1'),
      /** Price of one unit. */
      price: money(),
      price_currency: currency().notNull(),
      updated: instant(),
    },
    (table) => [
      unique(`${name}_part_quantity_key`).on(table.part, table.quantity),
      index(`${name}_quantity_idx`).on(table.quantity, table.pk),
      ...createOrderIndexes(name, table.pk, table.price),
      check(`${name}_quantity_check`, sql`${table.quantity} >= 1`),
    ],
  )

export type PartPriceTable = ReturnType<typeof partPriceTable>
