import type { PDFDocument, PDFPage, PDFRef } from '@pdfme/pdf-lib'
import { loadPdf, loadPdfLibrary, round, savePdf, toPoints } from '../browser/pdf-pages.ts'
import { type LabelSheet, listCells } from './label-sheet.ts'

/** A page as a picture that can be drawn on another page; its lower left corner in points. */
type Drawing = { ref: PDFRef; left: number; bottom: number }

/**
 * Places the pages of a Chromium PDF, one label each, onto sheets. Each label stays unchanged: clipped at its edges, with its own fonts and
 * styles.
 * @param skip number of cells of the first sheet to leave empty
 */
export async function impose(pdf: Buffer, sheet: LabelSheet, skip: number): Promise<Buffer> {
  const {
    concatTransformationMatrix,
    drawObject,
    PDFName,
    popGraphicsState,
    pushGraphicsState,
    rectangle,
    setLineWidth,
    stroke,
  } = await loadPdfLibrary()
  const document = await loadPdf(pdf)
  const labels = await extractPages(document)
  const { page, label, columns, rows } = sheet
  const cells = listCells(sheet)
  const perSheet = columns * rows
  for (let first = -skip; first < labels.length; first += perSheet) {
    const paper = document.addPage([toPoints(page.width), toPoints(page.height)])
    for (const [index, { x, y }] of cells.entries()) {
      const drawing = labels[first + index]
      if (!drawing) continue
      const [across, up] = [toPoints(x), toPoints(page.height - y - label.height)]
      const name = PDFName.of(`L${drawing.ref.objectNumber}`)
      paper.node.setXObject(name, drawing.ref)
      paper.pushOperators(
        pushGraphicsState(),
        concatTransformationMatrix(1, 0, 0, 1, round(across - drawing.left), round(up - drawing.bottom)),
        drawObject(name),
        popGraphicsState(),
      )
      if (!sheet.border) continue
      paper.pushOperators(setLineWidth(0.5), rectangle(across, up, toPoints(label.width), toPoints(label.height)), stroke())
    }
  }
  return savePdf(document)
}

/** Reads all pages of a PDF as drawings that can be placed elsewhere in it. */
async function extractPages(document: PDFDocument): Promise<Drawing[]> {
  const { PDFName, PDFStream } = await loadPdfLibrary()
  const { context } = document
  const toDrawing = (page: PDFPage): Drawing => {
    const { x, y, width, height } = page.getMediaBox()
    const ref = page.node.get(PDFName.of('Contents')) as PDFRef
    const { dict } = context.lookup(ref, PDFStream)
    dict.set(PDFName.of('Type'), PDFName.of('XObject'))
    dict.set(PDFName.of('Subtype'), PDFName.of('Form'))
    dict.set(PDFName.of('BBox'), context.obj([x, y, x + width, y + height]))
    dict.set(PDFName.of('Resources'), page.node.Resources() ?? context.obj({}))
    return { ref, left: x, bottom: y }
  }
  const pages = document.getPages()
  const drawings = pages.map(toDrawing)
  for (const page of pages) {
    document.removePage(0)
    context.delete(page.ref)
  }
  return drawings
}
