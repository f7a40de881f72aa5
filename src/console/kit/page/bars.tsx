import type { ComponentChildren } from 'preact'
import { t } from '../language/language.ts'
import { useProgressiveRows } from './progressive-rows.ts'

/** One bar of a chart. */
export type Bar = {
  key: string | number
  label: ComponentChildren
  /** Its length in percent of the longest bar: for drawing only. */
  percent: number
  /** The value, as people read it. */
  value: ComponentChildren
  /** A second value, such as its share of the total. */
  share?: string
  tone?: 'bad'
}

type Properties = {
  title: string
  /** Headings of the labels, the values and the shares. */
  headings: { label: string; value: string; share?: string }
  bars: readonly Bar[]
}

/** Horizontal bars, in the rows of a table that also has their values. */
export function Bars({ title, headings, bars }: Properties) {
  const renderedCount = useProgressiveRows(bars.length)
  return (
    <table class="bars" aria-label={title}>
      <thead>
        <tr>
          <th scope="col">{headings.label}</th>
          <td class="wide-only" />
          <th scope="col" class="end">
            {headings.value}
          </th>
          {headings.share && (
            <th scope="col" class="end">
              {headings.share}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {bars.slice(0, renderedCount).map(({ key, label, percent, value, share, tone }) => (
          <tr key={key} class={tone}>
            <th scope="row">{label}</th>
            <td class="wide-only" aria-hidden="true">
              <div class="bar" style={{ width: `${Math.max(0, Math.min(100, percent))}%` }} />
            </td>
            <td class="end">{value}</td>
            {headings.share && <td class="end">{share ?? t('chart.unknown')}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
