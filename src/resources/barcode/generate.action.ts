import { Type } from 'typebox'
import { procedure } from '../../kit/definition/action.ts'
import { signedIn } from '../../kit/request/caller.ts'
import { answer } from './answer.ts'
import { objectFields, ownCode } from './generate/own-code.ts'

/** See decisions 20 and 50, and the reference description of barcodes, A2. */
export const generateBarcode = procedure({
  method: 'POST',
  path: '/api/barcode/generate/',
  summary: 'The code of an object',
  description:
    'Gives the code of this service for an object, as labels print it and a scan finds it: `{"part": 10}`, or short as `INV-PA10` where the setting INTERNAL_BARCODE_FORMAT of the plugin `inventreebarcode` says so. Nothing is stored. The caller needs the right to view the object.',
  refuses: {
    invalid: 'There is no such kind or object, or the plugin of these codes is off (`error`).',
    permission_denied: 'The caller may not view such objects (`error`).',
  },
  example: { body: { model: 'stockitem', pk: 1 } },
  access: signedIn,
  body: objectFields,
  answer: Type.Object(
    {
      barcode: Type.String({ description: 'The code.' }),
      model: Type.Optional(Type.String({ description: 'The kind, as it was sent.' })),
      pk: Type.Optional(Type.Union([Type.Integer(), Type.String()], { description: 'The primary key, as it was sent.' })),
    },
    { additionalProperties: true },
  ),
  async handle(request) {
    return answer(request, { barcode: await ownCode(request, request.body) })
  },
})
