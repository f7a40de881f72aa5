import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import {
  count,
  formatDateTime,
  formatMonth,
  formatNumber,
  formatPriceRange,
  formatTotal,
  type PlainKey,
  t,
} from '../../kit/language/language.ts'
import { Chart, PeriodBars } from '../../kit/page/chart.tsx'
import { useRead } from '../../kit/page/data.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { Menu } from '../../kit/page/menu.tsx'
import { Plot } from '../../kit/page/plot.tsx'
import { attempt } from '../../kit/page/toast.tsx'
import { change, type Page } from '../../kit/service/api.ts'
import { hasPermission } from '../../kit/service/session.ts'
import { addDays } from '../../kit/values/days.ts'
import { divide, sumAmounts } from '../../kit/values/exact.ts'
import { ENTRY_KINDS } from '../calendar/calendar-entries.ts'

type Value = { cost_min: string; cost_max: string }
type Month = { month: string; count: number }

/** The response of `/api/web/figures/`. */
type Figures = {
  stock_value?: Value & { currency: string; unpriced: number; calculated: string; history: (Value & { date: string })[] }
  received?: Month[]
  shipped?: Month[]
}

/** The figures, in their order. */
const FIGURES = ['value', 'overdue', 'low', 'builds', 'received', 'shipped'] as const
type FigureName = (typeof FIGURES)[number]

const TITLES: Record<FigureName, PlainKey> = {
  value: 'figures.value',
  overdue: 'figures.overdue',
  low: 'figures.low',
  builds: 'figures.builds',
  received: 'figures.received',
  shipped: 'figures.shipped',
}

/** User setting with the names of hidden figures, separated by commas. */
const HIDDEN_URL = '/api/settings/user/HOMEPAGE_HIDDEN_FIGURES/'

/** The texts of overdue orders, by the role of their kind. */
const OVERDUE_TEXTS = {
  purchase_order: 'figures.overdue-purchase',
  sales_order: 'figures.overdue-sales',
  return_order: 'figures.overdue-returns',
  build: 'figures.overdue-builds',
} as const

/** The kinds of orders that are counted once they are overdue. */
const OVERDUE = ENTRY_KINDS.flatMap(({ role, api, page }) =>
  role in OVERDUE_TEXTS ? [{ role, api, page, text: OVERDUE_TEXTS[role as keyof typeof OVERDUE_TEXTS] }] : [],
)

type Counts = Record<string, Page<unknown>>

function getUrls(): Record<string, string> {
  const urls: Record<string, string> = { figures: '/api/web/figures/', hidden: HIDDEN_URL }
  for (const { role, api } of OVERDUE) if (hasPermission('view', role)) urls[role] = `${api}?overdue=true&limit=1`
  if (hasPermission('view', 'part')) urls.low = '/api/part/?low_stock=true&active=true&limit=1'
  if (hasPermission('view', 'build')) urls.builds = '/api/build/?active=true&limit=1'
  return urls
}

/** Key figures with small charts, each a link to its list. Users hide those that they do not need. */
export function HomeFigures() {
  const urls = useMemo(getUrls, [])
  const { data, reload } = useRead<Record<string, unknown>>(urls, Object.keys(urls))
  if (!data) return null
  const figures = (data.figures?.body ?? {}) as Figures
  const counts = Object.fromEntries(Object.entries(data).map(([name, { body }]) => [name, body])) as Counts
  const hidden = new Set(((data.hidden?.body as { value: string } | undefined)?.value ?? '').split(',').filter(Boolean))
  const cards: Record<FigureName, ComponentChildren> = {
    value: figures.stock_value && <StockValue value={figures.stock_value} />,
    overdue: <Overdue counts={counts} />,
    low: counts.low && (
      <CountFigure title={t('figures.low')} count={counts.low.count} to="/part/?low_stock=true&active=true" isBad />
    ),
    builds: counts.builds && <CountFigure title={t('figures.builds')} count={counts.builds.count} to="/build/?active=true" />,
    received: figures.received && <MonthFigure name="received" months={figures.received} page="/order/purchase-order/" />,
    shipped: figures.shipped && <MonthFigure name="shipped" months={figures.shipped} page="/order/sales-order/" />,
  }
  const available = FIGURES.filter((name) => cards[name] && (name !== 'overdue' || OVERDUE.some(({ role }) => counts[role])))
  if (available.length === 0) return null
  const toggle = async (name: FigureName, isShown: boolean) => {
    const next = FIGURES.filter((one) => (one === name ? !isShown : hidden.has(one)))
    await attempt(() => change(HIDDEN_URL, { value: next.join(',') }, undefined))
    reload()
  }
  return (
    <section class="home-figures" aria-label={t('figures.title')}>
      <div class="home-figure-cards">
        {available
          .filter((name) => !hidden.has(name))
          .map((name) => (
            <div key={name} class="home-figure">
              {cards[name]}
            </div>
          ))}
      </div>
      <Menu label={t('figures.choose')} icon="settings">
        <fieldset>
          <legend>{t('figures.title')}</legend>
          {available.map((name) => (
            <label key={name} class="checkbox-line">
              <input
                type="checkbox"
                checked={!hidden.has(name)}
                onChange={({ currentTarget }) => toggle(name, currentTarget.checked)}
              />
              {t(TITLES[name])}
            </label>
          ))}
        </fieldset>
      </Menu>
    </section>
  )
}

/** The mean of the lowest and the highest value, for drawing. */
const getMean = ({ cost_min, cost_max }: Value): number => Number(divide(sumAmounts([cost_min, cost_max]), 2))

function StockValue({ value }: { value: NonNullable<Figures['stock_value']> }) {
  const { currency, cost_min, cost_max, unpriced, calculated, history } = value
  const format = (amount: string | number) => formatTotal(amount, currency)
  return (
    <>
      <p class="home-figure-title">{t('figures.value')}</p>
      <a class="home-figure-value" href="/stock/?in_stock=true">
        {formatPriceRange(cost_min, cost_max, currency)}
      </a>
      {unpriced > 0 && <small>{count('figures.unpriced', unpriced)}</small>}
      {history.length > 1 ? (
        <Chart
          title={t('figures.value-course')}
          name="stock-value"
          data={{
            headings: [t('figures.date'), t('bom.minimum-cost', { currency }), t('bom.maximum-cost', { currency })],
            rows: history.map((day) => [day.date, day.cost_min, day.cost_max]),
          }}
        >
          <Plot
            title={t('figures.value-course')}
            points={history.map((day) => ({ time: Date.parse(`${day.date}T00:00:00Z`), value: getMean(day) }))}
            text={format}
          />
        </Chart>
      ) : (
        <small>{t('figures.as-of', { time: formatDateTime(calculated) })}</small>
      )}
    </>
  )
}

function Overdue({ counts }: { counts: Counts }) {
  const lists = OVERDUE.flatMap(({ role, page, text }) => {
    const overdue = counts[role]?.count
    return overdue === undefined ? [] : [{ page, text, overdue }]
  })
  const total = lists.reduce((sum, { overdue }) => sum + overdue, 0)
  return (
    <>
      <p class="home-figure-title">{t('figures.overdue')}</p>
      <span class={total > 0 ? 'home-figure-value bad' : 'home-figure-value'}>{formatNumber(total)}</span>
      <ul>
        {lists
          .filter(({ overdue }) => overdue > 0)
          .map(({ page, text, overdue }) => (
            <li key={page}>
              <a href={`${page}?overdue=true`}>{count(text, overdue)}</a>
            </li>
          ))}
      </ul>
    </>
  )
}

const CountFigure = ({ title, count: value, to, isBad }: { title: string; count: number; to: string; isBad?: boolean }) => (
  <>
    <p class="home-figure-title">{title}</p>
    <a class={isBad && value > 0 ? 'home-figure-value bad' : 'home-figure-value'} href={to}>
      {formatNumber(value)}
    </a>
  </>
)

/** The number of orders completed in this month, and in each month before. */
function MonthFigure({ name, months, page }: { name: 'received' | 'shipped'; months: readonly Month[]; page: string }) {
  const current = months.at(-1)
  if (!current) return null
  const title = t(TITLES[name])
  const summary = `${title}: ${months.map(({ month, count: orders }) => `${formatMonth(month)} ${formatNumber(orders)}`).join(', ')}`
  return (
    <>
      <p class="home-figure-title">{title}</p>
      <a class="home-figure-value" href={`${page}?completed_after=${addDays(`${current.month}-01`, -1)}`}>
        {formatNumber(current.count)}
      </a>
      <Chart
        title={title}
        name={`orders-${name}`}
        data={{
          headings: [t('figures.month'), t('figures.orders')],
          rows: months.map(({ month, count: orders }) => [month, String(orders)]),
        }}
      >
        <PeriodBars values={months.map(({ count: orders }) => orders)} summary={summary} />
      </Chart>
      <small>
        <Icon name="clock" /> {t('figures.twelve-months')}
      </small>
    </>
  )
}
