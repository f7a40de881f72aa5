import { attachmentTable } from '../../../../attachment.columns.ts'
import { manufacturerPart } from '../manufacturer-part.table.ts'

/** What is attached to a manufacturer part. */
export const manufacturerPartAttachment = attachmentTable(
  'manufacturer_part_attachment',
  'manufacturer_part',
  () => manufacturerPart.pk,
)
