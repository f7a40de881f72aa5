import type { PDFDocument, PDFPage } from '@pdfme/pdf-lib'
import type { Lengths } from '../../kit/services/printer.ts'
import { PAPER_SIZES } from '../page-sizes.ts'

const POINTS_PER_MM = 72 / 25.4
/** Maximum deviation of Chromium's lengths from the intended ones, in points. */
const TOLERANCE = 1.25
/** Number of objects that are written, and read (`ParseSpeeds.Medium`), before yielding to other work. */
const OBJECTS_PER_TURN = 500

/** The library that reads and writes PDFs, loaded for the first print. */
export const loadPdfLibrary = () => import('@pdfme/pdf-lib')

/** @throws Error if it is not a PDF */
export async function loadPdf(pdf: Uint8Array): Promise<PDFDocument> {
  const { PDFDocument, ParseSpeeds } = await loadPdfLibrary()
  return PDFDocument.load(pdf, { updateMetadata: false, parseSpeed: ParseSpeeds.Medium })
}

/** Writes a PDF in a form that old printers also read. */
export async function savePdf(document: PDFDocument): Promise<Buffer> {
  const options = {
    useObjectStreams: false,
    addDefaultPage: false,
    updateFieldAppearances: false,
    objectsPerTick: OBJECTS_PER_TURN,
  }
  const { buffer, byteOffset, byteLength } = await document.save(options)
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** Converts millimeters to points, rounded to four decimals, which is sufficient for a PDF. */
export const toPoints = (mm: number): number => round(mm * POINTS_PER_MM)
export const round = (value: number): number => Number(value.toFixed(4))

/** Collects the PDFs of Chromium for one print job: their pages in one PDF, with the title of the first one, each in its exact size. */
export class PdfPages {
  readonly #sizes: readonly Lengths[]
  #first: Buffer | undefined
  #document: PDFDocument | undefined
  #isChanged = false

  /** @param size the requested page size; standard sizes that documents may name are supported too */
  constructor(size: Lengths) {
    // Loads the library while Chromium prints; adding a PDF reports its errors.
    loadPdfLibrary().catch(() => undefined)
    this.#sizes = [size, ...PAPER_SIZES].flatMap(({ width, height }) => [
      { width, height },
      { width: height, height: width },
    ])
  }

  async add(pdf: Buffer): Promise<void> {
    const added = await loadPdf(pdf)
    const isChanged = added.getPages().map((page) => setExactSize(page, this.#sizes))
    if (!this.#document) {
      this.#first = pdf
      this.#document = added
      this.#isChanged = isChanged.includes(true)
      return
    }
    const { PDFName } = await loadPdfLibrary()
    this.#isChanged = true
    // links in other documents would lead to named destinations of the first one
    this.#document.catalog.delete(PDFName.of('Dests'))
    for (const page of await this.#document.copyPages(added, added.getPageIndices())) this.#document.addPage(page)
  }

  /** @throws Error if nothing was added */
  async save(): Promise<Buffer> {
    if (!this.#document || !this.#first) throw new Error('there is no PDF')
    return this.#isChanged ? savePdf(this.#document) : this.#first
  }
}

/**
 * Gives a page its exact size. Chromium's pages have a whole number of its pixels in width and height, up to 0.4 mm off: enough for a
 * printer to shrink a label. The content keeps its distance from the upper left corner.
 * @returns whether the page was changed: a page of another size stays as it is
 */
function setExactSize(page: PDFPage, sizes: readonly Lengths[]): boolean {
  const { x, y, width, height } = page.getMediaBox()
  if (x !== 0 || y !== 0) return false
  const isNear = (length: number, mm: number) => Math.abs(length - mm * POINTS_PER_MM) <= TOLERANCE
  const targetSize = sizes.find((size) => isNear(width, size.width) && isNear(height, size.height))
  if (!targetSize) return false
  page.setMediaBox(0, round(height - targetSize.height * POINTS_PER_MM), toPoints(targetSize.width), toPoints(targetSize.height))
  return true
}
