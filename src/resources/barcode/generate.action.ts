import { Type } from 'typebox'
import { procedure } from '../../kit/definition/action.ts'
import { signedIn } from '../../kit/request/caller.ts'
import { generateOwnCode, objectFields } from './generate/own-code.ts'
import { buildReply } from './response.ts'

/** See docs/interface/barcodes.md#contents. */
export const generateBarcode = procedure({
  method: 'POST',
  path: '/api/barcode/generate/',
  summary: 'Create the barcode of an object',
  description:
    'Returns the barcode of this service for an object, as labels print it and scans find it: `{"part": 10}`, or short as `INV-PA10` if the setting INTERNAL_BARCODE_FORMAT of the plugin `inventreebarcode` says so. Nothing is stored. The caller needs permission to view the object.',
  errors: {
    invalid: 'The type or object does not exist, or the barcode plugin is inactive (`error`).',
    permission_denied: 'The caller cannot view such objects (`error`).',
  },
  example: { body: { model: 'stockitem', pk: 1 } },
  access: signedIn,
  body: objectFields,
  response: Type.Object(
    {
      barcode: Type.String({ description: 'The code.' }),
      model: Type.Optional(Type.String({ description: 'The object type, as it was sent.' })),
      pk: Type.Optional(Type.Union([Type.Integer(), Type.String()], { description: 'The primary key, as it was sent.' })),
    },
    { additionalProperties: true },
  ),
  async handle(request) {
    return buildReply(request, { barcode: await generateOwnCode(request, request.body) })
  },
})
