import type { ComponentChildren } from 'preact'
import { formatDate, formatDateTime } from '../language/language.ts'

/** An entry of the timeline. */
export type TimelineEntry = {
  key: string | number
  /** The date, or the time. */
  time: string
  text: ComponentChildren
  /** The user, and other details. */
  detail?: ComponentChildren
}

/** History, the latest entry first. */
export const Timeline = ({ entries }: { entries: readonly TimelineEntry[] }) => (
  <ol class="timeline">
    {entries.map(({ key, time: at, text, detail }) => (
      <li key={key}>
        <time dateTime={at}>{at.length > 10 ? formatDateTime(at) : formatDate(at)}</time>
        <span>
          {text}
          {detail && <small>{detail}</small>}
        </span>
      </li>
    ))}
  </ol>
)
