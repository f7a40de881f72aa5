import { action } from '../../kit/definition/action.ts'
import { signedIn } from '../../kit/request/caller.ts'
import { barcodeErrors } from './barcode-errors.ts'
import { INSERT_SCANS, storesScans, toScanRow } from './history/scan-row.ts'
import { kindKeys } from './kinds.ts'
import { buildReply, createScanProblem } from './response.ts'
import { responseSchema, targetSchema } from './response-schema.ts'
import { requireOwnCodes } from './scan.ts'
import { findTarget, requireChange, targetFields } from './target.ts'

const PATH = '/api/barcode/unlink/'

/** See docs/interface/barcodes.md#operations. */
export const unlinkBarcode = action({
  method: 'POST',
  path: PATH,
  summary: 'Unlink the barcode of an object',
  description:
    'Unlinks the barcode of one object. An object without a barcode stays as it is. The barcode that was unlinked is in the scan history. The caller needs the permission `change` in the role of the object.',
  errors: { invalid: 'The body has no object, or more than one (`error`).' },
  example: { body: { stocklocation: 5 } },
  access: signedIn,
  body: targetFields,
  response: responseSchema(targetSchema),
  async run(request) {
    const { tx } = request
    requireOwnCodes(request)
    const targets = kindKeys.filter((key) => Object.hasOwn(request.body, key))
    if (targets.length === 0) throw createScanProblem(request, barcodeErrors.barcode_unlink_target_required({ kinds: kindKeys }))
    if (targets.length > 1) throw createScanProblem(request, barcodeErrors.barcode_targets_conflict({ kinds: kindKeys }))
    const target = findTarget(request.body)
    if (!target) throw createScanProblem(request, barcodeErrors.barcode_not_unlinked)
    requireChange(request, target)
    const { kind, pk } = target
    const reply = buildReply(request, { success: `Barcode unassigned from ${kind.key} instance` })
    const previous = await tx.first<{ code: string }>(
      `with before as materialized (
         select pk, coalesce(nullif(barcode_data, ''), barcode_hash) as code from ${kind.table} where pk = $1 and barcode_hash <> '' for no key update
       )
       update ${kind.table} object set barcode_data = '', barcode_hash = '', barcode_key = ''
       from before where object.pk = before.pk returning before.code`,
      [pk],
    )
    if (!previous || !storesScans(request)) return reply
    const { caller, body, raw } = request
    const scan = { action: 'unlink', endpoint: PATH, caller, raw, context: body, data: previous.code }
    const row = toScanRow({ ...scan, outcome: { reply, objects: [{ kind: kind.key, pk }] } })
    tx.atCommit({ text: INSERT_SCANS, values: [JSON.stringify([row])] })
    return reply
  },
})
