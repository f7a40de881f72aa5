import { computed, signal } from '@preact/signals'
import { SERVICE_PATHS } from './service-paths.ts'
import { forgetTyped, hasUnsent } from './unsaved-input.ts'

/** Where the console is. What a page shows is in its address, so that a link shows the same to a colleague. */
export type Place = { path: string; query: URLSearchParams }

const placeOf = (url: URL | Location): Place => ({ path: url.pathname, query: new URLSearchParams(url.search) })

const current = signal<Place>(placeOf(window.location))

/** Where the console is now. */
export const place = computed(() => current.value)

/** Whether the service has another version of the console than the one that runs here. The next page that is opened is loaded from it. */
export const isRenewed = signal(false)

type How = {
  /** The browser's Back then passes the present address over. */
  replace?: boolean
}

/** Goes to an address of the console. */
export function navigate(to: string, { replace = false }: How = {}): void {
  const url = new URL(to, window.location.href)
  if (url.href === window.location.href) return
  const isOtherPage = url.pathname !== current.value.path
  if (isRenewed.value && isOtherPage) {
    window.location[replace ? 'replace' : 'assign'](url)
    return
  }
  history[replace ? 'replaceState' : 'pushState'](null, '', url)
  current.value = placeOf(url)
  if (isOtherPage) window.scrollTo(0, 0)
}

/** What goes on to another page, while somebody is asked whether what they typed on this one may be dropped. */
export const leaving = signal<(() => void) | undefined>(undefined)

/** Runs what leaves the page: at once, or once somebody said that what they typed may be dropped. */
function leave(go: () => void): void {
  if (!hasUnsent()) go()
  else
    leaving.value = () => {
      leaving.value = undefined
      forgetTyped()
      go()
    }
}

/** Goes to an address of the console as people do, who may have typed something: by a link, or by a key. */
export function leaveFor(to: string): void {
  if (new URL(to, window.location.href).pathname === current.value.path) navigate(to)
  else leave(() => navigate(to))
}

/** The path of the page that is shown: another than that of the address while the next page is on its way. */
let shown: string | undefined

/** To be called with the path of each page that is shown. */
export function showsPage(path: string): void {
  shown = path
}

/** Whether the page of the address is on its way, while the one that is left is still shown. */
export const isOnItsWay = (): boolean => shown !== undefined && shown !== current.value.path

/**
 * Sets parameters of the address of the page that is shown; undefined or '' takes one out. A page that is left already, and is there until the
 * next one has come, sets nothing any more: the address is the next one's.
 */
export function setQuery(values: Record<string, string | undefined>, how: How = {}): void {
  if (isOnItsWay()) return
  const query = new URLSearchParams(current.value.query)
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === '') query.delete(name)
    else query.set(name, value)
  }
  const text = query.toString()
  navigate(current.value.path + (text ? `?${text}` : ''), how)
}

/** The parameters of one of several tables of a page, which have its name in front: `lines.search`. */
export function parameters(prefix: string | undefined) {
  const named = (name: string) => (prefix ? `${prefix}.${name}` : name)
  return {
    query: (name: string) => query(named(name)),
    setQuery: (values: Record<string, string | undefined>, how?: How) =>
      setQuery(Object.fromEntries(Object.entries(values).map(([name, value]) => [named(name), value])), how),
  }
}
/** Reads and sets what of the address is a table's. */
export type Parameters = ReturnType<typeof parameters>

/** A parameter of the address. */
export const query = (name: string): string | undefined => place.value.query.get(name) ?? undefined

/**
 * What of an address fits a pattern such as `/company/:pk/`, by name; undefined when it does not. A `:pk` is digits.
 */
export function match(pattern: string, path: string): Record<string, string> | undefined {
  const expression = pattern
    .replace(/\/$/, '')
    .replaceAll(/:(\w+)/g, (_whole, name) => (name === 'pk' ? '(?<pk>\\d+)' : `(?<${name}>[^/]+)`))
  const found = new RegExp(`^${expression}/?$`).exec(path)
  return found ? { ...found.groups } : undefined
}

/** Follows links inside the console without leaving it, and the browser's Back. To be called once. */
export function followLinks(): void {
  window.addEventListener('popstate', () => {
    const { path, query } = current.value
    if (window.location.pathname !== path && hasUnsent()) {
      // the page stays, and so does its address, until that is answered
      history.pushState(null, '', path + (query.size > 0 ? `?${query}` : ''))
      leave(() => history.back())
      return
    }
    if (isRenewed.value && window.location.pathname !== current.value.path) return window.location.reload()
    current.value = placeOf(window.location)
  })
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const link = (event.target as Element).closest?.('a[href]')
    if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute('download')) return
    const url = new URL(link.href)
    if (url.origin !== window.location.origin || SERVICE_PATHS.test(url.pathname)) return
    if (url.pathname === window.location.pathname && url.search === window.location.search && url.hash) return
    event.preventDefault()
    leaveFor(url.pathname + url.search)
  })
}
