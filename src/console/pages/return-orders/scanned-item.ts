import { useMemo, useRef } from 'preact/hooks'
import { inTurn } from '../../kit/values/in-turn.ts'
import { useScans } from '../../scanner/scanner.ts'
import { station } from '../../scanner/scans.tsx'

/** Handles a scanned stock item or location. `false` declines it. */
type TakeFound = (pk: number) => boolean | Promise<boolean>

/** Handles the stock items and locations scanned while the component is mounted, one after the other. */
export function useFoundScans({ item, place }: { item: TakeFound; place?: TakeFound }): void {
  const next = useMemo(inTurn, [])
  const takes = useRef({ item, place })
  takes.current = { item, place }
  async function take(code: string): Promise<boolean> {
    const found = await station.value?.lookUp(code)
    if (!found || !('object' in found)) return false
    const { kind, pk } = found.object
    if (kind === 'stockitem') return takes.current.item(pk)
    return kind === 'stocklocation' ? (takes.current.place?.(pk) ?? false) : false
  }
  useScans((code) => next(() => take(code)))
}
