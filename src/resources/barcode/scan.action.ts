import { signedIn } from '../../kit/request/caller.ts'
import type { ErrorMessage } from '../../kit/values/message.ts'
import { barcodeInput } from './barcode-input.ts'
import { operationAction } from './operation.ts'
import { buildReply, createScanProblem, describeMatch, replyToSeveralMatches, toLabelFields, toScanFields } from './response.ts'
import { matchSchema, responseSchema } from './response-schema.ts'
import { scan } from './scan.ts'

/** Any account can scan; what it cannot view counts as not found (docs/decisions.md#permissions-for-scanning). */
export const scanBarcode = operationAction({
  name: 'scan',
  path: '/api/barcode/',
  summary: 'Find the object of a barcode',
  description:
    'Finds the object of a barcode: a barcode of this service (`{"part": 10}`, `INV-PA10`), a linked barcode, a GS1 barcode whose GTIN is a SKU, MPN or IPN or is part of a linked barcode, a barcode that a plugin recognizes, or a supplier\'s label, which belongs to a supplier part. Objects that the caller cannot view are not found. The response has the fields of the body as they were sent, and the object under its type.',
  errors: {
    invalid:
      'Nothing is found (`error`; `labels` has the fields of a supplier label or GS1 barcode: SKU, MPN, GTIN, quantity, order numbers and so on), or several objects match (`candidates`).',
  },
  example: { body: { barcode: '{"stockitem": 1}' } },
  access: signedIn,
  body: { barcode: barcodeInput },
  response: responseSchema(matchSchema),
  async prepare(request, code) {
    const result = await scan(request, code)
    return { found: result, object: result.matched && (await describeMatch(request, result.matched, { body: result.body })) }
  },
  async run(request) {
    const { found: result, object } = request.prepared
    const { matched, candidates, error } = result
    if (matched) {
      const reply = buildReply(request, { ...object, ...toScanFields(result), success: SUCCESS })
      return { reply, objects: [matched] }
    }
    if (candidates) return { reply: replyToSeveralMatches(request, result, SUCCESS), objects: candidates }
    throw createScanProblem(request, error as ErrorMessage, { ...toScanFields(result), ...toLabelFields(result) })
  },
})

const SUCCESS = 'Match found for barcode data'
