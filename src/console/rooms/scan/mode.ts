import type { ComponentType } from 'preact'
import type { IconName } from '../../kit/icon.tsx'
import { type PlainKey, t } from '../../kit/language.ts'
import { query, setQuery } from '../../kit/router.ts'
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

/** What of the address is chosen, as a key: `order`, `place`. */
export const chosen = (name: 'order' | 'place'): number | null => {
  const given = Number(query(name))
  return Number.isInteger(given) && given > 0 ? given : null
}

/** Chooses what was scanned: from then on everything goes there. */
export function choose(name: 'order' | 'place', { pk }: { pk: number }): void {
  setQuery({ [name]: String(pk) }, { replace: true })
}

/** Chooses a place or an order that was scanned, and says which it is. */
export async function chooseScanned(name: 'order' | 'place', code: string, station: Station): Promise<void> {
  const found = await station.lookUp(code)
  if ('answer' in found) return station.refuse(found.answer, code)
  const object: FoundObject | undefined = 'object' in found ? found.object : station.knownAs(code)
  if (!object) return
  choose(name, object)
  station.say({ tone: 'found', text: t(name === 'place' ? 'scan.place-is' : 'scan.order-is', { what: nameOf(object) }) })
}
