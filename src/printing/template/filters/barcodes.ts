import { BORDERS, drawSymbol, ERROR_CORRECTION_LEVELS, toSvg } from '../../symbol.ts'
import type { Symbology } from '../../symbologies.ts'
import { toText } from '../output.ts'
import { type FilterHandler, readOptions } from './filter.ts'

/** Returns a code as a picture that stays sharp at any size: an SVG in a data URL. */
function toDataUrl(symbology: Symbology, data: unknown, border: unknown = BORDERS[symbology], level?: string): string {
  const symbol = drawSymbol(symbology, toText(data), { border: parseBorder(border), level })
  return `data:image/svg+xml;base64,${Buffer.from(toSvg(symbol)).toString('base64')}`
}

/** Parses a border width in a template, in modules or narrowest bars. */
export const parseBorder = (value: unknown): number => Math.min(Math.max(Math.trunc(Number(value) || 0), 0), 40)

/** `{{ qr_data | qrcode }}`; `level` of error correction L, M, Q or H; `border` in modules. */
function qrcode(data: unknown, ...options: unknown[]): string {
  const { level = 'M', border } = readOptions(options, ['level', 'border'])
  const validLevel = ERROR_CORRECTION_LEVELS.find((candidate) => candidate === String(level))
  if (!validLevel) throw new Error('The error correction level of a QR code must be L, M, Q or H.')
  return toDataUrl('qrcode', data, border, validLevel)
}

/** `{{ part.IPN | datamatrix }}`; `border` in modules. */
const datamatrix = (data: unknown, ...options: unknown[]): string =>
  toDataUrl('datamatrix', data, readOptions(options, ['border']).border)

/** `{{ part.IPN | code128 }}`, which fills the width and height that the style sets for its picture; `border` in narrowest bars. */
const code128 = (data: unknown, ...options: unknown[]): string =>
  toDataUrl('code128', data, readOptions(options, ['border']).border)

export const barcodeFilters: Record<string, FilterHandler> = { qrcode, datamatrix, code128 }
