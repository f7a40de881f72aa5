import bwip from 'bwip-js'
import { textOf } from '../output.ts'
import { type FilterHandler, named } from './filter.ts'

/** The longest text that goes into a code; a QR code holds less than this of most texts. */
const MAX_LENGTH = 3_000

/** What bwip-js makes of a text: the modules of a matrix, or the widths of bars and gaps by turns. */
type Symbol = { pixs: number[]; pixx: number; pixy: number } | { sbs: number[] }

function symbolOf(data: unknown, options: { bcid: string; eclevel?: string }): Symbol {
  const text = textOf(data)
  if (text === '') throw new Error('There is nothing to make a barcode of.')
  if (text.length > MAX_LENGTH) throw new Error('This is too long for a barcode.')
  try {
    return bwip.raw({ ...options, text })[0] as Symbol
  } catch (error) {
    throw new Error(`No ${options.bcid} code can be made of this: ${(error as Error).message.replace(/^.*?: /, '')}`)
  }
}

/**
 * A code as a picture that stays sharp at any size: the address of an SVG that is written out in it. A module of it, or its narrowest
 * bar, is one unit wide.
 * @param border the width of what is left empty around it
 */
function picture(symbol: Symbol, border: number): string {
  const [width, height, path] = 'pixs' in symbol ? matrixOf(symbol, border) : barsOf(symbol, border)
  // bars stay bars whatever the form of the place that they are to fill
  const fit = 'pixs' in symbol ? 'xMidYMid' : 'none'
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" preserveAspectRatio="${fit}" shape-rendering="crispEdges"><path d="${path}"/></svg>`
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}

type Drawn = [width: number, height: number, path: string]

function matrixOf({ pixs, pixx, pixy }: { pixs: number[]; pixx: number; pixy: number }, border: number): Drawn {
  let path = ''
  for (let y = 0; y < pixy; y++)
    for (let x = 0, end: number; x < pixx; x = end) {
      const dark = pixs[y * pixx + x]
      for (end = x + 1; end < pixx && pixs[y * pixx + end] === dark; ) end++
      if (dark) path += `M${x + border} ${y + border}h${end - x}v1H${x + border}z`
    }
  return [pixx + 2 * border, pixy + 2 * border, path]
}

/** As high as a quarter of their width. */
function barsOf({ sbs }: { sbs: number[] }, border: number): Drawn {
  const width = sbs.reduce((sum, bar) => sum + bar, 2 * border)
  const height = Math.ceil(width / 4)
  let path = ''
  let x = border
  for (const [at, bar] of sbs.entries()) {
    if (at % 2 === 0) path += `M${x} 0h${bar}v${height}H${x}z`
    x += bar
  }
  return [width, height, path]
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are in ASCII too
const ASCII = /^[\u0000-\u007f]*$/

const LEVELS = ['L', 'M', 'Q', 'H']

/** `{{ qr_data | qrcode }}`; `level` of correction L, M, Q or H; `border` in modules, of which readers want four. */
function qrcode(data: unknown, ...options: unknown[]): string {
  const { level = 'M', border = 4 } = named(options, ['level', 'border'])
  if (!LEVELS.includes(String(level))) throw new Error('The level of a QR code is L, M, Q or H.')
  return picture(symbolOf(data, { bcid: 'qrcode', eclevel: String(level) }), widthOf(border))
}

/** `{{ part.IPN | datamatrix }}`; `border` in modules. */
function datamatrix(data: unknown, ...options: unknown[]): string {
  return picture(symbolOf(data, { bcid: 'datamatrix' }), widthOf(named(options, ['border']).border ?? 2))
}

/** `{{ part.IPN | code128 }}`, which fills the width and height that its picture has in the style; `border` in narrow bars. */
function code128(data: unknown, ...options: unknown[]): string {
  const { border = 10 } = named(options, ['border'])
  if (!ASCII.test(textOf(data))) throw new Error('A Code 128 holds ASCII alone.')
  return picture(symbolOf(data, { bcid: 'code128' }), widthOf(border))
}

const widthOf = (value: unknown): number => Math.min(Math.max(Math.trunc(Number(value) || 0), 0), 40)

export const barcodeFilters: Record<string, FilterHandler> = { qrcode, datamatrix, code128 }
