import type { ComponentType } from 'preact'
import { type PlainKey, t } from '../../kit/language/language.ts'
import { readQuery, setQuery } from '../../kit/navigation/router.ts'
import type { IconName } from '../../kit/page/icon.tsx'
import { formatObjectName } from '../../scanner/describe.ts'
import type { ScannedObject } from '../../scanner/own-code.ts'
import type { Station } from '../../scanner/station.ts'

/** A mode of the scan station: an action for scanned codes. */
export type Mode = {
  /** Its name in the URL. */
  name: string
  title: PlainKey
  icon: IconName
  /** Instructions in one sentence. */
  help: PlainKey
  /** Whether the account can use it. */
  isFor: () => boolean
  handleScan: (code: string, station: Station) => Promise<void>
  /** The selections and the tasks of the mode. */
  Panel: ComponentType<{ station: Station }>
}

/** A selectable object: its key is in the URL. Selecting one kind of order deselects the other. */
export type Selectable = (typeof ORDERS)[number] | 'place'
const ORDERS = ['order', 'build'] as const

/** The key of the selected object, from the URL. */
export const getSelectedKey = (name: Selectable): number | null => {
  const value = Number(readQuery(name))
  return Number.isInteger(value) && value > 0 ? value : null
}

/** Selects a scanned object: all following scans go there. */
export function selectObject(name: Selectable, { pk }: { pk: number }): void {
  if (name === 'place') setQuery({ place: String(pk) }, { replace: true })
  else setQuery({ ...NO_ORDER, [name]: String(pk) }, { replace: true })
}

const NO_ORDER = Object.fromEntries(ORDERS.map((name) => [name, undefined]))

/** Clears the selected order. */
export const clearOrder = (): void => setQuery(NO_ORDER, { replace: true })

/** Selects a scanned location or order, and reports which one it is. */
export async function selectScanned(name: Selectable, code: string, station: Station): Promise<void> {
  const lookup = await station.lookUp(code)
  if ('response' in lookup) return station.reportError(lookup.response, code)
  const object: ScannedObject | undefined = 'object' in lookup ? lookup.object : station.findCached(code)
  if (!object) return
  selectObject(name, object)
  station.report({
    tone: 'found',
    text: t(name === 'place' ? 'scan.location-is' : 'scan.order-is', { what: formatObjectName(object) }),
  })
}
