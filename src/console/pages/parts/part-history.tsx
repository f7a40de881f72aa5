import type { ComponentChildren } from 'preact'
import { formatDate, formatWithUnit, type PlainKey, t } from '../../kit/language/language.ts'
import { Chart } from '../../kit/page/chart.tsx'
import { Panel } from '../../kit/page/page.tsx'
import { Plot, type Point } from '../../kit/page/plot.tsx'
import { compare, divide, multiply, subtract, sumAmounts } from '../../kit/values/exact.ts'
import type { Part } from './part-details.tsx'
import type { PurchasedLine, ScheduledChange, SoldLine, Stocktake } from './part-requests.ts'

/** Milliseconds in one day. */
const DAY_MS = 86_400_000

const toTimestamp = (day: string): number => Date.parse(`${day}T00:00:00Z`)

/** The quantity that an order brings or takes, as far as it is known. */
const getQuantityChange = ({ quantity, speculative_quantity }: ScheduledChange): string =>
  sumAmounts([quantity, speculative_quantity])

/** The reasons for scheduled quantities, by the titles that the service returns. */
const REASON_KEYS: Record<string, PlainKey> = {
  'Incoming Purchase Order': 'parts.reason-ordered',
  'Outgoing Sales Order': 'parts.reason-sold',
  'Stock produced by Build Order': 'parts.reason-built',
  'Stock required for Build Order': 'parts.reason-consumed',
}

const formatReason = (title: string): string => {
  const reason = REASON_KEYS[title]
  return reason ? t(reason) : title
}

/** The day and the value of a point, as cells of a table. */
export const toCells = ({ time, value }: Point): string[] => [new Date(time).toISOString().slice(0, 10), multiply(value, 1)]

type StockProperties = {
  part: Part
  /** Newest first. */
  stocktakes: readonly Stocktake[]
  scheduled: readonly ScheduledChange[]
  actions?: ComponentChildren
  children?: ComponentChildren
}

/** The stock of a part on each day it was counted, the current stock, and the expected stock. */
export function StockChart({ part, stocktakes, scheduled: all, actions, children }: StockProperties) {
  // an order that was received in full stays in the schedule, with a quantity of 0
  const scheduled = all.filter((entry) => compare(getQuantityChange(entry), 0) !== 0)
  const now = Date.now()
  const points: Point[] = [
    ...stocktakes
      .toReversed()
      .map(({ date: day, quantity: amount }) => ({ time: toTimestamp(day), value: amount }))
      .filter(({ time }) => time < now),
    { time: now, value: part.total_in_stock },
  ]
  const changes = scheduled
    // overdue quantities are expected tomorrow at the earliest; those without a date are not plotted
    .flatMap((entry) =>
      entry.date ? [{ time: Math.max(toTimestamp(entry.date), now + DAY_MS), change: getQuantityChange(entry) }] : [],
    )
    .sort((a, b) => a.time - b.time)
  let value = part.total_in_stock
  const expected = changes.map(({ time, change }): Point => {
    value = Number(sumAmounts([value, change]))
    return { time, value }
  })
  if (points.length + expected.length < 2 && stocktakes.length === 0) return null
  return (
    <Panel title={t('parts.stock-over-time')} actions={actions}>
      <Chart
        title={t('parts.stock-over-time')}
        name={`stock-${part.pk}`}
        data={{
          headings: [t('chart.date'), t('chart.quantity'), t('chart.kind')],
          rows: [
            ...points.map((point) => [...toCells(point), t('chart.actual')]),
            ...expected.map((point) => [...toCells(point), t('chart.expected')]),
          ],
        }}
      >
        <Plot
          title={t('parts.stock-over-time')}
          points={points}
          expected={expected}
          text={(amount) => formatWithUnit(amount, part.units)}
          isStep
        />
      </Chart>
      {scheduled.length > 0 && (
        <ul class="incoming">
          {scheduled.slice(0, 6).map((entry) => {
            const change = getQuantityChange(entry)
            const isLess = compare(change, 0) < 0
            return (
              <li key={`${entry.date}${entry.label}${change}`}>
                <b class={isLess ? 'negative' : 'positive'}>
                  {`${isLess ? '−' : '+'}${formatWithUnit(isLess ? subtract(0, change) : change, part.units)}`}
                </b>{' '}
                <a href={entry.url}>{entry.label}</a>{' '}
                <small>{[formatReason(entry.title), formatDate(entry.date)].filter(Boolean).join(' · ')}</small>
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

type PaidPrice = { at: string | null | undefined; price: string | null; currency: string }

/** Prices over time in the most frequent currency, and the number of prices in other currencies. */
function createPoints(paid: readonly PaidPrice[]): { points: Point[]; currency: string; otherCurrencyCount: number } {
  const prices = paid.flatMap(({ at: time, price, currency }) =>
    time && price !== null ? [{ time: toTimestamp(time), value: Number(price), currency }] : [],
  )
  const counts = new Map<string, number>()
  for (const { currency } of prices) counts.set(currency, (counts.get(currency) ?? 0) + 1)
  const [currency = ''] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? []
  const points = prices.filter((price) => price.currency === currency).sort((a, b) => a.time - b.time)
  return { points, currency, otherCurrencyCount: prices.length - points.length }
}

/** The purchase price of one unit, order by order. */
export const purchasePricePoints = (lines: readonly PurchasedLine[]) =>
  createPoints(
    lines.map(({ purchase_price, purchase_price_currency, order_detail, supplier_part_detail }) => ({
      at: order_detail?.issue_date ?? order_detail?.creation_date,
      price: purchase_price === null ? null : divide(purchase_price, supplier_part_detail?.pack_quantity_native || 1),
      currency: purchase_price_currency,
    })),
  )

/** The sale price of one unit, order by order. */
export const salePricePoints = (lines: readonly SoldLine[]) =>
  createPoints(
    lines.map(({ sale_price, sale_price_currency, order_detail }) => ({
      at: order_detail?.issue_date ?? order_detail?.creation_date,
      price: sale_price,
      currency: sale_price_currency,
    })),
  )
