import { navigate } from '../../kit/router.ts'
import { useScans } from '../../scanner/scanner.ts'
import { station } from '../../scanner/scans.tsx'

/** Whether something was done with the stock item that was scanned. */
type TakeItem = (item: number) => boolean | Promise<boolean>

/**
 * Has what is scanned while the component is shown: stock items it takes. Everything else, and what it does not take, is opened as anywhere in
 * the console.
 * @param takePlace takes a place that was scanned
 */
export function useItemScans(take: TakeItem, takePlace?: (place: number) => void): void {
  useScans(async (code) => {
    const found = await station.value?.lookUp(code)
    const object = found && 'object' in found ? found.object : undefined
    if (object?.kind === 'stockitem' && (await take(object.pk))) return
    if (object?.kind === 'stocklocation' && takePlace) takePlace(object.pk)
    else navigate(object?.web_url ?? `/scan/?look-up=${encodeURIComponent(code)}`)
  })
}
