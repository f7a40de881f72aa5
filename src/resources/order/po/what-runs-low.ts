import type { Services } from '../../../kit/services/services.ts'
import type { RunQuery } from '../../../kit/sql/run-query.ts'
import { add, compare, type Decimal, exact, multiply, plain, subtract } from '../../../kit/values/decimal.ts'
import { type PriceBreak, supplierPartPrice } from '../../company/price-break/price.ts'
import type { ExchangeRates } from '../../currency/exchange-rates.ts'
import { defaultCurrency, readRates } from '../../currency/rates.ts'

/** A part of which there is less than its minimum. Quantities are in units of the part. */
type Low = {
  part: number
  name: string
  minimum_stock: Decimal
  in_stock: Decimal
  /** What is still to come on open purchase orders and out of open build orders. */
  coming: Decimal
  /** What then lacks of the minimum, with what is ordered here of its variants taken off. */
  lacks: Decimal
}

/** What there is to be ordered of one part. */
export type Wanted = Low & { supplier_part: number; SKU: string; pack_quantity: Decimal; quantity: Decimal }

/** What there is to be ordered of one supplier. */
export type Proposal = { supplier: number; supplier_name: string; currency: string; lines: Wanted[] }

export type Shortage = {
  proposals: Proposal[]
  /** What nobody can be asked for. */
  without_supplier: (Low & { reason: 'inactive' | 'not_purchaseable' | 'no_supplier' })[]
  /** Parts of which there is enough, with what is coming and what is ordered here of their variants. */
  enough: number[]
}

type Candidate = {
  pk: number
  part: number
  supplier: number
  supplier_name: string
  /** In which the supplier asks for money; empty for the default currency. */
  currency: string
  SKU: string
  pack_quantity: Decimal
  multiple: Decimal
  is_default: boolean
}

/** Stock and what is coming count with all variants, as the minimum of a part does. */
const LOW = `select p.pk as part, p.full_name as name, p.active, p.purchaseable, p.path, trim_scale(p.minimum_stock)::text as minimum_stock,
    trim_scale(q.total_in_stock)::text as in_stock, trim_scale(coming.total)::text as coming,
    trim_scale(p.minimum_stock - q.total_in_stock - coming.total)::text as lacks
  from part p join part_quantity q on q.pk = p.pk
  cross join lateral (
    select coalesce(sum(of.ordering + of.building), 0) as total
    from part below join part_quantity of on of.pk = below.pk where below.path @> array[p.pk]
  ) coming`

/** Whoever sells the part today. The default supplier part comes first. */
const CANDIDATES = `select s.pk, s.part, s.supplier, company.name as supplier_name, company.currency, s."SKU",
    trim_scale(s.pack_quantity_native)::text as pack_quantity, s.multiple::text as multiple, p.default_supplier = s.pk as is_default
  from supplier_part s join part p on p.pk = s.part join company on company.pk = s.supplier
  where s.part = any($1::integer[]) and s.active and company.active and company.is_supplier
  order by s.part, p.default_supplier = s.pk desc nulls last, s.pk`

/**
 * What has to be ordered, and of whom, so that no part is below its minimum once all that is ordered is there. Variants come before
 * their templates, for which what is ordered of them counts.
 * @param parts which parts are looked at; by default all active ones that run low
 * @param most how many parts are ordered at once: those that lack the largest share of their minimum
 */
export async function whatRunsLow(
  services: Pick<Services, 'settings'>,
  query: RunQuery,
  parts: readonly number[] | undefined,
  most: number,
): Promise<Shortage> {
  const narrowed = parts
    ? { where: 'p.pk = any($1::integer[])', values: [parts] }
    : { where: 'p.active and p.minimum_stock > 0 and q.total_in_stock < p.minimum_stock', values: [] }
  const rows = await query<Low & { active: boolean; purchaseable: boolean; path: number[] }>(
    `${LOW} where ${narrowed.where} order by p.minimum_stock <= q.total_in_stock + coming.total, q.total_in_stock / nullif(p.minimum_stock, 0), p.pk limit ${most}`,
    narrowed.values,
  )
  const shortage: Shortage = { proposals: [], without_supplier: [], enough: [] }
  const proposals = new Map<number, Proposal>()
  const choose = await suppliersOf(services, query, rows)
  /** What is ordered here of the variants of a part. */
  const ordered = new Map<number, Decimal>()
  for (const { active, purchaseable, path, ...found } of rows.toSorted((one, other) => other.path.length - one.path.length)) {
    const low: Low = { ...found, lacks: subtract(found.lacks, ordered.get(found.part) ?? '0') }
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

/** How many packs hold what lacks, in the multiples in which they are sold. */
function packsOf({ lacks }: Low, { pack_quantity, multiple }: Candidate): Decimal {
  const step = exact(multiply(pack_quantity, multiple))
  const whole = exact(lacks).divToInt(step)
  const steps = whole.times(step).lt(exact(lacks)) ? whole.plus(1) : whole
  return plain(steps.times(exact(multiple)))
}

/** Chooses the supplier part of a part: its default, else what costs least for the quantity, else the first that there is. */
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
