import { t } from '../../../kit/language/language.ts'
import { Refusal } from '../../../kit/service/api.ts'
import { may } from '../../../kit/service/session.ts'
import { nameOf, readStock, stockName } from '../../../scanner/describe.ts'
import type { FoundObject } from '../../../scanner/own-code.ts'
import { type Station, shortened } from '../../../scanner/station.ts'
import { isDone } from '../../../scanner/waiting-scans.ts'
import { Place } from '../locations.tsx'
import { chooseScanned, chosen, type Mode } from '../mode.ts'
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
    if (await liesThere(object.pk, place, station)) return
    const answer = await station.work('move', code, { location: place })
    if (answer && !isDone(answer)) station.refuse(answer, code)
  },
  Panel: () => (
    <div class="scan-chosen">
      <Place empty={t('scan.no-place')} />
    </div>
  ),
}

/**
 * Whether stock is in a location already, which is reported then: undoing another move there would change nothing. Not checked while
 * pending scans may still move it.
 */
async function liesThere(pk: number, place: number, station: Station): Promise<boolean> {
  if (station.kept.value.length > 0) return false
  const item = await readStock(pk).catch((error) => {
    if (error instanceof Refusal) return undefined
    throw error
  })
  if (!item || item.location_detail?.pk !== place) return false
  const { name, pathstring } = item.location_detail
  station.say({
    tone: 'found',
    text: t('scan.lies-there', { what: stockName(item), place: name }),
    more: pathstring,
    to: `/stock/item/${pk}/`,
  })
  return true
}

/** The location or stock item that a code stands for. Reports any other object. */
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
