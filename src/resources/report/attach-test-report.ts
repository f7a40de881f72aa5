import type { Request } from '../../kit/definition/action.ts'
import type { Shape } from '../../kit/definition/input.ts'
import { claimUploads, storeUpload } from '../../kit/services/uploads.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { setting } from '../../settings/live.ts'
import type { PrintRequest } from '../printing/print-request.ts'
import { stockItemAttachment } from '../stock/attachment/stock-item-attachment.resource.ts'

/**
 * Stores a printed test report as an attachment of each of its items, while REPORT_ATTACH_TEST_REPORT is on and if the caller may add
 * attachments. Returns the function that attaches it in a given transaction; undefined if nothing is to be attached.
 */
export async function prepareTestReportAttachment(
  request: Request<Shape>,
  { kind, items }: PrintRequest,
  { type, bytes }: { type: string; bytes: Buffer },
): Promise<((tx: Tx) => Promise<void>) | undefined> {
  const { caller } = request
  if (kind !== 'report/test' || items === 'sample' || type !== 'application/pdf') return undefined
  if (!setting(request, 'REPORT_ATTACH_TEST_REPORT') || !stockItemAttachment.access(caller, 'add')) return undefined
  const name = 'test_report.pdf'
  const upload = await storeUpload(request, { folder: 'stock_files', name, length: 100 }, [bytes])
  return async (tx) => {
    await tx.query(
      `insert into stock_item_attachment (stock_item, attachment, filename, "user")
       select pk, $2, $3, $4 from stock_item where pk = any($1::integer[]) order by pk`,
      [items, upload.path, name, caller.pk],
    )
    await claimUploads(tx, [upload])
  }
}
