import { attachmentTable } from '../../../../attachment.columns.ts'
import { manufacturerPart } from '../manufacturer-part.table.ts'

/** Attachments of manufacturer parts. */
export const manufacturerPartAttachment = attachmentTable(
  'manufacturer_part_attachment',
  'manufacturer_part',
  () => manufacturerPart.pk,
)
