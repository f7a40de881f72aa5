import type { ComponentChildren } from 'preact'
import { date, type PlainKey, quantity, t, total } from '../../kit/language/language.ts'
import { Panel } from '../../kit/page/page.tsx'
import { Plot, type Point } from '../../kit/page/plot.tsx'
import { compare, divide, minus, sum } from '../../kit/values/exact.ts'
import type { Part } from './part-details.tsx'
import type { OrderedLine, Scheduled, SoldLine, Stocktake } from './part-reading.ts'

/** One day, in milliseconds. */
const DAY = 86_400_000

const instantOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)

/** The quantity that an order brings or takes, as far as it is known. */
const byOf = ({ quantity, speculative_quantity }: Scheduled): string => sum([quantity, speculative_quantity])

/** The reasons for scheduled quantities, by the titles that the service returns. */
const REASONS: Record<string, PlainKey> = {
  'Incoming Purchase Order': 'parts.why-ordered',
  'Outgoing Sales Order': 'parts.why-sold',
  'Stock produced by Build Order': 'parts.why-made',
  'Stock required for Build Order': 'parts.why-used',
}

const reasonFor = (title: string): string => {
  const reason = REASONS[title]
  return reason ? t(reason) : title
}

type StockProperties = {
  part: Part
  /** Newest first. */
  stocktakes: readonly Stocktake[]
  scheduled: readonly Scheduled[]
  actions?: ComponentChildren
  children?: ComponentChildren
}

/** The stock of a part on each day it was counted, the current stock, and the expected stock. */
export function StockChart({ part, stocktakes, scheduled: all, actions, children }: StockProperties) {
  // an order that was received in full keeps its line
  const scheduled = all.filter((entry) => compare(byOf(entry), 0) !== 0)
  const now = Date.now()
  const points: Point[] = [
    ...stocktakes
      .toReversed()
      .map(({ date: day, quantity: amount }) => ({ at: instantOf(day), value: amount }))
      .filter(({ at }) => at < now),
    { at: now, value: part.total_in_stock },
  ]
  const coming = scheduled
    // overdue quantities are expected tomorrow at the earliest; those without a date are not plotted
    .flatMap((entry) => (entry.date ? [{ at: Math.max(instantOf(entry.date), now + DAY), by: byOf(entry) }] : []))
    .sort((a, b) => a.at - b.at)
  let value = part.total_in_stock
  const expected = coming.map(({ at, by }): Point => {
    value = Number(sum([value, by]))
    return { at, value }
  })
  if (points.length + expected.length < 2 && stocktakes.length === 0) return null
  return (
    <Panel title={t('parts.stock-over-time')} actions={actions}>
      <Plot
        title={t('parts.stock-over-time')}
        points={points}
        expected={expected}
        text={(amount) => quantity(amount, part.units)}
        isStep
      />
      {scheduled.length > 0 && (
        <ul class="coming">
          {scheduled.slice(0, 6).map((entry) => {
            const by = byOf(entry)
            const isLess = compare(by, 0) < 0
            return (
              <li key={`${entry.date}${entry.label}${by}`}>
                <b class={isLess ? 'went' : 'came'}>
                  {`${isLess ? '−' : '+'}${quantity(isLess ? minus(0, by) : by, part.units)}`}
                </b>{' '}
                <a href={entry.url}>{entry.label}</a>{' '}
                <small>{[reasonFor(entry.title), date(entry.date)].filter(Boolean).join(' · ')}</small>
              </li>
            )
          })}
        </ul>
      )}
      {scheduled.length > 6 && <p class="quiet-text">{t('parts.and-more', { count: scheduled.length - 6 })}</p>}
      {children}
    </Panel>
  )
}

type Paid = { at: string | null | undefined; price: string | null; currency: string }

/** Prices over time in the most frequent currency, and the number of prices in other currencies. */
function pointsOf(paid: readonly Paid[]): { points: Point[]; currency: string; otherCurrencyCount: number } {
  const prices = paid.flatMap(({ at, price, currency }) =>
    at && price !== null ? [{ at: instantOf(at), value: Number(price), currency }] : [],
  )
  const counts = new Map<string, number>()
  for (const { currency } of prices) counts.set(currency, (counts.get(currency) ?? 0) + 1)
  const [currency = ''] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? []
  const points = prices.filter((price) => price.currency === currency).sort((a, b) => a.at - b.at)
  return { points, currency, otherCurrencyCount: prices.length - points.length }
}

/** The purchase price of one unit, order by order. */
export const purchasePricePoints = (lines: readonly OrderedLine[]) =>
  pointsOf(
    lines.map(({ purchase_price, purchase_price_currency, order_detail, supplier_part_detail }) => ({
      at: order_detail?.issue_date ?? order_detail?.creation_date,
      price: purchase_price === null ? null : divide(purchase_price, supplier_part_detail?.pack_quantity_native || 1),
      currency: purchase_price_currency,
    })),
  )

/** The sale price of one unit, order by order. */
export const salePricePoints = (lines: readonly SoldLine[]) =>
  pointsOf(
    lines.map(({ sale_price, sale_price_currency, order_detail }) => ({
      at: order_detail?.issue_date ?? order_detail?.creation_date,
      price: sale_price,
      currency: sale_price_currency,
    })),
  )

/** A lowest and a highest amount; a single one if they are equal. @param say formats an amount: `money` for unit prices */
export const rangeOf = (lowest: string | null, highest: string | null, currency: string, say = total): string =>
  lowest === null && highest === null
    ? ''
    : lowest === null || highest === null || say(lowest, currency) === say(highest, currency)
      ? say(lowest ?? highest, currency)
      : `${say(lowest, currency)} – ${say(highest, currency)}`
