import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** A page of a PDF: its size in mm, its text, and where its lines begin, in mm from the upper left corner. */
export type PdfPage = { width: number; height: number; text: string; places: { text: string; x: number; y: number }[] }

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
      const places = items.flatMap((item) => {
        if (!('str' in item) || item.str.trim() === '') return []
        const [x, y] = item.transform.slice(4) as [number, number]
        return [{ text: item.str, x: (x - left) * MM_PER_POINT, y: (top - y) * MM_PER_POINT }]
      })
      pages.push({ width: (right - left) * MM_PER_POINT, height: (top - bottom) * MM_PER_POINT, text: text.trim(), places })
    }
    return pages
  } finally {
    await task.destroy()
  }
}
