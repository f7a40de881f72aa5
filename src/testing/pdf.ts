import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** A page of a PDF: its size in mm, and its text. */
export type PdfPage = { width: number; height: number; text: string }

const MM_PER_POINT = 25.4 / 72

/** Reads a PDF as a reader does. */
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
      pages.push({ width: (right - left) * MM_PER_POINT, height: (top - bottom) * MM_PER_POINT, text: text.trim() })
    }
    return pages
  } finally {
    await task.destroy()
  }
}
