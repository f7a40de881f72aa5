import type { Database, Tx } from '../../../kit/sql/tx.ts'
import type { ExchangeRates } from '../../../kit/values/exchange-rates.ts'

/** Scope of a stocktake. */
export type Counted = {
  /** The part with this key, and its variants. */
  part: number | null
  /** Parts in the category with this key, or below it. */
  category: number | null
  /** Parts with stock in the location with this key, or below it; the report covers the stock there. */
  location: number | null
  exclude_external: boolean
}

/** Stock of a part and its value: in total, and in the requested location. */
export type PartCount = {
  part: number
  full_name: string
  description: string
  category: number | null
  category_name: string | null
  item_count: number
  quantity: string
  cost_min: string
  cost_max: string
  location_item_count: number
  location_quantity: string
  location_cost_min: string
  location_cost_max: string
}

/**
 * Counts the stock of parts, in one snapshot: the stock of each part itself, since variants have stocktakes of their own. The value of an
 * item is its purchase price, else the price of its part; an amount that cannot be converted counts as 0. Omits parts without stock.
 * @param currency of all costs, to which `rates` converts
 * @param signal aborts the count
 */
export const countParts = (
  database: Pick<Database, 'snapshot'>,
  counted: Counted,
  currency: string,
  rates: ExchangeRates,
  signal?: AbortSignal,
): Promise<PartCount[]> => database.snapshot((read) => read<PartCount>(statement(counted, currency, rates)), signal)

/** Whether `countParts` would count anything. */
export async function hasStockToCount(tx: Tx, counted: Counted): Promise<boolean> {
  const row = await tx.first(
    `select from stock_item item join part on part.pk = item.part
     where ${isCounted(counted)} and ${isSelected(counted)}
       and (${literal(counted.location)}::integer is null or item.location in (${locationsQuery(counted)}))
     limit 1`,
  )
  return row !== undefined
}

/** A number, or a text of only letters, digits and points, as SQL. */
const literal = (value: number | string | boolean | null): string => {
  if (value === null || typeof value === 'boolean') return String(value)
  if (!/^[A-Za-z0-9.]{1,60}$/.test(String(value))) throw new Error(`${value} cannot stand in a statement`)
  return `'${value}'`
}
const literals = (values: Iterable<string>): string => [...values].map(literal).join(', ')

const costs = (where: string) => `
  coalesce(sum(item.quantity * worth.least)${where}, 0)::numeric(19, 6)::text as cost_min,
  coalesce(sum(item.quantity * worth.most)${where}, 0)::numeric(19, 6)::text as cost_max`

/** Whether the `item` counts as stock. */
const isCounted = ({ exclude_external }: Counted) => `item.in_stock
      and not (${literal(exclude_external)} and exists (select from stock_location place where place.pk = item.location and place.external))`

/** Whether the `part` is within the requested scope, wherever its stock is. */
const isSelected = ({
  part,
  category,
}: Counted) => `(${literal(part)}::integer is null or part.path @> array[${literal(part)}::integer])
    and (${literal(category)}::integer is null or part.category in (select pk from part_category where path @> array[${literal(category)}::integer]))`

/** The requested location, and those below it; all locations if none is requested. */
const locationsQuery = ({ location }: Counted) =>
  `select pk from stock_location where ${literal(location)}::integer is null or path @> array[${literal(location)}::integer]`

const statement = (selection: Counted, currency: string, rates: ExchangeRates) => `
  with rate as materialized (
    select * from unnest(array[${literals(rates.keys())}]::text[], array[${literals(rates.values())}]::numeric[]) rate (currency, rate)
  ), factor as materialized (
    select known.currency, target.rate / known.rate as factor
    from rate known join rate target on target.currency = ${literal(currency)}
    where known.rate > 0 and known.currency <> target.currency
    union all select ${literal(currency)}, 1
  ), place as materialized (
    ${locationsQuery(selection)}
  )
  select part.pk as part, part.full_name, part.description, part.category, category.name as category_name, counted.*
  from part
  left join part_category category on category.pk = part.category
  cross join lateral (
    select count(*)::integer as item_count, sum(item.quantity)::text as quantity, ${costs('')},
      count(*) filter (where there.yes)::integer as location_item_count,
      coalesce(sum(item.quantity) filter (where there.yes), 0)::text as location_quantity,
      ${costs(' filter (where there.yes)').replaceAll(' as cost', ' as location_cost')}
    from stock_item item
    left join part_pricing price on price.part = item.part
    left join factor paid on paid.currency = item.purchase_price_currency
    left join factor priced on priced.currency = price.currency
    cross join lateral (select ${literal(selection.location)}::integer is null or item.location in (select pk from place) as yes) there
    cross join lateral (
      select case when item.purchase_price <> 0 then item.purchase_price * coalesce(paid.factor, 0)
          else coalesce(price.overall_min, price.overall_max, 0) * coalesce(priced.factor, 0) end as least,
        case when item.purchase_price <> 0 then item.purchase_price * coalesce(paid.factor, 0)
          else coalesce(price.overall_max, price.overall_min, 0) * coalesce(priced.factor, 0) end as most
    ) worth
    where item.part = part.pk and ${isCounted(selection)}
  ) counted
  where counted.item_count > 0
    and ${isSelected(selection)}
    and (${literal(selection.location)}::integer is null or counted.location_item_count > 0)
  order by part.pk`
