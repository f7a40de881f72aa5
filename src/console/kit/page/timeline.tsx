import type { ComponentChildren } from 'preact'
import { date, dateTime } from '../language/language.ts'

/** An entry of the timeline. */
export type TimelineEntry = {
  key: string | number
  /** The date, or the time. */
  at: string
  text: ComponentChildren
  /** The user, and other details. */
  more?: ComponentChildren
}

/** History, the latest entry first. */
export const Timeline = ({ happened }: { happened: readonly TimelineEntry[] }) => (
  <ol class="timeline">
    {happened.map(({ key, at, text, more }) => (
      <li key={key}>
        <time dateTime={at}>{at.length > 10 ? dateTime(at) : date(at)}</time>
        <span>
          {text}
          {more && <small>{more}</small>}
        </span>
      </li>
    ))}
  </ol>
)
