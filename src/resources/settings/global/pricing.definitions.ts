import { flag, integer } from '../setting.ts'

/** What counts towards the price of a part, and how prices are shown. */
export const pricingSettings = {
  PRICING_DECIMAL_PLACES_MIN: integer(
    0,
    'Minimum Pricing Decimal Places',
    'Interfaces show prices with at least so many decimals.',
    { min: 0, max: 4 },
  ),
  PRICING_DECIMAL_PLACES: integer(6, 'Maximum Pricing Decimal Places', 'Interfaces show prices with at most so many decimals.', {
    min: 2,
    max: 6,
  }),
  PRICING_USE_SUPPLIER_PRICING: flag(
    true,
    'Use Supplier Pricing',
    'Price breaks of suppliers count towards the price of a part.',
  ),
  PRICING_PURCHASE_HISTORY_OVERRIDES_SUPPLIER: flag(
    false,
    'Purchase History Override',
    'What was paid in past orders counts in place of the price breaks of suppliers.',
  ),
  PRICING_USE_STOCK_PRICING: flag(
    true,
    'Use Stock Item Pricing',
    'What was paid for stock items counts towards the price of a part.',
  ),
  PRICING_STOCK_ITEM_AGE_DAYS: integer(
    0,
    'Stock Item Pricing Age',
    'Days after which a stock item no longer counts towards the price of a part; 0 for never.',
    { min: 0, units: 'days' },
  ),
  PRICING_USE_VARIANT_PRICING: flag(true, 'Use Variant Pricing', 'Prices of variants count towards the price of their template.'),
  PRICING_ACTIVE_VARIANTS: flag(
    false,
    'Active Variants Only',
    'Of variants, only active ones count towards the price of their template.',
  ),
  PRICING_UPDATE_DAYS: integer(30, 'Pricing Rebuild Interval', 'Days after which the price of a part is worked out again.', {
    min: 10,
    units: 'days',
  }),
  PART_INTERNAL_PRICE: flag(false, 'Internal Prices', 'Parts have price breaks of your own, for use inside the company.'),
  PART_BOM_USE_INTERNAL_PRICE: flag(
    false,
    'Internal Price Override',
    'Internal prices count in place of every other price of a part.',
  ),
}
