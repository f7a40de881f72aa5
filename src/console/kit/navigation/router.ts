import { computed, signal } from '@preact/signals'
import { SERVICE_PATHS } from './service-paths.ts'
import { discardInput, hasUnsentForm } from './unsaved-input.ts'

/** Location of the console. The state of a page is in its URL, so that a link shows the same to a colleague. */
export type RouteLocation = { path: string; query: URLSearchParams }

const parseLocation = (url: URL | Location): RouteLocation => ({ path: url.pathname, query: new URLSearchParams(url.search) })

const current = signal<RouteLocation>(parseLocation(window.location))

/** Current location of the console. */
export const routeLocation = computed(() => current.value)

/** Whether the service has another version of the console than the one that runs here. The next opened page loads it. */
export const hasNewVersion = signal(false)

type NavigateOptions = {
  /** Whether to replace the history entry, so that Back skips the present URL. */
  replace?: boolean
}

/** Goes to a URL of the console. */
export function navigate(target: string, { replace = false }: NavigateOptions = {}): void {
  const url = new URL(target, window.location.href)
  if (url.href === window.location.href) return
  const isOtherPage = url.pathname !== current.value.path
  if (hasNewVersion.value && isOtherPage) {
    window.location[replace ? 'replace' : 'assign'](url)
    return
  }
  history[replace ? 'replaceState' : 'pushState'](null, '', url)
  current.value = parseLocation(url)
  if (isOtherPage) window.scrollTo(0, 0)
}

/** Navigation that waits while the user is asked whether to discard changes of the current page. */
export const pendingNavigation = signal<(() => void) | undefined>(undefined)

/** Runs a navigation to another page: immediately, or after the user confirms that changes may be discarded. */
function runOrConfirm(proceed: () => void): void {
  if (!hasUnsentForm()) proceed()
  else
    pendingNavigation.value = () => {
      pendingNavigation.value = undefined
      discardInput()
      proceed()
    }
}

/** Goes to a URL of the console on behalf of a user with possible unsaved changes: by a link, or by a key. */
export function navigateOrConfirm(target: string): void {
  if (new URL(target, window.location.href).pathname === current.value.path) navigate(target)
  else runOrConfirm(() => navigate(target))
}

/** The path of the displayed page: it differs from that of the URL while the next page is loading. */
let displayedPath: string | undefined

/** Sets the path of the displayed page. Call it for each one. */
export function setDisplayedPath(path: string): void {
  displayedPath = path
}

/** Whether the page of the URL is loading, while the previous one is still displayed. */
export const isNavigating = (): boolean => displayedPath !== undefined && displayedPath !== current.value.path

/**
 * Sets parameters in the URL of the displayed page; undefined or '' removes one. While the next page is loading it sets nothing, as the
 * URL already belongs to that page.
 */
export function setQuery(values: Record<string, string | undefined>, options: NavigateOptions = {}): void {
  if (isNavigating()) return
  const query = new URLSearchParams(current.value.query)
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === '') query.delete(name)
    else query.set(name, value)
  }
  const text = query.toString()
  navigate(current.value.path + (text ? `?${text}` : ''), options)
}

/** The parameters of one of several tables of a page, with its name as prefix: `lines.search`. */
export function createParameters(prefix: string | undefined) {
  const addPrefix = (name: string) => (prefix ? `${prefix}.${name}` : name)
  return {
    query: (name: string) => readQuery(addPrefix(name)),
    /** Names of the table's parameters in the URL. */
    names: () =>
      [...routeLocation.value.query.keys()].flatMap((name) =>
        name.startsWith(addPrefix('')) ? name.slice(addPrefix('').length) : [],
      ),
    setQuery: (values: Record<string, string | undefined>, options?: NavigateOptions) =>
      setQuery(Object.fromEntries(Object.entries(values).map(([name, value]) => [addPrefix(name), value])), options),
  }
}
/** Reads and sets a table's parameters in the URL. */
export type Parameters = ReturnType<typeof createParameters>

/** A parameter of the URL. */
export const readQuery = (name: string): string | undefined => routeLocation.value.query.get(name) ?? undefined

/** Named parts of a URL that matches a pattern such as `/company/:pk/`; undefined when it does not match. A `:pk` is digits. */
export function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const expression = pattern
    .replace(/\/$/, '')
    .replaceAll(/:(\w+)/g, (_whole, name) => (name === 'pk' ? '(?<pk>\\d+)' : `(?<${name}>[^/]+)`))
  const result = new RegExp(`^${expression}/?$`).exec(path)
  return result ? { ...result.groups } : undefined
}

/** Handles links inside the console without reloading it, and the browser's Back. Call it once. */
export function handleLinks(): void {
  window.addEventListener('popstate', () => {
    const { path, query } = current.value
    if (window.location.pathname !== path && hasUnsentForm()) {
      // the page and its URL stay until the user answers
      history.pushState(null, '', path + (query.size > 0 ? `?${query}` : ''))
      runOrConfirm(() => history.back())
      return
    }
    if (hasNewVersion.value && window.location.pathname !== current.value.path) return window.location.reload()
    current.value = parseLocation(window.location)
  })
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const link = (event.target as Element).closest?.('a[href]')
    if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute('download')) return
    const url = new URL(link.href)
    if (url.origin !== window.location.origin || SERVICE_PATHS.test(url.pathname)) return
    if (url.pathname === window.location.pathname && url.search === window.location.search && url.hash) return
    event.preventDefault()
    navigateOrConfirm(url.pathname + url.search)
  })
}
