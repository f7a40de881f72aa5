import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { count, t } from '../kit/language/language.ts'
import { navigate, place } from '../kit/navigation/router.ts'
import { warn } from '../kit/page/toast.tsx'
import { account } from '../kit/service/session.ts'
import { pageOf } from './own-code.ts'
import { startScanner, useScans } from './scanner.ts'
import { Station } from './station.ts'

/** What was scanned by whoever is signed in. */
export const station = signal<Station | undefined>(undefined)

/** What somebody is filling in, or is asked: it would be lost with its page. */
const UNFINISHED = 'main form, dialog[open] form, dialog[open] .buttons'

/** Where the scan station is. It looks up what an address of it names. */
const STATION = '/scan/'

/**
 * Listens for scans wherever one is in the console: what is scanned is opened, unless a page has a use of its own for it. Says how many
 * scans the service does not have yet.
 */
export function Scans({ hasPage }: { hasPage: (path: string) => boolean }) {
  const pk = account.value?.pk
  useEffect(() => {
    if (pk === undefined) return
    const mine = new Station(pk)
    station.value = mine
    const ends = [mine.start(), startScanner()]
    return () => {
      station.value = undefined
      for (const end of ends) end()
    }
  }, [pk])
  useScans((code) => void open(code, hasPage))
  const kept = station.value?.kept.value.length ?? 0
  // the station itself says which
  if (kept === 0 || place.value.path.startsWith(STATION)) return null
  return (
    <p class="offline" role="status">
      <a href={STATION}>{count('scan.kept', kept)}</a>
    </p>
  )
}

/** Opens what a code stands for; where that has no page, or nobody knows it, the scan station says what there is to say. */
async function open(code: string, hasPage: (path: string) => boolean): Promise<void> {
  if (document.querySelector(UNFINISHED)) {
    station.value?.sound('refused')
    return warn(t('scan.form-is-open'))
  }
  // such as the palette: it is over what comes now
  for (const dialog of document.querySelectorAll('dialog')) dialog.close()
  const found = await station.value?.lookUp(code)
  const page = found && 'object' in found ? pageOf(found.object) : undefined
  if (page !== undefined && hasPage(page)) return navigate(page)
  navigate(`${STATION}?look-up=${encodeURIComponent(code)}`)
}
