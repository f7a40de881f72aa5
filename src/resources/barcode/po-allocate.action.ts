import type { Statement } from '../../database/text-query.ts'
import * as input from '../../kit/definition/input.ts'
import { roles } from '../../kit/request/caller.ts'
import { invalid } from '../../kit/request/problem.ts'
import type { ErrorMessage } from '../../kit/values/message.ts'
import { purchaseOrder } from '../order/po/po.table.ts'
import { PO_STATUS } from '../order/po/po-status.ts'
import { barcodeErrors } from './barcode-errors.ts'
import { barcodeInput } from './barcode-input.ts'
import { operationAction } from './operation.ts'
import { buildReply, createScanProblem, describeMatch, toLabelFields, toScanFields } from './response.ts'
import { matchSchema, responseSchema } from './response-schema.ts'
import { scan } from './scan.ts'
import { SUPPLIER_PART_COLUMNS } from './supplier-part.ts'

/** Finds what to order and changes nothing: clients add the line themselves (docs/interface/barcodes.md#operations). */
export const allocateToPurchaseOrder = operationAction({
  name: 'order',
  path: '/api/barcode/po-allocate/',
  summary: 'Find a supplier part to order by barcode',
  description:
    'Returns the supplier part of a barcode, for the supplier of a pending purchase order: the supplier part itself, or the only one that this supplier has for a part or manufacturer part. Nothing is changed; the client adds the line.',
  errors: {
    invalid:
      'The order is not pending, the barcode belongs to nothing that can be ordered, or the supplier has no supplier part for it, or several (`error`; `labels` has the fields of a supplier label without a match).',
  },
  example: { body: { barcode: '{"supplierpart": 39}', purchase_order: 14 } },
  access: roles('purchase_order'),
  body: {
    barcode: barcodeInput,
    purchase_order: input.reference(() => purchaseOrder, {
      required: true,
      options: { model: 'purchaseorder', api_url: '/api/order/po/' },
      help: 'The pending order.',
    }),
  },
  response: responseSchema(matchSchema),
  prepare: scan,
  async run(request) {
    const { tx, prepared: scanResult } = request
    const { purchase_order } = request.body
    const { matched, candidates, error } = scanResult
    const condition = matched && SUPPLIER_PART_COLUMNS[matched.kind]
    const [[order] = [], supplierParts = []] = (await tx.pipeline(
      { text: 'select status from purchase_order where pk = $1', values: [purchase_order] },
      ...(condition ? [selectSupplierParts(condition, purchase_order, matched.pk)] : []),
    )) as [{ status: number }[], { pk: number }[]?]
    if (order?.status !== PO_STATUS.PENDING.key)
      throw invalid({ purchase_order: [barcodeErrors.barcode_purchase_order_not_pending] })
    if (!matched && !candidates)
      throw createScanProblem(request, error as ErrorMessage, { ...toScanFields(scanResult), ...toLabelFields(scanResult) })
    if (!matched || !condition) throw createScanProblem(request, barcodeErrors.barcode_part_not_found)
    const [first] = supplierParts
    if (!first) throw createScanProblem(request, barcodeErrors.barcode_supplier_part_not_found)
    if (supplierParts.length > 1) throw createScanProblem(request, barcodeErrors.barcode_supplier_parts_ambiguous)
    const orderedPart = { kind: 'supplierpart', pk: first.pk }
    const reply = buildReply(request, {
      ...(await describeMatch(request, matched, { through: tx })),
      ...(await describeMatch(request, orderedPart, { through: tx })),
      ...toScanFields(scanResult),
      success: 'Matched supplier part',
    })
    return { reply, objects: [orderedPart] }
  },
})

/** Selects at most two supplier parts of an order's supplier that are the object `pk`, or that sell it. */
const selectSupplierParts = (condition: string, order: number, pk: number): Statement => ({
  text: `select s.pk from supplier_part s join purchase_order o on o.supplier = s.supplier where o.pk = $1 and ${condition} = $2 order by s.pk limit 2`,
  values: [order, pk],
})
