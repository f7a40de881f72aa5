import type { ComponentChildren } from 'preact'
import { t } from '../language/language.ts'
import type { DataTable } from './csv.ts'
import { DataDownload } from './data-file.tsx'
import { Menu } from './menu.tsx'

type Properties = {
  title: string
  /** Name of the downloaded file, without its ending. */
  name: string
  /** Its values, as a table and as a file. */
  data: DataTable
  children: ComponentChildren
}

/** A chart, with a menu that shows its values as a table and downloads them. */
export const Chart = ({ title, name, data, children }: Properties) => (
  <div class="chart">
    {children}
    <Menu label={t('chart.data', { title })} icon="columns">
      <div class="chart-data">
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              {data.headings.map((heading) => (
                <th key={heading} scope="col">
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.rows.map((row, index) => (
              <tr key={index}>
                {row.map((cell, position) => (
                  <td key={data.headings[position]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <DataDownload name={name} getTable={() => data} />
    </Menu>
  </div>
)

/** Vertical bars, such as a number for each month; the last one is the current period. @param summary for screen readers */
export function PeriodBars({ values, summary }: { values: readonly number[]; summary: string }) {
  const highest = Math.max(1, ...values)
  const width = 100 / Math.max(1, values.length)
  return (
    <svg class="period-bars" viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label={summary}>
      {values.map((value, index) => {
        const height = value === 0 ? 2 : Math.max(4, (value / highest) * 100)
        return (
          <rect
            key={index}
            class={index === values.length - 1 ? 'current' : ''}
            x={index * width + width * 0.12}
            y={100 - height}
            width={width * 0.76}
            height={height}
          />
        )
      })}
    </svg>
  )
}
