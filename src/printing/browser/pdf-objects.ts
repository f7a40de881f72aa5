/**
 * Where the objects of a PDF are, as Chromium writes it: each on its own, after all of them a table with their places, then the trailer.
 * Undefined for one that is written otherwise.
 */
export type PdfObjects = {
  /** Where each object begins, by its number; undefined for numbers without one. */
  places: readonly (number | undefined)[]
  /** Where the table begins, its first entry, and what follows the last one. */
  table: number
  entries: number
  rest: number
}

/** An entry of the table has so many bytes. */
const ENTRY = 20

export function pdfObjects(pdf: Buffer): PdfObjects | undefined {
  const table = Number(/startxref\n(\d+)\n%%EOF\s*$/.exec(pdf.toString('latin1', pdf.length - 100))?.[1])
  const head = /^xref\n0 (\d+)\n/.exec(pdf.toString('latin1', table, table + 30))
  if (!head) return undefined
  const entries = table + head[0].length
  const rest = entries + Number(head[1]) * ENTRY
  const places = pdf
    .toString('latin1', entries, rest)
    .match(/.{20}/gs)
    ?.map((entry) => (entry.includes('n') ? Number(entry.slice(0, 10)) : undefined))
  return places && { places, table, entries, rest }
}

/** What a PDF is made of: its objects in the order of their numbers, the first being 1. */
export type PdfParts = {
  objects: Buffer[]
  /** The numbers of the root of its pages and of what tells what it is called. */
  root: number
  info: number
  pageCount: number
}

/** @throws Error for a PDF that is not written as Chromium does */
export function pdfParts(pdf: Buffer): PdfParts {
  const found = pdfObjects(pdf)
  if (!found) throw unknownForm()
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
  if (!root || !pageCount) throw unknownForm()
  return { objects, root, pageCount, info: number(trailer, 'Info') }
}

export const unknownForm = (): Error => new Error('the browser writes PDFs in a way that is not known')

/**
 * A PDF of these objects, in the order of their numbers.
 * @param objects texts as latin1; several pieces make one object
 */
export function writePdf(
  objects: readonly (readonly (Buffer | string)[])[],
  { catalog, info }: { catalog: number; info: number },
): Buffer {
  const pieces: Buffer[] = []
  const places: (number | undefined)[] = [undefined]
  let length = 0
  const write = (piece: Buffer | string) => {
    const bytes = typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece
    pieces.push(bytes)
    length += bytes.length
  }
  write('%PDF-1.4\n%\xd3\xeb\xe9\xe1\n')
  for (const object of objects) {
    places.push(length)
    for (const piece of object) write(piece)
  }
  const table = length
  write(`xref\n0 ${places.length}\n${pdfTable(places)}`)
  write(`trailer\n<</Size ${places.length}\n/Root ${catalog} 0 R\n/Info ${info} 0 R>>\nstartxref\n${table}\n%%EOF\n`)
  return Buffer.concat(pieces)
}

/** The entries of a table. */
export const pdfTable = (places: readonly (number | undefined)[]): string =>
  places
    .map((place) => (place === undefined ? '0000000000 65535 f \n' : `${String(place).padStart(10, '0')} 00000 n \n`))
    .join('')
