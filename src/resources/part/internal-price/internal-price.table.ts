import { partPriceTable } from '../price-break.columns.ts'

/** What a part counts for within the house, from some quantity on. */
export const internalPrice = partPriceTable('part_internal_price')
