import { type RunQuery, readThrough } from '../../kit/sql/run-query.ts'
import type { SupplierLabel } from '../../plugin-api/index.ts'
import { company } from '../company/company.resource.ts'
import { PO_STATUS } from '../order/po/po-status.ts'
import { findByGtin, isArticle } from './gtin.ts'
import { kinds } from './kinds.ts'
import type { ReadLabel, Scanning } from './scan-result.ts'

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

/** A label with what the database knows of it. */
export type KnownLabel = ReadLabel & {
  /** The supplier parts that it may mean, by SKU and manufacturer's number. */
  parts: readonly number[]
  /** The placed purchase orders that it may mean. */
  orders: readonly { pk: number; supplier: number | null }[]
}

/** What a request names beside its code. */
type Named = { order: number | null; location: number | null }

/** What the database knows of labels, and of what is named beside them; null of what is not there. */
type LookedUp = {
  labels: KnownLabel[]
  order: { status: number; supplier: number | null } | null
  isStructural: boolean | null
}

/**
 * Looks up in one statement what labels mean. Case does not count, and what a label does not say narrows nothing.
 *
 * - Its supplier where it names one: the only supplier whose name holds that, if the caller may view companies.
 * - The supplier parts with its SKU, of any supplier; if that is not one, those of its supplier among them; if that is not one, those with
 *   its manufacturer's number among these. None where it says neither SKU nor manufacturer's number.
 * - The placed purchase orders with its customer's number as their reference or its supplier's number as the supplier's reference, of its
 *   supplier; if these are several, those with both, where there are any.
 *
 * (The reference description of plugins and barcodes, A10.)
 */
export async function lookUpLabels(
  context: Scanning,
  read: readonly ReadLabel[],
  { order = null, location = null }: Partial<Named> = {},
): Promise<LookedUp> {
  if (read.length === 0 && order === null && location === null) return { labels: [], order: null, isStructural: null }
  const [row] = await readThrough(context)<Row>(LOOK_UP, [
    JSON.stringify(read.map(({ label }, at) => ({ at, ...asked(label, company.access(context.caller, 'view')) }))),
    order,
    location,
  ])
  const { labels, order: named, is_structural } = row as Row
  return { labels: read.map((one, at) => known(one, labels[at] as Found)), order: named, isStructural: is_structural }
}

type Found = {
  supplier: number | null
  of_sku: { pk: number; supplier: number; has_mpn: boolean | null }[] | null
  of_supplier: number[]
  of_mpn: number[]
  orders: { pk: number; supplier: number | null; has_both: boolean | null }[] | null
}

type Row = { labels: Found[]; order: LookedUp['order']; is_structural: boolean | null }

/** What is looked up of a label. An empty text says nothing. */
function asked(label: SupplierLabel, mayViewCompanies: boolean) {
  const { supplier, supplier_name: name } = label
  return {
    sku: label.supplier_part_number || null,
    mpn: label.manufacturer_part_number || null,
    own: label.customer_order_number || null,
    theirs: label.supplier_order_number || null,
    supplier: supplier ?? null,
    named: name && mayViewCompanies ? `%${name.replaceAll(/[\\%_]/g, '\\$&')}%` : null,
  }
}

/** The expressions of an order that has a label's numbers, as the indexes of placed orders have them. */
const OWN = 'upper(reference) = upper(label.own)'
const THEIRS = 'upper(supplier_reference) = upper(label.theirs)'

// `offset 0`: the supplier of a label is looked for once, and not wherever it counts
const LOOK_UP = `select
  (select json_build_object('status', status, 'supplier', supplier) from purchase_order where pk = $2::integer) as "order",
  (select structural from stock_location where pk = $3::integer) as is_structural,
  (select coalesce(json_agg(json_build_object(
      'supplier', company.pk,
      'of_sku', (select json_agg(found) from (
        select s.pk, s.supplier, upper(m."MPN") = upper(label.mpn) as has_mpn
        from supplier_part s left join manufacturer_part m on m.pk = s.manufacturer_part where upper(s."SKU") = upper(label.sku)
        order by s.supplier is distinct from company.pk, upper(m."MPN") is distinct from upper(label.mpn), s.pk limit ${MOST_CANDIDATES}) found),
      'of_supplier', array(
        select pk from supplier_part where supplier = company.pk and label.sku is null order by pk limit 2),
      'of_mpn', array(
        select s.pk from manufacturer_part m join supplier_part s on s.manufacturer_part = m.pk
        where upper(m."MPN") = upper(label.mpn) and label.sku is null and (company.pk is null or s.supplier = company.pk)
        order by s.pk limit ${MOST_CANDIDATES}),
      'orders', (select json_agg(found) from (
        select pk, supplier, ${OWN} and ${THEIRS} as has_both from purchase_order
        where status = ${PO_STATUS.PLACED.key} and (company.pk is null or supplier = company.pk) and (${OWN} or ${THEIRS})
        order by pk limit ${MOST_CANDIDATES}) found)
    ) order by label.at), '[]')
   from json_to_recordset($1::json) label (at integer, sku text, mpn text, own text, theirs text, supplier integer, named text)
   cross join lateral (select coalesce(label.supplier, (
     select min(pk) from (select pk from company where is_supplier and name collate "default" ilike label.named limit 2) named having count(*) = 1
   )) as pk offset 0) company
  ) as labels`

function known({ plugin, label }: ReadLabel, found: Found): KnownLabel {
  const { supplier_name: _, ...said } = label
  const orders = found.orders ?? []
  const both = orders.filter(({ has_both }) => has_both)
  return {
    plugin,
    label: { ...said, ...(found.supplier === null ? {} : { supplier: found.supplier }) },
    parts: narrowed(label, found),
    orders: orders.length > 1 && both.length > 0 ? both : orders,
  }
}

function narrowed(label: SupplierLabel, { supplier, of_sku, of_supplier, of_mpn }: Found): number[] {
  const mpn = label.manufacturer_part_number
  const sorted = (parts: readonly { pk: number }[]) => parts.map(({ pk }) => pk).toSorted((one, other) => one - other)
  if (!label.supplier_part_number) return supplier !== null && of_supplier.length === 1 ? of_supplier : of_mpn
  const all = of_sku ?? []
  if (all.length === 1) return sorted(all)
  const ofSupplier = supplier === null ? all : all.filter((one) => one.supplier === supplier)
  if (!mpn || (supplier !== null && ofSupplier.length === 1)) return sorted(ofSupplier)
  return sorted(ofSupplier.filter(({ has_mpn }) => has_mpn))
}

/** The supplier parts that a label means. A GTIN counts where there is neither SKU nor manufacturer's number: those of its supplier. */
export async function supplierPartsOf(read: RunQuery, { label, parts }: KnownLabel): Promise<readonly number[]> {
  return isByGtin(label) ? soldWithGtin(read, label.gtin as string, label.supplier) : parts
}

/** Whether a label says of its article no more than a GTIN. */
export const isByGtin = ({ gtin, supplier_part_number, manufacturer_part_number }: SupplierLabel): boolean =>
  Boolean(gtin && !supplier_part_number && !manufacturer_part_number)

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
