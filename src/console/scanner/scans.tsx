import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { count, t } from '../kit/language/language.ts'
import { navigate, routeLocation } from '../kit/navigation/router.ts'
import { warn } from '../kit/page/toast.tsx'
import { account } from '../kit/service/session.ts'
import { pageOf } from './own-code.ts'
import { startScanner, useScans } from './scanner.ts'
import { Station } from './station.ts'

/** The scan station of the current account. */
export const station = signal<Station | undefined>(undefined)

/** Elements with unsaved input or an open question, which would be lost with the page. */
const UNFINISHED = 'main form, dialog[open] form, dialog[open] .buttons'

/** URL of the scan station. It looks up the code in its query. */
const STATION = '/scan/'

/** Listens for scans on all pages: opens the scanned object, unless a page handles the scan itself. Shows the number of pending scans. */
export function Scans({ hasPage }: { hasPage: (path: string) => boolean }) {
  const pk = account.value?.pk
  useEffect(() => {
    if (pk === undefined) return
    const newStation = new Station(pk)
    station.value = newStation
    const ends = [newStation.start(), startScanner()]
    return () => {
      station.value = undefined
      for (const end of ends) end()
    }
  }, [pk])
  useScans((code) => void open(code, hasPage))
  const pendingCount = station.value?.pendingScans.value.length ?? 0
  // the station itself lists them
  if (pendingCount === 0 || routeLocation.value.path.startsWith(STATION)) return null
  return (
    <p class="offline" role="status">
      <a href={STATION}>{count('scan.kept', pendingCount)}</a>
    </p>
  )
}

/** Opens the object of a code; the scan station reports an object without a page, or an unknown code. */
async function open(code: string, hasPage: (path: string) => boolean): Promise<void> {
  if (document.querySelector(UNFINISHED)) {
    station.value?.playSound('refused')
    return warn(t('scan.form-is-open'))
  }
  // such as the palette, which would cover the page
  for (const dialog of document.querySelectorAll('dialog')) dialog.close()
  const lookup = await station.value?.lookUp(code)
  const page = lookup && 'object' in lookup ? pageOf(lookup.object) : undefined
  if (page !== undefined && hasPage(page)) return navigate(page)
  navigate(`${STATION}?look-up=${encodeURIComponent(code)}`)
}
