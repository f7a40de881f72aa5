import type { Services } from '../../../kit/services/services.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { setting } from '../../../settings/live.ts'
import { defaultCurrency, readRates } from '../../currency/rates.ts'
import { PO_STATUS } from '../../order/po/po-status.ts'
import { SO_STATUS } from '../../order/so/so-status.ts'

/** Limit of stored amounts: a larger one is unknown. */
const MAX_AMOUNT = '10000000000000'

/** The minimum and maximum of the amounts `cost` in a statement's rows, within the limit of stored amounts. */
const selectRange = (rows: string, cost = 'cost', maximum = cost) =>
  `(select ${storableAmount(`min(${cost})`)} as minimum, ${storableAmount(`max(${maximum})`)} as maximum from ${rows} amount)`

const storableAmount = (amount: string) => `case when abs(${amount}) < ${MAX_AMOUNT} - 1 then as_money(${amount}) end`

/** Converts an amount for the quantity `unit` to a unit price in the default currency. The join drops currencies without a rate. */
const toDefaultCurrency = (amount: string, unit = '1') => `${amount} * factor.numerator / (factor.denominator * ${unit})`

/** The parts that a BOM line accepts: its component, and its variants and substitutes with the same trackability. */
const USABLE = `(
  select line.sub_part as pk
  union
  select variant.pk from part variant
  where line.allow_variants and variant.path @> array[line.sub_part] and variant.trackable = component.trackable
  union
  select other.pk from bom_item_substitute substitute join part other on other.pk = substitute.part
  where substitute.bom_item = line.pk and other.trackable = component.trackable
)`

/** Minimum and maximum cost of the lines of a BOM; lines without a known price are ignored. */
const BOM = `(
  select ${storableAmount('sum(minimum)')} as minimum, ${storableAmount('sum(maximum)')} as maximum from (
    select line.quantity * min(${toDefaultCurrency('price.overall_min')}) as minimum, line.quantity * max(${toDefaultCurrency('price.overall_max')}) as maximum
    from bom_item line
    join part component on component.pk = line.sub_part
    cross join lateral ${USABLE} usable
    join part_pricing price on price.part = usable.pk
    join factor on factor.currency = price.currency
    where chosen.assembly and line.part = any (chosen.path) and (line.part = chosen.pk or line.inherited)
    group by line.pk, line.quantity
  ) line
)`

const PURCHASES = `(
  select ${toDefaultCurrency('line.purchase_price', 'supplier_part.pack_quantity_native')} as cost
  from supplier_part
  join purchase_order_line line on line.part = supplier_part.pk
  join purchase_order on purchase_order.pk = line."order"
  join factor on factor.currency = line.purchase_price_currency
  where supplier_part.part = chosen.pk and purchase_order.status = ${PO_STATUS.COMPLETE.key} and line.received > 0
    and line.purchase_price >= 0
  union all
  select ${toDefaultCurrency('item.purchase_price')} from stock_item item join factor on factor.currency = item.purchase_price_currency
  where $5 and item.part = chosen.pk and item.purchase_price is not null
    and ($6 = 0 or item.updated >= now() - make_interval(days => $6))
)`

const selectPriceBreaks = (table: string, where = 'true') => `(
  select ${toDefaultCurrency('price_break.price')} as cost from ${table} price_break join factor on factor.currency = price_break.price_currency
  where ${where} and price_break.part = chosen.pk
)`

const SUPPLIERS = `(
  select ${toDefaultCurrency('price_break.price', 'supplier_part.pack_quantity_native')} as cost
  from supplier_part
  join supplier_price_break price_break on price_break.part = supplier_part.pk
  join factor on factor.currency = price_break.price_currency
  where chosen.purchaseable and supplier_part.part = chosen.pk
)`

const VARIANTS = `(
  select ${toDefaultCurrency('price.overall_min')} as minimum, ${toDefaultCurrency('price.overall_max')} as maximum
  from part variant
  join part_pricing price on price.part = variant.pk
  join factor on factor.currency = price.currency
  where chosen.is_template and variant.path @> array[chosen.pk] and variant.pk <> chosen.pk and (variant.active or not $7)
)`

const SALES = `(
  select ${toDefaultCurrency('line.sale_price')} as cost
  from sales_order_line line
  join sales_order on sales_order.pk = line."order"
  join factor on factor.currency = line.sale_price_currency
  where line.part = chosen.pk and sales_order.status = ${SO_STATUS.SHIPPED.key}
)`

/** An override, if it can be converted. */
const convertedOverride = (side: 'min' | 'max') =>
  `(select ${storableAmount(toDefaultCurrency(`price.override_${side}`))} from factor where factor.currency = price.override_${side}_currency)`

/** The calculated overall minimum or maximum, across all types of prices. */
const overallPrice = (bound: 'minimum' | 'maximum') => `coalesce(
  case when $8 then internal.${bound} end,
  ${bound === 'minimum' ? 'least' : 'greatest'}(
    bom.${bound}, purchase.${bound}, internal.${bound},
    case when $9 and not ($10 and purchase.${bound} is not null) then supplier.${bound} end,
    case when $11 then variants.${bound} end
  )
)`

/**
 * Overrides replace calculated amounts. With only one override, the other side is adjusted to it; where exchange rates have moved one
 * override past the other since they were set, they are swapped.
 */
const OVERALL = `(
  select
    case when final.minimum is not null then least(final.minimum, override.maximum) end as minimum,
    case when final.maximum is not null then greatest(final.maximum, override.minimum) end as maximum
  from (select ${convertedOverride('min')} as minimum, ${convertedOverride('max')} as maximum) override,
    (select ${overallPrice('minimum')} as minimum, ${overallPrice('maximum')} as maximum) computed,
    lateral (select coalesce(override.minimum, computed.minimum) as minimum, coalesce(override.maximum, computed.maximum) as maximum) final
)`

const PRICE_TYPES = [
  ...['bom:bom_cost', 'purchase:purchase_cost', 'internal:internal_cost', 'supplier:supplier_price'],
  ...['variants:variant_cost', 'offered:sale_price', 'sold:sale_history'],
].map((pair) => pair.split(':') as [string, string])

/**
 * Calculates the price ranges of parts from the stored price ranges of the parts below them. Amounts that cannot be converted count as
 * unknown. PostgreSQL divides to at least 16 decimals; amounts are stored with 6.
 */
const STATEMENT = `
  with rate as materialized (
    select * from unnest($3::text[], $4::numeric[]) rate (currency, rate)
  ), factor as materialized (
    select known.currency, target.rate as numerator, known.rate as denominator
    from rate known join rate target on target.currency = $2
    where known.rate > 0 and target.rate > 0 and known.currency <> $2
    union all select $2, 1, 1
  ), calculated as materialized (
    select chosen.pk, chosen.path, price.overall_min as former_min, price.overall_max as former_max, price.currency as former_currency,
      ${PRICE_TYPES.map(([alias, name]) => `${alias}.minimum as ${name}_min, ${alias}.maximum as ${name}_max`).join(', ')},
      overall.minimum as overall_min, overall.maximum as overall_max
    from part chosen
    join part_pricing price on price.part = chosen.pk
    cross join lateral ${BOM} bom
    cross join lateral ${selectRange(PURCHASES)} purchase
    cross join lateral ${selectRange(selectPriceBreaks('part_internal_price', '$12'))} internal
    cross join lateral ${selectRange(SUPPLIERS)} supplier
    cross join lateral ${selectRange(VARIANTS, 'minimum', 'maximum')} variants
    cross join lateral ${selectRange(selectPriceBreaks('part_sale_price'))} offered
    cross join lateral ${selectRange(SALES)} sold
    cross join lateral ${OVERALL} overall
    where chosen.pk = any ($1)
  ), stored as (
    update part_pricing price set currency = $2, updated = now(), scheduled_for_update = false,
      ${[...PRICE_TYPES.map(([, name]) => name), 'overall']
        .flatMap((name) => [`${name}_min`, `${name}_max`])
        .map((name) => `${name} = calculated.${name}`)
        .join(', ')}
    from calculated where price.part = calculated.pk
  )
  insert into part_price_due (part)
  select distinct dependent from calculated cross join lateral price_dependents(calculated.pk, calculated.path) dependent
  where (former_min, former_max, former_currency) is distinct from (overall_min, overall_max, $2) and dependent <> all ($13::integer[])`

/**
 * Recalculates the prices of parts and stores them, in the default currency. Where the overall range of a part has changed, queues the
 * assemblies and templates that depend on it.
 * @param excludedParts parts that are not queued
 */
export async function recalculatePrices(
  tx: Tx,
  parts: readonly number[],
  services: { settings: Pick<Services['settings'], 'get'> },
  excludedParts: readonly number[] = [],
): Promise<void> {
  const currency = defaultCurrency(services)
  await createMissingPricings(tx, parts, currency)
  // a concurrent calculation waits, and then sees at least the same rows
  await tx.query('select from part_pricing where part = any($1::integer[]) order by part for no key update', [parts])
  const rates = await readRates(tx)
  await tx.query(STATEMENT, [
    parts,
    currency,
    [...rates.keys()],
    [...rates.values()],
    setting(services, 'PRICING_USE_STOCK_PRICING'),
    setting(services, 'PRICING_STOCK_ITEM_AGE_DAYS'),
    setting(services, 'PRICING_ACTIVE_VARIANTS'),
    setting(services, 'PART_BOM_USE_INTERNAL_PRICE'),
    setting(services, 'PRICING_USE_SUPPLIER_PRICING'),
    setting(services, 'PRICING_PURCHASE_HISTORY_OVERRIDES_SUPPLIER'),
    setting(services, 'PRICING_USE_VARIANT_PRICING'),
    setting(services, 'PART_INTERNAL_PRICE'),
    excludedParts,
  ])
}

/** Creates the missing pricing rows of parts. */
export const createMissingPricings = (tx: Tx, parts: readonly number[], currency: string): Promise<unknown> =>
  tx.query(
    `insert into part_pricing (part, currency, override_min_currency, override_max_currency)
     select pk, $2, $2, $2 from part where pk = any($1::integer[]) and not exists (select from part_pricing where part = part.pk)
     order by pk on conflict (part) do nothing`,
    [parts, currency],
  )

/** Deletes the queue rows of parts, skipping rows locked by others. Returns the parts that had any. */
export async function claimDueParts(tx: Tx, parts: readonly number[]): Promise<number[]> {
  const rows = await tx.query<{ part: number }>(
    `with claimed as (
       delete from part_price_due
       where pk = any(array(select pk from part_price_due where part = any($1::integer[]) order by pk for update skip locked))
       returning part
     ) select distinct part from claimed order by part`,
    [parts],
  )
  return rows.map(({ part }) => part)
}
