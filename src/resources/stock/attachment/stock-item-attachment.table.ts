import { attachmentTable } from '../../attachment.columns.ts'
import { stockItem } from '../stock-item.table.ts'

/** What is attached to a stock item. */
export const stockItemAttachment = attachmentTable('stock_item_attachment', 'stock_item', () => stockItem.pk)
