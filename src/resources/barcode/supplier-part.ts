import { queryThrough, type RunQuery } from '../../kit/sql/run-query.ts'
import type { ErrorMessage } from '../../kit/values/message.ts'
import type { SupplierLabel } from '../../plugin-api/index.ts'
import { company } from '../company/company.resource.ts'
import { PO_STATUS } from '../order/po/po-status.ts'
import { barcodeErrors } from './barcode-errors.ts'
import { canHaveGtin, findByGtin } from './gtin.ts'
import { kinds } from './kinds.ts'
import type { PluginLabel, ScanContext } from './scan-result.ts'

/** Maximum number of supplier parts that are listed if a label fits several. */
const MAX_CANDIDATES = 25

/** Whether a label identifies a product. */
export const identifiesProduct = (label: SupplierLabel): boolean =>
  Boolean(label.supplier_part_number || label.manufacturer_part_number || label.customer_part_number || label.gtin)

/** For each type of object, the column of a supplier part that refers to it. */
export const SUPPLIER_PART_COLUMNS: Readonly<Record<string, string>> = {
  part: 's.part',
  supplierpart: 's.pk',
  manufacturerpart: 's.manufacturer_part',
}

/** A label with the database objects that it refers to. */
export type ResolvedLabel = PluginLabel & {
  /** The supplier parts that it may refer to, by SKU and manufacturer's number. */
  parts: readonly number[]
  /** The reason why a supplier part with one of its numbers is ruled out: another number, or the supplier, contradicts. */
  conflict?: ErrorMessage
  /** Name of its supplier, if known. */
  supplierName?: string
  /** The placed purchase orders that it may refer to. */
  orders: readonly { pk: number; supplier: number | null; supplier_name: string | null }[]
}

/** Objects that a request names in addition to its code. */
type RequestTarget = { order: number | null; location: number | null }

/** Database objects of labels, and of the references given with them; null for missing ones. */
type LookupResult = {
  labels: ResolvedLabel[]
  order: { status: number; supplier: number | null; supplier_name: string | null } | null
  isStructural: boolean | null
}

/**
 * Looks up in one statement the objects that labels refer to. Case is ignored, and values that are missing on a label do not narrow the search.
 *
 * - The supplier, if the label names one: the only supplier whose name has that at the beginning of a word, if the caller can view
 *   companies.
 * - The supplier parts of that supplier (of any, if none is known) with the label's SKU or manufacturer's number, unless another of the
 *   label's numbers differs. A number that only one side has contradicts nothing. The buyer's own number finds parts by their IPN if the
 *   label has no other, and distinguishes parts with the same manufacturer's number.
 * - The placed purchase orders of its supplier with its customer's number as their reference or its supplier's number as the supplier's
 *   reference; if there are several, those with both, if any.
 *
 * A supplier part with one number of a label but not the other is named in `conflict` and does not count as a match: the goods would be
 * recorded as another product.
 */
export async function lookUpLabels(
  context: ScanContext,
  read: readonly PluginLabel[],
  { order = null, location = null, run = queryThrough(context) }: Partial<RequestTarget> & { run?: RunQuery } = {},
): Promise<LookupResult> {
  if (read.length === 0 && order === null && location === null) return { labels: [], order: null, isStructural: null }
  const [row] = await run<LookupRow>(LOOKUP, [
    JSON.stringify(
      read.map(({ label }, index) => ({ at: index, ...lookupFields(label, company.access(context.caller, 'view')) })),
    ),
    order,
    location,
  ])
  const { labels, order: orderRow, is_structural } = row as LookupRow
  return {
    labels: read.map((readLabel, index) => resolveLabel(readLabel, labels[index] as LabelMatches)),
    order: orderRow,
    isStructural: is_structural,
  }
}

/** A supplier part with one of a label's numbers. */
type Candidate = {
  pk: number
  supplier: number
  supplier_name: string
  SKU: string
  MPN: string | null
  IPN: string | null
}

/** Whether a candidate and the label have each number in common. */
type Shared = { sku: boolean; mpn: boolean; ipn: boolean }

type LabelMatches = {
  supplier: number | null
  supplier_name: string | null
  parts: Candidate[] | null
  orders: { pk: number; supplier: number | null; supplier_name: string | null; has_both: boolean | null }[] | null
}

type LookupRow = { labels: LabelMatches[]; order: LookupResult['order']; is_structural: boolean | null }

/** Returns the search values of a label. An empty string counts as absent. */
function lookupFields(label: SupplierLabel, canViewCompanies: boolean) {
  const { supplier, supplier_name: name } = label
  return {
    sku: label.supplier_part_number || null,
    mpn: label.manufacturer_part_number || null,
    ipn: label.customer_part_number || null,
    customer_order: label.customer_order_number || null,
    supplier_order: label.supplier_order_number || null,
    supplier: supplier ?? null,
    named: name && canViewCompanies ? `\\m${name.replaceAll(/[^\p{L}\p{N} ]/gu, '\\$&')}` : null,
  }
}

/** Expressions that match an order by a label's numbers, written as in the indexes of placed orders. */
const CUSTOMER_NUMBER_MATCHES = 'upper(reference) = upper(label.customer_order)'
const SUPPLIER_NUMBER_MATCHES = 'upper(supplier_reference) = upper(label.supplier_order)'

// `offset 0`: the supplier of a label is looked up once, not wherever it is used
const LOOKUP = `select
  (select json_build_object('status', status, 'supplier', supplier, 'supplier_name', company.name)
   from purchase_order left join company on company.pk = supplier where purchase_order.pk = $2::integer) as "order",
  (select structural from stock_location where pk = $3::integer) as is_structural,
  (select coalesce(json_agg(json_build_object(
      'supplier', company.pk,
      'supplier_name', (select name from company named where named.pk = company.pk),
      'parts', (select json_agg(found) from (
        select s.pk, s.supplier, seller.name as supplier_name, s."SKU", m."MPN", part."IPN"
        from (
          select pk from supplier_part where upper("SKU") = upper(label.sku)
          union select s.pk from manufacturer_part m join supplier_part s on s.manufacturer_part = m.pk where upper(m."MPN") = upper(label.mpn)
          union select s.pk from part join supplier_part s on s.part = part.pk
            where lower(part."IPN") = lower(label.ipn) and label.sku is null and label.mpn is null
          union select min(pk) from (select pk from supplier_part where supplier = company.pk and coalesce(label.sku, label.mpn) is not null limit 2) of_company
            having count(*) = 1
        ) candidate
        join supplier_part s on s.pk = candidate.pk join company seller on seller.pk = s.supplier join part on part.pk = s.part
        left join manufacturer_part m on m.pk = s.manufacturer_part
        order by (upper(s."SKU") = upper(label.sku) or upper(m."MPN") = upper(label.mpn)) is not true, s.supplier is distinct from company.pk,
          upper(s."SKU") is distinct from upper(label.sku), upper(m."MPN") is distinct from upper(label.mpn), s.pk limit ${MAX_CANDIDATES}) found),
      'orders', (select json_agg(found) from (
        select purchase_order.pk, supplier, order_supplier.name as supplier_name, ${CUSTOMER_NUMBER_MATCHES} and ${SUPPLIER_NUMBER_MATCHES} as has_both
        from purchase_order left join company order_supplier on order_supplier.pk = supplier
        where status = ${PO_STATUS.PLACED.key} and (company.pk is null or supplier = company.pk) and (${CUSTOMER_NUMBER_MATCHES} or ${SUPPLIER_NUMBER_MATCHES})
        order by purchase_order.pk limit ${MAX_CANDIDATES}) found)
    ) order by label.at), '[]')
   from json_to_recordset($1::json) label (at integer, sku text, mpn text, ipn text, customer_order text, supplier_order text, supplier integer, named text)
   cross join lateral (select coalesce(label.supplier, (
     select min(pk) from (select pk from company where is_supplier and name collate "default" ~* label.named limit 2) named having count(*) = 1
   )) as pk offset 0) company
  ) as labels`

function resolveLabel({ plugin, label }: PluginLabel, matches: LabelMatches): ResolvedLabel {
  const { supplier_name: _, ...labelFields } = label
  const orders = matches.orders ?? []
  const withBothNumbers = orders.filter(({ has_both }) => has_both)
  return {
    plugin,
    label: { ...labelFields, ...(matches.supplier === null ? {} : { supplier: matches.supplier }) },
    ...(matches.supplier_name === null ? {} : { supplierName: matches.supplier_name }),
    ...matchParts(label, matches),
    orders: orders.length > 1 && withBothNumbers.length > 0 ? withBothNumbers : orders,
  }
}

/** Normalizes a part number: case and whitespace are ignored. */
const normalizeNumber = (number: string): string => number.replace(/\s/g, '').toUpperCase()
const isSame = (labelNumber: string | undefined, partNumber: string | null): boolean =>
  !!labelNumber && !!partNumber && normalizeNumber(labelNumber) === normalizeNumber(partNumber)

/** Selects the candidates that match a label; if all of them contradict it, the conflict of the first. */
function matchParts(label: SupplierLabel, matches: LabelMatches): Pick<ResolvedLabel, 'parts' | 'conflict'> {
  const candidates = (matches.parts ?? []).map((part) => {
    const shared = {
      sku: isSame(label.supplier_part_number, part.SKU),
      mpn: isSame(label.manufacturer_part_number, part.MPN),
      ipn: isSame(label.customer_part_number, part.IPN),
    }
    return { ...shared, pk: part.pk, conflict: findConflict(label, part, shared, matches) }
  })
  const matching = candidates.filter(({ conflict }) => conflict === undefined)
  const withIpn = matching.filter(({ ipn }) => ipn)
  const chosen = matching.length > 1 && withIpn.length > 0 ? withIpn : matching
  const conflict = matching.length === 0 ? candidates[0]?.conflict : undefined
  return { parts: chosen.map(({ pk }) => pk).toSorted((left, right) => left - right), ...(conflict && { conflict }) }
}

/** Returns the conflict between a label and a candidate, naming both; undefined if nothing contradicts. */
function findConflict(
  label: SupplierLabel,
  part: Candidate,
  shared: Shared,
  matches: Pick<LabelMatches, 'supplier' | 'supplier_name'>,
): ErrorMessage | undefined {
  const { supplier_part_number: sku, manufacturer_part_number: mpn } = label
  const isOnly = !shared.sku && !shared.mpn && !(shared.ipn && !sku && !mpn)
  const { SKU, supplier_name: supplier } = part
  if (matches.supplier !== null && matches.supplier !== part.supplier)
    return barcodeErrors.label_of_other_seller({ label_supplier: matches.supplier_name ?? '', sku: SKU, supplier })
  // on a label without a known supplier, that number may be the buyer's own
  const isIpn = matches.supplier === null && isSame(sku, part.IPN)
  if (sku && !shared.sku && !isIpn)
    return isOnly
      ? barcodeErrors.label_sku_unknown({ label_sku: sku, supplier, sku: SKU })
      : barcodeErrors.label_sku_contradicts({ label_sku: sku, mpn: part.MPN ?? '', sku: SKU })
  if (mpn && !shared.mpn && part.MPN) return barcodeErrors.label_mpn_contradicts({ label_mpn: mpn, sku: SKU, mpn: part.MPN })
  if (mpn && !shared.mpn && isOnly) return barcodeErrors.label_mpn_unknown({ label_mpn: mpn, sku: SKU })
  return undefined
}

/**
 * Returns the supplier parts that a label refers to. Its GTIN, within its supplier, counts if it has neither SKU nor manufacturer's number.
 * @param order narrows several to those on lines of this order
 */
export async function findSupplierParts(
  read: RunQuery,
  { label, parts }: ResolvedLabel,
  order?: number,
): Promise<readonly number[]> {
  const matches = isIdentifiedByGtin(label) ? await findSoldByGtin(read, label.gtin as string, label.supplier) : parts
  if (matches.length < 2 || order === undefined) return matches
  const ordered = await read<{ part: number }>(
    'select distinct part from purchase_order_line where "order" = $1 and part = any($2::integer[]) order by part',
    [order, [...matches]],
  )
  return ordered.length > 0 ? ordered.map(({ part }) => part) : matches
}

/** Whether a label identifies its product only by a GTIN. */
export const isIdentifiedByGtin = ({ gtin, supplier_part_number, manufacturer_part_number }: SupplierLabel): boolean =>
  Boolean(gtin && !supplier_part_number && !manufacturer_part_number)

/** Finds the supplier parts for a GTIN: by the first type of object with that GTIN for which supplier parts exist. */
async function findSoldByGtin(read: RunQuery, gtin: string, supplier: number | undefined): Promise<number[]> {
  for (const kind of kinds.filter(canHaveGtin)) {
    const products = await findByGtin(read, gtin, [kind])
    if (products.length === 0) continue
    const sold = await read<{ pk: number }>(
      `select s.pk from supplier_part s where ${SUPPLIER_PART_COLUMNS[kind.key]} = any($1::integer[]) and ($2::integer is null or s.supplier = $2::integer)
       order by s.pk limit ${MAX_CANDIDATES}`,
      [products.map(({ pk }) => pk), supplier ?? null],
    )
    if (sold.length > 0) return sold.map(({ pk }) => pk)
  }
  return []
}
