import { type Signal, useSignal } from '@preact/signals'
import { Component, type ComponentChildren, type ComponentType } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { Confirm } from '../kit/form/confirm.tsx'
import { language, t } from '../kit/language/language.ts'
import { commands, PagePathContext, useCommands } from '../kit/navigation/keys.ts'
import { hasNewVersion, navigateOrConfirm, pendingNavigation, routeLocation, setDisplayedPath } from '../kit/navigation/router.ts'
import { useAutoReload } from '../kit/page/data.ts'
import { Empty, HomeLink, Page, type PageProperties } from '../kit/page/page.tsx'
import { ShortcutKeys } from '../kit/page/shortcut-keys.tsx'
import { Toasts, warn } from '../kit/page/toast.tsx'
import { isOnline, mustEnrol, sessionEnded } from '../kit/service/api.ts'
import { pendingConfirmation } from '../kit/service/confirmation.ts'
import { account } from '../kit/service/session.ts'
import { Dialog } from '../kit/window/dialog.tsx'
import { navigationEntries } from '../navigation.ts'
import { ConfirmAccount } from '../pages/sign-in/confirm-account.tsx'
import { SignIn } from '../pages/sign-in/sign-in.tsx'
import { findPage } from '../pages.ts'
import { Scans } from '../scanner/scans.tsx'
import { GuidesLink, Header } from './header.tsx'
import { Palette } from './palette.tsx'

type Properties = {
  /** URL of the logo. */
  icon: string
  /** Resolves once the current account is known. */
  session: Promise<void>
}

/** The frame of every page: the header, and the overlays. Asks an anonymous user to sign in, at any URL. */
export function Shell({ icon, session }: Properties) {
  const failure = useSignal<string | undefined>(undefined)
  const open = useSignal<OverlayName>(undefined)
  useEffect(() => {
    session.catch((error: Error) => {
      failure.value = error.message
    })
    const showFailure = (event: PromiseRejectionEvent) => warn(`${t('failed')}: ${event.reason?.message ?? event.reason}`)
    window.addEventListener('unhandledrejection', showFailure)
    return () => window.removeEventListener('unhandledrejection', showFailure)
  }, [])
  // renders everything again when the language changes
  language.value
  if (failure.value)
    return (
      <Empty icon="warning" title={t('unreachable')}>
        <button type="button" onClick={() => window.location.reload()}>
          {t('try-again')}
        </button>
      </Empty>
    )
  if (account.value === undefined) return null
  if (account.value === null)
    return (
      <>
        <SignIn icon={icon} />
        <Toasts />
      </>
    )
  return (
    <>
      <a class="skip" href="#page">
        {t('skip')}
      </a>
      <Header icon={icon} onSearch={() => (open.value = 'palette')} />
      {!isOnline.value && (
        <p class="offline" role="status">
          {t('offline')}
        </p>
      )}
      {hasNewVersion.value && (
        <p class="updated" role="status">
          {t('renewed')}
          <button type="button" class="quiet" onClick={() => window.location.reload()}>
            {t('renewed.load')}
          </button>
        </p>
      )}
      <Scans hasPage={(path) => findPage(path) !== undefined} />
      <main id="page" tabIndex={-1}>
        <CurrentPage onFind={() => (open.value = 'palette')} />
      </main>
      <Overlay open={open} />
      {pendingNavigation.value && <ConfirmLeave drop={pendingNavigation.value} />}
      <Toasts />
      {pendingConfirmation.value && <ConfirmAccount settle={pendingConfirmation.value.settle} />}
      {(sessionEnded.value || mustEnrol.value) && (
        <Dialog title={t(mustEnrol.value ? 'enrol.title' : 'sign-in.title')}>
          {/* scans while signed out belong to the page below */}
          <div data-scans="page">
            <SignIn isRenewal />
          </div>
        </Dialog>
      )}
    </>
  )
}

/** Confirms leaving a page with unsaved input. */
const ConfirmLeave = ({ drop }: { drop: () => void }) => (
  <Confirm
    title={t('discard.ask')}
    button={t('discard.discard')}
    cancelLabel={t('discard.keep')}
    onConfirm={async () => drop()}
    onClose={() => {
      pendingNavigation.value = undefined
    }}
  >
    <p>{t('discard.page')}</p>
  </Confirm>
)

type RouteMatch = NonNullable<ReturnType<typeof findPage>>

/** The pages loaded so far, by their load functions. */
const loadedPages = new Map<RouteMatch['load'], ComponentType<PageProperties>>()

/**
 * The page of the current URL. Its code is loaded when it is first opened; the previous page stays until then. A loaded page renders
 * immediately, before the previous page can read the new URL.
 */
function CurrentPage({ onFind }: { onFind: () => void }) {
  const displayedPage = useRef<{ Page: ComponentType<PageProperties>; at: Record<string, string>; path: string }>(undefined)
  const loadAttempt = useSignal(0)
  const { path } = routeLocation.value
  const match = useMemo(() => findPage(path), [path])
  const loadedPage = match && loadedPages.get(match.load)
  if (loadedPage && displayedPage.current?.path !== path) displayedPage.current = { Page: loadedPage, at: match.at, path }
  if (displayedPage.current) setDisplayedPath(displayedPage.current.path)
  // retries a load that failed without a connection
  useAutoReload(() => {
    if (!loadedPage) loadAttempt.value++
  })
  // an effect would run only after the previous page is painted once more
  useLayoutEffect(() => {
    if (!match || loadedPage) return
    let isCurrent = true
    match
      .load()
      .then((Page) => {
        loadedPages.set(match.load, Page)
        if (isCurrent) loadAttempt.value++
      })
      .catch((error) => {
        if (isCurrent) reloadAfterUpdate(error)
      })
    return () => {
      isCurrent = false
    }
  }, [match, loadAttempt.value])
  const isFirst = useRef(true)
  const key = displayedPage.current?.path
  useLayoutEffect(() => {
    if (key === undefined) return
    const main = document.getElementById('page')
    // the keyboard focus moves to the new page, unless that has set it already
    if (!isFirst.current && !main?.contains(document.activeElement)) main?.focus({ preventScroll: true })
    isFirst.current = false
  }, [key])
  if (!match)
    return (
      <Page title={t('not-found')}>
        <Empty icon="search" title={t('not-found-more')}>
          <HomeLink />
        </Empty>
      </Page>
    )
  if (!displayedPage.current) return null
  const { Page: PageComponent, at } = displayedPage.current
  return (
    <PagePathContext.Provider value={key}>
      <Search onFind={onFind} />
      <ErrorBoundary key={key}>
        <PageComponent params={at} />
      </ErrorBoundary>
    </PagePathContext.Provider>
  )
}

/** Empty search fields of pages, in which `/` opens the global search: `/` pressed twice does so on every page. */
const PAGE_SEARCH_SELECTOR = 'input[data-search]:placeholder-shown:not([data-codes], [data-scans])'

/** Focuses the search field of the page. @param onFind opens the global search if the page has none, or its field has the focus already */
function Search({ onFind }: { onFind: () => void }) {
  useEffect(() => {
    const findInsteadOfTyping = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.defaultPrevented || !(event.target as Element).matches(PAGE_SEARCH_SELECTOR)) return
      event.preventDefault()
      onFind()
    }
    document.addEventListener('keydown', findInsteadOfTyping)
    return () => document.removeEventListener('keydown', findInsteadOfTyping)
  }, [])
  useCommands(() => [
    {
      keys: '/',
      label: () => t('keys.search'),
      run: () => {
        const field = document.querySelector<HTMLInputElement>('input[data-search]')
        if (field) field.focus()
        else onFind()
      },
      isLocal: true,
    },
  ])
  return null
}

/** Key of the time of the last reload after an update. */
const RELOAD_TIME_KEY = 'stockroom.renewed'

/**
 * Reloads the page once after the service was updated while the console was open, as the old code is no longer available. Throws the error
 * instead without a connection, as a reload would lose the open page.
 */
function reloadAfterUpdate(error: Error): void {
  const lastReloadTime = Number(sessionStorage.getItem(RELOAD_TIME_KEY) ?? 0)
  if (!navigator.onLine || !isOnline.value || Date.now() - lastReloadTime < 10_000) throw error
  sessionStorage.setItem(RELOAD_TIME_KEY, String(Date.now()))
  window.location.reload()
}

/** Shows an error when a page fails, instead of a blank page. */
class ErrorBoundary extends Component<{ children: ComponentChildren }, { failure?: Error }> {
  override componentDidCatch(failure: Error) {
    this.setState({ failure })
    // logs it to the browser console, too
    reportError(failure)
  }

  render() {
    const { failure } = this.state
    if (!failure) return this.props.children
    return (
      <Page title={t('failed')}>
        <Empty icon="warning" title={t('failed')}>
          <p>{failure.message}</p>
        </Empty>
      </Page>
    )
  }
}

type OverlayName = 'palette' | 'keys' | undefined

/** The overlays opened by shortcuts of the shell: the search, and the list of shortcuts. */
function Overlay({ open }: { open: Signal<OverlayName> }) {
  const show = (target: 'palette' | 'keys') => () => {
    open.value = open.value === target ? undefined : target
  }
  useCommands(() => [
    { keys: 'Ctrl+K', label: () => t('keys.palette'), run: show('palette'), isLocal: true },
    { keys: '?', label: () => t('keys.show'), run: show('keys'), isLocal: true },
    // the search finds pages by itself
    ...navigationEntries
      .filter(({ isFor }) => isFor())
      .map(({ keys, title, to }) => ({
        keys,
        label: () => t('go-to', { page: t(title) }),
        run: () => navigateOrConfirm(to),
        isLocal: true,
      })),
    {
      keys: 'g e',
      label: () => t('go-to', { page: t('settings.title') }),
      run: () => navigateOrConfirm('/settings/'),
      isLocal: true,
    },
  ])
  const close = () => {
    open.value = undefined
  }
  if (open.value === 'palette') return <Palette onClose={close} />
  if (open.value === 'keys') return <KeysHelp onClose={close} />
  return null
}

/** The shortcuts that work on the page. */
function KeysHelp({ onClose }: { onClose: () => void }) {
  const shortcuts = commands.value.filter(({ keys }) => keys !== undefined)
  const hasCells = document.querySelector('.cells td.edited, .edit-cell') !== null
  return (
    <Dialog title={t('keys.title')} onClose={onClose}>
      <dl class="keys">
        {shortcuts.map((command) => (
          <div key={command.keys}>
            <dt>
              <ShortcutKeys keys={command.keys} />
            </dt>
            <dd>{command.label()}</dd>
          </div>
        ))}
      </dl>
      {hasCells && <p class="quiet-text">{t('keys.cells')}</p>}
      <p class="keys-guides">
        <GuidesLink />
      </p>
    </Dialog>
  )
}
