import type { RenderedItem } from '../kit/services/printer.ts'
import type { LabelField } from '../plugin-api/index.ts'
import { parseSymbol } from './symbol.ts'

const PIXELS_PER_INCH = 96
/** Maximum codes on a label: each is drawn again to verify it. */
const MAX_CODES = 20
/** Prefix of the data URLs of code pictures. */
const SVG = /^data:image\/svg\+xml(?:;charset=utf-8)?;base64,/

/** Returns the fields of a label, in dots; undefined if it has a picture that is not a code, or a code that printers cannot draw. */
export function toLabelFields(elements: readonly RenderedItem[], dpi: number): LabelField[] | undefined {
  if (elements.filter(({ kind }) => kind === 'picture').length > MAX_CODES) return undefined
  const dots = dpi / PIXELS_PER_INCH
  const fields: LabelField[] = []
  for (const { x, y, width, height, ...element } of elements) {
    const area = { x: x * dots, y: y * dots, width: width * dots, height: height * dots }
    if (element.kind === 'black') fields.push({ type: 'black', ...area })
    else if (element.kind === 'text')
      fields.push({ type: 'text', ...area, text: element.text, size: element.size * dots, baseline: element.baseline * dots })
    else {
      const code = readCode(element.source, area)
      if (!code) return undefined
      fields.push(code)
    }
  }
  return fields
}

type Position = Pick<LabelField, 'x' | 'y' | 'width' | 'height'>

/** Returns the code that a picture shows at its position. */
function readCode(source: string, { x, y, width, height }: Position): LabelField | undefined {
  if (!SVG.test(source)) return undefined
  const symbol = parseSymbol(Buffer.from(source.replace(SVG, ''), 'base64').toString())
  if (!symbol) return undefined
  const { symbology, text, level, border } = symbol
  if (symbology !== 'qrcode' && symbology !== 'datamatrix' && symbology !== 'code128') return undefined
  const code = { type: 'code', symbology, text, level, columns: symbol.width - 2 * border } as const
  if (symbology === 'code128') {
    const bar = width / symbol.width
    return { ...code, x: x + border * bar, y, width: code.columns * bar, height }
  }
  // a matrix is square, and centered in its box
  if (symbol.width !== symbol.height) return undefined
  const module = Math.min(width, height) / symbol.width
  const size = code.columns * module
  return { ...code, x: x + (width - size) / 2, y: y + (height - size) / 2, width: size, height: size }
}
