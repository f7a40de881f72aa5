import type { ComponentChildren } from 'preact'
import { date, moment } from '../language/language.ts'

/** Something that happened. */
export type Happening = {
  key: string | number
  /** The day, or the moment. */
  at: string
  text: ComponentChildren
  /** Who did it, and what else there is to say. */
  more?: ComponentChildren
}

/** What happened, the latest first. */
export const Timeline = ({ happened }: { happened: readonly Happening[] }) => (
  <ol class="timeline">
    {happened.map(({ key, at, text, more }) => (
      <li key={key}>
        <time dateTime={at}>{at.length > 10 ? moment(at) : date(at)}</time>
        <span>
          {text}
          {more && <small>{more}</small>}
        </span>
      </li>
    ))}
  </ol>
)
