import { label, money, quantity, t } from '../../kit/language.ts'
import { Facts, Panel } from '../../kit/page.tsx'
import { Plot, type Point } from '../../kit/plot.tsx'
import type { Part } from './part-facts.tsx'
import type { OrderedLine, Pricing, Scheduled, StockTake } from './part-reading.ts'

const momentOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)

/** How much there was on each day that was counted, how much there is now, and how much there will be. */
export function StockOverTime({
  part,
  stocktakes,
  scheduled,
}: {
  part: Part
  stocktakes: readonly StockTake[]
  scheduled: readonly Scheduled[]
}) {
  const now = Date.now()
  const points: Point[] = [
    ...stocktakes.map(({ date, quantity }) => ({ at: momentOf(date), value: quantity })).filter(({ at }) => at < now),
    { at: now, value: part.total_in_stock },
  ]
  const coming = scheduled
    .flatMap((entry) => (entry.date && momentOf(entry.date) > now ? [{ at: momentOf(entry.date), by: entry.quantity }] : []))
    .sort((a, b) => a.at - b.at)
  let value = part.total_in_stock
  const expected = coming.map(({ at, by }): Point => {
    value += by
    return { at, value }
  })
  if (points.length + expected.length < 2) return null
  return (
    <Panel title={t('parts.stock-over-time')}>
      <Plot
        title={t('parts.stock-over-time')}
        points={points}
        expected={expected}
        text={(amount) => quantity(amount, part.units)}
        isStep
      />
      {scheduled.length > 0 && (
        <ul class="coming">
          {scheduled.slice(0, 6).map(({ date, quantity: by, title, label: reference, url }) => (
            <li key={`${date}${reference}${by}`}>
              <b class={by < 0 ? 'went' : 'came'}>{`${by < 0 ? '−' : '+'}${quantity(Math.abs(by), part.units)}`}</b>{' '}
              <a href={url}>{reference}</a> <small>{[title, date].filter(Boolean).join(' · ')}</small>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

/** What one unit was bought for, order by order, in the currency that most of them are in. */
export function pricesOf(lines: readonly OrderedLine[]): { points: Point[]; currency: string } {
  const prices = lines.flatMap(({ purchase_price, purchase_price_currency: currency, order_detail, supplier_part_detail }) => {
    const day = order_detail?.issue_date ?? order_detail?.creation_date
    if (!day || purchase_price === null) return []
    return [{ at: momentOf(day), value: Number(purchase_price) / (supplier_part_detail?.pack_quantity_native || 1), currency }]
  })
  const counts = new Map<string, number>()
  for (const { currency } of prices) counts.set(currency, (counts.get(currency) ?? 0) + 1)
  const [currency = ''] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? []
  const points = prices.filter((price) => price.currency === currency).sort((a, b) => a.at - b.at)
  return { points, currency }
}

const PRICES = ['purchase_cost', 'supplier_price', 'bom_cost', 'internal_cost', 'sale_price'] as const

/** What a part costs, by where that is known from, and what was paid for it over time. */
export function PricesPanel({ pricing, ordered }: { pricing: Pricing; ordered: readonly OrderedLine[] }) {
  const { points, currency } = pricesOf(ordered)
  const rows = PRICES.map(
    (name) => [t(`parts.${name}`), rangeOf(pricing[`${name}_min`], pricing[`${name}_max`], pricing.currency)] as const,
  )
  if (points.length < 2 && rows.every(([, value]) => value === '')) return null
  return (
    <Panel title={t('parts.prices')}>
      <Plot title={label('purchase_price')} points={points} text={(amount) => money(amount, currency)} />
      <Facts rows={rows} />
    </Panel>
  )
}

/** A lowest and a highest price; one where they are the same. */
export const rangeOf = (lowest: string | null, highest: string | null, currency: string): string =>
  lowest === null && highest === null
    ? ''
    : lowest === null || highest === null || Number(lowest) === Number(highest)
      ? money(lowest ?? highest, currency)
      : `${money(lowest, currency)} – ${money(highest, currency)}`
