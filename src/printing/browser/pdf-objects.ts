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

/** The entries of a table. */
export const pdfTable = (places: readonly (number | undefined)[]): string =>
  places
    .map((place) => (place === undefined ? '0000000000 65535 f \n' : `${String(place).padStart(10, '0')} 00000 n \n`))
    .join('')
