import type { Services } from '../../../kit/services/services.ts'
import type { RunQuery } from '../../../kit/sql/run-query.ts'
import { add, compare, type Decimal, multiply, subtract, toExact, toPlainText } from '../../../kit/values/decimal.ts'
import type { ExchangeRates } from '../../../kit/values/exchange-rates.ts'
import { ACTIVE_STATES_SQL } from '../../build/build-status.ts'
import { findSupplierPartPrice, type PriceBreak } from '../../company/price-break/price.ts'
import { defaultCurrency, readRates } from '../../currency/rates.ts'
import { allocatedSql } from '../../stock/allocated-quantities.ts'

/** A part with a shortage. Quantities are in units of the part. */
type ShortPart = {
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
export type ReorderLine = ShortPart & { supplier_part: number; SKU: string; pack_quantity: Decimal; quantity: Decimal }

/** The lines to order from one supplier. */
export type Proposal = { supplier: number; supplier_name: string; currency: string; lines: ReorderLine[] }

export type Shortage = {
  proposals: Proposal[]
  /** Parts that cannot be ordered. */
  without_supplier: (ShortPart & { reason: 'inactive' | 'not_purchaseable' | 'no_supplier' })[]
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
    select coalesce(sum(q.ordering + q.building), 0) as total
    from part variant join part_quantity q on q.pk = variant.pk where variant.path @> array[p.pk]
  ) coming`

/** Stock includes all variants, as does the minimum stock of a part. */
const SELECT_LOW_STOCK = `select ${shortageColumns('p.minimum_stock', 'q.total_in_stock')} from part p join part_quantity q on q.pk = p.pk ${INCOMING}`

/** Quantity that was consumed; at least that of a tracked component in completed outputs, which earlier versions did not count. */
const BUILT_IN = 'greatest(line.consumed, case when component.trackable then item.quantity * b.completed else 0 end)'

/**
 * For each component of an active build order, the quantity that its lines still need, and the available quantity of the component, its
 * substitutes and allowed variants. Optional and consumable components are left out.
 */
const SELECT_BUILD_SHORTAGES = `select ${shortageColumns('wanted.quantity', 'available.total')}
  from (
    select line.part, sum(greatest(line.quantity - coalesce(allocation.quantity, 0) - ${BUILT_IN}, 0)) as quantity, array_agg(item.pk) as items,
      bool_or(item.allow_variants) as with_variants
    from build_line line join build_order b on b.pk = line.build join bom_item item on item.pk = line.bom_item
    join part component on component.pk = line.part
    left join lateral (select sum(a.quantity) as quantity from build_allocation a where a.build_line = line.pk) allocation on true
    where line.build = $1 and b.status in ${ACTIVE_STATES_SQL} and not item.consumable and not component.consumable and not item.optional group by line.part
  ) wanted
  join part p on p.pk = wanted.part
  cross join lateral (
    select greatest(coalesce(sum(q.in_stock - ${allocatedSql((column) => `q.${column}`)}), 0), 0) as total
    from part_quantity q where q.pk = p.pk or q.pk in (select part from bom_item_substitute where bom_item = any(wanted.items))
      or (wanted.with_variants and q.pk in (select variant.pk from part variant where variant.path @> array[p.pk]))
  ) available
  ${INCOMING}
  where wanted.quantity > available.total`

/** Active supplier parts of active suppliers. The default supplier part comes first. */
const CANDIDATES = `select s.pk, s.part, s.supplier, company.name as supplier_name, company.currency, s."SKU",
    trim_scale(s.pack_quantity_native)::text as pack_quantity, s.multiple::text as multiple, p.default_supplier = s.pk as is_default
  from supplier_part s join part p on p.pk = s.part join company on company.pk = s.supplier
  where s.part = any($1::integer[]) and s.active and company.active and company.is_supplier
  order by s.part, p.default_supplier = s.pk desc nulls last, s.pk`

/**
 * Proposes the quantities to order, by supplier, so that no part is below its minimum stock once everything on order is received. Variants
 * come before their templates, since the quantities ordered of them count for the templates.
 * @param filter the parts to check, or the build order with the shortage; by default all active parts with low stock
 * @param maxParts maximum number of parts to order: those with the largest shortage relative to their minimum
 */
export async function suggestReorders(
  services: Pick<Services, 'settings'>,
  query: RunQuery,
  filter: { parts?: readonly number[]; build?: number },
  maxParts: number,
): Promise<Shortage> {
  const { statement, values } = createShortageStatement(filter)
  const rows = await query<ShortPart & { active: boolean; purchaseable: boolean; path: number[] }>(
    `${statement} limit ${maxParts}`,
    values,
  )
  const shortage: Shortage = { proposals: [], without_supplier: [], enough: [] }
  const proposals = new Map<number, Proposal>()
  const choose = await createSupplierChooser(services, query, rows)
  /** Quantity ordered here of the variants of a part. */
  const orderedByPart = new Map<number, Decimal>()
  for (const { active, purchaseable, path, ...row } of rows.toSorted((one, other) => other.path.length - one.path.length)) {
    const shortPart: ShortPart = { ...row, lacks: subtract(row.lacks, orderedByPart.get(row.part) ?? '0') }
    if (compare(shortPart.lacks, '0') <= 0) {
      shortage.enough.push(shortPart.part)
      continue
    }
    const chosen = active && purchaseable ? choose(shortPart) : undefined
    if (!chosen) {
      const reason = !active ? 'inactive' : purchaseable ? 'no_supplier' : 'not_purchaseable'
      shortage.without_supplier.push({ ...shortPart, reason })
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
    const quantity = countPacks(shortPart, chosen)
    proposal.lines.push({ ...shortPart, supplier_part: pk, SKU, pack_quantity, quantity })
    for (const template of path)
      orderedByPart.set(template, add(orderedByPart.get(template) ?? '0', multiply(quantity, pack_quantity)))
  }
  shortage.proposals.push(...proposals.values())
  return shortage
}

function createShortageStatement({ parts, build }: { parts?: readonly number[]; build?: number }): {
  statement: string
  values: unknown[]
} {
  if (build !== undefined) {
    const partFilter = parts ? ' and p.pk = any($2::integer[])' : ''
    return {
      statement: `${SELECT_BUILD_SHORTAGES}${partFilter} order by wanted.quantity <= available.total + coming.total, available.total / wanted.quantity, p.pk`,
      values: parts ? [build, parts] : [build],
    }
  }
  const where = parts ? 'p.pk = any($1::integer[])' : 'p.active and p.minimum_stock > 0 and q.total_in_stock < p.minimum_stock'
  return {
    statement: `${SELECT_LOW_STOCK} where ${where} order by p.minimum_stock <= q.total_in_stock + coming.total, q.total_in_stock / nullif(p.minimum_stock, 0), p.pk`,
    values: parts ? [parts] : [],
  }
}

/** Computes the number of packs that cover the shortage, in the order multiple of the supplier part. */
function countPacks({ lacks }: ShortPart, { pack_quantity, multiple }: Candidate): Decimal {
  const step = toExact(multiply(pack_quantity, multiple))
  const fullSteps = toExact(lacks).divToInt(step)
  const steps = fullSteps.times(step).lt(toExact(lacks)) ? fullSteps.plus(1) : fullSteps
  return toPlainText(steps.times(toExact(multiple)))
}

/** Chooses the supplier part of a part: the default, otherwise the cheapest for the quantity, otherwise the first. */
async function createSupplierChooser(services: Pick<Services, 'settings'>, query: RunQuery, parts: readonly ShortPart[]) {
  const candidates = await query<Candidate>(CANDIDATES, [parts.map(({ part }) => part)])
  const breaks = await query<PriceBreak & { part: number }>(
    'select part, quantity::text, price::text, price_currency from supplier_price_break where part = any($1::integer[])',
    [candidates.map(({ pk }) => pk)],
  )
  const candidatesByPart = Map.groupBy(candidates, ({ part }) => part)
  const breaksBySupplierPart = Map.groupBy(breaks, ({ part }) => part)
  const currency = defaultCurrency(services)
  const rates: ExchangeRates = await readRates({ query })
  return (shortPart: ShortPart): Candidate | undefined => {
    const offers = candidatesByPart.get(shortPart.part) ?? []
    if (offers[0]?.is_default) return offers[0]
    const pricedOffers = offers.flatMap((offer) => {
      const price = findSupplierPartPrice(breaksBySupplierPart.get(offer.pk) ?? [], countPacks(shortPart, offer), currency, rates)
      return price === null ? [] : [{ offer, price: toExact(price).div(toExact(offer.pack_quantity)) }]
    })
    const [cheapest] = pricedOffers.toSorted((one, other) => one.price.cmp(other.price))
    return cheapest?.offer ?? offers[0]
  }
}
