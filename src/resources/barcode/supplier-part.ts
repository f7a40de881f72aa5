import type { RunQuery } from '../../kit/sql/run-query.ts'
import type { SupplierLabel } from '../../plugin-api/index.ts'
import { PO_STATUS } from '../order/po/po-status.ts'
import { findByGtin, isArticle } from './gtin.ts'
import { kinds } from './kinds.ts'

/** The most supplier parts that are named where a label fits several. */
const MOST_CANDIDATES = 25

/** Whether a label says of which article it is. */
export const namesArticle = ({ supplier_part_number, manufacturer_part_number, gtin }: SupplierLabel): boolean =>
  Boolean(supplier_part_number || manufacturer_part_number || gtin)

/** The column of a supplier part by which it is what an object of a kind stands for. */
export const SELLS: Readonly<Record<string, string>> = {
  part: 's.part',
  supplierpart: 's.pk',
  manufacturerpart: 's.manufacturer_part',
}

/**
 * The supplier parts that a label may mean: those with its SKU, of any supplier; if that is not one, those of its supplier among them;
 * if that is not one, those with its manufacturer's number among these. Case does not count. What the label does not say narrows
 * nothing; where it says none of the three, there are none. A GTIN counts where there is neither SKU nor manufacturer's number.
 * @returns their keys: none, one, or several when the label leaves it open
 */
export async function findSupplierParts(read: RunQuery, label: SupplierLabel): Promise<number[]> {
  const { supplier_part_number: sku, supplier, manufacturer_part_number: mpn } = label
  if (label.gtin && !sku && !mpn) return soldWithGtin(read, label.gtin, supplier)
  const conditions: string[] = []
  const values: unknown[] = []
  let found: number[] = []
  const narrow = async (condition: (place: string) => string, value: unknown) => {
    values.push(value)
    conditions.push(condition(`$${values.length}`))
    const rows = await read<{ pk: number }>(
      `select s.pk from supplier_part s left join manufacturer_part m on m.pk = s.manufacturer_part
       where ${conditions.join(' and ')} order by s.pk limit ${MOST_CANDIDATES}`,
      values,
    )
    found = rows.map(({ pk }) => pk)
  }
  if (sku) await narrow((place) => `upper(s."SKU") = upper(${place}::text)`, sku)
  if (supplier !== undefined && found.length !== 1) await narrow((place) => `s.supplier = ${place}::integer`, supplier)
  if (mpn && found.length !== 1) await narrow((place) => `upper(m."MPN") = upper(${place}::text)`, mpn)
  return found
}

/** The supplier parts that have a GTIN, or whose manufacturer part or part has it: of the first of these of which any are sold. */
async function soldWithGtin(read: RunQuery, gtin: string, supplier: number | undefined): Promise<number[]> {
  for (const kind of kinds.filter(isArticle)) {
    const articles = await findByGtin(read, gtin, [kind])
    if (articles.length === 0) continue
    const sold = await read<{ pk: number }>(
      `select s.pk from supplier_part s where ${SELLS[kind.key]} = any($1::integer[]) and ($2::integer is null or s.supplier = $2::integer)
       order by s.pk limit ${MOST_CANDIDATES}`,
      [articles.map(({ pk }) => pk), supplier ?? null],
    )
    if (sold.length > 0) return sold.map(({ pk }) => pk)
  }
  return []
}

/** The expressions of an order that has its customer's number, or its supplier's, as the indexes of placed orders have them. */
const OWN = `($1::text <> '' and upper(reference) = upper($1::text))`
const THEIRS = `($2::text <> '' and upper(supplier_reference) = upper($2::text))`

/**
 * The placed purchase orders that a label may mean: those with its customer's number as their reference or its supplier's number as
 * the supplier's reference; if these are several, those with both, where there are any. Case does not count.
 * @param label with the company whose label it is, of which the orders are then
 * @returns their keys
 */
export async function findOrders(read: RunQuery, label: SupplierLabel): Promise<number[]> {
  const { customer_order_number: own, supplier_order_number: theirs, supplier } = label
  const rows = await read<{ pk: number; has_both: boolean }>(
    `select pk, ${OWN} and ${THEIRS} as has_both from purchase_order
     where status = ${PO_STATUS.PLACED.key} and ($3::integer is null or supplier = $3::integer) and (${OWN} or ${THEIRS})
     order by pk limit ${MOST_CANDIDATES}`,
    [own ?? '', theirs ?? '', supplier ?? null],
  )
  const both = rows.filter(({ has_both }) => has_both)
  return (rows.length > 1 && both.length > 0 ? both : rows).map(({ pk }) => pk)
}
