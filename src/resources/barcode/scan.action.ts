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
  summary: 'Find what a barcode stands for',
  description:
    'Finds the object that a code stands for: a code of this service (`{"part": 10}`, `INV-PA10`), one that was linked to an object, a code of GS1 whose GTIN is the SKU, MPN or IPN of something, or stands in any code that is linked to it, what plugins know, or a supplier\'s label, which stands for a supplier part. What the caller may not view is not found. The answer has the fields of the body as they were sent and beside them the object under its kind.',
  refuses: {
    invalid:
      'Nothing is found (`error`; with `labels`, what stands on a label of a supplier, or on a code of GS1: SKU, MPN, GTIN, quantity, numbers of the order, and so on), or it fits several objects (`candidates`).',
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
