import { flag, integer } from '../setting.ts'

/** Inputs of the price of a part, and the display of prices. */
export const pricingSettings = {
  PRICING_DECIMAL_PLACES_MIN: integer(
    0,
    'Minimum Pricing Decimal Places',
    'The minimum number of decimals of prices in clients.',
    { min: 0, max: 4 },
  ),
  PRICING_DECIMAL_PLACES: integer(6, 'Maximum Pricing Decimal Places', 'The maximum number of decimals of prices in clients.', {
    min: 2,
    max: 6,
  }),
  PRICING_USE_SUPPLIER_PRICING: flag(true, 'Use Supplier Pricing', 'Supplier price breaks are included in the price of a part.'),
  PRICING_PURCHASE_HISTORY_OVERRIDES_SUPPLIER: flag(
    false,
    'Purchase History Override',
    'Prices of past purchase orders replace supplier price breaks.',
  ),
  PRICING_USE_STOCK_PRICING: flag(
    true,
    'Use Stock Item Pricing',
    'Purchase prices of stock items are included in the price of a part.',
  ),
  PRICING_STOCK_ITEM_AGE_DAYS: integer(
    0,
    'Stock Item Pricing Age',
    'The age in days after which the purchase price of a stock item is ignored; 0 for unlimited.',
    { min: 0, units: 'days' },
  ),
  PRICING_USE_VARIANT_PRICING: flag(
    true,
    'Use Variant Pricing',
    'Prices of variants are included in the price of their template.',
  ),
  PRICING_ACTIVE_VARIANTS: flag(
    false,
    'Active Variants Only',
    'Only active variants are included in the price of their template.',
  ),
  PRICING_AUTO_UPDATE: flag(
    true,
    'Auto Update Pricing',
    'Prices are recalculated automatically. Off: changes are collected, and take effect once it is on.',
  ),
  PRICING_UPDATE_DAYS: integer(
    30,
    'Pricing Rebuild Interval',
    'The age in days after which the price of a part is recalculated.',
    {
      min: 10,
      units: 'days',
    },
  ),
  PART_INTERNAL_PRICE: flag(false, 'Internal Prices', 'Parts have internal price breaks.'),
  PART_BOM_USE_INTERNAL_PRICE: flag(false, 'Internal Price Override', 'Internal prices replace all other prices of a part.'),
}
