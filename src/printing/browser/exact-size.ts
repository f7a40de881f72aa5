import type { Lengths } from '../../kit/services/printer.ts'
import { PAPER_SIZES } from '../page-sizes.ts'
import { pdfObjects, pdfTable } from './pdf-objects.ts'

/**
 * Chromium's pages are a whole number of its pixels wide and high, up to 0.4 mm more or less than asked for: enough for
 * a printer to shrink a label. So the size that a PDF gives for its pages is put right here. What is on them stays where it was, seen
 * from their upper left corner.
 */

const POINTS_PER_MM = 72 / 25.4
/** How far a size of Chromium's is from the one that was meant at most, in points. */
const TOLERANCE = 1.25
/** What its pages begin with, and how far from that their size stands at most. */
const PAGE = '<</Type /Page\n'
const BOX = '/MediaBox ['
const NEAR = 2_000

type Edit = { from: number; to: number; text: string }

/**
 * @param asked the size of a page that was asked for; standard sizes are known, too, as documents name them
 * @returns the PDF as it was where it is not written as expected
 */
export function withExactSizes(pdf: Buffer, asked: Lengths): Buffer {
  const sizes = [asked, ...PAPER_SIZES].flatMap(({ width, height }) => [
    { width, height },
    { width: height, height: width },
  ])
  const edits: Edit[] = []
  for (let at = pdf.indexOf(PAGE); at !== -1; at = pdf.indexOf(PAGE, at + 1)) {
    const box = pdf.subarray(at, at + NEAR).indexOf(BOX)
    const from = at + box + BOX.length
    const to = pdf.indexOf(']', from)
    const text = box === -1 || to === -1 ? undefined : exactBox(pdf.toString('latin1', from, Math.min(to, from + 100)), sizes)
    if (text !== undefined) edits.push({ from, to, text })
  }
  return edits.length ? (edited(pdf, edits) ?? pdf) : pdf
}

function exactBox(box: string, sizes: readonly Lengths[]): string | undefined {
  const [left, bottom, right, top] = box.split(' ').map(Number)
  if (left !== 0 || bottom !== 0 || !right || !top) return undefined
  const isNear = (length: number, mm: number) => Math.abs(length - mm * POINTS_PER_MM) <= TOLERANCE
  const meant = sizes.find(({ width, height }) => isNear(right, width) && isNear(top, height))
  if (!meant) return undefined
  const number = (value: number) => String(Number(value.toFixed(4)))
  return `0 ${number(top - meant.height * POINTS_PER_MM)} ${number(meant.width * POINTS_PER_MM)} ${number(top)}`
}

/** The PDF with other texts in it, and with a table that says where its objects are then. */
function edited(pdf: Buffer, edits: readonly Edit[]): Buffer | undefined {
  const objects = pdfObjects(pdf)
  if (!objects) return undefined
  const moved = mover(edits)
  const pieces: (Buffer | string)[] = []
  let from = 0
  for (const edit of edits) {
    pieces.push(pdf.subarray(from, edit.from), edit.text)
    from = edit.to
  }
  const places = objects.places.map((place) => place && moved(place))
  pieces.push(pdf.subarray(from, objects.entries), pdfTable(places), pdf.subarray(objects.rest, pdf.lastIndexOf('startxref')))
  pieces.push(`startxref\n${moved(objects.table)}\n%%EOF\n`)
  return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece)))
}

/** Where a place of the PDF is after the edits before it. */
function mover(edits: readonly Edit[]): (place: number) => number {
  const growth = [0]
  for (const { from, to, text } of edits) growth.push((growth.at(-1) as number) + text.length - (to - from))
  return (place) => {
    let [low, high] = [0, edits.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((edits[middle] as Edit).from < place) low = middle + 1
      else high = middle
    }
    return place + (growth[low] as number)
  }
}
