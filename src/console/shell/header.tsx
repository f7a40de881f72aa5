import { type Signal, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { count, LANGUAGES, type Language, language, selectLanguage, t } from '../kit/language/language.ts'
import { showCurrentLink } from '../kit/navigation/current-link.ts'
import { useCommands } from '../kit/navigation/keys.ts'
import { routeLocation } from '../kit/navigation/router.ts'
import { Icon } from '../kit/page/icon.tsx'
import { Menu } from '../kit/page/menu.tsx'
import { ShortcutKeys } from '../kit/page/shortcut-keys.tsx'
import { THEMES, type Theme, theme } from '../kit/page/theme.ts'
import { instance } from '../kit/service/instance.ts'
import { account, formatAccountName, signOut, unreadCount } from '../kit/service/session.ts'
import { navigationEntries } from '../navigation.ts'

type Properties = {
  /** URL of the logo. */
  icon: string
  /** Opens the search. */
  onSearch: () => void
}

/** The features, the search, the number of unread notifications, and the account. */
export function Header({ icon, onSearch }: Properties) {
  useCommands(() => [
    {
      label: () => t('guides.open'),
      synonyms: () => t('guides.words'),
      run: () => void window.open(GUIDES_PATH, '_blank', 'noreferrer'),
    },
    { label: () => t('sign-out'), run: () => void signOut() },
  ])
  const current = findCurrentEntry(routeLocation.value.path)
  const nav = useRef<HTMLElement>(null)
  // on narrow screens, such as phones, the navigation is one scrollable line
  useEffect(() => {
    if (isScrollable()) showCurrentLink(nav.current)
  }, [current])
  const line = useRef<HTMLDivElement>(null)
  const entries = navigationEntries.filter(({ isFor }) => isFor())
  const fitting = useFittingCount(line, nav, entries.length)
  return (
    <header class="head">
      <a class="brand" href="/">
        <img src={instance.value.logo ?? icon} alt="" height="24" />
        <span>{instance.value.name}</span>
      </a>
      <div class={current && entries.indexOf(current) >= fitting.value ? 'main-nav-line in-menu' : 'main-nav-line'} ref={line}>
        <nav ref={nav} class="main-nav" aria-label={t('menu')}>
          {entries.map((entry, index) => (
            <a
              key={entry.to}
              href={entry.to}
              class={index < fitting.value ? '' : 'over'}
              aria-current={entry === current ? 'page' : undefined}
            >
              <Icon name={entry.icon} />
              <span>{t(entry.title)}</span>
            </a>
          ))}
        </nav>
        {fitting.value < entries.length && (
          <Menu label={t('more-pages')} icon="menu">
            {entries.slice(fitting.value).map((entry) => (
              <a key={entry.to} href={entry.to} aria-current={entry === current ? 'page' : undefined}>
                <Icon name={entry.icon} />
                {t(entry.title)}
              </a>
            ))}
          </Menu>
        )}
      </div>
      <div class="head-end">
        <button type="button" class="search-box" title={t('keys.palette')} aria-keyshortcuts="Control+K" onClick={onSearch}>
          <Icon name="search" />
          <span>{t('search')}</span>
          <span class="search-keys" aria-hidden="true">
            <ShortcutKeys keys="Ctrl+K" />
          </span>
        </button>
        <a
          class="unread"
          href="/notifications/"
          title={unreadCount.value ? count('notifications.some', unreadCount.value) : t('notifications.none')}
        >
          <Icon name="bell" />
          <span class="visually-hidden">
            {unreadCount.value ? count('notifications.some', unreadCount.value) : t('notifications.none')}
          </span>
          {unreadCount.value > 0 && <span aria-hidden="true">{unreadCount.value > 99 ? '99+' : unreadCount.value}</span>}
        </a>
        <Menu label={getAccountLabel()} icon="user" text={getAccountName()}>
          <Choices />
          <a href="/settings/" data-ends-menu>
            <Icon name="settings" />
            {t('settings.title')}
          </a>
          <GuidesLink />
          <button type="button" class="quiet" onClick={() => signOut()}>
            <Icon name="signOut" />
            {t('sign-out')}
          </button>
        </Menu>
      </div>
    </header>
  )
}

/** Opens the guides next to the console, so that no unsaved input is lost. */
export const GuidesLink = () => (
  <a class="guides-link" href={GUIDES_PATH} target="_blank" rel="noreferrer">
    <Icon name="book" />
    {t('guides')}
  </a>
)

const GUIDES_PATH = '/docs/'

/** Width of the button for the features that do not fit, in pixels. */
const MENU_BUTTON_WIDTH_PX = 44

/** Whether the line of features scrolls; otherwise those that do not fit are in a menu. */
const isScrollable = (): boolean => matchMedia('(max-width: 700px)').matches

/** The number of features that fit side by side; all on a phone, where the line scrolls. Measures again when the language changes. */
function useFittingCount(line: RefObject<HTMLElement | null>, nav: RefObject<HTMLElement | null>, count: number): Signal<number> {
  const fitting = useSignal(count)
  useLayoutEffect(() => {
    if (!line.current) return
    const measure = () => {
      const availableWidth = line.current?.clientWidth ?? 0
      const ends = [...(nav.current?.children ?? [])].map(
        (link) => (link as HTMLElement).offsetLeft + (link as HTMLElement).offsetWidth,
      )
      if (nav.current && !isScrollable()) nav.current.scrollLeft = 0
      const doAllFit = isScrollable() || (ends.at(-1) ?? 0) <= availableWidth
      fitting.value = doAllFit ? count : ends.filter((end) => end <= availableWidth - MENU_BUTTON_WIDTH_PX).length
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(line.current)
    return () => observer.disconnect()
  }, [count, language.value])
  return fitting
}

/** The navigation entry for a path: the one with the longest matching prefix. */
function findCurrentEntry(path: string) {
  const matches = navigationEntries
    .map((entry) => ({ entry, start: entry.to.replace(/\?.*/, '') }))
    .filter(({ start }) => (start === '/' ? path === '/' : path.startsWith(start)))
  return matches.sort((a, b) => b.start.length - a.start.length)[0]?.entry
}

/** The name of the current account. */
const getAccountName = (): string => (account.value ? formatAccountName(account.value) : '')

/** The display name and the username. */
const getAccountLabel = (): string => {
  const [name, username] = [getAccountName(), account.value?.username ?? '']
  return name === username ? name : `${name} (${username})`
}

/** Selects the language, and the light or dark theme. */
export const Choices = () => (
  <>
    <label class="choice">
      <span>{t('language')}</span>
      <select value={language.value} onChange={(event) => selectLanguage(event.currentTarget.value as Language)}>
        {Object.entries(LANGUAGES).map(([key, name]) => (
          <option key={key} value={key} lang={key}>
            {name}
          </option>
        ))}
      </select>
    </label>
    <label class="choice">
      <span>{t('theme')}</span>
      <select
        value={theme.value}
        onChange={(event) => {
          theme.value = event.currentTarget.value as Theme
        }}
      >
        {THEMES.map((themeName) => (
          <option key={themeName} value={themeName}>
            {t(`theme.${themeName}`)}
          </option>
        ))}
      </select>
    </label>
  </>
)
