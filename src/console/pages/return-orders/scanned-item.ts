import { useMemo, useRef } from 'preact/hooks'
import { createSerialQueue } from '../../kit/values/sequential-tasks.ts'
import { useScans } from '../../scanner/scanner.ts'
import { station } from '../../scanner/scans.tsx'

/** Handles a scanned stock item or location. `false` declines it. */
type ItemHandler = (pk: number) => boolean | Promise<boolean>

/** Handles the stock items and locations scanned while the component is mounted, one after the other. */
export function useObjectScans({ item, location }: { item: ItemHandler; location?: ItemHandler }): void {
  const next = useMemo(createSerialQueue, [])
  const takes = useRef({ item, place: location })
  takes.current = { item, place: location }
  async function take(code: string): Promise<boolean> {
    const lookup = await station.value?.lookUp(code)
    if (!lookup || !('object' in lookup)) return false
    const { kind, pk } = lookup.object
    if (kind === 'stockitem') return takes.current.item(pk)
    return kind === 'stocklocation' ? (takes.current.place?.(pk) ?? false) : false
  }
  useScans((code) => next(() => take(code)))
}
