import { partPriceTable } from '../price-break.columns.ts'

/** Sale prices of a part, each from a minimum quantity. */
export const salePrice = partPriceTable('part_sale_price')
