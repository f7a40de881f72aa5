import { t } from '../../../kit/language/language.ts'
import { routeLocation } from '../../../kit/navigation/router.ts'
import { withQuery } from '../../../kit/service/api.ts'
import { formatObjectName, formatStock, readStockItem } from '../../../scanner/describe.ts'
import { isCapsLocked } from '../../../scanner/key-listener.ts'
import { getObjectUrl, type ScannedObject } from '../../../scanner/own-code.ts'
import { formatCode, type Station, scanErrorText } from '../../../scanner/station.ts'
import type { ScanResponse } from '../../../scanner/waiting-scans.ts'
import type { Mode } from '../mode.ts'

export const lookUp: Mode = {
  name: 'look-up',
  title: 'scan.mode.look-up',
  icon: 'search',
  help: 'scan.help.look-up',
  isFor: () => true,
  async handleScan(code, station) {
    const lookup = await station.lookUp(code)
    if ('object' in lookup) await reportObject(lookup.object, station)
    else if ('isOffline' in lookup)
      station.report({ tone: 'rejected', text: t('scan.no-lookup-offline'), detail: formatCode(code) })
    else reportUnknown(lookup.response, code, station)
  },
  Panel: () => null,
}

/** Reports the object that a code stands for. */
export async function reportObject(object: ScannedObject, station: Station): Promise<void> {
  const { kind, pk, web_url } = object
  if (kind === 'stockitem') {
    const item = await readStockItem(pk)
    const locationPath = item.location_detail?.pathstring ?? t('scan.no-location')
    return station.report({ tone: 'found', text: formatStock(item), detail: locationPath, to: web_url })
  }
  const description = object.instance?.description
  station.report({
    tone: 'found',
    text: formatObjectName(object),
    detail: typeof description === 'string' ? description : undefined,
    to: getObjectUrl(object),
  })
}

/** Error codes for a barcode that the service does not know. */
export const NO_MATCH_CODES = ['barcode_not_found', 'barcode_without_supplier_part']

/** Reports an unknown barcode, with the actions it allows. */
export function reportUnknown(response: ScanResponse, code: string, station: Station): void {
  const isLabel = Array.isArray(response.body.labels)
  station.report({
    tone: 'rejected',
    text: scanErrorText(response),
    detail: isCapsLocked() ? t('scan.caps-lock') : isLabel ? t('scan.supplier-label') : formatCode(code),
    to: getLinkUrl(code),
  })
}

/**
 * URL of the page that links an unknown code to an object, or creates the supplier part of its label. It returns to the page of the scan:
 * the mode and the selected objects stay as they were.
 */
export function getLinkUrl(code: string): string {
  const { path, query } = routeLocation.value
  return withQuery(LINK_PATH, { code, from: path === LINK_PATH ? undefined : `${path}?${query}` })
}

const LINK_PATH = '/scan/link/'
