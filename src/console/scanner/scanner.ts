import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { get } from '../kit/api.ts'
import { listenForScans } from './key-listener.ts'

/** Takes a code that was scanned, by whatever means. */
export type TakeScan = (code: string) => void

type Settings = { BARCODE_ENABLE: boolean; BARCODE_WEBCAM_SUPPORT: boolean; BARCODE_INPUT_DELAY: number }

/** Whether codes are scanned here with a camera, as the settings of the service have it. */
export const offersCamera = signal(false)

/** Those who take scans. The last one has them: a page before the shell. */
let takers: readonly { take: TakeScan }[] = []

/** A code was scanned, by a scanner or a camera, or was typed where codes are. */
export function scanned(code: string): void {
  takers.at(-1)?.take(code)
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

/**
 * Listens for scans as the settings of the service have it, which are read once.
 * @returns what ends it
 */
export function startScanner(): () => void {
  let end = () => {}
  let isWanted = true
  get<Settings>('/api/web/settings/').then(
    ({ body }) => {
      if (!isWanted || !body.BARCODE_ENABLE) return
      offersCamera.value = body.BARCODE_WEBCAM_SUPPORT
      end = listenForScans(body.BARCODE_INPUT_DELAY, scanned)
    },
    () => undefined,
  )
  return () => {
    isWanted = false
    end()
  }
}
