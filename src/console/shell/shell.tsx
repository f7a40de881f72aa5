import { type Signal, useSignal } from '@preact/signals'
import { Component, type ComponentChildren, type ComponentType } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { Confirm } from '../kit/form/confirm.tsx'
import { language, t } from '../kit/language/language.ts'
import { commands, PathOfPage, useCommands } from '../kit/navigation/keys.ts'
import { isRenewed, navigateOrConfirm, pendingNavigation, routeLocation, setDisplayedPath } from '../kit/navigation/router.ts'
import { useReturn } from '../kit/page/data.ts'
import { Empty, HomeLink, Page, type PageProperties } from '../kit/page/page.tsx'
import { Keys } from '../kit/page/shortcut-keys.tsx'
import { Toasts, warn } from '../kit/page/toast.tsx'
import { isOnline, sessionEnded } from '../kit/service/api.ts'
import { account, mustEnrol } from '../kit/service/session.ts'
import { Dialog } from '../kit/window/dialog.tsx'
import { SignIn } from '../pages/sign-in/sign-in.tsx'
import { pageAt, pageGroups } from '../pages.ts'
import { Scans } from '../scanner/scans.tsx'
import { Header } from './header.tsx'
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
  const open = useSignal<Opened>(undefined)
  useEffect(() => {
    session.catch((error: Error) => {
      failure.value = error.message
    })
    const tellFailure = (event: PromiseRejectionEvent) => warn(`${t('failed')}: ${event.reason?.message ?? event.reason}`)
    window.addEventListener('unhandledrejection', tellFailure)
    return () => window.removeEventListener('unhandledrejection', tellFailure)
  }, [])
  // renders everything again in another language
  language.value
  if (failure.value)
    return (
      <Empty icon="warning" title={t('unreachable')}>
        <button type="button" onClick={() => window.location.reload()}>
          {t('again')}
        </button>
      </Empty>
    )
  if (account.value === undefined) return null
  if (account.value === null || mustEnrol.value)
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
      <Header icon={icon} />
      {!isOnline.value && (
        <p class="offline" role="status">
          {t('offline')}
        </p>
      )}
      {isRenewed.value && (
        <p class="renewed" role="status">
          {t('renewed')}
          <button type="button" class="quiet" onClick={() => window.location.reload()}>
            {t('renewed.load')}
          </button>
        </p>
      )}
      <Scans hasPage={(path) => pageAt(path) !== undefined} />
      <main id="page" tabIndex={-1}>
        <CurrentPage onFind={() => (open.value = 'palette')} />
      </main>
      <Overlay open={open} />
      {pendingNavigation.value && <ConfirmLeave drop={pendingNavigation.value} />}
      <Toasts />
      {sessionEnded.value && (
        <Dialog title={t('sign-in.title')}>
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
    title={t('drop.ask')}
    button={t('drop.drop')}
    cancelLabel={t('drop.keep')}
    onConfirm={async () => drop()}
    onClose={() => {
      pendingNavigation.value = undefined
    }}
  >
    <p>{t('drop.page')}</p>
  </Confirm>
)

type RouteMatch = NonNullable<ReturnType<typeof pageAt>>

/** The pages loaded so far, by their load functions. */
const loaded = new Map<RouteMatch['load'], ComponentType<PageProperties>>()

/**
 * The page of the current URL. Its code is loaded when it is first opened; the previous page stays until then. A loaded page renders
 * immediately, before the previous page can read the new URL.
 */
function CurrentPage({ onFind }: { onFind: () => void }) {
  const displayedPage = useRef<{ Page: ComponentType<PageProperties>; at: Record<string, string>; path: string }>(undefined)
  const turn = useSignal(0)
  const { path } = routeLocation.value
  const match = useMemo(() => pageAt(path), [path])
  const isHere = match && loaded.get(match.load)
  if (isHere && displayedPage.current?.path !== path) displayedPage.current = { Page: isHere, at: match.at, path }
  if (displayedPage.current) setDisplayedPath(displayedPage.current.path)
  // retries a load that failed without a connection
  useReturn(() => {
    if (!isHere) turn.value++
  })
  // an effect would run only after the previous page is painted once more
  useLayoutEffect(() => {
    if (!match || isHere) return
    let isWanted = true
    match
      .load()
      .then((Page) => {
        loaded.set(match.load, Page)
        if (isWanted) turn.value++
      })
      .catch((error) => {
        if (isWanted) renew(error)
      })
    return () => {
      isWanted = false
    }
  }, [match, turn.value])
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
    <PathOfPage.Provider value={key}>
      <Search onFind={onFind} />
      <Failing key={key}>
        <PageComponent at={at} />
      </Failing>
    </PathOfPage.Provider>
  )
}

/** Focuses the search field of the page. @param onFind opens the global search if the page has none */
function Search({ onFind }: { onFind: () => void }) {
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
const RENEWED = 'stockroom.renewed'

/**
 * Reloads the page once after the service was updated while the console was open, as the old code is no longer available. Not without a
 * connection, which would lose the open page.
 */
function renew(error: Error): void {
  const last = Number(sessionStorage.getItem(RENEWED) ?? 0)
  if (!navigator.onLine || !isOnline.value || Date.now() - last < 10_000) throw error
  sessionStorage.setItem(RENEWED, String(Date.now()))
  window.location.reload()
}

/** Shows an error when a page fails, instead of a blank page. */
class Failing extends Component<{ children: ComponentChildren }, { failure?: Error }> {
  override componentDidCatch(failure: Error) {
    this.setState({ failure })
    // the browser console shows it, too
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

type Opened = 'palette' | 'keys' | undefined

/** The overlays opened by shortcuts of the shell: the palette, and the list of shortcuts. */
function Overlay({ open }: { open: Signal<Opened> }) {
  const show = (target: 'palette' | 'keys') => () => {
    open.value = open.value === target ? undefined : target
  }
  useCommands(() => [
    { keys: 'Ctrl+K', label: () => t('keys.palette'), run: show('palette'), isLocal: true },
    { keys: '?', label: () => t('keys.show'), run: show('keys'), isLocal: true },
    ...pageGroups.flatMap(({ entry }) =>
      entry?.isFor()
        ? [{ keys: entry.keys, label: () => t('go-to', { page: t(entry.title) }), run: () => navigateOrConfirm(entry.to) }]
        : [],
    ),
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
  const keyed = commands.value.filter(({ keys }) => keys !== undefined)
  const hasCells = document.querySelector('.cells td.edited, .edit-cell') !== null
  return (
    <Dialog title={t('keys.title')} onClose={onClose}>
      <dl class="keys">
        {keyed.map((command) => (
          <div key={command.keys}>
            <dt>
              <Keys keys={command.keys} />
            </dt>
            <dd>{command.label()}</dd>
          </div>
        ))}
      </dl>
      {hasCells && <p class="quiet-text">{t('keys.cells')}</p>}
    </Dialog>
  )
}
