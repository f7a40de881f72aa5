import { getTableName } from 'drizzle-orm'
import type { Request } from '../../kit/definition/action.ts'
import type { Shape } from '../../kit/definition/input.ts'
import { claimUploads, storeUpload, type Upload } from '../../kit/services/uploads.ts'
import { quote } from '../../kit/sql/sql.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { getTemplateModel } from '../../printing/kinds.ts'
import { setting } from '../../settings/live.ts'
import { ATTACHMENT_MODELS, findAttachmentOwner } from '../attachment/attachment-models.ts'
import type { PrintRequest } from '../printing/print-request.ts'

/** A printed report: the whole document, and that of each object, in their order. */
type PrintedReport = {
  name: string
  type: string
  bytes: Buffer
  printAlone: (index: number) => Promise<{ name: string; bytes: Buffer }>
}

/**
 * Stores a printed report as an attachment of each of its objects, if its template says so (`attach_to_model`), or for test reports while
 * REPORT_ATTACH_TEST_REPORT is on; and if the caller can add attachments. An object gets its own document: of several that a template does
 * not merge, each is printed alone. Returns the function that attaches them in a given transaction; undefined if nothing is to be attached.
 */
export async function prepareAttachments(
  request: Request<Shape>,
  { kind, items, template }: PrintRequest,
  { name, type, bytes, printAlone }: PrintedReport,
): Promise<((tx: Tx) => Promise<void>) | undefined> {
  const { caller } = request
  if (items === 'sample' || type !== 'application/pdf') return undefined
  const model = getTemplateModel(kind)
  const owner = findAttachmentOwner(model)
  if (!owner || !ATTACHMENT_MODELS[owner].access(caller, 'add')) return undefined
  const isTestReport = kind === 'report/test' && setting(request, 'REPORT_ATTACH_TEST_REPORT')
  if (!isTestReport && !template.attach_to_model) return undefined

  const comment = template.attach_to_model ? template.name : ''
  const printsAlone = template.attach_to_model && !template.merge && items.length > 1
  const uploads: Upload[] = []
  for (const index of items.keys()) {
    const file = printsAlone ? await printAlone(index) : { name: template.attach_to_model ? name : 'test_report.pdf', bytes }
    uploads.push(await storeUpload(request, { folder: 'attachments', name: file.name, length: 100 }, [file.bytes]))
  }
  return async (tx) => {
    const table = quote(getTableName(ATTACHMENT_MODELS[owner].table()))
    const attached = await tx.query<{ attachment: string }>(
      `insert into attachment (model_type, ${quote(owner)}, attachment, filename, file_size, comment, "user")
       select $1, object.pk, printed.path, printed.name, printed.size, $2, $3
       from unnest($4::integer[], $5::text[], $6::text[], $7::bigint[]) printed (pk, path, name, size)
       join ${table} object on object.pk = printed.pk order by object.pk returning attachment`,
      [
        model,
        comment,
        caller.pk,
        items,
        uploads.map(({ path }) => path),
        uploads.map((upload) => upload.name),
        uploads.map(({ size }) => size),
      ],
    )
    // the file of an object that was deleted since stays loose
    const paths = new Set(attached.map(({ attachment }) => attachment))
    await claimUploads(
      tx,
      uploads.filter(({ path }) => paths.has(path)),
    )
  }
}
