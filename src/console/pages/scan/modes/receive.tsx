import { formatNumber, formatWithUnit, t } from '../../../kit/language/language.ts'
import { ApiError, get, type Page, withQuery } from '../../../kit/service/api.ts'
import { hasPermission } from '../../../kit/service/session.ts'
import { formatObjectName, formatStock, type PartBrief, readStockItem } from '../../../scanner/describe.ts'
import { formatCode, hasErrorCode, type Station, scanErrorText } from '../../../scanner/station.ts'
import { isDone, type ScanResponse } from '../../../scanner/waiting-scans.ts'
import { LocationField, OrderSelect } from '../locations.tsx'
import { getSelectedKey, type Mode, selectScanned } from '../mode.ts'
import { useOrderLines } from '../order-lines.ts'
import { Progress } from '../progress.tsx'
import { createSerialNumbersQuestion, question } from '../question.tsx'
import { NO_MATCH_CODES, reportUnknown } from './lookup.tsx'

type Line = {
  pk: number
  quantity: number
  received: number
  part_detail: PartBrief | null
  supplier_part_detail: { SKU: string; pack_quantity_native: number } | null
}

export const receive: Mode = {
  name: 'receive',
  title: 'scan.mode.receive',
  icon: 'receive',
  help: 'scan.help.receive',
  isFor: () => hasPermission('add', 'purchase_order'),
  async handleScan(code, station) {
    const match = station.findCached(code)
    if (match?.kind === 'stocklocation') return selectScanned('place', code, station)
    if (match?.kind === 'purchaseorder') return selectScanned('order', code, station)
    if (match?.kind === 'stockitem') return reportInStock(match.pk, code, station)
    await receiveLabel(code, station)
  },
  Panel: ReceivePanel,
}

/** Receives the goods of a label, and asks for missing details. */
async function receiveLabel(code: string, station: Station, more: Record<string, unknown> = {}): Promise<void> {
  if (more.purchase_order === undefined && (await askForOrder(code, station))) return
  const fields = {
    purchase_order: getSelectedKey('order'),
    location: getSelectedKey('place'),
    wait_for_serial_numbers: true,
    ...more,
  }
  const response = await station.execute('receive', code, fields)
  if (!response || isDone(response)) return
  const retry = (reply: Record<string, unknown>) => receiveLabel(code, station, { ...more, ...reply })
  if (await askForMissingDetails(response, station, retry)) return
  if (!hasErrorCode(response, ...NO_MATCH_CODES, RECEIVED_CODE)) return station.reportError(response, code)
  // neither a label nor known goods: perhaps a location, an order or stock already received
  const match = await station.lookUp(code)
  if ('object' in match && match.object.kind === 'stockitem') return reportInStock(match.object.pk, code, station)
  if (hasErrorCode(response, RECEIVED_CODE)) return station.reportError(response, code)
  if ('object' in match && match.object.kind === 'stocklocation') return selectScanned('place', code, station)
  if ('object' in match && match.object.kind === 'purchaseorder') return selectScanned('order', code, station)
  if (!('object' in match)) return reportUnknown(response, code, station)
  station.report({
    tone: 'rejected',
    text: t('scan.nothing-to-receive', { what: formatObjectName(match.object) }),
    to: match.object.web_url,
  })
}

/** Error code for a barcode of stock. */
const RECEIVED_CODE = 'barcode_received'

/** Reports a code of stock that is already here, with a link to it. */
async function reportInStock(pk: number, code: string, station: Station): Promise<void> {
  try {
    const item = await readStockItem(pk)
    const locationPath = item.location_detail?.pathstring ?? t('scan.no-location')
    station.report({
      tone: 'rejected',
      text: t('scan.already-in-stock', { what: formatStock(item) }),
      detail: t('scan.already-in-stock-location', { where: locationPath }),
      to: `/stock/item/${pk}/`,
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const isAway = error.status === 0
    station.report({
      tone: 'rejected',
      text: isAway ? t('scan.code-already-in-stock') : error.message,
      detail: formatCode(code),
      to: isAway ? `/stock/item/${pk}/` : undefined,
    })
  }
}

/** The issued orders that were found by the order numbers on labels. */
const issuedOrders = new Map<string, { pk: number; reference: string }>()

/**
 * Asks which order the goods are received for, if the label names another order than the selected one: they may be in the wrong parcel.
 * @returns whether the question is open
 */
async function askForOrder(code: string, station: Station): Promise<boolean> {
  const [chosenOrder, orderNumber] = [getSelectedKey('order'), readOrderNumber(code)]
  if (chosenOrder === null || orderNumber === undefined) return false
  try {
    const labelOrder = issuedOrders.get(orderNumber) ?? (await findIssuedOrder(orderNumber))
    if (!labelOrder) return false
    issuedOrders.set(orderNumber, labelOrder)
    if (labelOrder.pk === chosenOrder) return false
    const { reference } = (await get<{ reference: string }>(`/api/order/po/${chosenOrder}/`)).body
    const title = t('scan.of-another-order', { order: labelOrder.reference })
    const receiveFor = (pk: number) => () => receiveLabel(code, station, { purchase_order: pk })
    station.report({ tone: 'waits', text: title, detail: formatCode(code) })
    question.value = {
      kind: 'choice',
      title,
      choices: [
        { text: t('scan.receive-for', { order: labelOrder.reference }), choose: receiveFor(labelOrder.pk) },
        { text: t('scan.receive-for', { order: reference }), choose: receiveFor(chosenOrder) },
      ],
    }
    return true
  } catch (error) {
    // unknown without the network: the service decides once it is back
    if (error instanceof ApiError) return false
    throw error
  }
}

async function findIssuedOrder(reference: string): Promise<{ pk: number; reference: string } | undefined> {
  const url = withQuery('/api/order/po/', { reference, status: 20, limit: 1 })
  // scanning does not wait for a network that hangs
  const { body } = await get<Page<{ pk: number; reference: string }>>(url, AbortSignal.timeout(5_000))
  return body.results[0]
}

/**
 * Asks for the details required before goods are received.
 * @param retry receives them with the answers
 * @returns whether a question is open
 */
export async function askForMissingDetails(
  response: ScanResponse,
  station: Station,
  retry: (reply: Record<string, unknown>) => Promise<void>,
): Promise<boolean> {
  if (hasErrorCode(response, 'quantity_exceeds_outstanding')) {
    const title = t('scan.more-than-ordered')
    station.report({ tone: 'waits', text: title, detail: scanErrorText(response) })
    question.value = {
      kind: 'choice',
      title,
      choices: [{ text: t('scan.receive-anyway'), choose: () => retry({ allow_over_receipt: true }) }],
    }
    return true
  }
  if (response.status !== 200) return false
  const { pk, quantity: packs, location } = response.body.lineitem as { pk: number; quantity?: string; location?: number }
  const { body: line } = await get<Line>(`/api/order/po-line/${pk}/?part_detail=true`)
  const part = line.part_detail?.full_name ?? ''
  if (packs === undefined) {
    const title = t('scan.how-many-packs', { part })
    station.report({ tone: 'waits', text: title })
    question.value = { kind: 'quantity', title, unit: t('scan.packs'), submit: (reply) => retry({ quantity: reply }) }
  } else if (location === undefined) {
    station.report({ tone: 'waits', text: t('scan.which-location', { part }), detail: t('scan.scan-location-then-label') })
  } else {
    const expectedCount = Number(packs) * (line.supplier_part_detail?.pack_quantity_native ?? 1)
    const title = t('scan.which-serial-numbers', { count: formatNumber(expectedCount), part })
    station.report({ tone: 'waits', text: title })
    question.value = createSerialNumbersQuestion({ title, expectedCount, submit: (reply) => retry({ serial_numbers: reply }) })
  }
  return true
}

function ReceivePanel({ station }: { station: Station }) {
  const order = getSelectedKey('order')
  return (
    <>
      <div class="scan-chosen">
        <OrderSelect
          title={t('scan.order')}
          empty={t('scan.order-of-label')}
          groups={[
            {
              name: 'order',
              title: t('scan.order'),
              url: '/api/order/po/?status=20&supplier_detail=true&ordering=target_date&limit=100',
              getDescription: ({ supplier_detail }) => supplier_detail?.name,
            },
          ]}
        />
        <LocationField empty={t('scan.destination-of-line')} />
      </div>
      {order !== null && <Lines order={order} station={station} />}
    </>
  )
}

function Lines({ order, station }: { order: number; station: Station }) {
  const lines = useOrderLines<Line>('/api/order/po-line/', { order }, station)
  if (!lines) return null
  return (
    <Progress
      title={t('scan.lines')}
      rows={lines.map((line) => {
        const { part_detail: part, supplier_part_detail: supplierPart } = line
        const packSize = supplierPart?.pack_quantity_native ?? 1
        return {
          pk: line.pk,
          text: part?.full_name ?? supplierPart?.SKU ?? '',
          detail: [supplierPart?.SKU, part?.trackable && t('scan.with-serial-numbers')].filter(Boolean).join(' · '),
          done: line.received,
          of: line.quantity,
          progressText: t('scan.of', { done: formatNumber(line.received), of: formatNumber(line.quantity) }),
          unit:
            packSize === 1
              ? (part?.units ?? '')
              : t('scan.packs-are', { base: formatWithUnit(line.quantity * packSize, part?.units) }),
        }
      })}
    />
  )
}

/** The buyer's order number on a label of goods; undefined if the label has none. */
function readOrderNumber(code: string): string | undefined {
  if (!code.startsWith('[)>')) return undefined
  const field = code.split(/\p{Cc}/u).find((one) => /^K./.test(one))
  return field?.slice(1).trim()
}
