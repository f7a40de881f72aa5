import type { Services } from '../../../kit/services/services.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { setting } from '../../../settings/live.ts'
import { defaultCurrency, readRates } from '../../currency/rates.ts'
import { PO_STATUS } from '../../order/po/po-status.ts'
import { SO_STATUS } from '../../order/so/so-status.ts'

/** Limit of stored amounts: a larger one is unknown. */
const MAX_AMOUNT = '10000000000000'

/** The minimum and maximum of the amounts `cost` in a statement's rows, within the limit of stored amounts. */
const rangeOf = (rows: string, cost = 'cost', maximum = cost) =>
  `(select ${storableAmount(`min(${cost})`)} as least, ${storableAmount(`max(${maximum})`)} as most from ${rows} found)`

const storableAmount = (amount: string) => `case when abs(${amount}) < ${MAX_AMOUNT} - 1 then as_money(${amount}) end`

/** An amount in the default currency, per one `unit` that it prices. A currency without a rate joins no row. */
const converted = (amount: string, unit = '1') => `${amount} * factor.times / (factor.by * ${unit})`

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
  select ${storableAmount('sum(least)')} as least, ${storableAmount('sum(most)')} as most from (
    select line.quantity * min(${converted('price.overall_min')}) as least, line.quantity * max(${converted('price.overall_max')}) as most
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
  select ${converted('line.purchase_price', 'bought.pack_quantity_native')} as cost
  from supplier_part bought
  join purchase_order_line line on line.part = bought.pk
  join purchase_order on purchase_order.pk = line."order"
  join factor on factor.currency = line.purchase_price_currency
  where bought.part = chosen.pk and purchase_order.status = ${PO_STATUS.COMPLETE.key} and line.received > 0
    and line.purchase_price >= 0
  union all
  select ${converted('item.purchase_price')} from stock_item item join factor on factor.currency = item.purchase_price_currency
  where $5 and item.part = chosen.pk and item.purchase_price is not null
    and ($6 = 0 or item.updated >= now() - make_interval(days => $6))
)`

const breaksOf = (table: string, where = 'true') => `(
  select ${converted('offer.price')} as cost from ${table} offer join factor on factor.currency = offer.price_currency
  where ${where} and offer.part = chosen.pk
)`

const SUPPLIERS = `(
  select ${converted('offer.price', 'bought.pack_quantity_native')} as cost
  from supplier_part bought
  join supplier_price_break offer on offer.part = bought.pk
  join factor on factor.currency = offer.price_currency
  where chosen.purchaseable and bought.part = chosen.pk
)`

const VARIANTS = `(
  select ${converted('price.overall_min')} as least, ${converted('price.overall_max')} as most
  from part variant
  join part_pricing price on price.part = variant.pk
  join factor on factor.currency = price.currency
  where chosen.is_template and variant.path @> array[chosen.pk] and variant.pk <> chosen.pk and (variant.active or not $7)
)`

const SALES = `(
  select ${converted('line.sale_price')} as cost
  from sales_order_line line
  join sales_order on sales_order.pk = line."order"
  join factor on factor.currency = line.sale_price_currency
  where line.part = chosen.pk and sales_order.status = ${SO_STATUS.SHIPPED.key}
)`

/** An override, if it can be converted. */
const byHand = (side: 'min' | 'max') =>
  `(select ${storableAmount(converted(`price.override_${side}`))} from factor where factor.currency = price.override_${side}_currency)`

/** The calculated overall `least` or `most`, over all types of prices. */
const overallPrice = (which: 'least' | 'most') => `coalesce(
  case when $8 then internal.${which} end,
  ${which === 'least' ? 'least' : 'greatest'}(
    bom.${which}, purchase.${which}, internal.${which},
    case when $9 and not ($10 and purchase.${which} is not null) then supplier.${which} end,
    case when $11 then variants.${which} end
  )
)`

/**
 * Overrides replace calculated amounts. With only one override, the other side is adjusted to it; where exchange rates have moved one
 * override past the other since they were set, they are swapped.
 */
const OVERALL = `(
  select
    case when found.least is not null then least(found.least, hand.most) end as least,
    case when found.most is not null then greatest(found.most, hand.least) end as most
  from (select ${byHand('min')} as least, ${byHand('max')} as most) hand,
    (select ${overallPrice('least')} as least, ${overallPrice('most')} as most) worked,
    lateral (select coalesce(hand.least, worked.least) as least, coalesce(hand.most, worked.most) as most) found
)`

const FIGURES = [
  ...['bom:bom_cost', 'purchase:purchase_cost', 'internal:internal_cost', 'supplier:supplier_price'],
  ...['variants:variant_cost', 'offered:sale_price', 'sold:sale_history'],
].map((pair) => pair.split(':') as [string, string])

/**
 * Calculates the figures of parts from the stored figures of everything below them. Amounts that cannot be converted count as unknown.
 * PostgreSQL divides to at least 16 decimals; figures are stored with 6.
 */
const STATEMENT = `
  with rate as materialized (
    select * from unnest($3::text[], $4::numeric[]) rate (currency, rate)
  ), factor as materialized (
    select known.currency, target.rate as times, known.rate as by
    from rate known join rate target on target.currency = $2
    where known.rate > 0 and target.rate > 0 and known.currency <> $2
    union all select $2, 1, 1
  ), worked_out as materialized (
    select chosen.pk, chosen.path, price.overall_min as former_min, price.overall_max as former_max, price.currency as former_currency,
      ${FIGURES.map(([of, name]) => `${of}.least as ${name}_min, ${of}.most as ${name}_max`).join(', ')},
      overall.least as overall_min, overall.most as overall_max
    from part chosen
    join part_pricing price on price.part = chosen.pk
    cross join lateral ${BOM} bom
    cross join lateral ${rangeOf(PURCHASES)} purchase
    cross join lateral ${rangeOf(breaksOf('part_internal_price', '$12'))} internal
    cross join lateral ${rangeOf(SUPPLIERS)} supplier
    cross join lateral ${rangeOf(VARIANTS, 'least', 'most')} variants
    cross join lateral ${rangeOf(breaksOf('part_sale_price'))} offered
    cross join lateral ${rangeOf(SALES)} sold
    cross join lateral ${OVERALL} overall
    where chosen.pk = any ($1)
  ), stored as (
    update part_pricing price set currency = $2, updated = now(), scheduled_for_update = false,
      ${[...FIGURES.map(([, name]) => name), 'overall']
        .flatMap((name) => [`${name}_min`, `${name}_max`])
        .map((name) => `${name} = worked_out.${name}`)
        .join(', ')}
    from worked_out where price.part = worked_out.pk
  )
  insert into part_price_due (part)
  select distinct dependent from worked_out cross join lateral price_dependents(worked_out.pk, worked_out.path) dependent
  where (former_min, former_max, former_currency) is distinct from (overall_min, overall_max, $2) and dependent <> all ($13::integer[])`

/**
 * Recalculates the prices of parts and stores them, in the default currency. Where the overall range of a part has changed, queues the
 * assemblies and templates that depend on it.
 * @param settled parts that are not queued
 */
export async function recalculatePrices(
  tx: Tx,
  parts: readonly number[],
  services: { settings: Pick<Services['settings'], 'get'> },
  settled: readonly number[] = [],
): Promise<void> {
  const currency = defaultCurrency(services)
  await makePricing(tx, parts, currency)
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
    settled,
  ])
}

/** Creates the missing pricing rows of parts. */
export const makePricing = (tx: Tx, parts: readonly number[], currency: string): Promise<unknown> =>
  tx.query(
    `insert into part_pricing (part, currency, override_min_currency, override_max_currency)
     select pk, $2, $2, $2 from part where pk = any($1::integer[]) and not exists (select from part_pricing where part = part.pk)
     order by pk on conflict (part) do nothing`,
    [parts, currency],
  )

/** Deletes the queue rows of parts, skipping rows locked by others. Returns the parts that had any. */
export async function claimDueParts(tx: Tx, parts: readonly number[]): Promise<number[]> {
  const rows = await tx.query<{ part: number }>(
    `with taken as (
       delete from part_price_due
       where pk = any(array(select pk from part_price_due where part = any($1::integer[]) order by pk for update skip locked))
       returning part
     ) select distinct part from taken order by part`,
    [parts],
  )
  return rows.map(({ part }) => part)
}
