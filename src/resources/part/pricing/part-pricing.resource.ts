import * as f from '../../../kit/definition/field.ts'
import * as input from '../../../kit/definition/input.ts'
import { type Resource, resource, type Write } from '../../../kit/definition/resource.ts'
import { roles } from '../../../kit/request/caller.ts'
import { compare, type Decimal } from '../../../kit/values/decimal.ts'
import { convert } from '../../../kit/values/exchange-rates.ts'
import { currencyField } from '../../currency/currency-field.ts'
import { rejectNegativePrices } from '../../currency/price-rule.ts'
import { defaultCurrency, readRates } from '../../currency/rates.ts'
import { partErrors } from '../part-errors.ts'
import { partPricing as table } from './part-pricing.table.ts'
import { claimDueParts, recalculatePrices } from './recalculate.ts'

type RangeName =
  | 'bom_cost'
  | 'purchase_cost'
  | 'internal_cost'
  | 'supplier_price'
  | 'variant_cost'
  | 'overall'
  | 'sale_price'
  | 'sale_history'

/**
 * Minimum and maximum of one type of price.
 * @param heading what clients of API 530 call it
 */
const rangeFields = (name: RangeName, heading: string, helpText: string): f.Fields => ({
  [`${name}_min`]: f.readonly(table[`${name}_min`], {
    api530: { metadata: { label: `Minimum ${heading}` } },
    help: `The minimum ${helpText}, in \`currency\`; null if unknown.`,
  }),
  [`${name}_max`]: f.readonly(table[`${name}_max`], {
    api530: { metadata: { label: `Maximum ${heading}` } },
    help: `The maximum ${helpText}, in \`currency\`; null if unknown.`,
  }),
})

/** Pricing of a part. It has no list: its URL is below that of the part. */
export const partPricing: Resource = resource({
  path: '/api/part/{id}/pricing/',
  name: 'Part pricing',
  description: 'The calculated cost of one unit of a part: the price range of each source, and the overall range.',
  model: 'partpricing',
  table,
  access: roles('part'),
  fields: {
    currency: f.readonly(table.currency, {
      api530: { metadata: { type: 'choice' } },
      help: 'The currency of all amounts except the overrides.',
    }),
    updated: f.readonly(table.updated, { help: 'When they were last calculated; null if never.' }),
    scheduled_for_update: {
      ...f.readonly(table.scheduled_for_update, { help: 'Whether a calculation is scheduled.' }),
      sql: '{scheduled_for_update} or exists (select {from part_price_due} due where due.part = {part})',
    },
    ...rangeFields('bom_cost', 'BOM Cost', 'cost of the parts in its BOM'),
    ...rangeFields('purchase_cost', 'Purchase Cost', 'price paid for it, on complete purchase orders and for stock'),
    ...rangeFields('internal_cost', 'Internal Price', 'internal price'),
    ...rangeFields('supplier_price', 'Supplier Price', 'supplier price'),
    ...rangeFields('variant_cost', 'Variant Cost', 'price of its variants'),
    override_min: f.column(table.override_min, {
      label: 'Minimum Price',
      help: 'The override of the minimum price, zero or more; empty for none.',
    }),
    override_min_currency: currencyField(table.override_min_currency, {
      label: 'Minimum price currency',
      help: 'The currency of the minimum price.',
    }),
    override_max: f.column(table.override_max, {
      label: 'Maximum Price',
      help: 'The override of the maximum price, zero or more; empty for none.',
    }),
    override_max_currency: currencyField(table.override_max_currency, {
      label: 'Maximum price currency',
      help: 'The currency of the maximum price.',
    }),
    ...rangeFields('overall', 'Cost', 'price across all of these'),
    ...rangeFields('sale_price', 'Sale Price', 'sale price'),
    ...rangeFields('sale_history', 'Sale Cost', 'price it was sold at'),
    update: f.writeOnly(
      input.boolean({
        default: false,
        nullable: true,
        help: 'Has no effect: every change recalculates the prices.',
      }),
    ),
  },
  suggestValues: async (services) => ({ currency: defaultCurrency(services) }),
  rules: checkRange,
  async afterUpdate({ tx, before, settings }) {
    const part = before?.part as number
    await claimDueParts(tx, [part])
    await recalculatePrices(tx, [part], { settings })
  },
})

/** Checks that the minimum override is not above the maximum override, also across currencies. */
async function checkRange({ tx, values, after, errors, settings }: Write): Promise<void> {
  rejectNegativePrices(values, errors, 'override_min', 'override_max')
  if (Object.keys(errors).length > 0) return
  const [minimum, maximum] = [after('override_min'), after('override_max')] as (Decimal | null)[]
  if (minimum == null || maximum == null) return
  const [minimumCurrency, maximumCurrency] = [after('override_min_currency'), after('override_max_currency')] as [string, string]
  const rates = await readRates(tx)
  const currency = minimumCurrency === maximumCurrency ? minimumCurrency : defaultCurrency({ settings })
  const [low, high] = [convert(minimum, minimumCurrency, currency, rates), convert(maximum, maximumCurrency, currency, rates)]
  if (low === null) errors.override_min_currency = [partErrors.no_exchange_rate]
  if (high === null) errors.override_max_currency = [partErrors.no_exchange_rate]
  if (low === null || high === null || compare(low, high) <= 0) return
  errors.override_min = [partErrors.minimum_above_maximum]
  errors.override_max = [partErrors.maximum_below_minimum]
}
