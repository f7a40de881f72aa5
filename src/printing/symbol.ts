import bwip from 'bwip-js'
import { type Drawable, SYMBOLOGIES, type Symbology } from './symbologies.ts'

/** Error correction levels of a QR code. */
export const ERROR_CORRECTION_LEVELS = ['L', 'M', 'Q', 'H'] as const

/** Input of a symbol. */
type SymbolInput = { symbology: Drawable; text: string; level?: string; border: number }

/** A symbol of modules, or of narrowest bars, each one unit wide: its size with the border, and the path of its dark area. */
export type DrawnSymbol = SymbolInput & { width: number; height: number; path: string }

/** Maximum length of a code's text; a QR code holds less than this for most texts. */
const MAX_CODE_CHARACTERS = 3_000

/** Width of the quiet zone around a symbol, which scanners need. */
export const BORDERS: Readonly<Record<Symbology, number>> = { qrcode: 4, datamatrix: 2, code128: 10 }

const getBorder = (symbology: Drawable): number => (symbology in BORDERS ? BORDERS[symbology as Symbology] : BORDERS.code128)

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are in ASCII too
const ASCII = /^[\u0000-\u007f]*$/

/** Output of bwip-js: the modules of a matrix, or the alternating widths of bars and gaps. */
type Modules = { pixs: number[]; pixx: number; pixy: number }
type Bars = { sbs: number[] }

/**
 * Draws a string as a symbol.
 * @param options.level error correction of a QR code
 * @param options.border by default as wide as scanners need
 * @throws Error with a human-readable message when the text does not fit into such a symbol
 */
export function drawSymbol(
  symbology: Drawable,
  text: string,
  { level = 'M', border = getBorder(symbology) }: { level?: string; border?: number } = {},
): DrawnSymbol {
  if (text === '') throw new Error('The content of the barcode is empty.')
  if (text.length > MAX_CODE_CHARACTERS) throw new Error('This is too long for a barcode.')
  if (symbology === 'code128' && !ASCII.test(text)) throw new Error('A Code 128 can only contain ASCII.')
  const options = { bcid: symbology, text, ...(symbology === 'qrcode' ? { eclevel: level } : {}) }
  let rawSymbol: Modules | Bars
  try {
    rawSymbol = bwip.raw(options)[0] as Modules | Bars
  } catch (error) {
    throw new Error(`This cannot be encoded as ${symbology}: ${(error as Error).message.replace(/^.*?: /, '')}`)
  }
  const source = { symbology, text, border, ...(symbology === 'qrcode' && { level }) }
  return { ...source, ...('pixs' in rawSymbol ? drawMatrix(rawSymbol, border) : drawBars(rawSymbol, border)) }
}

/**
 * Writes a symbol as an SVG, which stays sharp at any size and includes its input.
 * @param options.scale width of a module or a narrowest bar, in pixels; without it the picture has no size of its own
 * @param options.height in pixels, if it has a size of its own; by default by its aspect ratio
 * @param options.background color; none by default
 * @param options.ink color of the dark area
 */
export function toSvg(
  drawn: DrawnSymbol,
  { scale, height: pixelHeight, background, ink }: { scale?: number; height?: number; background?: string; ink?: string } = {},
): string {
  const { symbology, width, height, path } = drawn
  // bars stretch to any box that they fill
  const aspectRatio = symbology === 'qrcode' || symbology === 'datamatrix' ? 'xMidYMid' : 'none'
  const size = scale === undefined ? '' : ` width="${width * scale}" height="${pixelHeight ?? height * scale}"`
  const backgroundRect = background === undefined ? '' : `<rect width="${width}" height="${height}" fill="${background}"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg"${sourceAttribute(drawn)}${size} viewBox="0 0 ${width} ${height}" preserveAspectRatio="${aspectRatio}" shape-rendering="crispEdges">${backgroundRect}<path d="${path}"${ink === undefined ? '' : ` fill="${ink}"`}/></svg>`
}

const sourceAttribute = ({ symbology, text, level, border }: DrawnSymbol): string =>
  ` data-code="${Buffer.from(JSON.stringify({ symbology, text, level, border })).toString('base64')}"`

const SOURCE = /^<svg [^<>]*? data-code="([\w+/=]+)"/
/** Spellings of the dark and light colors of symbols drawn in black on white. */
const BLACK_COLORS = new Set(['black', '#000', '#000000'])
const WHITE = new Set(['white', '#fff', '#ffffff'])

/**
 * Reads a symbol of `SYMBOLOGIES` from an SVG that `toSvg` wrote in black on white; undefined for everything else. It draws the stated input
 * again, which must match the picture.
 */
export function parseSymbol(svg: string): DrawnSymbol | undefined {
  const encodedSource = SOURCE.exec(svg)?.[1]
  const drawing = /<path d="([^"]*)"(?: fill="([^"]*)")?\/><\/svg>$/.exec(svg)
  if (!encodedSource || !drawing || !BLACK_COLORS.has(drawing[2]?.toLowerCase() ?? 'black')) return undefined
  if (!WHITE.has(/<rect [^<>]*fill="([^"]*)"/.exec(svg)?.[1]?.toLowerCase() ?? 'white')) return undefined
  try {
    const { symbology, text, ...options } = JSON.parse(Buffer.from(encodedSource, 'base64').toString()) as SymbolInput
    if (!SYMBOLOGIES.some((one) => one === symbology) || typeof text !== 'string') return undefined
    const drawn = drawSymbol(symbology, text, options)
    return drawn.path === drawing[1] ? drawn : undefined
  } catch {
    return undefined
  }
}

type Outline = Omit<DrawnSymbol, keyof SymbolInput>

function drawMatrix({ pixs, pixx, pixy }: Modules, border: number): Outline {
  let path = ''
  for (let y = 0; y < pixy; y++)
    for (let x = 0, end: number; x < pixx; x = end) {
      const dark = pixs[y * pixx + x]
      for (end = x + 1; end < pixx && pixs[y * pixx + end] === dark; ) end++
      if (dark) path += `M${x + border} ${y + border}h${end - x}v1H${x + border}z`
    }
  return { width: pixx + 2 * border, height: pixy + 2 * border, path }
}

/** Draws bars a quarter as high as their total width. */
function drawBars({ sbs }: Bars, border: number): Outline {
  const width = sbs.reduce((sum, bar) => sum + bar, 2 * border)
  const height = Math.ceil(width / 4)
  let path = ''
  let x = border
  for (const [index, bar] of sbs.entries()) {
    if (index % 2 === 0) path += `M${x} 0h${bar}v${height}H${x}z`
    x += bar
  }
  return { width, height, path }
}
