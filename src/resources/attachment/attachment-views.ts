import { type AnyPgColumn, bigint, boolean, pgTable } from 'drizzle-orm/pg-core'
import { accountReference, day, primaryKey, reference, urlColumn, varchar, varcharNotNull } from '../../kit/sql/columns.ts'
import { showRowsOf } from '../../kit/sql/sql.ts'
import { buildOrder } from '../build/build.table.ts'
import { company } from '../company/company.table.ts'
import { manufacturerPart } from '../company/part/manufacturer/manufacturer-part.table.ts'
import { purchaseOrder } from '../order/po/po.table.ts'
import { returnOrder } from '../order/ro/ro.table.ts'
import { salesOrder } from '../order/so/so.table.ts'
import { part } from '../part/part.table.ts'
import { stockItem } from '../stock/stock-item.table.ts'
import { userAccount } from '../user/user-account.table.ts'
import { attachment } from './attachment.table.ts'

const referToOwner = (target: () => AnyPgColumn) => reference(target, 'cascade').notNull()

/**
 * Describes a view in PostgreSQL of the attachments of one kind of object, with the keys that they have there (ADR 0058). It has no
 * `*.table.ts`, so that no migration makes a table of it.
 * @param owner the column of the object
 */
function describeAttachments<Name extends string, Owner extends string>(name: Name, owner: Owner, target: () => AnyPgColumn) {
  const ownerColumn = { [owner]: referToOwner(target) } as Record<Owner, ReturnType<typeof referToOwner>>
  const view = pgTable(name, {
    ...ownerColumn,
    pk: primaryKey(),
    attachment: varchar(100),
    filename: varcharNotNull(250),
    file_size: bigint({ mode: 'number' }),
    is_image: boolean().notNull(),
    link: urlColumn(),
    comment: varcharNotNull(100),
    upload_date: day(),
    user: accountReference(() => userAccount.pk, 'set null'),
  })
  showRowsOf(view, attachment)
  return view
}

export const partAttachments = describeAttachments('part_attachment', 'part', () => part.pk)
export const stockItemAttachments = describeAttachments('stock_item_attachment', 'stock_item', () => stockItem.pk)
export const companyAttachments = describeAttachments('company_attachment', 'company', () => company.pk)
export const manufacturerPartAttachments = describeAttachments(
  'manufacturer_part_attachment',
  'manufacturer_part',
  () => manufacturerPart.pk,
)
export const buildAttachments = describeAttachments('build_order_attachment', 'build', () => buildOrder.pk)
export const purchaseOrderAttachments = describeAttachments('purchase_order_attachment', 'order', () => purchaseOrder.pk)
export const salesOrderAttachments = describeAttachments('sales_order_attachment', 'order', () => salesOrder.pk)
export const returnOrderAttachments = describeAttachments('return_order_attachment', 'order', () => returnOrder.pk)

/** The attachments of one kind of object. */
export type AttachmentView = ReturnType<typeof describeAttachments<string, never>>
