import { effect } from '@preact/signals'
import { isRenewed, place } from '../kit/navigation/router.ts'

/** Milliseconds between two looks for another bundle. */
const LOOK = 60_000

/**
 * Has the browser keep the console for when the network is away, and look whether the service has another one: when a page is opened, when
 * somebody comes back, and by the clock. Browsers have this on https and on this machine. To be called once.
 * @param main the address of the script that runs here
 */
export function keepConsole(main: string): void {
  const { serviceWorker } = navigator
  if (!serviceWorker) return
  serviceWorker.addEventListener('controllerchange', () => {
    const { controller } = serviceWorker
    const compare = async () => {
      // once a worker has taken over, its bundle is the only one that is kept
      if (controller?.state !== 'activated' || (await caches.match(main, { ignoreVary: true }))) return
      isRenewed.value = true
    }
    controller?.addEventListener('statechange', compare)
    compare()
  })
  serviceWorker.register('/service-worker.js', { updateViaCache: 'none' }).then(
    // where they are kept from it there is none, whatever the types say
    (registration: ServiceWorkerRegistration | undefined) => registration && lookOften(registration),
    () => {
      // some browsers have none in private windows
    },
  )
}

function lookOften(registration: ServiceWorkerRegistration): void {
  let last = performance.now()
  const look = () => {
    if (performance.now() - last < LOOK || isRenewed.value) return
    last = performance.now()
    // without a network there is none
    registration.update().catch(() => undefined)
  }
  effect(() => {
    place.value
    look()
  })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') look()
  })
  window.addEventListener('online', look)
  setInterval(look, 10 * LOOK)
}
