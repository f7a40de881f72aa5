import type { RunQuery } from '../../kit/sql/run-query.ts'
import type { Found } from '../../plugin-api/index.ts'
import { readGs1 } from './gs1/read-gs1.ts'
import type { Kind } from './kinds.ts'

/** Column of each kind that may hold a GTIN, as it is indexed. */
const NUMBERS: Readonly<Record<string, string>> = {
  supplierpart: '"SKU"',
  manufacturerpart: '"MPN"',
  part: 'lower("IPN")',
}

/** Whether a kind of object is an article, which GTINs identify. */
export const isArticle = ({ key }: Kind): boolean => Object.hasOwn(NUMBERS, key)

/** Maximum objects returned for a GTIN that several have as their number. */
const MAX_CANDIDATES = 25

/** Maximum codes checked that contain the digits of a GTIN. */
const MAX_CODES = 500

/**
 * Finds the objects with a GTIN as their number, in any number of digits, or with a linked code that contains it: of the first kind with a
 * match.
 * @param gtin of 14 digits
 */
export async function findByGtin(read: RunQuery, gtin: string, among: readonly Kind[]): Promise<Found[]> {
  const written = spellingsOf(gtin)
  // the digits that every code with it contains
  const digits = `%${written.at(-1)}%`
  for (const { key, table } of among.filter(isArticle)) {
    const rows = await read<{ pk: number; code: string | null }>(
      `select pk, null as code from ${table} where ${NUMBERS[key]} = any($1::text[])
       union all
       (select pk, barcode_data from ${table} where barcode_data like $2::text and barcode_data <> '' order by pk limit ${MAX_CODES})`,
      [written, digits],
    )
    const matches = rows.filter(({ code }) => code === null || readGs1(code)?.gtin === gtin).map(({ pk }) => pk)
    const pks = [...new Set(matches)].toSorted((one, other) => one - other).slice(0, MAX_CANDIDATES)
    if (pks.length > 0) return pks.map((pk) => ({ kind: key, pk }))
  }
  return []
}

/** Returns a GTIN-14, and its forms with 13, 12 or 8 digits: the shortest last. */
const spellingsOf = (gtin: string): string[] =>
  [14, 13, 12, 8].flatMap((digits) => (/^0*$/.test(gtin.slice(0, -digits)) ? gtin.slice(-digits) : []))
