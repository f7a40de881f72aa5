import { pdfParts, writePdf } from './pdf-objects.ts'

/** What begins with a reference, and texts, in which nothing is one. */
const REFERENCE = /\((?:\\.|[^\\()])*\)|<[\dA-Fa-f\s]*>|\b(\d+) 0 R\b/gs
const STREAM = '>> stream\n'

/**
 * The pages of several PDFs of Chromium in one, which is called as the first one is.
 * @throws Error where one is not written as Chromium does
 */
export function joinPdfs(pdfs: readonly Buffer[]): Buffer {
  const [first] = pdfs
  if (pdfs.length === 1) return first as Buffer
  const parts = pdfs.map(pdfParts)
  // the root of all pages, and of all, come after all that there was
  const pages = 1 + parts.reduce((sum, { objects }) => sum + objects.length, 0)
  const joined: (Buffer | string)[][] = []
  const roots: number[] = []
  for (const { objects, root } of parts) {
    const shift = joined.length
    const moved = (text: string) =>
      text.replace(REFERENCE, (whole, number?: string) => (number === undefined ? whole : `${Number(number) + shift} 0 R`))
    for (const [index, object] of objects.entries()) {
      const stream = object.indexOf(STREAM)
      const head = object.toString('latin1', 0, stream === -1 ? undefined : stream)
      const text = moved(head.replace(/^\d+ 0 obj/, ''))
      const isRoot = index + 1 === root
      joined.push([
        `${index + 1 + shift} 0 obj`,
        isRoot ? text.replace('/Type /Pages', `/Type /Pages\n/Parent ${pages} 0 R`) : text,
        ...(stream === -1 ? [] : [object.subarray(stream)]),
      ])
    }
    roots.push(root + shift)
  }
  const count = parts.reduce((sum, { pageCount }) => sum + pageCount, 0)
  const kids = roots.map((root) => `${root} 0 R`).join(' ')
  joined.push([`${pages} 0 obj\n<</Type /Pages\n/Count ${count}\n/Kids [${kids}]>>\nendobj\n`])
  joined.push([`${pages + 1} 0 obj\n<</Type /Catalog\n/Pages ${pages} 0 R>>\nendobj\n`])
  return writePdf(joined, { catalog: pages + 1, info: parts[0]?.info as number })
}
