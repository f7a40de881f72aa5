import { effect } from '@preact/signals'
import { hasNewVersion, routeLocation } from '../kit/navigation/router.ts'

/** Minimum milliseconds between two checks for another bundle. */
const CHECK_INTERVAL_MS = 60_000

/**
 * Lets the browser cache the console for use without a network, and checks whether the service has another version: when a page is opened,
 * when the user returns, and periodically. Browsers support this on https and on this machine. Call it once.
 * @param main the URL of the script that runs here
 */
export function registerServiceWorker(main: string): void {
  const { serviceWorker } = navigator
  if (!serviceWorker) return
  serviceWorker.addEventListener('controllerchange', () => {
    const { controller } = serviceWorker
    const compare = async () => {
      // once a worker has taken over, its bundle is the only cached one
      if (controller?.state !== 'activated' || (await caches.match(main, { ignoreVary: true }))) return
      hasNewVersion.value = true
    }
    controller?.addEventListener('statechange', compare)
    compare()
  })
  serviceWorker.register('/service-worker.js', { updateViaCache: 'none' }).then(
    // browsers that block service workers return undefined, contrary to the type
    (registration: ServiceWorkerRegistration | undefined) => registration && pollForUpdates(registration),
    () => {
      // some browsers do not support service workers in private windows
    },
  )
}

function pollForUpdates(registration: ServiceWorkerRegistration): void {
  let lastCheck = performance.now()
  const check = () => {
    if (performance.now() - lastCheck < CHECK_INTERVAL_MS || hasNewVersion.value) return
    lastCheck = performance.now()
    // fails without a network
    registration.update().catch(() => undefined)
  }
  effect(() => {
    routeLocation.value
    check()
  })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') check()
  })
  window.addEventListener('online', check)
  setInterval(check, 10 * CHECK_INTERVAL_MS)
}
