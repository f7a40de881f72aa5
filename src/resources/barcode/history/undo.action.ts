import { action } from '../../../kit/definition/action.ts'
import { responseSchema } from '../../../kit/definition/resource.ts'
import { readDetail, toDetailJson } from '../../../kit/reading/detail.ts'
import { requireAccess, signedIn } from '../../../kit/request/caller.ts'
import { invalidObject } from '../../../kit/request/problem.ts'
import { lockRow } from '../../../kit/writing/write.ts'
import { undoAdjustments } from '../../stock/adjustment/undo-adjustments.ts'
import { historyNotes } from '../../stock/movement/adjustment.ts'
import { barcodeErrors } from '../barcode-errors.ts'
import { OPERATIONS } from '../batch/operations.ts'
import { barcodeScan } from './barcode-scan.resource.ts'
import { undoAllocation } from './undo/allocation.ts'
import { undoBuildAllocation } from './undo/build-allocation.ts'
import { undoReceipt } from './undo/receipt.ts'
import type { UndoRecord } from './undo/recorded-changes.ts'
import type { UndoContext } from './undo/undoing.ts'

/** Undoes the effect of a scan in one transaction (ADR 0031). */
export const undoScan = action({
  method: 'POST',
  path: '/api/barcode/history/{id}/undo/',
  summary: 'Undo a scan',
  description:
    'Undoes what a scan received, moved, counted, removed or allocated, once, with new entries in the stock history. For a receipt, the stock is removed, the line is outstanding again, and the label can be received again. Stock that was split is merged again; an item that was depleted and deleted is created again under its primary key, without its earlier history and attachments. The account that scanned and staff can undo a scan; both need the permissions of the operation.',
  errors: {
    invalid:
      'The scan is already undone or changed nothing that can be undone; or a later change prevents it, which the error names: a newer history entry, another quantity or location, a closed order.',
    permission_denied: 'The caller cannot do what the scan did.',
  },
  example: { params: { id: 3 }, body: { notes: 'Wrong drawer' } },
  access: signedIn,
  body: { notes: historyNotes() },
  response: responseSchema(barcodeScan),
  async run(context) {
    const { tx, pk, caller } = context
    // concurrent requests to undo the same scan wait here
    const scan = await lockRow(barcodeScan, pk, { tx, caller })
    const operation = OPERATIONS.get(scan.action as string)
    if (operation) requireAccess(operation.access, caller, 'add')
    if (scan.undone !== null) throw invalidObject(barcodeErrors.scan_undone)
    const undoRecord = scan.undo as UndoRecord | null
    if (undoRecord === null) throw invalidObject(barcodeErrors.scan_not_undoable)
    await undoRecordedChange(
      { ...context, code: scan.data as string, notes: context.body.notes || `Undo of scan ${pk}` },
      undoRecord,
    )
    await tx.query('update barcode_scan set undone = now(), undone_by = $2 where pk = $1', [pk, caller.pk])
    return toDetailJson(await readDetail(barcodeScan, pk, new Set(), { caller, services: context, executor: tx }))
  },
})

function undoRecordedChange(context: UndoContext, undoRecord: UndoRecord): Promise<void> {
  switch (undoRecord.kind) {
    case 'adjustment':
      return undoAdjustments(context, [undoRecord])
    case 'receipt':
      return undoReceipt(context, undoRecord)
    case 'allocation':
      return undoAllocation(context, undoRecord)
    case 'build-allocation':
      return undoBuildAllocation(context, undoRecord)
  }
}
