import { date } from '../language/language.ts'

/** A value at a moment, in milliseconds. */
export type Point = { at: number; value: number }

type Properties = {
  /** What is shown, for those who hear the page. */
  title: string
  /** Oldest first. */
  points: readonly Point[]
  /** What is to come: it goes on from the last of the points, and is drawn broken. */
  expected?: readonly Point[]
  /** How a value is written. */
  text: (value: number) => string
  /** It stays as it was until it changes, as stock does; else it goes from one to the next. */
  isStep?: boolean
}

const WIDTH = 100
const HEIGHT = 100

/** How something was over time: a line from its first day to its last, with its lowest and highest value. */
export function Plot({ title, points, expected = [], text, isStep }: Properties) {
  const all = [...points, ...expected]
  const [first, last] = [all[0], all.at(-1)]
  if (!first || !last || all.length < 2) return null
  const values = all.map(({ value }) => value)
  const highest = Math.max(...values)
  // stock is measured from nothing on; prices, which hardly change, between the lowest and the highest
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
