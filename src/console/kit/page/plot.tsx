import { formatDate } from '../language/language.ts'

/** A value at a time, in milliseconds. */
export type Point = { time: number; value: number }

type Properties = {
  /** Description for screen readers. */
  title: string
  /** Oldest first. */
  points: readonly Point[]
  /** Forecast values: they continue from the last point, with a dashed line. */
  expected?: readonly Point[]
  /** Formats a value. */
  text: (value: number) => string
  /** Whether a value lasts until the next change, as for stock; otherwise the line connects the points. */
  isStep?: boolean
}

const WIDTH = 100
const HEIGHT = 100

/** Values over time: a line from the first day to the last, with the lowest and the highest value. */
export function Plot({ title, points, expected = [], text, isStep }: Properties) {
  const allPoints = [...points, ...expected]
  const [first, last] = [allPoints[0], allPoints.at(-1)]
  if (!first || !last || allPoints.length < 2) return null
  const values = allPoints.map(({ value }) => value)
  const highest = Math.max(...values)
  // stock starts at 0; prices, which hardly change, range between the lowest and the highest
  const lowest = isStep ? Math.min(0, ...values) : Math.min(...values)
  const x = (time: number) => ((time - first.time) / Math.max(1, last.time - first.time)) * WIDTH
  const y = (value: number) => HEIGHT - ((value - lowest) / Math.max(highest - lowest, Number.EPSILON)) * HEIGHT
  const path = (line: readonly Point[]) =>
    line
      .map(({ time, value }, index) => {
        const previous = line[index - 1]
        if (!previous) return `M${x(time)} ${y(value)}`
        return `${isStep ? `L${x(time)} ${y(previous.value)}` : ''}L${x(time)} ${y(value)}`
      })
      .join('')
  const lastPoint = points.at(-1)
  const formatDay = (time: number) => formatDate(new Date(time).toISOString().slice(0, 10))
  const summary = `${title}: ${formatDay(first.time)} ${text(first.value)}, ${formatDay(last.time)} ${text(last.value)}`
  return (
    <figure class="plot">
      <div class="plot-scale" aria-hidden="true">
        <span>{text(highest)}</span>
        <span>{text(lowest)}</span>
      </div>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={summary}>
        {lastPoint && points.length > 1 && (
          <path class="plot-area" d={`${path(points)}L${x(lastPoint.time)} ${HEIGHT}L${x(first.time)} ${HEIGHT}Z`} />
        )}
        <path class="plot-line" d={path(points)} />
        {expected.length > 0 && <path class="plot-line expected" d={path(lastPoint ? [lastPoint, ...expected] : expected)} />}
      </svg>
      <figcaption aria-hidden="true">
        <span>{formatDay(first.time)}</span>
        <span>{formatDay(last.time)}</span>
      </figcaption>
    </figure>
  )
}
