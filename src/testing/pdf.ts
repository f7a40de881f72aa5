import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** A page of a PDF: its size in mm, its text, and the positions of its lines, in mm from the upper left corner. */
export type PdfPage = { width: number; height: number; text: string; lines: { text: string; x: number; y: number }[] }

const MM_PER_POINT = 25.4 / 72

/** Renders the first page of a PDF to an image (PNG), like a printer with this resolution in dots per inch. */
export async function renderPdf(pdf: Uint8Array, dpi: number): Promise<Buffer> {
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: 0 })
  try {
    const document = await task.promise
    const page = await document.getPage(1)
    const viewport = page.getViewport({ scale: dpi / 72 })
    const factory = document.canvasFactory as { create(width: number, height: number): { canvas: Canvas } }
    const { canvas } = factory.create(Math.ceil(viewport.width), Math.ceil(viewport.height))
    await page.render({ canvas: canvas as never, viewport, background: '#fff' }).promise
    return canvas.toBuffer('image/png')
  } finally {
    await task.destroy()
  }
}
type Canvas = { toBuffer(type: 'image/png'): Buffer }

/** Reads the pages of a PDF, like a PDF viewer. */
export async function readPdf(pdf: Uint8Array): Promise<PdfPage[]> {
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: 0 })
  try {
    const document = await task.promise
    const pages: PdfPage[] = []
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number)
      const [left, bottom, right, top] = page.view as [number, number, number, number]
      const { items } = await page.getTextContent()
      const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
      const lines = items.flatMap((item) => {
        if (!('str' in item) || item.str.trim() === '') return []
        const [x, y] = item.transform.slice(4) as [number, number]
        return [{ text: item.str, x: (x - left) * MM_PER_POINT, y: (top - y) * MM_PER_POINT }]
      })
      pages.push({
        width: (right - left) * MM_PER_POINT,
        height: (top - bottom) * MM_PER_POINT,
        text: text.trim(),
        lines,
      })
    }
    return pages
  } finally {
    await task.destroy()
  }
}
