import { t } from '../../../kit/language/language.ts'
import { ApiError } from '../../../kit/service/api.ts'
import { may } from '../../../kit/service/session.ts'
import { nameOf, readStock, stockName } from '../../../scanner/describe.ts'
import type { ScannedObject } from '../../../scanner/own-code.ts'
import { type Station, shortened } from '../../../scanner/station.ts'
import { isDone } from '../../../scanner/waiting-scans.ts'
import { LocationField } from '../locations.tsx'
import { chooseScanned, chosen, type Mode } from '../mode.ts'
import { reportUnknown } from './lookup.tsx'

export const move: Mode = {
  name: 'move',
  title: 'scan.mode.move',
  icon: 'move',
  help: 'scan.help.move',
  isFor: () => may('add', 'stock'),
  async handleScan(code, station) {
    const object = await findLocationOrStock(code, station)
    if (!object) return
    if (object.kind === 'stocklocation') return chooseScanned('place', code, station)
    const location = chosen('place')
    if (location === null) return station.report({ tone: 'refused', text: t('scan.place-first'), more: shortened(code) })
    if (await isAtLocation(object.pk, location, station)) return
    const response = await station.execute('move', code, { location })
    if (response && !isDone(response)) station.reportError(response, code)
  },
  Panel: () => (
    <div class="scan-chosen">
      <LocationField empty={t('scan.no-place')} />
    </div>
  ),
}

/**
 * Whether stock is in a location already, which is reported then: undoing another move there would change nothing. Not checked while
 * pending scans may still move it.
 */
async function isAtLocation(pk: number, location: number, station: Station): Promise<boolean> {
  if (station.pendingScans.value.length > 0) return false
  const item = await readStock(pk).catch((error) => {
    if (error instanceof ApiError) return undefined
    throw error
  })
  if (!item || item.location_detail?.pk !== location) return false
  const { name, pathstring } = item.location_detail
  station.report({
    tone: 'found',
    text: t('scan.lies-there', { what: stockName(item), place: name }),
    more: pathstring,
    to: `/stock/item/${pk}/`,
  })
  return true
}

/** The location or stock item that a code stands for. Reports any other object. */
export async function findLocationOrStock(code: string, station: Station): Promise<ScannedObject | undefined> {
  const cachedObject = station.findCached(code)
  const lookup = cachedObject && isLocationOrStock(cachedObject) ? { object: cachedObject } : await station.lookUp(code)
  if ('isAway' in lookup) station.report({ tone: 'refused', text: t('scan.unknown-without-network'), more: shortened(code) })
  else if ('answer' in lookup) reportUnknown(lookup.answer, code, station)
  else if (isLocationOrStock(lookup.object)) return lookup.object
  else station.report({ tone: 'refused', text: t('scan.neither-place-nor-stock', { what: nameOf(lookup.object) }) })
  return undefined
}

const isLocationOrStock = ({ kind }: ScannedObject): boolean => kind === 'stockitem' || kind === 'stocklocation'
