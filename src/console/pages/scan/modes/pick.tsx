import { signal } from '@preact/signals'
import { formatWithUnit, t } from '../../../kit/language/language.ts'
import { ApiError, get, type Page, withQuery } from '../../../kit/service/api.ts'
import { hasPermission } from '../../../kit/service/session.ts'
import { subtract } from '../../../kit/values/exact.ts'
import { formatObjectName, formatStock, readStockItem } from '../../../scanner/describe.ts'
import { formatCode, hasErrorCode, type Station, scanErrorText } from '../../../scanner/station.ts'
import { isDone, type ScanEntry, type ScanResponse } from '../../../scanner/waiting-scans.ts'
import { isInStock } from '../../stock/stock-details.tsx'
import { OrderSelect } from '../locations.tsx'
import { getSelectedKey, type Mode, selectObject, selectScanned } from '../mode.ts'
import { question } from '../question.tsx'
import { NO_MATCH_CODES } from './lookup.tsx'
import type { PickTarget, ScanDetails } from './pick-for.ts'
import { pickForBuilds } from './pick-for-builds.tsx'
import { pickForSales } from './pick-for-sales.tsx'

/** The kinds of orders that the account may allocate stock to. */
const pickTargets = (): readonly PickTarget[] => [pickForSales, pickForBuilds].filter(({ role }) => hasPermission('add', role))

/** The selected order, and its kind. */
function getSelectedOrder(): { order: number; target: PickTarget } | undefined {
  for (const target of pickTargets()) {
    const order = getSelectedKey(target.name)
    if (order !== null) return { order, target }
  }
  return undefined
}

export const pick: Mode = {
  name: 'pick',
  title: 'scan.mode.pick',
  icon: 'send',
  help: 'scan.help.pick',
  isFor: () => pickTargets().length > 0,
  async handleScan(code, station) {
    const result = station.findCached(code)
    const match = pickTargets().find(({ kind }) => kind === result?.kind)
    if (match) return selectScanned(match.name, code, station)
    const selection = getSelectedOrder()
    if (selection) return allocateScan(selection.target, selection.order, code, station)
    if (result || !(await selectByReference(code, station)))
      station.report({ tone: 'rejected', text: t('scan.order-first'), detail: formatCode(code) })
  },
  Panel: PickPanel,
}

/** Selects the open order with the scanned or typed reference, such as `SO-0006`. @returns whether there is one */
async function selectByReference(code: string, station: Station): Promise<boolean> {
  try {
    for (const reference of new Set([code.trim(), code.trim().toUpperCase()]))
      for (const { name, url, openFilter } of pickTargets()) {
        // scanning does not wait for a network that hangs
        const requestUrl = withQuery(url, { reference, ...openFilter, limit: 1 })
        const { body } = await get<Page<{ pk: number; reference: string }>>(requestUrl, AbortSignal.timeout(5_000))
        const [order] = body.results
        if (!order) continue
        selectObject(name, order)
        station.report({ tone: 'found', text: t('scan.order-is', { what: order.reference }) })
        return true
      }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
  return false
}

/** Allocates scanned stock to an order, and asks for the line if it fits several. */
async function allocateScan(
  target: PickTarget,
  order: number,
  code: string,
  station: Station,
  more: ScanDetails = {},
): Promise<void> {
  const response = await station.execute(target.action, code, { [target.field]: order, check_expiry: true, ...more })
  if (!response || isDone(response)) return
  const retry = (reply: ScanDetails) => allocateScan(target, order, code, station, { ...more, ...reply })
  if (await askForChoice(target, order, response, code, station, retry)) return
  const isUnknown = hasErrorCode(response, ...NO_MATCH_CODES)
  if (!isUnknown || !(await selectByReference(code, station))) await reportError(response, code, station)
}

/**
 * Asks for the line, shipment or output of a scan, if the response requires one.
 * @param retry allocates it with the selected fields
 */
async function askForChoice(
  target: PickTarget,
  order: number,
  response: ScanResponse,
  code: string,
  station: Station,
  retry: (reply: ScanDetails) => Promise<void>,
): Promise<boolean> {
  if (!Array.isArray(response.body.candidates)) return false
  /** Codes scanned while the question is open, which are processed after it. */
  const waitingCodes = signal<readonly string[]>([])
  const reportProblem = (reason: string) => station.report({ tone: 'rejected', text: reason, detail: formatCode(code) })
  const [{ title, choices, getDetails }, item] = await Promise.all([
    target.buildQuestion(response, order, reportProblem),
    readScannedStock(response, code, station),
  ])
  station.report({ tone: 'waits', text: title, detail: item ? formatStock(item) : formatCode(code) })
  async function continueWith(details: ScanDetails | undefined): Promise<void> {
    if (details) await retry(details)
    await handleScans(waitingCodes.value, station)
  }
  question.value = {
    kind: 'choice',
    title,
    choices: choices.map(({ text, choose }) => ({ text, choose: async () => continueWith(await choose()) })),
    findChoice(code) {
      const match = station.findCached(code)
      const details = match && getDetails?.(match)
      return details && (() => continueWith(details))
    },
    waitingCodes,
  }
  return true
}

/**
 * The same for a pending scan that was sent later, with its fields.
 * @param retry retries it with the selected fields
 */
export async function askForPickDetails(
  { action, barcode, ...fields }: ScanEntry,
  response: ScanResponse,
  station: Station,
  retry: (reply: ScanDetails) => Promise<void>,
): Promise<boolean> {
  const target = pickTargets().find((one) => one.action === action)
  return target !== undefined && askForChoice(target, Number(fields[target.field]), response, barcode, station, retry)
}

/** Processes codes one after the other, until one of them opens a question: the others wait for its answer. */
async function handleScans(codes: readonly string[], station: Station): Promise<void> {
  for (const [index, code] of codes.entries()) {
    const openQuestion = question.value
    if (openQuestion?.kind === 'choice' && openQuestion.waitingCodes) {
      openQuestion.waitingCodes.value = codes.slice(index)
      return
    }
    await pick.handleScan(code, station)
  }
}

/** Reports the reason why stock was not allocated, its name, and its available quantity, so that the user can look for another box. */
async function reportError(response: ScanResponse, code: string, station: Station): Promise<void> {
  station.report({ tone: 'rejected', text: scanErrorText(response), ...(await describeItem(response, code, station)) })
}

async function describeItem(response: ScanResponse, code: string, station: Station): Promise<{ detail: string; to?: string }> {
  try {
    const item = await readScannedStock(response, code, station)
    if (item) {
      const { quantity: inStock, allocated, part_detail: part } = item
      const availableText = t('scan.available', {
        many: formatWithUnit(Math.max(0, Number(subtract(inStock, allocated))), part?.units),
      })
      const detail = isInStock(item) ? `${formatStock(item)} · ${availableText}` : formatStock(item)
      return { detail, to: `/stock/item/${item.pk}/` }
    }
    const result = hasErrorCode(response, NO_STOCK_ITEM_CODE) ? await station.lookUp(code) : undefined
    if (result && 'object' in result) return { detail: formatObjectName(result.object), to: result.object.web_url }
  } catch (error) {
    // the rejection is reported even without these details
    if (!(error instanceof ApiError)) throw error
  }
  return { detail: formatCode(code) }
}

/** The current state of the scanned stock item, if it is known. @throws ApiError */
async function readScannedStock({ body }: ScanResponse, code: string, station: Station) {
  const cachedObject = station.findCached(code)
  const pk = body.stock_item ?? (cachedObject?.kind === 'stockitem' ? cachedObject.pk : undefined)
  return typeof pk === 'number' ? readStockItem<Parameters<typeof isInStock>[0]>(pk) : undefined
}

/** Error code for a barcode of another object. */
const NO_STOCK_ITEM_CODE = 'barcode_without_stock_item'

function PickPanel({ station }: { station: Station }) {
  const selection = getSelectedOrder()
  return (
    <>
      <div class="scan-chosen">
        <OrderSelect
          title={t('scan.pick-for')}
          empty={t('scan.select-order')}
          groups={pickTargets().map(({ name, title, url, openFilter, listQuery, getDescription }) => ({
            name,
            title: t(title),
            url: withQuery(url, { ...openFilter, ...listQuery, limit: 100 }),
            getDescription,
          }))}
        />
      </div>
      {selection && (
        <selection.target.Lines key={`${selection.target.name} ${selection.order}`} order={selection.order} station={station} />
      )}
    </>
  )
}
