import { SERVICE_PATHS } from '../kit/navigation/service-paths.ts'

// Service worker that loads the console without a network (ADR 0040). It caches the files of one bundle and the page, which is the same for
// everyone, and no responses of the API.

/** Contents of the bundle, inserted when it is made. */
declare const BUNDLE: {
  /** Changes with the contents. */
  name: string
  /** The script that the page of this bundle loads. */
  main: string
  /** The files that are cached on installation. */
  files: string[]
}

/** Types of a worker's global scope, which differs from that of a page. */
type WorkerEvent = Event & { waitUntil(work: Promise<unknown>): void }
type WorkerFetchEvent = WorkerEvent & {
  request: Request
  preloadResponse: Promise<Response | undefined>
  respondWith(response: Promise<Response>): void
}
type Worker = {
  addEventListener(type: 'install' | 'activate', listener: (event: WorkerEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: WorkerFetchEvent) => void): void
  skipWaiting(): Promise<void>
  clients: { claim(): Promise<void> }
  registration: ServiceWorkerRegistration
}
const worker = self as unknown as Worker

const CACHE_PREFIX = 'stockroom-'
const CACHE_NAME = CACHE_PREFIX + BUNDLE.name
const PAGE_PATH = '/'
const FILES_PATH = '/console/'

worker.addEventListener('install', (event) => event.waitUntil(install()))
worker.addEventListener('activate', (event) => event.waitUntil(activate()))
worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate' && !SERVICE_PATHS.test(pathname)) event.respondWith(loadPage(event))
  else if (pathname.startsWith(FILES_PATH)) event.respondWith(loadFile(request))
})

/** Caches the bundle, in full or not at all. If a node of another version has responded, the browser retries at its next check. */
async function install(): Promise<void> {
  const page = await fetch(PAGE_PATH, { cache: 'no-store', headers: { accept: 'text/html' } })
  const isSameBundle = page.ok && (await page.clone().text()).includes(BUNDLE.main)
  if (!isSameBundle) throw new Error('The page belongs to another bundle.')
  const cache = await caches.open(CACHE_NAME)
  await cache.addAll(BUNDLE.files)
  await cache.put(PAGE_PATH, page)
  // open consoles are notified: see renewal.ts
  await worker.skipWaiting()
}

/** Makes this bundle the one that is loaded without a network. */
async function activate(): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith(CACHE_PREFIX) && name !== CACHE_NAME) await caches.delete(name)
  await worker.registration.navigationPreload?.enable()
  await worker.clients.claim()
}

/** The current page from the service; the cached one only without a response. */
async function loadPage(event: WorkerFetchEvent): Promise<Response> {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request))
  } catch (error) {
    const cached = await caches.match(PAGE_PATH, { cacheName: CACHE_NAME, ignoreVary: true })
    if (!cached) throw error
    return cached
  }
}

/** A file of a bundle. Its name contains a hash of its content, so that a cached one is never outdated. */
async function loadFile(request: Request): Promise<Response> {
  const cached = await caches.match(request, { ignoreVary: true })
  return cached ?? fetch(request)
}
