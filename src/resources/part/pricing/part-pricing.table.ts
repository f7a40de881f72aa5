import { pgTable, unique } from 'drizzle-orm/pg-core'
import { currency, flag, instant, money, primaryKey, reference, varchar } from '../../../kit/sql/columns.ts'
import { part } from '../part.table.ts'

/**
 * Price ranges of one unit of a part, as last calculated: one per type of price, and the overall range. All amounts are in `currency`,
 * except the two overrides.
 */
export const partPricing = pgTable(
  'part_pricing',
  {
    pk: primaryKey(),
    part: reference(() => part.pk, 'cascade').notNull(),
    currency: varchar(10).notNull(),
    updated: instant(),
    scheduled_for_update: flag(false),
    bom_cost_min: money(),
    bom_cost_max: money(),
    purchase_cost_min: money(),
    purchase_cost_max: money(),
    internal_cost_min: money(),
    internal_cost_max: money(),
    supplier_price_min: money(),
    supplier_price_max: money(),
    variant_cost_min: money(),
    variant_cost_max: money(),
    /** Overrides of the calculated overall range. */
    override_min: money(),
    override_min_currency: currency().notNull(),
    override_max: money(),
    override_max_currency: currency().notNull(),
    overall_min: money(),
    overall_max: money(),
    sale_price_min: money(),
    sale_price_max: money(),
    sale_history_min: money(),
    sale_history_max: money(),
  },
  (table) => [unique('part_pricing_part_key').on(table.part)],
)
