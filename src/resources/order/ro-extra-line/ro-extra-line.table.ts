import { extraLineTable } from '../extra-line.columns.ts'
import { returnOrder } from '../ro/ro.table.ts'

/** A line of a return order without a stock item. */
export const returnOrderExtraLine = extraLineTable('return_order_extra_line', () => returnOrder.pk)
