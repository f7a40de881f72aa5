import { Bytes, view } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { invalidQuery } from '../../../kit/request/problem.ts'
import { loadSharp } from '../../../kit/services/pictures.ts'
import { SYMBOLOGIES } from '../../../printing/symbologies.ts'
import { barcodeErrors } from '../barcode-errors.ts'
import { createScanProblem } from '../response.ts'
import { generateOwnCode, objectFields } from './own-code.ts'

const toChoices = (values: readonly string[]) => () => values.map((value) => ({ value, label: value }))

/** Maximum width of a module, in pixels: a QR code of the maximum length is then some 3,000 pixels wide. */
const MAX_SCALE = 16

const shape = {
  ...objectFields,
  symbology: input.choice<(typeof SYMBOLOGIES)[number]>(toChoices(SYMBOLOGIES), { default: 'qrcode' }),
  format: input.choice<'svg' | 'png'>(toChoices(['svg', 'png']), { default: 'svg' }),
  scale: input.integer({ min: 1, max: MAX_SCALE, default: 4 }),
}

/** GET at the URL whose POST returns the code as a string. */
export const barcodePicture = view({
  path: '/api/barcode/generate/',
  summary: 'Create the barcode of an object as a picture',
  description:
    'Shows the code of this service for an object as a symbol, as SVG or PNG, with the empty border that scanners need. The caller needs the permission to view the object.',
  errors: {
    invalid: 'The type or object does not exist, a parameter has an invalid value, or the barcode plugin is inactive (`error`).',
    permission_denied: 'The caller cannot view such objects (`error`).',
  },
  access: signedIn,
  query: {
    model: 'The kind of the object, as codes and scans name it: `part`, `stockitem`, and so on.',
    pk: 'The object.',
    symbology: 'What it is drawn as: `qrcode`, which is taken without it, `datamatrix` or `code128`.',
    format: 'The form of the picture: `svg`, which is taken without it, or `png`.',
    scale: `The width of a module, or of a narrowest bar, in pixels: from 1 to ${MAX_SCALE}; without it 4.`,
  },
  example: { query: { model: 'stockitem', pk: '1' } },
  files: ['image/svg+xml', 'image/png'],
  async read(request) {
    const { values, errors } = input.readShape(shape, request.query, { references: [], services: request })
    if (Object.keys(errors).length > 0) throw invalidQuery(errors)
    const { symbology, format, scale, ...object } = values as input.ValuesOf<typeof shape>
    const code = await generateOwnCode(request, object)
    const { drawSymbol, toSvg } = await import('../../../printing/symbol.ts')
    const svg = Buffer.from(
      toSvg(
        drawOrThrow(
          () => drawSymbol(symbology, code),
          (reason) => createScanProblem(request, barcodeErrors.barcode_not_drawable({ reason })),
        ),
        { scale, background: '#fff' },
      ),
    )
    if (format === 'svg') return new Bytes('image/svg+xml', svg)
    const sharp = await loadSharp()
    return new Bytes('image/png', await sharp(svg).flatten({ background: '#fff' }).greyscale().png().toBuffer())
  },
})

/** Draws a symbol, or throws an error if the code does not fit into it: the prefix of short codes can be any string. */
function drawOrThrow<Value>(draw: () => Value, createError: (reason: string) => Error): Value {
  try {
    return draw()
  } catch (error) {
    throw createError((error as Error).message)
  }
}
