import { partPriceTable } from '../price-break.columns.ts'

/** Internal prices of a part, each from some quantity on. */
export const internalPrice = partPriceTable('part_internal_price')
