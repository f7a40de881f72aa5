import { type Signal, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { ApiError, get, isOnline } from '../kit/service/api.ts'
import { settingChanges } from '../kit/service/session.ts'
import { listenForScans } from './key-listener.ts'

/** Handles a code scanned by any device. Returning `false`, or a promise of it, declines the code. */
export type ScanHandler = (code: string) => unknown

type Settings = { BARCODE_ENABLE: boolean; BARCODE_WEBCAM_SUPPORT: boolean; BARCODE_INPUT_DELAY: number }

/** Whether the settings of the service enable scanning with a camera. */
export const isCameraEnabled = signal(false)

/** Whether the settings enable scanners; undefined until they are loaded. */
export const isListening: Signal<boolean | undefined> = signal(undefined)

/** Maximum time until the next key of a scan, in milliseconds, from the settings. */
export const scanDelay = signal(50)

/** The handlers of scans. The last one takes precedence: a page over the shell. */
let handlers: readonly { handle: ScanHandler }[] = []

/** Handles a code scanned by a scanner or camera, or typed in a code field. */
export async function handleScan(code: string): Promise<void> {
  for (const { handle } of handlers.toReversed()) if ((await handle(code)) !== false) return
}

/** Handles scans while the component is mounted. */
export function useScans(handle: ScanHandler): void {
  const handlerRef = useRef({ handle })
  handlerRef.current.handle = handle
  useEffect(() => {
    const handler = handlerRef.current
    handlers = [...handlers, handler]
    return () => {
      handlers = handlers.filter((registered) => registered !== handler)
    }
  }, [])
}

/** Key under which the browser stores the settings, for a page loaded while the network is down. */
const SETTINGS_KEY = 'stockroom.scanner'

function readCachedSettings(): Settings | undefined {
  const cachedSettings = localStorage.getItem(SETTINGS_KEY)
  return cachedSettings === null ? undefined : (JSON.parse(cachedSettings) as Settings)
}

/** The settings of the service, or the last known ones if it cannot be reached. @throws ApiError */
async function readSettings(): Promise<Settings> {
  try {
    const { body } = await get<Settings>('/api/web/settings/')
    const { BARCODE_ENABLE, BARCODE_WEBCAM_SUPPORT, BARCODE_INPUT_DELAY } = body
    localStorage.setItem(SETTINGS_KEY, JSON.stringify({ BARCODE_ENABLE, BARCODE_WEBCAM_SUPPORT, BARCODE_INPUT_DELAY }))
    return body
  } catch (error) {
    const cachedSettings = readCachedSettings()
    if (!(error instanceof ApiError) || error.status !== 0 || !cachedSettings) throw error
    return cachedSettings
  }
}

/** The default settings, for a browser that has not loaded them yet. */
const DEFAULT_SETTINGS: Settings = { BARCODE_ENABLE: true, BARCODE_WEBCAM_SUPPORT: false, BARCODE_INPUT_DELAY: 50 }

/** Interval between attempts to reach the service, in milliseconds. */
const RETRY_INTERVAL_MS = 5_000

/**
 * Listens for scans with the settings of the service, which are loaded once and reloaded when the network connects or disconnects. Uses the
 * last known settings until then, so that no scan loses its start while a page loads.
 * @returns a function that stops listening
 */
export function startScanner(): () => void {
  let stopListening = () => {}
  let isRunning = true
  let currentDelay: number | undefined
  const listen = ({ BARCODE_ENABLE, BARCODE_WEBCAM_SUPPORT, BARCODE_INPUT_DELAY }: Settings) => {
    const delay = BARCODE_ENABLE ? BARCODE_INPUT_DELAY : undefined
    scanDelay.value = BARCODE_INPUT_DELAY
    isCameraEnabled.value = BARCODE_ENABLE && BARCODE_WEBCAM_SUPPORT
    // the current listener continues: a scan may be in progress
    if (delay === currentDelay) return
    stopListening()
    currentDelay = delay
    stopListening = delay === undefined ? () => {} : listenForScans(delay, handleScan)
  }
  const cachedSettings = readCachedSettings()
  isListening.value = cachedSettings?.BARCODE_ENABLE
  listen(cachedSettings ?? DEFAULT_SETTINGS)
  const reloadSettings = () =>
    void readSettings().then(
      (settings) => {
        if (!isRunning) return
        isListening.value = settings.BARCODE_ENABLE
        listen(settings)
      },
      () => undefined,
    )
  // reads them at once, and when this window changes a setting
  const unsubscribe = settingChanges.subscribe(reloadSettings)
  const timer = setInterval(() => {
    if (!isOnline.value) reloadSettings()
  }, RETRY_INTERVAL_MS)
  const events = ['online', 'offline'] as const
  for (const event of events) window.addEventListener(event, reloadSettings)
  return () => {
    isRunning = false
    clearInterval(timer)
    unsubscribe()
    for (const event of events) window.removeEventListener(event, reloadSettings)
    stopListening()
    isListening.value = undefined
  }
}
