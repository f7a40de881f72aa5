import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { count, t } from '../kit/language/language.ts'
import { navigate, routeLocation } from '../kit/navigation/router.ts'
import { warn } from '../kit/page/toast.tsx'
import { account } from '../kit/service/session.ts'
import { getObjectUrl } from './own-code.ts'
import { startScanner, useScans } from './scanner.ts'
import { Station } from './station.ts'

/** The scan station of the current account. */
export const station = signal<Station | undefined>(undefined)

/** Selects forms and open dialogs whose input would be lost with the page. */
const UNFINISHED_SELECTOR = 'main form, dialog[open] form, dialog[open] .buttons'

/** URL of the scan station. It looks up the code in its query. */
const STATION_URL = '/scan/'

/** Listens for scans on all pages: opens the scanned object, unless a page handles the scan itself. Shows the number of pending scans. */
export function Scans({ hasPage }: { hasPage: (path: string) => boolean }) {
  const pk = account.value?.pk
  useEffect(() => {
    if (pk === undefined) return
    const newStation = new Station(pk)
    station.value = newStation
    const stopFunctions = [newStation.start(), startScanner()]
    return () => {
      station.value = undefined
      for (const stop of stopFunctions) stop()
    }
  }, [pk])
  useScans((code) => void openScannedObject(code, hasPage))
  const pendingCount = station.value?.pendingScans.value.length ?? 0
  // the station itself lists them
  if (pendingCount === 0 || routeLocation.value.path.startsWith(STATION_URL)) return null
  return (
    <p class="offline" role="status">
      <a href={STATION_URL}>{count('scan.pending', pendingCount)}</a>
    </p>
  )
}

/** Opens the object of a code; the scan station reports an object without a page, or an unknown code. */
async function openScannedObject(code: string, hasPage: (path: string) => boolean): Promise<void> {
  if (document.querySelector(UNFINISHED_SELECTOR)) {
    station.value?.playSound('rejected')
    return warn(t('scan.form-is-open'))
  }
  // such as the palette, which would cover the page
  for (const dialog of document.querySelectorAll('dialog')) dialog.close()
  const lookup = await station.value?.lookUp(code)
  const page = lookup && 'object' in lookup ? getObjectUrl(lookup.object) : undefined
  if (page !== undefined && hasPage(page)) return navigate(page)
  navigate(`${STATION_URL}?look-up=${encodeURIComponent(code)}`)
}
