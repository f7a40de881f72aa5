import type { ComponentChildren } from 'preact'
import { type Counted, count, t } from '../../kit/language/language.ts'
import { Icon, type IconName } from '../../kit/page/icon.tsx'
import { Panel } from '../../kit/page/page.tsx'
import type { Page } from '../../kit/service/api.ts'

type RowProperties = {
  icon: IconName
  /** What it is. */
  title: ComponentChildren
  /** What else is to be known of it. */
  more?: ComponentChildren
  /** By when; red where that is over. */
  when?: string
  isLate?: boolean
  /** What is done by it, on a page of its own or at once. */
  action?: { label: string; to?: string; run?: () => void; isBusy?: boolean }
}

/** Something to do, and the key that does it: Enter, where the arrows stand. */
export const Row = ({ icon, title, more, when, isLate, action }: RowProperties) => (
  <li class="work">
    <Icon name={icon} />
    <span class="work-text">
      <span>{title}</span>
      {more && <small>{more}</small>}
    </span>
    <span class={isLate ? 'work-when late' : 'work-when'}>{when}</span>
    {action?.to && (
      <a class="button" href={action.to} data-work>
        {action.label}
      </a>
    )}
    {action?.run && (
      <button type="button" data-work disabled={action.isBusy} onClick={action.run}>
        {action.label}
      </button>
    )}
  </li>
)

type RestProperties = {
  /** What is shown of them. */
  of: Page<unknown> | undefined
  /** The word for so many more. */
  stem: Counted
  /** The page with all of them. */
  to: string
}

/** How many more there are than are shown, and the way to them. */
export function Rest({ of, stem, to }: RestProperties) {
  const more = of ? of.count - of.results.length : 0
  if (more <= 0) return null
  return (
    <li class="work rest">
      <a href={to} data-work>
        {count(stem, more)}
      </a>
    </li>
  )
}

type SectionProperties = {
  title: string
  /** How many there are in all. */
  count: number
  /** The page with all of them. */
  all?: string
  actions?: ComponentChildren
  children: ComponentChildren
}

/** What there is to do of a kind. Without any it is not shown. */
export const Section = ({ title, count, all, actions, children }: SectionProperties) =>
  count === 0 ? null : (
    <Panel
      class="flush"
      title={title}
      actions={
        <>
          {actions}
          {all && (
            <a class="quiet-link" href={all}>
              {t('home.all')}
            </a>
          )}
        </>
      }
    >
      <ul class="works">{children}</ul>
    </Panel>
  )
