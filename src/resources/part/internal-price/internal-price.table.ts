import { partPriceTable } from '../price-break.columns.ts'

/** Internal prices of a part, each from a minimum quantity. */
export const internalPrice = partPriceTable('part_internal_price')
