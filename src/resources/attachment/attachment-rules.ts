import { getTableName } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { UploadContext } from '../../kit/definition/input.ts'
import type { Write } from '../../kit/definition/resource.ts'
import { FieldError } from '../../kit/request/errors.ts'
import type { Upload } from '../../kit/services/uploads.ts'
import { quote } from '../../kit/sql/sql.ts'
import type { ErrorMessage } from '../../kit/values/message.ts'
import { setting } from '../../settings/live.ts'
import { attachmentErrors } from '../part/part-errors.ts'

/** A file name must not name a folder. */
export const findSlashError = (name: string): ErrorMessage | undefined =>
  /[/\\]/.test(name) ? attachmentErrors.file_name_with_slash : undefined

const BYTES_PER_MB = 1024 * 1024

/** Rejects a file above the size that the settings allow. */
export async function rejectLargeFile(upload: Upload, { services }: UploadContext): Promise<Upload> {
  const max = setting(services, 'INVENTREE_UPLOAD_MAX_SIZE')
  if (upload.size > max * BYTES_PER_MB) throw new FieldError(attachmentErrors.attachment_too_large({ max_mb: max }))
  return upload
}

/** The attachments of an object: their table or view, the column of the object, and its key. */
type Siblings = { table: PgTable; column: string; object: unknown }

/** Requires a file or a link, makes the caller the user of a new attachment, and checks a new file name. */
export async function applyAttachmentRules(write: Write, siblings: Siblings): Promise<void> {
  const { before, caller, values, hidden, after, errors } = write
  if (!before) hidden.user = caller.pk
  if (!after('attachment') && !after('link')) {
    errors.attachment = [attachmentErrors.file_or_link_required]
    errors.link = errors.attachment
  }
  // a link has no file
  if (!after('attachment')) {
    values.filename = ''
    Object.assign(hidden, { file_size: 0, is_image: false })
  } else if (before && values.filename !== undefined && values.filename !== before.filename) {
    const nameError = await validateFileName(write, siblings)
    if (nameError) errors.non_field_errors = [nameError]
  }
}

/** Returns the error in a new file name, if any. */
async function validateFileName({ tx, before, values }: Write, siblings: Siblings): Promise<ErrorMessage | undefined> {
  const name = String(values.filename)
  if (!/.[.]./.test(name)) return attachmentErrors.file_name_without_extension
  if (/[\x22\x27\x60#@!&^<>:;|?*%~]/.test(name)) return attachmentErrors.file_name_characters
  const { table, column, object } = siblings
  const conflict = await tx.first(
    `select 1 from ${quote(getTableName(table))} where ${quote(column)} = $1 and filename = $2 and pk <> $3 limit 1`,
    [object, name, before?.pk],
  )
  return conflict && attachmentErrors.attached_file_name_taken
}
