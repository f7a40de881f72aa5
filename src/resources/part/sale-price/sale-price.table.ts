import { partPriceTable } from '../price-break.columns.ts'

/** What customers are asked for a part, from some quantity on. */
export const salePrice = partPriceTable('part_sale_price')
