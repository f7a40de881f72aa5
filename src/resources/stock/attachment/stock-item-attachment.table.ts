import { attachmentTable } from '../../attachment.columns.ts'
import { stockItem } from '../stock-item.table.ts'

/** Attachments of stock items. */
export const stockItemAttachment = attachmentTable('stock_item_attachment', 'stock_item', () => stockItem.pk)
