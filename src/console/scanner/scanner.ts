import { type Signal, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { get, isOnline, Refusal } from '../kit/service/api.ts'
import { listenForScans } from './key-listener.ts'

/** Takes a code that was scanned, by whatever means. `false`, or the promise of it, says that it has no use for it. */
export type TakeScan = (code: string) => unknown

type Settings = { BARCODE_ENABLE: boolean; BARCODE_WEBCAM_SUPPORT: boolean; BARCODE_INPUT_DELAY: number }

/** Whether codes are scanned here with a camera, as the settings of the service have it. */
export const offersCamera = signal(false)

/** Whether it is listened for what scanners type, as the settings have it; undefined while nobody knows what they are. */
export const isListening: Signal<boolean | undefined> = signal(undefined)

/** Milliseconds within which the next key of a scan follows, as the settings have it. */
export const scanDelay = signal(50)

/** Those who take scans. The last one has them first: a page before the shell. */
let takers: readonly { take: TakeScan }[] = []

/** A code was scanned, by a scanner or a camera, or was typed where codes are. */
export async function scanned(code: string): Promise<void> {
  for (const { take } of takers.toReversed()) if ((await take(code)) !== false) return
}

/** Has the scans of the console while the component is shown. */
export function useScans(take: TakeScan): void {
  const taker = useRef({ take })
  taker.current.take = take
  useEffect(() => {
    const mine = taker.current
    takers = [...takers, mine]
    return () => {
      takers = takers.filter((one) => one !== mine)
    }
  }, [])
}

/** Where the browser keeps the settings, for a page that is loaded while the network is away. */
const KEPT = 'stockroom.scanner'

function keptSettings(): Settings | undefined {
  const kept = localStorage.getItem(KEPT)
  return kept === null ? undefined : (JSON.parse(kept) as Settings)
}

/** The settings of the service; those that it had last where it cannot be asked. @throws Refusal */
async function readSettings(): Promise<Settings> {
  try {
    const { body } = await get<Settings>('/api/web/settings/')
    const { BARCODE_ENABLE, BARCODE_WEBCAM_SUPPORT, BARCODE_INPUT_DELAY } = body
    localStorage.setItem(KEPT, JSON.stringify({ BARCODE_ENABLE, BARCODE_WEBCAM_SUPPORT, BARCODE_INPUT_DELAY }))
    return body
  } catch (error) {
    const kept = keptSettings()
    if (!(error instanceof Refusal) || error.status !== 0 || !kept) throw error
    return kept
  }
}

/** What the settings are where nobody has changed them, for a browser that has not read them yet. */
const USUAL: Settings = { BARCODE_ENABLE: true, BARCODE_WEBCAM_SUPPORT: false, BARCODE_INPUT_DELAY: 50 }

/** How often the service is asked while it cannot be reached, in milliseconds. */
const AGAIN = 5_000

/**
 * Listens for scans as the settings of the service have it, which are read once, and again when the network comes or goes; until they have
 * come, as it had them last, so that no scan loses its beginning while a page is loaded.
 * @returns what ends it
 */
export function startScanner(): () => void {
  let end = () => {}
  let isWanted = true
  let listened: number | undefined
  const listen = ({ BARCODE_ENABLE, BARCODE_WEBCAM_SUPPORT, BARCODE_INPUT_DELAY }: Settings) => {
    const delay = BARCODE_ENABLE ? BARCODE_INPUT_DELAY : undefined
    scanDelay.value = BARCODE_INPUT_DELAY
    offersCamera.value = BARCODE_ENABLE && BARCODE_WEBCAM_SUPPORT
    // who listens already goes on: a scan may be half typed
    if (delay === listened) return
    end()
    listened = delay
    end = delay === undefined ? () => {} : listenForScans(delay, scanned)
  }
  const kept = keptSettings()
  isListening.value = kept?.BARCODE_ENABLE
  listen(kept ?? USUAL)
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
  }, AGAIN)
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
