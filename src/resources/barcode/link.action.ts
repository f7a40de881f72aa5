import { signedIn } from '../../kit/request/caller.ts'
import { unknownReference } from '../../kit/request/errors.ts'
import { invalid } from '../../kit/request/problem.ts'
import { queryWithin } from '../../kit/sql/run-query.ts'
import type { Found } from '../../plugin-api/index.ts'
import { barcodeErrors } from './barcode-errors.ts'
import { toBarcodeColumns } from './barcode-hash.ts'
import { barcodeInput } from './barcode-input.ts'
import { isDuplicateBarcodeError } from './duplicate-code.ts'
import { findKind, kindKeys, kinds } from './kinds.ts'
import { findLinked, isOwnJson } from './linked.ts'
import { operationAction } from './operation.ts'
import { buildReply, createScanProblem, describeMatch, getObjectUrls } from './response.ts'
import { responseSchema, targetSchema } from './response-schema.ts'
import { findOwnCode, findOwnPlugin, OWN_PLUGIN, readShortCode, requireOwnCodes } from './scan.ts'
import type { ScanContext } from './scan-result.ts'
import { findTarget, requireChange, targetFields } from './target.ts'

/** Links a barcode that stands for nothing yet (docs/interface/barcodes.md#operations). */
export const linkBarcode = operationAction({
  name: 'link',
  path: '/api/barcode/link/',
  summary: 'Link a barcode to an object',
  description:
    'Links a barcode to one object, so that scans find the object. A barcode of this service is rejected even if its object does not exist, and so is a barcode that is already linked. The new barcode replaces an earlier one of the object. If the body has several objects, the first one counts, in the order of the fields. The caller needs the permission `change` in the role of the object.',
  errors: {
    invalid:
      'The barcode is already linked (`error`, and the object if the caller can view it), is a barcode of this service for a missing object, or the body has no object.',
  },
  example: { body: { barcode: 'SHELF-0005', stocklocation: 5 } },
  access: signedIn,
  body: { barcode: barcodeInput, ...targetFields },
  response: responseSchema(targetSchema),
  prepare: (request, code) => readShortCode(request, code, kinds),
  async run(request) {
    const { tx, prepared: shortTarget } = request
    const { barcode } = request.body
    requireOwnCodes(request)
    const existing = await findOwnCode(request, queryWithin(tx), barcode, kinds, shortTarget)
    if (existing) throw createAlreadyLinkedProblem(request, barcode, existing)
    // otherwise the code would stand for this object until one with that primary key exists
    if (shortTarget || isOwnJson(barcode))
      throw createScanProblem(request, MISSING_OBJECT, { plugin: OWN_PLUGIN.name, barcode_data: barcode })
    const target = findTarget(request.body)
    if (!target) throw createScanProblem(request, barcodeErrors.barcode_target_required({ kinds: kindKeys }))
    requireChange(request, target)
    const { kind, pk } = target
    const { barcode_data, barcode_hash, barcode_key } = toBarcodeColumns(barcode)
    const locked = await tx.query(`select from ${kind.table} where pk = $1 for no key update`, [pk])
    if (locked.length === 0) throw invalid({ [kind.key]: [unknownReference(pk)] })
    const linkedNow = await findLinked(queryWithin(tx), barcode, kinds)
    if (linkedNow) throw createAlreadyLinkedProblem(request, barcode, linkedNow)
    const text = `update ${kind.table} set barcode_data = $2, barcode_hash = $3, barcode_key = $4 where pk = $1`
    await tx.query(text, [pk, barcode_data, barcode_hash, barcode_key]).catch((error) => {
      // another request links it at the same time: retries exclusively, and names the object
      if (isDuplicateBarcodeError(error)) tx.lockExclusive()
      throw error
    })
    const linkedObject = { kind: kind.key, pk }
    const success = `Assigned barcode to ${kind.key} instance`
    const reply = buildReply(request, {
      success,
      ...(await describeMatch(request, linkedObject, { through: tx })),
      barcode_data,
      barcode_hash,
    })
    return { reply, objects: [linkedObject] }
  },
})

const ALREADY_LINKED = barcodeErrors.barcode_linked
const MISSING_OBJECT = barcodeErrors.barcode_of_missing_object

/** Rejects a code that stands for something else, naming only objects that the caller can view. */
function createAlreadyLinkedProblem(request: ScanContext, barcode_data: string, linkedObject: Found) {
  const visibleObject = findKind(linkedObject.kind)?.resource.access(request.caller, 'view')
    ? { [linkedObject.kind]: getObjectUrls(linkedObject) }
    : {}
  return createScanProblem(request, ALREADY_LINKED, {
    ...visibleObject,
    plugin: findOwnPlugin(request)?.name ?? null,
    barcode_data,
  })
}
