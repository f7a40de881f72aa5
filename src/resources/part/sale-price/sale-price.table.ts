import { partPriceTable } from '../price-break.columns.ts'

/** Sale prices of a part, each from some quantity on. */
export const salePrice = partPriceTable('part_sale_price')
