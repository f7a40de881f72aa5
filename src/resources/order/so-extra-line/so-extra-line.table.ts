import { extraLineTable } from '../extra-line.columns.ts'
import { salesOrder } from '../so/so.table.ts'

/** A line of a sales order without a part. */
export const salesOrderExtraLine = extraLineTable('sales_order_extra_line', () => salesOrder.pk)
