import type { RunQuery } from '../../kit/sql/run-query.ts'
import type { Found } from '../../plugin-api/index.ts'
import { readGs1 } from './gs1/read-gs1.ts'
import type { Kind } from './kinds.ts'

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

/** The most codes that are looked at which have the digits of a GTIN in them. */
const MOST_CODES = 500

/**
 * The objects whose number a GTIN is, however many digits it was written with, or to which a code with that GTIN is linked: of the
 * first kind that has any.
 * @param gtin of 14 digits
 */
export async function findByGtin(read: RunQuery, gtin: string, among: readonly Kind[]): Promise<Found[]> {
  const written = waysOfWriting(gtin)
  // the digits that stand in every code with it
  const digits = `%${written.at(-1)}%`
  for (const { key, table } of among.filter(isArticle)) {
    const rows = await read<{ pk: number; code: string | null }>(
      `select pk, null as code from ${table} where ${NUMBERS[key]} = any($1::text[])
       union all
       (select pk, barcode_data from ${table} where barcode_data like $2::text and barcode_data <> '' order by pk limit ${MOST_CODES})`,
      [written, digits],
    )
    const found = rows.filter(({ code }) => code === null || readGs1(code)?.gtin === gtin).map(({ pk }) => pk)
    const pks = [...new Set(found)].toSorted((one, other) => one - other).slice(0, MOST_CANDIDATES)
    if (pks.length > 0) return pks.map((pk) => ({ kind: key, pk }))
  }
  return []
}

/** A GTIN-14, and what it is with 13, 12 or 8 digits: the shortest last. */
const waysOfWriting = (gtin: string): string[] =>
  [14, 13, 12, 8].flatMap((digits) => (/^0*$/.test(gtin.slice(0, -digits)) ? gtin.slice(-digits) : []))
