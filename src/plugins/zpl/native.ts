import type { LabelField } from '../../plugin-api/index.ts'

/** Characters that typeface 0 has on every ZPL printer, and those that barcodes encode in the same way for every manufacturer. */
const WRITABLE = /^[ -~\u00a0-\u00ac\u00ae-\u00ff]*$/
const ENCODABLE = /^[ -~]+$/
/** Maximum characters of a line of text. */
const MAX_TEXT_LENGTH = 1_000
/** Minimum letter height in dots. */
const MIN_LETTER_HEIGHT = 10
/** Limits for stretching a line of text from the width of typeface 0; it is drawn a little narrower than its area. */
const [MIN_STRETCH, MAX_STRETCH] = [0.6, 2]
const WIDTH_RESERVE = 0.97
/** Maximum dots of a module, and minimum size of a code as a fraction of its size in the picture. */
const MAX_MODULE_DOTS = 10
const MIN_CODE_SCALE = 0.75
/** Tolerance by which a module may be larger than in the picture, in dots. */
const TOLERANCE = 0.05

/** Candidates for the escape character of a Data Matrix: the first one that the text does not contain. */
const ESCAPES = ['|', '$', '#', '!', '*']

/** Widths of the letters of typeface 0, from the space to the tilde, in hundredths of their height. */
const WIDTHS = [
  23, 27, 39, 46, 46, 73, 59, 20, 27, 27, 32, 48, 23, 46, 23, 23, 46, 46, 46, 46, 46, 46, 46, 46, 46, 46, 27, 27, 48, 48, 48, 50,
  80, 59, 59, 59, 59, 55, 50, 64, 59, 23, 46, 59, 50, 68, 59, 64, 55, 64, 59, 55, 50, 59, 55, 77, 55, 55, 50, 27, 23, 27, 48, 46,
  27, 46, 50, 46, 50, 46, 27, 50, 50, 23, 23, 46, 23, 73, 50, 50, 50, 50, 32, 46, 27, 50, 46, 64, 46, 46, 41, 32, 23, 32, 48,
]
const DEFAULT_WIDTH = 50

/** The width of a line of text in typeface 0, as a multiple of its height. Letters with an accent are as wide as those without. */
function measureWidth(text: string): number {
  const letters = text.normalize('NFD').replaceAll(/\p{M}/gu, '')
  return [...letters].reduce((sum, letter) => sum + (WIDTHS[(letter.codePointAt(0) as number) - 32] ?? DEFAULT_WIDTH), 0) / 100
}

/** The data of a field: characters that could be a command, or are not ASCII, are hexadecimal digits of UTF-8 (`^FH`). */
const encodeData = (text: string): string =>
  `^FH_^FD${text.replaceAll(/[^\w .,:;()/+-]|_/gu, (letter) =>
    [...Buffer.from(letter)].map((byte) => `_${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  )}^FS`

type Position = Pick<LabelField, 'x' | 'y' | 'width' | 'height'>
type FieldOf<Type extends LabelField['type']> = Extract<LabelField, { type: Type }>

const formatOrigin = (x: number, y: number): string => `^FO${Math.round(x)},${Math.round(y)}`

/** A line of text, stretched to its width in the picture. */
function formatTextField({ text, size, baseline, x, width }: FieldOf<'text'>): string | undefined {
  const height = Math.round(size)
  const stretch = width / (measureWidth(text) * height)
  const isFitting = stretch >= MIN_STRETCH && stretch <= MAX_STRETCH
  if (height < MIN_LETTER_HEIGHT || !isFitting || text.length > MAX_TEXT_LENGTH || !WRITABLE.test(text)) return undefined
  return `^FT${Math.round(x)},${Math.round(baseline)}^A0N,${height},${Math.round(height * stretch * WIDTH_RESERVE)}${encodeData(text)}`
}

/** A code in the middle of its area in the picture, with as many dots for each module as fit. */
function formatCodeField({ symbology, text, level, columns, ...area }: FieldOf<'code'>): string | undefined {
  const dots = Math.min(Math.floor(area.width / columns + TOLERANCE), MAX_MODULE_DOTS)
  if (dots * columns < MIN_CODE_SCALE * area.width || !ENCODABLE.test(text)) return undefined
  const x = area.x + (area.width - dots * columns) / 2
  if (symbology === 'code128') {
    // a `>` starts the codes of other characters
    if (text.includes('>')) return undefined
    return `${formatOrigin(x, area.y)}^BY${dots}^BCN,${Math.round(area.height)},N,N,N,A${encodeData(text)}`
  }
  const y = area.y + (area.height - dots * columns) / 2
  // a QR code is drawn below its origin, by the bar height that was set last
  if (symbology === 'qrcode')
    return `${formatOrigin(x, Math.max(y - 1, 0))}^BY2,3,1^BQN,2,${dots}${encodeData(`${level}A,${text}`)}`
  const escapeCharacter = ESCAPES.find((candidate) => !text.includes(candidate))
  return escapeCharacter && `${formatOrigin(x, y)}^BXN,${dots},200,,,,${escapeCharacter}${encodeData(text)}`
}

/** A black area. */
const formatAreaField = ({ x, y, width, height }: Position): string => {
  const [wide, high] = [width, height].map((length) => Math.max(1, Math.round(length))) as [number, number]
  return `${formatOrigin(x, y)}^GB${wide},${high},${Math.min(wide, high)}^FS`
}

/** The fields of a label as ZPL commands; undefined if a printer might draw one of them differently. */
export function formatNativeFields(fields: readonly LabelField[], label: { width: number; height: number }): string | undefined {
  const commands = fields.map((field) => {
    if (!isOnLabel(field, label)) return undefined
    if (field.type === 'text') return formatTextField(field)
    return field.type === 'code' ? formatCodeField(field) : formatAreaField(field)
  })
  return commands.includes(undefined) ? undefined : `^CI28${commands.join('')}`
}

/** Fields may exceed an edge by half a dot. */
const isOnLabel = ({ x, y, width, height }: Position, label: { width: number; height: number }): boolean =>
  x > -0.5 && y > -0.5 && x + width < label.width + 0.5 && y + height < label.height + 0.5
