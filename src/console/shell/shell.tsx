import { type Signal, useSignal } from '@preact/signals'
import { Component, type ComponentChildren, type ComponentType } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { Confirm } from '../kit/form/confirm.tsx'
import { language, t } from '../kit/language/language.ts'
import { commands, PathOfPage, useCommands } from '../kit/navigation/keys.ts'
import { isRenewed, leaveFor, leaving, place, showsPage } from '../kit/navigation/router.ts'
import { useReturn } from '../kit/page/data.ts'
import { Empty, Page, type PageProperties, WayHome } from '../kit/page/page.tsx'
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
  /** Where the picture is that stands for the service. */
  icon: string
  /** Fulfilled when it is known who is signed in. */
  session: Promise<void>
}

/** What is round every page: the header, and what is over it. Whoever is not signed in is asked to, at whatever address. */
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
  // everything is drawn anew in another language
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
      <OverThePage open={open} />
      {leaving.value && <Leaving drop={leaving.value} />}
      <Toasts />
      {sessionEnded.value && (
        <Dialog title={t('sign-in.title')}>
          {/* what is scanned while nobody is signed in is for the page behind it */}
          <div data-scans="page">
            <SignIn isAgain />
          </div>
        </Dialog>
      )}
    </>
  )
}

/** Asks whoever leaves a page where they typed something. */
const Leaving = ({ drop }: { drop: () => void }) => (
  <Confirm
    title={t('drop.ask')}
    button={t('drop.drop')}
    keep={t('drop.keep')}
    onConfirm={async () => drop()}
    onClose={() => {
      leaving.value = undefined
    }}
  >
    <p>{t('drop.page')}</p>
  </Confirm>
)

type Found = NonNullable<ReturnType<typeof pageAt>>

/** Pages that were loaded before, by what loads them. */
const loaded = new Map<Found['load'], ComponentType<PageProperties>>()

/**
 * The page of the address. Its code is loaded when it is first opened; the page before it stays until then. One that is here is shown at
 * once, before the page that it follows reads an address that is none of its own.
 */
function CurrentPage({ onFind }: { onFind: () => void }) {
  const shown = useRef<{ Page: ComponentType<PageProperties>; at: Record<string, string>; path: string }>(undefined)
  const turn = useSignal(0)
  const { path } = place.value
  const found = useMemo(() => pageAt(path), [path])
  const isHere = found && loaded.get(found.load)
  if (isHere && shown.current?.path !== path) shown.current = { Page: isHere, at: found.at, path }
  if (shown.current) showsPage(shown.current.path)
  // what could not be loaded without a connection
  useReturn(() => {
    if (!isHere) turn.value++
  })
  // an effect would wait until the page before it is painted once more
  useLayoutEffect(() => {
    if (!found || isHere) return
    let isWanted = true
    found
      .load()
      .then((Page) => {
        loaded.set(found.load, Page)
        if (isWanted) turn.value++
      })
      .catch((error) => {
        if (isWanted) renew(error)
      })
    return () => {
      isWanted = false
    }
  }, [found, turn.value])
  const isFirst = useRef(true)
  const key = shown.current?.path
  useLayoutEffect(() => {
    if (key === undefined) return
    const main = document.getElementById('page')
    // whoever goes by keys goes on in the new page, unless it has put them somewhere
    if (!isFirst.current && !main?.contains(document.activeElement)) main?.focus({ preventScroll: true })
    isFirst.current = false
  }, [key])
  if (!found)
    return (
      <Page title={t('not-found')}>
        <Empty icon="search" title={t('not-found-more')}>
          <WayHome />
        </Empty>
      </Page>
    )
  if (!shown.current) return null
  const { Page: Shown, at } = shown.current
  return (
    <PathOfPage.Provider value={key}>
      <Search onFind={onFind} />
      <Failing key={key}>
        <Shown at={at} />
      </Failing>
    </PathOfPage.Provider>
  )
}

/** Goes to the field of the page that searches it. @param onFind finds anything, where the page has none */
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

/** Where the moment of the last renewal is kept. */
const RENEWED = 'stockroom.renewed'

/**
 * The service was renewed while the console was open, and what was to be loaded is there no more: the page is loaded anew, once. Without
 * a connection that would lose the page that is shown.
 */
function renew(error: Error): void {
  const last = Number(sessionStorage.getItem(RENEWED) ?? 0)
  if (!navigator.onLine || !isOnline.value || Date.now() - last < 10_000) throw error
  sessionStorage.setItem(RENEWED, String(Date.now()))
  window.location.reload()
}

/** Shows that a page failed, where it would show nothing. */
class Failing extends Component<{ children: ComponentChildren }, { failure?: Error }> {
  override componentDidCatch(failure: Error) {
    this.setState({ failure })
    // the log of the browser has it too
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

/** What keys of the shell open: the palette, and the keys themselves. */
function OverThePage({ open }: { open: Signal<Opened> }) {
  const show = (what: 'palette' | 'keys') => () => {
    open.value = open.value === what ? undefined : what
  }
  useCommands(() => [
    { keys: 'Ctrl+K', label: () => t('keys.palette'), run: show('palette'), isLocal: true },
    { keys: '?', label: () => t('keys.show'), run: show('keys'), isLocal: true },
    ...pageGroups.flatMap(({ entry }) =>
      entry?.isFor()
        ? [{ keys: entry.keys, label: () => t('go-to', { page: t(entry.title) }), run: () => leaveFor(entry.to) }]
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
