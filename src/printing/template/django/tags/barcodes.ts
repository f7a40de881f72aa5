import { drawSymbol, svgOf } from '../../../symbol.ts'
import type { Drawable } from '../../../symbologies.ts'
import { widthOf } from '../../filters/barcodes.ts'
import { numberOf, textOf } from '../values.ts'
import type { ValueTag } from './value-tag.ts'

/** A color by its name or its hex code: it is written into the picture. */
const COLOUR = /^(?:[a-z]{3,30}|#[0-9a-f]{3,8})$/i

function colour(value: unknown): string | undefined {
  const text = textOf(value)
  if (text === '') return undefined
  if (!COLOUR.test(text)) throw new Error(`"${text.slice(0, 30)}" is not a color.`)
  return text
}

/** Pixels of a module, as in the existing system. */
const BOX = 20

const unitOf = (value: unknown): number => Math.min(Math.max(Number(numberOf(value) ?? BOX), 1), 100)

/** Error correction levels, by their names and by their numbers in the library of the existing system. */
const LEVELS: Record<string, string> = { L: 'L', M: 'M', Q: 'Q', H: 'H', '1': 'L', '0': 'M', '3': 'Q', '2': 'H' }

/** Returns the data URL of a picture. */
const picture = (symbol: ReturnType<typeof drawSymbol>, look: Parameters<typeof svgOf>[1]): string =>
  `data:image/svg+xml;charset=utf-8;base64,${Buffer.from(svgOf(symbol, look)).toString('base64')}`

const qrcode: ValueTag = {
  parameters: ['data', 'version', 'box_size', 'border', 'fill_color', 'back_color', 'error_correction', 'optimize', 'format'],
  requiredCount: 1,
  value({ data, box_size, border, fill_color, back_color, error_correction }) {
    const level = LEVELS[textOf(error_correction)] ?? 'M'
    const symbol = drawSymbol('qrcode', textOf(data), { level, border: widthOf(numberOf(border) ?? 1) })
    return picture(symbol, { ink: colour(fill_color), background: colour(back_color) ?? 'white', scale: unitOf(box_size) })
  },
}

const datamatrix: ValueTag = {
  parameters: ['data', 'border', 'fill_color', 'back_color', 'box_size'],
  requiredCount: 1,
  value({ data, border, fill_color, back_color, box_size }) {
    const symbol = drawSymbol('datamatrix', textOf(data), { border: widthOf(numberOf(border) ?? 1) })
    return picture(symbol, { ink: colour(fill_color), background: colour(back_color) ?? 'white', scale: unitOf(box_size) })
  },
}

/** Barcode types by their names in the existing system, with the digits that a number is padded to. */
const KINDS: Record<string, { symbology: Drawable; digits?: number }> = {
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

const kindOf = (name: string): (typeof KINDS)[string] | undefined => {
  const key = name.toLowerCase().replaceAll('-', '')
  return Object.hasOwn(KINDS, key) ? KINDS[key] : undefined
}

/** Width of a narrowest bar in the existing system: 0.2 mm at 300 dots to an inch. */
const BAR = (0.2 / 25.4) * 300
const HEIGHT = (15 / 25.4) * 300

/** A one-dimensional barcode, without a text below it. */
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
  lacks(args) {
    const name = args.get('barcode_class')?.literal
    return typeof name === 'string' && !kindOf(name) ? `The barcode type "${name.slice(0, 30)}" does not exist.` : undefined
  },
  value({ data, barcode_class, background, foreground }) {
    const name = textOf(barcode_class) || 'code128'
    const kind = kindOf(name)
    if (!kind) throw new Error(`The barcode type "${name.slice(0, 30)}" does not exist.`)
    const text = textOf(data).padStart(kind.digits ?? 0, '0')
    const look = { ink: colour(foreground), background: colour(background) ?? 'white', scale: BAR, height: HEIGHT }
    return picture(drawSymbol(kind.symbology, text), look)
  },
}

/** The tags of the library `barcode`. */
export const barcodeTags: Record<string, ValueTag> = { qrcode, barcode, datamatrix }
