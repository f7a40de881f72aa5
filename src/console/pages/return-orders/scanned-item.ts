import { useMemo, useRef } from 'preact/hooks'
import { createSerialQueue } from '../../kit/values/sequential-tasks.ts'
import { useScans } from '../../scanner/scanner.ts'
import { station } from '../../scanner/scans.tsx'

/** Handles a scanned stock item or location. `false` declines it. */
type ItemHandler = (pk: number) => boolean | Promise<boolean>

/** Handles the stock items and locations scanned while the component is mounted, one after the other. */
export function useObjectScans({ item, location }: { item: ItemHandler; location?: ItemHandler }): void {
  const enqueue = useMemo(createSerialQueue, [])
  const handlers = useRef({ item, location })
  handlers.current = { item, location }
  async function handleScan(code: string): Promise<boolean> {
    const lookup = await station.value?.lookUp(code)
    if (!lookup || !('object' in lookup)) return false
    const { kind, pk } = lookup.object
    if (kind === 'stockitem') return handlers.current.item(pk)
    return kind === 'stocklocation' ? (handlers.current.location?.(pk) ?? false) : false
  }
  useScans((code) => enqueue(() => handleScan(code)))
}
