import { t } from '../../../kit/language.ts'
import { may } from '../../../kit/session.ts'
import { nameOf } from '../../../scanner/describe.ts'
import type { FoundObject } from '../../../scanner/own-code.ts'
import { type Station, shortened } from '../../../scanner/station.ts'
import { isDone } from '../../../scanner/waiting-scans.ts'
import { chooseScanned, chosen, type Mode } from '../mode.ts'
import { Place } from '../places.tsx'
import { sayUnknown } from './look-up.tsx'

export const move: Mode = {
  name: 'move',
  title: 'scan.mode.move',
  icon: 'move',
  help: 'scan.help.move',
  isFor: () => may('add', 'stock'),
  async take(code, station) {
    const object = await placeOrStock(code, station)
    if (!object) return
    if (object.kind === 'stocklocation') return chooseScanned('place', code, station)
    const place = chosen('place')
    if (place === null) return station.say({ tone: 'refused', text: t('scan.place-first'), more: shortened(code) })
    const answer = await station.work('move', code, { location: place })
    if (answer && !isDone(answer)) station.refuse(answer, code)
  },
  Panel: () => (
    <div class="scan-chosen">
      <Place empty={t('scan.no-place')} />
    </div>
  ),
}

/** The place or the stock that a code stands for. Of anything else it is said what that is. */
export async function placeOrStock(code: string, station: Station): Promise<FoundObject | undefined> {
  const known = station.knownAs(code)
  const found = known && isPlaceOrStock(known) ? { object: known } : await station.lookUp(code)
  if ('isAway' in found) station.say({ tone: 'refused', text: t('scan.unknown-without-network'), more: shortened(code) })
  else if ('answer' in found) sayUnknown(found.answer, code, station)
  else if (isPlaceOrStock(found.object)) return found.object
  else station.say({ tone: 'refused', text: t('scan.neither-place-nor-stock', { what: nameOf(found.object) }) })
  return undefined
}

const isPlaceOrStock = ({ kind }: FoundObject): boolean => kind === 'stockitem' || kind === 'stocklocation'
