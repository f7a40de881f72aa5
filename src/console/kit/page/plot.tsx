import { date } from '../language/language.ts'

/** A value at a time, in milliseconds. */
export type Point = { at: number; value: number }

type Properties = {
  /** Description for screen readers. */
  title: string
  /** Oldest first. */
  points: readonly Point[]
  /** Forecast values: they continue from the last point, with a dashed line. */
  expected?: readonly Point[]
  /** Formats a value. */
  text: (value: number) => string
  /** Whether a value lasts until the next change, as for stock; else the line connects the points. */
  isStep?: boolean
}

const WIDTH = 100
const HEIGHT = 100

/** Values over time: a line from the first day to the last, with the lowest and the highest value. */
export function Plot({ title, points, expected = [], text, isStep }: Properties) {
  const all = [...points, ...expected]
  const [first, last] = [all[0], all.at(-1)]
  if (!first || !last || all.length < 2) return null
  const values = all.map(({ value }) => value)
  const highest = Math.max(...values)
  // stock starts at 0; prices, which hardly change, range between the lowest and the highest
  const lowest = isStep ? Math.min(0, ...values) : Math.min(...values)
  const x = (at: number) => ((at - first.at) / Math.max(1, last.at - first.at)) * WIDTH
  const y = (value: number) => HEIGHT - ((value - lowest) / Math.max(highest - lowest, Number.EPSILON)) * HEIGHT
  const path = (line: readonly Point[]) =>
    line
      .map(({ at, value }, index) => {
        const before = line[index - 1]
        if (!before) return `M${x(at)} ${y(value)}`
        return `${isStep ? `L${x(at)} ${y(before.value)}` : ''}L${x(at)} ${y(value)}`
      })
      .join('')
  const present = points.at(-1)
  const days = (at: number) => date(new Date(at).toISOString().slice(0, 10))
  const summary = `${title}: ${days(first.at)} ${text(first.value)}, ${days(last.at)} ${text(last.value)}`
  return (
    <figure class="plot">
      <div class="plot-scale" aria-hidden="true">
        <span>{text(highest)}</span>
        <span>{text(lowest)}</span>
      </div>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={summary}>
        {present && points.length > 1 && (
          <path class="plot-area" d={`${path(points)}L${x(present.at)} ${HEIGHT}L${x(first.at)} ${HEIGHT}Z`} />
        )}
        <path class="plot-line" d={path(points)} />
        {expected.length > 0 && <path class="plot-line expected" d={path(present ? [present, ...expected] : expected)} />}
      </svg>
      <figcaption aria-hidden="true">
        <span>{days(first.at)}</span>
        <span>{days(last.at)}</span>
      </figcaption>
    </figure>
  )
}
