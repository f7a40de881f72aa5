import type { Found } from '../../plugin-api/index.ts'
import { readGs1 } from './gs1/read-gs1.ts'
import type { Kind } from './kinds.ts'
import type { Read } from './linked.ts'

/** The number of an object of a kind that may be its GTIN, as its index has it. */
const NUMBERS: Readonly<Record<string, string>> = {
  supplierpart: '"SKU"',
  manufacturerpart: '"MPN"',
  part: 'lower("IPN")',
}

/** The most objects that are named where a GTIN is the number of several. */
const MOST_CANDIDATES = 25

/**
 * The objects whose number is the GTIN of a code of GS1, however many digits it was written with: of the first kind that has any.
 * @returns none where the code is none of GS1, or has no GTIN
 */
export async function findByGtin(read: Read, text: string, among: readonly Kind[]): Promise<Found[]> {
  const gtin = readGs1(text)?.gtin
  if (gtin === undefined) return []
  for (const { key, table } of among) {
    const number = NUMBERS[key]
    if (!number) continue
    const rows = await read<{ pk: number }>(
      `select pk from ${table} where ${number} = any($1::text[]) order by pk limit ${MOST_CANDIDATES}`,
      [waysOfWriting(gtin)],
    )
    if (rows.length > 0) return rows.map(({ pk }) => ({ kind: key, pk }))
  }
  return []
}

/** A GTIN-14, and what it is with 13, 12 or 8 digits. */
const waysOfWriting = (gtin: string): string[] =>
  [14, 13, 12, 8].flatMap((digits) => (/^0*$/.test(gtin.slice(0, -digits)) ? gtin.slice(-digits) : []))
