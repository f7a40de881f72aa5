import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../../kit/language/language.ts'
import { showCurrentLink } from '../../kit/navigation/current-link.ts'
import { routeLocation } from '../../kit/navigation/router.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { Empty, Page } from '../../kit/page/page.tsx'
import { findSettingsPage, listSettings } from './settings-pages.ts'

type Properties = {
  title: string
  /** Parents within the settings, such as the list of users. */
  crumbs?: readonly { text: string; to: string }[]
  /** Status next to the title. */
  state?: ComponentChildren
  /** Buttons. The first one is the primary one. */
  actions?: ComponentChildren
  /** Whether a table fills the height of the window. */
  isFull?: boolean
  /** A sentence on the accounts that can use the page, for those that cannot. */
  rejection?: string
  children: ComponentChildren
}

/** A page of the settings: the navigation of the settings next to its content. Accounts without the permission see which one they need. */
export function SettingsPage({ title, crumbs = [], state, actions, isFull, rejection, children }: Properties) {
  const entry = findSettingsPage(routeLocation.value.path)
  const isAllowed = entry === undefined || entry.isFor()
  return (
    <Page
      title={title}
      crumbs={[{ text: t('settings.title'), to: '/settings/' }, ...crumbs]}
      state={state}
      actions={isAllowed && actions}
      isFull={isFull}
    >
      <div class={isFull ? 'settings full' : 'settings'}>
        <SettingsNavigation current={entry?.to} />
        <div class="settings-content">
          {isAllowed ? (
            children
          ) : (
            <Empty icon="key" title={t('settings.not-allowed')}>
              <p>{rejection ?? t('settings.for-staff')}</p>
            </Empty>
          )}
        </div>
      </div>
    </Page>
  )
}

/** Links to all pages of the settings that the account can use. On a phone they are one line that scrolls. */
function SettingsNavigation({ current }: { current: string | undefined }) {
  const nav = useRef<HTMLElement>(null)
  useLayoutEffect(() => showCurrentLink(nav.current), [current])
  return (
    <nav ref={nav} class="settings-navigation" aria-label={t('settings.title')}>
      {listSettings().map(({ title, icon, pages }) => (
        <section key={title}>
          <h2>
            <Icon name={icon} />
            {t(title)}
          </h2>
          <ul>
            {pages.map((page) => (
              <li key={page.to}>
                <a href={page.to} aria-current={page.to === current ? 'page' : undefined}>
                  {t(page.title)}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}
