import type { ComponentType } from 'preact'
import { type PlainKey, t } from '../../kit/language/language.ts'
import { query, setQuery } from '../../kit/navigation/router.ts'
import type { IconName } from '../../kit/page/icon.tsx'
import { nameOf } from '../../scanner/describe.ts'
import type { FoundObject } from '../../scanner/own-code.ts'
import type { Station } from '../../scanner/station.ts'

/** What is done with the codes that are scanned. */
export type Mode = {
  /** In the address. */
  name: string
  title: PlainKey
  icon: IconName
  /** What to do, in a sentence. */
  help: PlainKey
  /** Whether the account may do it. */
  isFor: () => boolean
  take: (code: string, station: Station) => Promise<void>
  /** What is chosen, and what there is to do. */
  Panel: ComponentType<{ station: Station }>
}

/** What can be chosen: it is in the address, as a key. Of the orders one takes the place of the other. */
export type Choosable = (typeof ORDERS)[number] | 'place'
const ORDERS = ['order', 'build'] as const

/** What of the address is chosen. */
export const chosen = (name: Choosable): number | null => {
  const given = Number(query(name))
  return Number.isInteger(given) && given > 0 ? given : null
}

/** Chooses what was scanned: from then on everything goes there. */
export function choose(name: Choosable, { pk }: { pk: number }): void {
  if (name === 'place') setQuery({ place: String(pk) }, { replace: true })
  else setQuery({ ...NO_ORDER, [name]: String(pk) }, { replace: true })
}

const NO_ORDER = Object.fromEntries(ORDERS.map((name) => [name, undefined]))

/** From then on no order is chosen. */
export const chooseNoOrder = (): void => setQuery(NO_ORDER, { replace: true })

/** Chooses a place or an order that was scanned, and says which it is. */
export async function chooseScanned(name: Choosable, code: string, station: Station): Promise<void> {
  const found = await station.lookUp(code)
  if ('answer' in found) return station.refuse(found.answer, code)
  const object: FoundObject | undefined = 'object' in found ? found.object : station.knownAs(code)
  if (!object) return
  choose(name, object)
  station.say({ tone: 'found', text: t(name === 'place' ? 'scan.place-is' : 'scan.order-is', { what: nameOf(object) }) })
}
