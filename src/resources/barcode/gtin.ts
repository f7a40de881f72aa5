import type { RunQuery } from '../../kit/sql/run-query.ts'
import { parseGs1 } from '../../notation/gs1/gs1-code.ts'
import type { Found } from '../../plugin-api/index.ts'
import type { BarcodeKind } from './kinds.ts'

/** Column or expression of each kind that can hold a GTIN, as it is indexed. */
const GTIN_COLUMNS: Readonly<Record<string, string>> = {
  supplierpart: '"SKU"',
  manufacturerpart: '"MPN"',
  part: 'lower("IPN")',
}

/** Whether objects of a kind can be identified by a GTIN. */
export const canHaveGtin = ({ key }: BarcodeKind): boolean => Object.hasOwn(GTIN_COLUMNS, key)

/** Maximum objects returned for a GTIN that several have as their number. */
const MAX_CANDIDATES = 25

/** Maximum codes checked that contain the digits of a GTIN. */
const MAX_CODES = 500

/**
 * Finds the objects with a GTIN as their number, in any number of digits, or with a linked code that contains it: of the first kind with a
 * match.
 * @param gtin of 14 digits
 */
export async function findByGtin(read: RunQuery, gtin: string, searchedKinds: readonly BarcodeKind[]): Promise<Found[]> {
  const spellings = listSpellings(gtin)
  // every code with this GTIN contains these digits
  const digits = `%${spellings.at(-1)}%`
  for (const { key, table } of searchedKinds.filter(canHaveGtin)) {
    const rows = await read<{ pk: number; code: string | null }>(
      `select pk, null as code from ${table} where ${GTIN_COLUMNS[key]} = any($1::text[])
       union all
       (select pk, barcode_data from ${table} where barcode_data like $2::text and barcode_data <> '' order by pk limit ${MAX_CODES})`,
      [spellings, digits],
    )
    const matches = rows.filter(({ code }) => code === null || parseGs1(code)?.gtin === gtin).map(({ pk }) => pk)
    const pks = [...new Set(matches)].toSorted((one, other) => one - other).slice(0, MAX_CANDIDATES)
    if (pks.length > 0) return pks.map((pk) => ({ kind: key, pk }))
  }
  return []
}

/** Returns a GTIN-14, and its forms with 13, 12 or 8 digits: the shortest last. */
const listSpellings = (gtin: string): string[] =>
  [14, 13, 12, 8].flatMap((digits) => (/^0*$/.test(gtin.slice(0, -digits)) ? gtin.slice(-digits) : []))
