import { type Signal, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { ApiError, get, isOnline } from '../kit/service/api.ts'
import { listenForScans } from './key-listener.ts'

/** Handles a code scanned by any device. Returning `false`, or a promise of it, declines the code. */
export type ScanHandler = (code: string) => unknown

type Settings = { BARCODE_ENABLE: boolean; BARCODE_WEBCAM_SUPPORT: boolean; BARCODE_INPUT_DELAY: number }

/** Whether the settings of the service enable scanning with a camera. */
export const offersCamera = signal(false)

/** Whether the console listens for scanners, by the settings; undefined until they are known. */
export const isListening: Signal<boolean | undefined> = signal(undefined)

/** Maximum time until the next key of a scan, in milliseconds, by the settings. */
export const scanDelay = signal(50)

/** The handlers of scans. The last one takes precedence: a page over the shell. */
let handlers: readonly { take: ScanHandler }[] = []

/** Handles a code scanned by a scanner or camera, or typed in a code field. */
export async function scanned(code: string): Promise<void> {
  for (const { take } of handlers.toReversed()) if ((await take(code)) !== false) return
}

/** Handles scans while the component is mounted. */
export function useScans(take: ScanHandler): void {
  const handlerRef = useRef({ take })
  handlerRef.current.take = take
  useEffect(() => {
    const handler = handlerRef.current
    handlers = [...handlers, handler]
    return () => {
      handlers = handlers.filter((one) => one !== handler)
    }
  }, [])
}

/** Key under which the browser stores the settings, for a page loaded while the network is down. */
const SETTINGS_KEY = 'stockroom.scanner'

function readCachedSettings(): Settings | undefined {
  const cachedSettings = localStorage.getItem(SETTINGS_KEY)
  return cachedSettings === null ? undefined : (JSON.parse(cachedSettings) as Settings)
}

/** The settings of the service, or the last known ones if it cannot be reached. @throws Refusal */
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
 * Listens for scans by the settings of the service, which are loaded once and reloaded when the network connects or disconnects; until then
 * by the last known ones, so that no scan loses its start while a page loads.
 * @returns a function that stops listening
 */
export function startScanner(): () => void {
  let end = () => {}
  let isWanted = true
  let listened: number | undefined
  const listen = ({ BARCODE_ENABLE, BARCODE_WEBCAM_SUPPORT, BARCODE_INPUT_DELAY }: Settings) => {
    const delay = BARCODE_ENABLE ? BARCODE_INPUT_DELAY : undefined
    scanDelay.value = BARCODE_INPUT_DELAY
    offersCamera.value = BARCODE_ENABLE && BARCODE_WEBCAM_SUPPORT
    // the current listener continues: a scan may be in progress
    if (delay === listened) return
    end()
    listened = delay
    end = delay === undefined ? () => {} : listenForScans(delay, scanned)
  }
  const cachedSettings = readCachedSettings()
  isListening.value = cachedSettings?.BARCODE_ENABLE
  listen(cachedSettings ?? DEFAULT_SETTINGS)
  const ask = () =>
    void readSettings().then(
      (settings) => {
        if (!isWanted) return
        isListening.value = settings.BARCODE_ENABLE
        listen(settings)
      },
      () => undefined,
    )
  ask()
  const timer = setInterval(() => {
    if (!isOnline.value) ask()
  }, RETRY_INTERVAL_MS)
  const events = ['online', 'offline'] as const
  for (const event of events) window.addEventListener(event, ask)
  return () => {
    isWanted = false
    clearInterval(timer)
    for (const event of events) window.removeEventListener(event, ask)
    end()
    isListening.value = undefined
  }
}
