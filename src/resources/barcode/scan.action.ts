import { signedIn } from '../../kit/request/caller.ts'
import type { ErrorMessage } from '../../kit/values/message.ts'
import { answer, labelled, refusal, scanned, severalMatches, shown } from './answer.ts'
import { answerSchema, foundSchema } from './answer-schema.ts'
import { barcodeInput } from './barcode-input.ts'
import { operationAction } from './operation.ts'
import { scan } from './scan.ts'

/** See decisions 20 and 50, and the reference description of barcodes, A4. */
export const scanBarcode = operationAction({
  name: 'scan',
  path: '/api/barcode/',
  summary: 'Find the object of a barcode',
  description:
    'Finds the object of a barcode: a barcode of this service (`{"part": 10}`, `INV-PA10`), a linked barcode, a GS1 barcode whose GTIN is a SKU, MPN or IPN or is part of a linked barcode, a barcode that a plugin recognizes, or a supplier\'s label, which belongs to a supplier part. Objects that the caller cannot view are not found. The response has the fields of the body as they were sent, and the object under its type.',
  refuses: {
    invalid:
      'Nothing is found (`error`; `labels` has the fields of a supplier label or GS1 barcode: SKU, MPN, GTIN, quantity, order numbers and so on), or several objects match (`candidates`).',
  },
  example: { body: { barcode: '{"stockitem": 1}' } },
  access: signedIn,
  body: { barcode: barcodeInput },
  answer: answerSchema(foundSchema),
  async ask(request, code) {
    const found = await scan(request, code)
    return { found, object: found.matched && (await shown(request, found.matched, { body: found.body })) }
  },
  async run(request) {
    const { found, object } = request.asked
    const { matched, candidates, error } = found
    if (matched) {
      const reply = answer(request, { ...object, ...scanned(found), success: SUCCESS })
      return { reply, objects: [matched] }
    }
    if (candidates) return { reply: severalMatches(request, found, SUCCESS), objects: candidates }
    throw refusal(request, error as ErrorMessage, { ...scanned(found), ...labelled(found) })
  },
})

const SUCCESS = 'Match found for barcode data'
