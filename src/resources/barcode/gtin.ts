import type { Found } from '../../plugin-api/index.ts'
import type { Kind } from './kinds.ts'
import type { Read } from './linked.ts'

/** The number of an object of a kind that may be its GTIN, as its index has it. */
const NUMBERS: Readonly<Record<string, string>> = {
  supplierpart: '"SKU"',
  manufacturerpart: '"MPN"',
  part: 'lower("IPN")',
}

/** The kinds of objects that are articles, which GTINs number. */
export const isArticle = ({ key }: Kind): boolean => Object.hasOwn(NUMBERS, key)

/** The most objects that are named where a GTIN is the number of several. */
const MOST_CANDIDATES = 25

/**
 * The objects whose number a GTIN is, however many digits it was written with: of the first kind that has any.
 * @param gtin of 14 digits
 */
export async function findByGtin(read: Read, gtin: string, among: readonly Kind[]): Promise<Found[]> {
  for (const { key, table } of among.filter(isArticle)) {
    const rows = await read<{ pk: number }>(
      `select pk from ${table} where ${NUMBERS[key]} = any($1::text[]) order by pk limit ${MOST_CANDIDATES}`,
      [waysOfWriting(gtin)],
    )
    if (rows.length > 0) return rows.map(({ pk }) => ({ kind: key, pk }))
  }
  return []
}

/** A GTIN-14, and what it is with 13, 12 or 8 digits. */
const waysOfWriting = (gtin: string): string[] =>
  [14, 13, 12, 8].flatMap((digits) => (/^0*$/.test(gtin.slice(0, -digits)) ? gtin.slice(-digits) : []))
