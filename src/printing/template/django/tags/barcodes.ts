import { drawSymbol, toSvg } from '../../../symbol.ts'
import type { Drawable } from '../../../symbologies.ts'
import { parseBorder } from '../../filters/barcodes.ts'
import { toDecimal, toText } from '../values.ts'
import type { ValueTag } from './value-tag.ts'

/** A color by its name or its hex code: it is written into the picture. */
const COLOR = /^(?:[a-z]{3,30}|#[0-9a-f]{3,8})$/i

function parseColor(value: unknown): string | undefined {
  const text = toText(value)
  if (text === '') return undefined
  if (!COLOR.test(text)) throw new Error(`"${text.slice(0, 30)}" is not a color.`)
  return text
}

/** Pixels of a module, as in InvenTree. */
const DEFAULT_MODULE_PIXELS = 20

const toModulePixels = (value: unknown): number => Math.min(Math.max(Number(toDecimal(value) ?? DEFAULT_MODULE_PIXELS), 1), 100)

/** Error correction levels, by their names and by their numbers in the library that InvenTree uses. */
const LEVELS: Record<string, string> = { L: 'L', M: 'M', Q: 'Q', H: 'H', '1': 'L', '0': 'M', '3': 'Q', '2': 'H' }

/** Returns the data URL of a picture. */
const toDataUrl = (symbol: ReturnType<typeof drawSymbol>, options: Parameters<typeof toSvg>[1]): string =>
  `data:image/svg+xml;charset=utf-8;base64,${Buffer.from(toSvg(symbol, options)).toString('base64')}`

const qrcode: ValueTag = {
  parameters: ['data', 'version', 'box_size', 'border', 'fill_color', 'back_color', 'error_correction', 'optimize', 'format'],
  requiredCount: 1,
  value({ data, box_size, border, fill_color, back_color, error_correction }) {
    const level = LEVELS[toText(error_correction)] ?? 'M'
    const symbol = drawSymbol('qrcode', toText(data), { level, border: parseBorder(toDecimal(border) ?? 1) })
    return toDataUrl(symbol, {
      ink: parseColor(fill_color),
      background: parseColor(back_color) ?? 'white',
      scale: toModulePixels(box_size),
    })
  },
}

const datamatrix: ValueTag = {
  parameters: ['data', 'border', 'fill_color', 'back_color', 'box_size'],
  requiredCount: 1,
  value({ data, border, fill_color, back_color, box_size }) {
    const symbol = drawSymbol('datamatrix', toText(data), { border: parseBorder(toDecimal(border) ?? 1) })
    return toDataUrl(symbol, {
      ink: parseColor(fill_color),
      background: parseColor(back_color) ?? 'white',
      scale: toModulePixels(box_size),
    })
  },
}

/** Barcode types by their names in InvenTree, with the digits that a number is padded to. */
const BARCODE_TYPES: Record<string, { symbology: Drawable; digits?: number }> = {
  code128: { symbology: 'code128' },
  code39: { symbology: 'code39' },
  ean: { symbology: 'ean13', digits: 12 },
  ean13: { symbology: 'ean13', digits: 12 },
  ean8: { symbology: 'ean8', digits: 7 },
  ean14: { symbology: 'itf14', digits: 13 },
  upc: { symbology: 'upca', digits: 11 },
  upca: { symbology: 'upca', digits: 11 },
  itf: { symbology: 'interleaved2of5' },
  codabar: { symbology: 'rationalizedCodabar' },
  gs1: { symbology: 'code128' },
  gs1_128: { symbology: 'code128' },
}

const findBarcodeType = (name: string): (typeof BARCODE_TYPES)[string] | undefined => {
  const key = name.toLowerCase().replaceAll('-', '')
  return Object.hasOwn(BARCODE_TYPES, key) ? BARCODE_TYPES[key] : undefined
}

/** Width of a narrowest bar in InvenTree: 0.2 mm at 300 dots per inch. */
const BAR_PIXELS = (0.2 / 25.4) * 300
const HEIGHT_PIXELS = (15 / 25.4) * 300

/** A one-dimensional barcode, without text below it. */
const barcode: ValueTag = {
  parameters: [
    'data',
    'barcode_class',
    'format',
    'module_width',
    'module_height',
    'quiet_zone',
    'font_size',
    'text_distance',
    'write_text',
    'text',
    'dpi',
    'background',
    'foreground',
    'center_text',
    'add_checksum',
  ],
  requiredCount: 1,
  findMissing(args) {
    const name = args.get('barcode_class')?.literal
    return typeof name === 'string' && !findBarcodeType(name)
      ? `The barcode type "${name.slice(0, 30)}" does not exist.`
      : undefined
  },
  value({ data, barcode_class, background, foreground }) {
    const name = toText(barcode_class) || 'code128'
    const kind = findBarcodeType(name)
    if (!kind) throw new Error(`The barcode type "${name.slice(0, 30)}" does not exist.`)
    const text = toText(data).padStart(kind.digits ?? 0, '0')
    const options = {
      ink: parseColor(foreground),
      background: parseColor(background) ?? 'white',
      scale: BAR_PIXELS,
      height: HEIGHT_PIXELS,
    }
    return toDataUrl(drawSymbol(kind.symbology, text), options)
  },
}

/** The tags of the library `barcode`. */
export const barcodeTags: Record<string, ValueTag> = { qrcode, barcode, datamatrix }
