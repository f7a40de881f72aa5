import { t } from '../../../kit/language/language.ts'
import { ApiError } from '../../../kit/service/api.ts'
import { hasPermission } from '../../../kit/service/session.ts'
import { formatObjectName, formatStock, readStockItem } from '../../../scanner/describe.ts'
import type { ScannedObject } from '../../../scanner/own-code.ts'
import { formatCode, type Station } from '../../../scanner/station.ts'
import { isDone } from '../../../scanner/waiting-scans.ts'
import { LocationField } from '../locations.tsx'
import { getSelectedKey, type Mode, selectScanned } from '../mode.ts'
import { reportUnknown } from './lookup.tsx'

export const move: Mode = {
  name: 'move',
  title: 'scan.mode.move',
  icon: 'move',
  help: 'scan.help.move',
  isFor: () => hasPermission('add', 'stock'),
  async handleScan(code, station) {
    const object = await findLocationOrStock(code, station)
    if (!object) return
    if (object.kind === 'stocklocation') return selectScanned('place', code, station)
    const location = getSelectedKey('place')
    if (location === null) return station.report({ tone: 'rejected', text: t('scan.location-first'), detail: formatCode(code) })
    if (await reportIfAtLocation(object.pk, location, station)) return
    const response = await station.execute('move', code, { location })
    if (response && !isDone(response)) station.reportError(response, code)
  },
  Panel: () => (
    <div class="scan-chosen">
      <LocationField empty={t('scan.location-hint')} />
    </div>
  ),
}

/**
 * Reports stock that is already in the location, as undoing another move there would change nothing. Does not check that while pending scans
 * may still move it.
 * @returns whether it was reported
 */
async function reportIfAtLocation(pk: number, location: number, station: Station): Promise<boolean> {
  if (station.pendingScans.value.length > 0) return false
  const item = await readStockItem(pk).catch((error) => {
    if (error instanceof ApiError) return undefined
    throw error
  })
  if (!item || item.location_detail?.pk !== location) return false
  const { name, pathstring } = item.location_detail
  station.report({
    tone: 'found',
    text: t('scan.already-there', { what: formatStock(item), place: name }),
    detail: pathstring,
    to: `/stock/item/${pk}/`,
  })
  return true
}

/** The location or stock item that a code stands for. Reports any other object. */
export async function findLocationOrStock(code: string, station: Station): Promise<ScannedObject | undefined> {
  const cachedObject = station.findCached(code)
  const lookup = cachedObject && isLocationOrStock(cachedObject) ? { object: cachedObject } : await station.lookUp(code)
  if ('isOffline' in lookup) station.report({ tone: 'rejected', text: t('scan.unknown-offline'), detail: formatCode(code) })
  else if ('response' in lookup) reportUnknown(lookup.response, code, station)
  else if (isLocationOrStock(lookup.object)) return lookup.object
  else station.report({ tone: 'rejected', text: t('scan.neither-location-nor-stock', { what: formatObjectName(lookup.object) }) })
  return undefined
}

const isLocationOrStock = ({ kind }: ScannedObject): boolean => kind === 'stockitem' || kind === 'stocklocation'
