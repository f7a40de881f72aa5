import { flag, integer } from '../setting.ts'

/** What counts towards the price of a part, and how prices are shown. */
export const pricingSettings = {
  PRICING_DECIMAL_PLACES_MIN: integer(0, 'Fewest decimals', 'Prices show at least this many decimals.', { min: 0, max: 4 }),
  PRICING_DECIMAL_PLACES: integer(6, 'Most decimals', 'Prices show at most this many decimals.', { min: 2, max: 6 }),
  PRICING_USE_SUPPLIER_PRICING: flag(true, 'Supplier prices', 'Price breaks of suppliers count towards the price of a part.'),
  PRICING_PURCHASE_HISTORY_OVERRIDES_SUPPLIER: flag(
    false,
    'Past purchases first',
    'Prices already paid outrank the price breaks of suppliers.',
  ),
  PRICING_USE_STOCK_PRICING: flag(true, 'Stock prices', 'Prices entered on stock items count towards the price of a part.'),
  PRICING_STOCK_ITEM_AGE_DAYS: integer(0, 'Age of stock prices', 'Older stock items do not count; 0 for no limit.', {
    min: 0,
    units: 'days',
  }),
  PRICING_USE_VARIANT_PRICING: flag(true, 'Variant prices', 'Prices of variants count towards the price of their template.'),
  PRICING_ACTIVE_VARIANTS: flag(false, 'Active variants only', 'Only active variants count towards the price of their template.'),
  PRICING_UPDATE_DAYS: integer(30, 'Renewal of prices', 'The price of a part is worked out again after this time.', {
    min: 10,
    units: 'days',
  }),
  PART_INTERNAL_PRICE: flag(false, 'Internal prices', 'Parts have internal price breaks.'),
  PART_BOM_USE_INTERNAL_PRICE: flag(
    false,
    'Internal prices first',
    'Internal prices outrank those worked out from other sources.',
  ),
}
