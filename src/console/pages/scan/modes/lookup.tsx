import { t } from '../../../kit/language/language.ts'
import { routeLocation } from '../../../kit/navigation/router.ts'
import { withQuery } from '../../../kit/service/api.ts'
import { nameOf, readStock, stockName } from '../../../scanner/describe.ts'
import { isCapsLocked } from '../../../scanner/key-listener.ts'
import { pageOf, type ScannedObject } from '../../../scanner/own-code.ts'
import { type Station, scanErrorText, shortened } from '../../../scanner/station.ts'
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
    else if ('isAway' in lookup) station.report({ tone: 'refused', text: t('scan.not-without-network'), more: shortened(code) })
    else reportUnknown(lookup.answer, code, station)
  },
  Panel: () => null,
}

/** Reports the object that a code stands for. */
export async function reportObject(object: ScannedObject, station: Station): Promise<void> {
  const { kind, pk, web_url } = object
  if (kind === 'stockitem') {
    const item = await readStock(pk)
    const locationPath = item.location_detail?.pathstring ?? t('scan.nowhere')
    return station.report({ tone: 'found', text: stockName(item), more: locationPath, to: web_url })
  }
  const description = object.instance?.description
  station.report({
    tone: 'found',
    text: nameOf(object),
    more: typeof description === 'string' ? description : undefined,
    to: pageOf(object),
  })
}

/** Error codes for a barcode that the service does not know. */
export const NO_MATCH = ['barcode_not_found', 'barcode_without_supplier_part']

/** Reports an unknown barcode, with the actions it allows. */
export function reportUnknown(response: ScanResponse, code: string, station: Station): void {
  const isLabel = Array.isArray(response.body.labels)
  station.report({
    tone: 'refused',
    text: scanErrorText(response),
    more: isCapsLocked() ? t('scan.caps-lock') : isLabel ? t('scan.is-label') : shortened(code),
    to: linkingOf(code),
  })
}

/**
 * URL of the page that links an unknown code to an object, or creates the supplier part of its label. It returns to the page of the scan:
 * the mode and the selected objects stay as they were.
 */
export function linkingOf(code: string): string {
  const { path, query } = routeLocation.value
  return withQuery(LINKING, { code, from: path === LINKING ? undefined : `${path}?${query}` })
}

const LINKING = '/scan/link/'
