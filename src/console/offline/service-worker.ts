import { SERVICE_PATHS } from '../kit/navigation/service-paths.ts'

// The worker that loads the console while the network is away (ADR 0040). It keeps the files of one bundle and the page, which is the same
// for everybody, and nothing that the interface answers.

/** What this worker is of, as it is bundled. */
declare const BUNDLE: {
  /** Changes with what is in it. */
  name: string
  /** The script that the page of this bundle loads. */
  main: string
  /** The files that are kept from the start. */
  files: string[]
}

/** What the world of a worker has that the one of a page has not. */
type Extendable = Event & { waitUntil(work: Promise<unknown>): void }
type Fetching = Extendable & {
  request: Request
  preloadResponse: Promise<Response | undefined>
  respondWith(answer: Promise<Response>): void
}
type Worker = {
  addEventListener(type: 'install' | 'activate', listen: (event: Extendable) => void): void
  addEventListener(type: 'fetch', listen: (event: Fetching) => void): void
  skipWaiting(): Promise<void>
  clients: { claim(): Promise<void> }
  registration: ServiceWorkerRegistration
}
const worker = self as unknown as Worker

const PREFIX = 'stockroom-'
const CACHE = PREFIX + BUNDLE.name
const PAGE = '/'
const FILES = '/console/'

worker.addEventListener('install', (event) => event.waitUntil(install()))
worker.addEventListener('activate', (event) => event.waitUntil(activate()))
worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate' && !SERVICE_PATHS.test(pathname)) event.respondWith(pageOf(event))
  else if (pathname.startsWith(FILES)) event.respondWith(fileOf(request))
})

/** Keeps the bundle, whole or not at all. Where a node of another version answered, the browser tries again when it looks next. */
async function install(): Promise<void> {
  const page = await fetch(PAGE, { cache: 'no-store', headers: { accept: 'text/html' } })
  const isOurs = page.ok && (await page.clone().text()).includes(BUNDLE.main)
  if (!isOurs) throw new Error('The page is of another bundle.')
  const cache = await caches.open(CACHE)
  await cache.addAll(BUNDLE.files)
  await cache.put(PAGE, page)
  // whoever has the console open is told: see renewal.ts
  await worker.skipWaiting()
}

/** From now on this bundle is the one that is loaded without a network. */
async function activate(): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name)
  await worker.registration.navigationPreload?.enable()
  await worker.clients.claim()
}

/** The page as the service has it now; the one that is kept only where no answer came. */
async function pageOf(event: Fetching): Promise<Response> {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request))
  } catch (error) {
    const kept = await caches.match(PAGE, { cacheName: CACHE, ignoreVary: true })
    if (!kept) throw error
    return kept
  }
}

/** A file of a bundle. Its name says what is in it, so that one that is kept is never old. */
async function fileOf(request: Request): Promise<Response> {
  const kept = await caches.match(request, { ignoreVary: true })
  return kept ?? fetch(request)
}
