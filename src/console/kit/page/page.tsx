import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { t } from '../language/language.ts'
import { Icon, type IconName } from './icon.tsx'
import { formatWindowTitle } from './window-title.ts'

type Crumb = { text: string; to: string }

type Properties = {
  title: string
  /** Its parents, such as the list that contains it. */
  crumbs?: readonly Crumb[]
  /** Status next to the title. */
  state?: ComponentChildren
  /** Buttons. The first one is the primary one. */
  actions?: ComponentChildren
  children: ComponentChildren
  /** Whether it fills the height of the window, as a table with its own scrollbar does. */
  isFull?: boolean
}

/** Properties of a page: the named parts of its URL, from the pattern. */
export type PageProperties = { params: Record<string, string> }

/** A page: its title, its actions, and its content. */
export function Page({ title, crumbs = [], state, actions, children, isFull }: Properties) {
  const windowTitle = formatWindowTitle(title)
  useEffect(() => {
    document.title = windowTitle
  }, [windowTitle])
  return (
    <div class={isFull ? 'page full' : 'page'}>
      <header class="page-head">
        <div class="page-title">
          {crumbs.length > 0 && (
            <nav class="crumbs">
              {crumbs.map(({ text, to }, index) => (
                <a key={to} href={to}>
                  {index > 0 && <Icon name="chevron" />}
                  {text}
                </a>
              ))}
            </nav>
          )}
          <h1>{title}</h1>
          {state}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

type PanelProperties = { title?: string; actions?: ComponentChildren; children: ComponentChildren; class?: string }

/** A section of a page with a title of its own. */
export const Panel = ({ title, actions, children, class: name = '' }: PanelProperties) => (
  <section class={`panel ${name}`}>
    {(title || actions) && (
      <header>
        {title && <h2>{title}</h2>}
        {actions && <div class="actions">{actions}</div>}
      </header>
    )}
    {children}
  </section>
)

/** Names and values. Those without a value are left out. */
export const DescriptionList = ({ rows }: { rows: readonly (readonly [name: string, value: ComponentChildren])[] }) => (
  <dl class="detail-list">
    {rows
      .filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== false)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)

/** A short word about the status of an object. */
export const Badge = ({ children, tone }: { children: ComponentChildren; tone?: 'good' | 'bad' | 'warn' | 'accent' }) => (
  <span class={tone ? `badge ${tone}` : 'badge'}>{children}</span>
)

/** A link to the home page, for pages without content. */
export const HomeLink = () => (
  <a class="button primary" href="/">
    {t('go-home')}
  </a>
)

/** An empty state: what it means, and what to do. */
export const Empty = ({ icon, title, children }: { icon?: IconName; title: string; children?: ComponentChildren }) => (
  <div class="empty">
    {icon && <Icon name={icon} />}
    <p class="empty-title">{title}</p>
    {children}
  </div>
)
