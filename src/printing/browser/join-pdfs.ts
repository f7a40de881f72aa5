import { pdfObjects, pdfTable } from './pdf-objects.ts'

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
  const pieces: (Buffer | string)[] = []
  const places: (number | undefined)[] = [undefined]
  let length = 0
  const write = (piece: Buffer | string) => {
    pieces.push(piece)
    length += piece.length
  }
  write('%PDF-1.4\n%\xd3\xeb\xe9\xe1\n')
  const parts = pdfs.map(partOf)
  // the root of all pages, and of all, come after all that there was
  const pages = 1 + parts.reduce((sum, { objects }) => sum + objects.length, 0)
  let shift = 0
  let count = 0
  const roots: number[] = []
  for (const { objects, root, pageCount } of parts) {
    const moved = (text: string) =>
      text.replace(REFERENCE, (whole, number?: string) => (number === undefined ? whole : `${Number(number) + shift} 0 R`))
    for (const [index, object] of objects.entries()) {
      places.push(length)
      const stream = object.indexOf(STREAM)
      const head = object.toString('latin1', 0, stream === -1 ? undefined : stream)
      const text = moved(head.replace(/^\d+ 0 obj/, ''))
      const isRoot = index + 1 === root
      write(`${index + 1 + shift} 0 obj`)
      write(isRoot ? text.replace('/Type /Pages', `/Type /Pages\n/Parent ${pages} 0 R`) : text)
      if (stream !== -1) write(object.subarray(stream))
    }
    roots.push(root + shift)
    count += pageCount
    shift += objects.length
  }
  places.push(length)
  write(`${pages} 0 obj\n<</Type /Pages\n/Count ${count}\n/Kids [${roots.map((root) => `${root} 0 R`).join(' ')}]>>\nendobj\n`)
  places.push(length)
  write(`${pages + 1} 0 obj\n<</Type /Catalog\n/Pages ${pages} 0 R>>\nendobj\n`)
  const table = length
  write(
    `xref\n0 ${places.length}\n${pdfTable(places)}trailer\n<</Size ${places.length}\n/Root ${pages + 1} 0 R\n/Info ${parts[0]?.info} 0 R>>\n`,
  )
  write(`startxref\n${table}\n%%EOF\n`)
  return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece)))
}

/** The objects of a PDF in the order of their numbers; the numbers of the root of its pages and of what it is called, and how many pages it has. */
function partOf(pdf: Buffer) {
  const found = pdfObjects(pdf)
  if (!found) throw new Error('the browser writes PDFs in a way that is not known')
  const { places, table, rest } = found
  const ends = places.filter((place) => place !== undefined).toSorted((a, b) => a - b)
  const endOf = new Map(ends.map((place, at) => [place, ends[at + 1] ?? table]))
  // a number without an object keeps its place
  const objects = places
    .slice(1)
    .map((place, at) =>
      place === undefined ? Buffer.from(`${at + 1} 0 obj\nnull\nendobj\n`) : pdf.subarray(place, endOf.get(place)),
    )
  const trailer = pdf.toString('latin1', rest)
  const number = (text: string, name: string) => Number(new RegExp(`/${name} (\\d+)`).exec(text)?.[1])
  const catalog = objects[number(trailer, 'Root') - 1]?.toString('latin1') ?? ''
  const root = number(catalog, 'Pages')
  const pageCount = number(objects[root - 1]?.toString('latin1') ?? '', 'Count')
  if (!root || !pageCount) throw new Error('the browser writes PDFs in a way that is not known')
  return { objects, root, pageCount, info: number(trailer, 'Info') }
}
