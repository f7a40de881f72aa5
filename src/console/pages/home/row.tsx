import type { ComponentChildren } from 'preact'
import { count, type PluralKey, t } from '../../kit/language/language.ts'
import { Icon, type IconName } from '../../kit/page/icon.tsx'
import { Panel } from '../../kit/page/page.tsx'
import type { Page } from '../../kit/service/api.ts'

type RowProperties = {
  icon: IconName
  /** Name of the work item. */
  title: ComponentChildren
  /** Details. */
  detail?: ComponentChildren
  /** Due date; red when overdue. */
  due?: string
  isOverdue?: boolean
  /** The action, with a page of its own or run immediately. */
  action?: { label: string; to?: string; run?: () => void; isBusy?: boolean }
}

/** A work item, with an action that Enter triggers at the current row. */
export const Row = ({ icon, title, detail, due, isOverdue, action }: RowProperties) => (
  <li class="work-item">
    <Icon name={icon} />
    <span class="work-text">
      <span>{title}</span>
      {detail && <small>{detail}</small>}
    </span>
    <span class={isOverdue ? 'work-date alert-text' : 'work-date'}>{due}</span>
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

type MoreRowsProperties = {
  /** The shown page of rows. */
  page: Page<unknown> | undefined
  /** Text for the number of further rows. */
  textKey: PluralKey
  /** Path of the page with all rows. */
  to: string
}

/** The number of further rows, with a link to them. */
export function MoreRowsLink({ page, textKey, to }: MoreRowsProperties) {
  const more = page ? page.count - page.results.length : 0
  if (more <= 0) return null
  return (
    <li class="work-item rest">
      <a href={to} data-work>
        {count(textKey, more)}
      </a>
    </li>
  )
}

type SectionProperties = {
  title: string
  /** Total number of rows. */
  count: number
  /** Path of the page with all rows. */
  allPath?: string
  actions?: ComponentChildren
  children: ComponentChildren
}

/** A section of work items of a type. It is hidden when empty. */
export const Section = ({ title, count, allPath, actions, children }: SectionProperties) =>
  count === 0 ? null : (
    <Panel
      class="flush"
      title={title}
      actions={
        <>
          {actions}
          {allPath && (
            <a class="quiet-link" href={allPath}>
              {t('home.all')}
            </a>
          )}
        </>
      }
    >
      <ul class="works">{children}</ul>
    </Panel>
  )
