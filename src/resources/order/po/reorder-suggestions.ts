import type { Services } from '../../../kit/services/services.ts'
import type { RunQuery } from '../../../kit/sql/run-query.ts'
import { add, compare, type Decimal, exact, multiply, subtract, toPlainText } from '../../../kit/values/decimal.ts'
import type { ExchangeRates } from '../../../kit/values/exchange-rates.ts'
import { ACTIVE } from '../../build/build-status.ts'
import { type PriceBreak, supplierPartPrice } from '../../company/price-break/price.ts'
import { defaultCurrency, readRates } from '../../currency/rates.ts'

/** A part with a shortage. Quantities are in units of the part. */
type Low = {
  part: number
  name: string
  /** Unit of its quantities; null or empty for pieces. */
  units: string | null
  /** Required quantity: the minimum stock, or the quantity that the lines of a build order still need. */
  minimum_stock: Decimal
  /** Quantity that counts towards it: all stock, or the stock that a build order may use. */
  in_stock: Decimal
  /** Incoming quantity, on open purchase orders and open build orders. */
  coming: Decimal
  /** Remaining shortage, less the quantity ordered here of its variants. */
  lacks: Decimal
}

/** Quantity of one part to order. */
export type ReorderLine = Low & { supplier_part: number; SKU: string; pack_quantity: Decimal; quantity: Decimal }

/** The lines to order from one supplier. */
export type Proposal = { supplier: number; supplier_name: string; currency: string; lines: ReorderLine[] }

export type Shortage = {
  proposals: Proposal[]
  /** Parts that cannot be ordered. */
  without_supplier: (Low & { reason: 'inactive' | 'not_purchaseable' | 'no_supplier' })[]
  /** Parts without a shortage, counting the incoming quantity and the quantity ordered here of their variants. */
  enough: number[]
}

type Candidate = {
  pk: number
  part: number
  supplier: number
  supplier_name: string
  /** Currency of the supplier; empty for the default currency. */
  currency: string
  SKU: string
  pack_quantity: Decimal
  multiple: Decimal
  is_default: boolean
}

const shortageColumns = (required: string, available: string) =>
  `p.pk as part, p.full_name as name, p.units, p.active, p.purchaseable, p.path, trim_scale(${required})::text as minimum_stock,
    trim_scale(${available})::text as in_stock, trim_scale(coming.total)::text as coming,
    trim_scale(${required} - ${available} - coming.total)::text as lacks`

/** The incoming quantity includes all variants. */
const INCOMING = `cross join lateral (
    select coalesce(sum(of.ordering + of.building), 0) as total
    from part below join part_quantity of on of.pk = below.pk where below.path @> array[p.pk]
  ) coming`

/** Stock includes all variants, as does the minimum stock of a part. */
const LOW = `select ${shortageColumns('p.minimum_stock', 'q.total_in_stock')} from part p join part_quantity q on q.pk = p.pk ${INCOMING}`

/** Quantity of a tracked component built into completed outputs, which is no longer allocated. */
const BUILT_IN = 'case when component.trackable then item.quantity * b.completed else 0 end'

/**
 * For each component of an active build order, the quantity that its lines still need, and the available quantity of the component, its
 * substitutes and allowed variants. Optional and consumable components are not allocated, and not needed.
 */
const LOW_FOR_BUILD = `select ${shortageColumns('wanted.quantity', 'free.total')}
  from (
    select line.part, sum(greatest(line.quantity - coalesce(put.by, 0) - ${BUILT_IN}, 0)) as quantity, array_agg(item.pk) as items,
      bool_or(item.allow_variants) as with_variants
    from build_line line join build_order b on b.pk = line.build join bom_item item on item.pk = line.bom_item
    join part component on component.pk = line.part
    left join lateral (select sum(a.quantity) as by from build_allocation a where a.build_line = line.pk) put on true
    where line.build = $1 and b.status in ${ACTIVE} and not item.consumable and not item.optional group by line.part
  ) wanted
  join part p on p.pk = wanted.part
  cross join lateral (
    select greatest(coalesce(sum(q.in_stock - q.allocated_to_build_orders - q.allocated_to_sales_orders), 0), 0) as total
    from part_quantity q where q.pk = p.pk or q.pk in (select part from bom_item_substitute where bom_item = any(wanted.items))
      or (wanted.with_variants and q.pk in (select pk from part below where below.path @> array[p.pk]))
  ) free
  ${INCOMING}
  where wanted.quantity > free.total`

/** Active supplier parts of active suppliers. The default supplier part comes first. */
const CANDIDATES = `select s.pk, s.part, s.supplier, company.name as supplier_name, company.currency, s."SKU",
    trim_scale(s.pack_quantity_native)::text as pack_quantity, s.multiple::text as multiple, p.default_supplier = s.pk as is_default
  from supplier_part s join part p on p.pk = s.part join company on company.pk = s.supplier
  where s.part = any($1::integer[]) and s.active and company.active and company.is_supplier
  order by s.part, p.default_supplier = s.pk desc nulls last, s.pk`

/**
 * Proposes the quantities to order, by supplier, so that no part is below its minimum stock once everything on order is received. Variants
 * come before their templates, since the quantities ordered of them count for the templates.
 * @param of the parts to check, or the build order with the shortage; by default all active parts with low stock
 * @param maxParts maximum number of parts to order: those that lack the largest share of their minimum
 */
export async function reorderSuggestions(
  services: Pick<Services, 'settings'>,
  query: RunQuery,
  of: { parts?: readonly number[]; build?: number },
  maxParts: number,
): Promise<Shortage> {
  const { statement, values } = low(of)
  const rows = await query<Low & { active: boolean; purchaseable: boolean; path: number[] }>(
    `${statement} limit ${maxParts}`,
    values,
  )
  const shortage: Shortage = { proposals: [], without_supplier: [], enough: [] }
  const proposals = new Map<number, Proposal>()
  const choose = await suppliersOf(services, query, rows)
  /** Quantity ordered here of the variants of a part. */
  const ordered = new Map<number, Decimal>()
  for (const { active, purchaseable, path, ...row } of rows.toSorted((one, other) => other.path.length - one.path.length)) {
    const low: Low = { ...row, lacks: subtract(row.lacks, ordered.get(row.part) ?? '0') }
    if (compare(low.lacks, '0') <= 0) {
      shortage.enough.push(low.part)
      continue
    }
    const chosen = active && purchaseable ? choose(low) : undefined
    if (!chosen) {
      const reason = !active ? 'inactive' : purchaseable ? 'no_supplier' : 'not_purchaseable'
      shortage.without_supplier.push({ ...low, reason })
      continue
    }
    const { pk, supplier, supplier_name, currency, SKU, pack_quantity } = chosen
    const proposal = proposals.get(supplier) ?? {
      supplier,
      supplier_name,
      currency: currency || defaultCurrency(services),
      lines: [],
    }
    proposals.set(supplier, proposal)
    const quantity = packsOf(low, chosen)
    proposal.lines.push({ ...low, supplier_part: pk, SKU, pack_quantity, quantity })
    for (const above of path) ordered.set(above, add(ordered.get(above) ?? '0', multiply(quantity, pack_quantity)))
  }
  shortage.proposals.push(...proposals.values())
  return shortage
}

function low({ parts, build }: { parts?: readonly number[]; build?: number }): { statement: string; values: unknown[] } {
  if (build !== undefined) {
    const partFilter = parts ? ' and p.pk = any($2::integer[])' : ''
    return {
      statement: `${LOW_FOR_BUILD}${partFilter} order by wanted.quantity <= free.total + coming.total, free.total / wanted.quantity, p.pk`,
      values: parts ? [build, parts] : [build],
    }
  }
  const where = parts ? 'p.pk = any($1::integer[])' : 'p.active and p.minimum_stock > 0 and q.total_in_stock < p.minimum_stock'
  return {
    statement: `${LOW} where ${where} order by p.minimum_stock <= q.total_in_stock + coming.total, q.total_in_stock / nullif(p.minimum_stock, 0), p.pk`,
    values: parts ? [parts] : [],
  }
}

/** Computes the number of packs that cover the shortage, in the order multiple of the supplier part. */
function packsOf({ lacks }: Low, { pack_quantity, multiple }: Candidate): Decimal {
  const step = exact(multiply(pack_quantity, multiple))
  const fullSteps = exact(lacks).divToInt(step)
  const steps = fullSteps.times(step).lt(exact(lacks)) ? fullSteps.plus(1) : fullSteps
  return toPlainText(steps.times(exact(multiple)))
}

/** Chooses the supplier part of a part: the default, else the cheapest for the quantity, else the first. */
async function suppliersOf(services: Pick<Services, 'settings'>, query: RunQuery, parts: readonly Low[]) {
  const candidates = await query<Candidate>(CANDIDATES, [parts.map(({ part }) => part)])
  const breaks = await query<PriceBreak & { part: number }>(
    'select part, quantity::text, price::text, price_currency from supplier_price_break where part = any($1::integer[])',
    [candidates.map(({ pk }) => pk)],
  )
  const sold = Map.groupBy(candidates, ({ part }) => part)
  const prices = Map.groupBy(breaks, ({ part }) => part)
  const currency = defaultCurrency(services)
  const rates: ExchangeRates = await readRates({ query })
  return (low: Low): Candidate | undefined => {
    const offers = sold.get(low.part) ?? []
    if (offers[0]?.is_default) return offers[0]
    const priced = offers.flatMap((offer) => {
      const price = supplierPartPrice(prices.get(offer.pk) ?? [], packsOf(low, offer), currency, rates)
      return price === null ? [] : [{ offer, price: exact(price).div(exact(offer.pack_quantity)) }]
    })
    const [cheapest] = priced.toSorted((one, other) => one.price.cmp(other.price))
    return cheapest?.offer ?? offers[0]
  }
}
