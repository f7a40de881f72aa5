import { type RenderOptions, toSVG } from 'bwip-js'
import { textOf } from '../output.ts'
import { type FilterHandler, named } from './filter.ts'

/** The longest text that goes into a code; a QR code holds less than this of most texts. */
const MAX_LENGTH = 3_000

/** Lengths of bwip-js are in its own units: a module of a matrix is two of them, the narrowest bar of a linear code one. */
const MODULE = 2

/** A code as a picture that stays sharp at any size: the address of an SVG that is written out in it. */
function picture(data: unknown, options: Omit<RenderOptions, 'text'> & { eclevel?: string }, fit = 'xMidYMid'): string {
  const text = textOf(data)
  if (text === '') throw new Error('There is nothing to make a barcode of.')
  if (text.length > MAX_LENGTH) throw new Error('This is too long for a barcode.')
  let svg: string
  try {
    svg = toSVG({ ...options, text })
  } catch (error) {
    throw new Error(`No ${options.bcid} code can be made of this: ${(error as Error).message.replace(/^.*?: /, '')}`)
  }
  const crisp = svg.replace('<svg ', `<svg shape-rendering="crispEdges" preserveAspectRatio="${fit}" `)
  return `data:image/svg+xml;base64,${Buffer.from(crisp).toString('base64')}`
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are in ASCII too
const ASCII = /^[\u0000-\u007f]*$/

const LEVELS = ['L', 'M', 'Q', 'H']

/** `{{ qr_data | qrcode }}`; `level` of correction L, M, Q or H; `border` in modules, of which readers want four. */
function qrcode(data: unknown, ...options: unknown[]): string {
  const { level = 'M', border = 4 } = named(options, ['level', 'border'])
  if (!LEVELS.includes(String(level))) throw new Error('The level of a QR code is L, M, Q or H.')
  const padding = widthOf(border) * MODULE
  return picture(data, { bcid: 'qrcode', eclevel: String(level), scale: 1, paddingwidth: padding, paddingheight: padding })
}

/** `{{ part.IPN | datamatrix }}`; `border` in modules. */
function datamatrix(data: unknown, ...options: unknown[]): string {
  const padding = widthOf(named(options, ['border']).border ?? 2) * MODULE
  return picture(data, { bcid: 'datamatrix', scale: 1, paddingwidth: padding, paddingheight: padding })
}

/**
 * `{{ part.IPN | code128 }}`; `text: true` writes below what it says; `height` of the bars in millimetres at a bar of 0.35 mm; `border`
 * in bars; `stretch: true` fills the place that the picture has, whatever its form: bars stay bars.
 */
function code128(data: unknown, ...options: unknown[]): string {
  const { text = false, height = 10, border = 10, stretch = false } = named(options, ['text', 'height', 'border', 'stretch'])
  if (!ASCII.test(textOf(data))) throw new Error('A Code 128 holds ASCII alone.')
  const bars = {
    bcid: 'code128',
    scale: 1,
    height: Math.min(Math.max(Number(height) || 10, 2), 100),
    includetext: text === true,
    textxalign: 'center' as const,
    paddingwidth: widthOf(border),
  }
  return picture(data, bars, stretch === true ? 'none' : undefined)
}

const widthOf = (value: unknown): number => Math.min(Math.max(Math.trunc(Number(value) || 0), 0), 40)

export const barcodeFilters: Record<string, FilterHandler> = { qrcode, datamatrix, code128 }
