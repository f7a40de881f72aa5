import type { Database, Tx } from '../../../kit/sql/tx.ts'
import type { ExchangeRates } from '../../../kit/values/exchange-rates.ts'

/** Scope of a stocktake. */
export type StocktakeScope = {
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
 * item is its purchase price, otherwise the price of its part; an amount that cannot be converted counts as 0. Omits parts without stock.
 * @param currency of all costs, to which `rates` converts
 * @param signal aborts the count
 */
export const countParts = (
  database: Pick<Database, 'snapshot'>,
  scope: StocktakeScope,
  currency: string,
  rates: ExchangeRates,
  signal?: AbortSignal,
): Promise<PartCount[]> => database.snapshot((read) => read<PartCount>(buildStatement(scope, currency, rates)), signal)

/** Whether `countParts` would count anything. */
export async function hasStockToCount(tx: Tx, scope: StocktakeScope): Promise<boolean> {
  const row = await tx.first(
    `select from stock_item item join part on part.pk = item.part
     where ${countedItemCondition(scope)} and ${scopeCondition(scope)}
       and (${toLiteral(scope.location)}::integer is null or item.location in (${locationsQuery(scope)}))
     limit 1`,
  )
  return row !== undefined
}

/** Formats a number, or a string of only letters, digits and points, as an SQL literal. */
const toLiteral = (value: number | string | boolean | null): string => {
  if (value === null || typeof value === 'boolean') return String(value)
  if (!/^[A-Za-z0-9.]{1,60}$/.test(String(value))) throw new Error(`${value} cannot be used as an SQL literal`)
  return `'${value}'`
}
const toLiterals = (values: Iterable<string>): string => [...values].map(toLiteral).join(', ')

const costColumns = (filter: string) => `
  coalesce(sum(item.quantity * unit_value.minimum)${filter}, 0)::numeric(19, 6)::text as cost_min,
  coalesce(sum(item.quantity * unit_value.maximum)${filter}, 0)::numeric(19, 6)::text as cost_max`

/** Whether the `item` counts as stock. */
const countedItemCondition = ({ exclude_external }: StocktakeScope) => `item.in_stock
      and not (${toLiteral(exclude_external)} and exists (select from stock_location location where location.pk = item.location and location.external))`

/** Whether the `part` is within the requested scope, regardless of the location of its stock. */
const scopeCondition = ({
  part,
  category,
}: StocktakeScope) => `(${toLiteral(part)}::integer is null or part.path @> array[${toLiteral(part)}::integer])
    and (${toLiteral(category)}::integer is null or part.category in (select pk from part_category where path @> array[${toLiteral(category)}::integer]))`

/** The requested location, and those below it; all locations if none is requested. */
const locationsQuery = ({ location }: StocktakeScope) =>
  `select pk from stock_location where ${toLiteral(location)}::integer is null or path @> array[${toLiteral(location)}::integer]`

/** Common table expressions: the factor by which an amount of each currency converts to the given one. */
const buildFactors = (currency: string, rates: ExchangeRates) => `rate as materialized (
    select * from unnest(array[${toLiterals(rates.keys())}]::text[], array[${toLiterals(rates.values())}]::numeric[]) rate (currency, rate)
  ), factor as materialized (
    select known.currency, target.rate / known.rate as factor
    from rate known join rate target on target.currency = ${toLiteral(currency)}
    where known.rate > 0 and known.currency <> target.currency
    union all select ${toLiteral(currency)}, 1
  )`

/** Joins the value of one unit of each `item`: its purchase price, otherwise the price of its part, by \`factor\`. */
const UNIT_VALUE = `left join part_pricing price on price.part = item.part
    left join factor paid on paid.currency = item.purchase_price_currency
    left join factor priced on priced.currency = price.currency
    cross join lateral (
      select case when item.purchase_price <> 0 then item.purchase_price * coalesce(paid.factor, 0)
          else coalesce(price.overall_min, price.overall_max, 0) * coalesce(priced.factor, 0) end as minimum,
        case when item.purchase_price <> 0 then item.purchase_price * coalesce(paid.factor, 0)
          else coalesce(price.overall_max, price.overall_min, 0) * coalesce(priced.factor, 0) end as maximum
    ) unit_value`

/** A statement for the value of all stock, as stocktakes compute it, and the number of stock items without a known price. */
export const buildStockValueStatement = (currency: string, rates: ExchangeRates): string => `
  with ${buildFactors(currency, rates)}
  select ${costColumns('')}, count(*) filter (where unit_value.maximum = 0)::integer as unpriced
  from stock_item item ${UNIT_VALUE} where item.in_stock`

/**
 * A statement for the value of the counted parts on each day with a stocktake, by the latest stocktake of each, and the number of these
 * parts.
 */
export const buildValueHistoryStatement = (currency: string, rates: ExchangeRates): string => `
  with ${buildFactors(currency, rates)}, counted as (
    select distinct on (stocktake.part, stocktake.date) stocktake.part, stocktake.date,
      coalesce(stocktake.cost_min, stocktake.cost_max, 0) * coalesce(lowest.factor, 0) as minimum,
      coalesce(stocktake.cost_max, stocktake.cost_min, 0) * coalesce(highest.factor, 0) as maximum
    from part_stocktake stocktake
    left join factor lowest on lowest.currency = stocktake.cost_min_currency
    left join factor highest on highest.currency = stocktake.cost_max_currency
    order by stocktake.part, stocktake.date, stocktake.pk desc
  ), change as (
    select date, minimum - lag(minimum, 1, 0::numeric) over by_part as minimum, maximum - lag(maximum, 1, 0::numeric) over by_part as maximum,
      case when row_number() over by_part = 1 then 1 else 0 end as parts
    from counted window by_part as (partition by part order by date)
  )
  select date::text, (sum(sum(minimum)) over by_day)::numeric(19, 6)::text as cost_min,
    (sum(sum(maximum)) over by_day)::numeric(19, 6)::text as cost_max, (sum(sum(parts)) over by_day)::integer as parts
  from change group by date window by_day as (order by date) order by date`

const buildStatement = (scope: StocktakeScope, currency: string, rates: ExchangeRates) => `
  with ${buildFactors(currency, rates)}, scope_location as materialized (
    ${locationsQuery(scope)}
  )
  select part.pk as part, part.full_name, part.description, part.category, category.name as category_name, counted.*
  from part
  left join part_category category on category.pk = part.category
  cross join lateral (
    select count(*)::integer as item_count, sum(item.quantity)::text as quantity, ${costColumns('')},
      count(*) filter (where location_match.is_match)::integer as location_item_count,
      coalesce(sum(item.quantity) filter (where location_match.is_match), 0)::text as location_quantity,
      ${costColumns(' filter (where location_match.is_match)').replaceAll(' as cost', ' as location_cost')}
    from stock_item item
    ${UNIT_VALUE}
    cross join lateral (select ${toLiteral(scope.location)}::integer is null or item.location in (select pk from scope_location) as is_match) location_match
    where item.part = part.pk and ${countedItemCondition(scope)}
  ) counted
  where counted.item_count > 0
    and ${scopeCondition(scope)}
    and (${toLiteral(scope.location)}::integer is null or counted.location_item_count > 0)
  order by part.pk`
