import { signal } from '@preact/signals'
import { quantity, t } from '../../../kit/language/language.ts'
import { ApiError, get, type Page, withQuery } from '../../../kit/service/api.ts'
import { may } from '../../../kit/service/session.ts'
import { minus } from '../../../kit/values/exact.ts'
import { nameOf, readStock, stockName } from '../../../scanner/describe.ts'
import { hasErrorCode, type Station, scanErrorText, shortened } from '../../../scanner/station.ts'
import { isDone, type ScanEntry, type ScanResponse } from '../../../scanner/waiting-scans.ts'
import { isInStock } from '../../stock/stock-details.tsx'
import { Orders } from '../locations.tsx'
import { choose, chooseScanned, chosen, type Mode } from '../mode.ts'
import { question } from '../question.tsx'
import { NO_MATCH } from './lookup.tsx'
import type { PickTarget, ScanDetails } from './pick-for.ts'
import { pickForBuilds } from './pick-for-builds.tsx'
import { pickForSales } from './pick-for-sales.tsx'

/** The kinds of orders that the account may allocate stock to. */
const pickTargets = (): readonly PickTarget[] => [pickForSales, pickForBuilds].filter(({ role }) => may('add', role))

/** The selected order, and its kind. */
function chosenOrder(): { order: number; of: PickTarget } | undefined {
  for (const of of pickTargets()) {
    const order = chosen(of.name)
    if (order !== null) return { order, of }
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
    if (match) return chooseScanned(match.name, code, station)
    const selection = chosenOrder()
    if (selection) return allocateScan(selection.of, selection.order, code, station)
    if (result || !(await choosesByReference(code, station)))
      station.report({ tone: 'refused', text: t('scan.order-first'), more: shortened(code) })
  },
  Panel: PickPanel,
}

/** Selects the open order with the scanned or typed reference, such as `SO-0006`. @returns whether there is one */
async function choosesByReference(code: string, station: Station): Promise<boolean> {
  try {
    for (const reference of new Set([code.trim(), code.trim().toUpperCase()]))
      for (const { name, url, open } of pickTargets()) {
        // scanning does not wait for a network that hangs
        const query = withQuery(url, { reference, ...open, limit: 1 })
        const { body } = await get<Page<{ pk: number; reference: string }>>(query, AbortSignal.timeout(5_000))
        const [order] = body.results
        if (!order) continue
        choose(name, order)
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
  of: PickTarget,
  order: number,
  code: string,
  station: Station,
  more: ScanDetails = {},
): Promise<void> {
  const response = await station.execute(of.action, code, { [of.field]: order, ...more })
  if (!response || isDone(response)) return
  const retry = (reply: ScanDetails) => allocateScan(of, order, code, station, { ...more, ...reply })
  if (await askForChoice(of, order, response, code, station, retry)) return
  const isUnknown = hasErrorCode(response, ...NO_MATCH)
  if (!isUnknown || !(await choosesByReference(code, station))) await reportError(response, code, station)
}

/**
 * Asks for the line, shipment or output of a scan, if the response requires one.
 * @param retry allocates it with the selected fields
 */
async function askForChoice(
  of: PickTarget,
  order: number,
  response: ScanResponse,
  code: string,
  station: Station,
  retry: (reply: ScanDetails) => Promise<void>,
): Promise<boolean> {
  if (!Array.isArray(response.body.candidates)) return false
  /** Codes scanned while the question is open, which are processed after it. */
  const waiting = signal<readonly string[]>([])
  const reply = (why: string) => station.report({ tone: 'refused', text: why, more: shortened(code) })
  const [{ title, choices, detailsOf }, item] = await Promise.all([
    of.buildQuestion(response, order, reply),
    scannedStock(response, code, station),
  ])
  station.report({ tone: 'waits', text: title, more: item ? stockName(item) : shortened(code) })
  async function go(details: ScanDetails | undefined): Promise<void> {
    if (details) await retry(details)
    await handleScans(waiting.value, station)
  }
  question.value = {
    kind: 'choice',
    title,
    choices: choices.map(({ text, choose }) => ({ text, choose: async () => go(await choose()) })),
    chosenBy(code) {
      const match = station.findCached(code)
      const details = match && detailsOf?.(match)
      return details && (() => go(details))
    },
    waiting,
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
  const of = pickTargets().find((one) => one.action === action)
  return of !== undefined && askForChoice(of, Number(fields[of.field]), response, barcode, station, retry)
}

/** Processes codes one after the other, until one of them opens a question: the others wait for its answer. */
async function handleScans(codes: readonly string[], station: Station): Promise<void> {
  for (const [at, code] of codes.entries()) {
    const query = question.value
    if (query?.kind === 'choice' && query.waiting) {
      query.waiting.value = codes.slice(at)
      return
    }
    await pick.handleScan(code, station)
  }
}

/** Reports why stock was not allocated, what it is, and its available quantity, so that the user can look for another box. */
async function reportError(response: ScanResponse, code: string, station: Station): Promise<void> {
  station.report({ tone: 'refused', text: scanErrorText(response), ...(await describeItem(response, code, station)) })
}

async function describeItem(response: ScanResponse, code: string, station: Station): Promise<{ more: string; to?: string }> {
  try {
    const item = await scannedStock(response, code, station)
    if (item) {
      const { quantity: there, allocated, part_detail: part } = item
      const availableText = t('scan.free', { many: quantity(Math.max(0, Number(minus(there, allocated))), part?.units) })
      const more = isInStock(item) ? `${stockName(item)} · ${availableText}` : stockName(item)
      return { more, to: `/stock/item/${item.pk}/` }
    }
    const result = hasErrorCode(response, NO_STOCK_ITEM) ? await station.lookUp(code) : undefined
    if (result && 'object' in result) return { more: nameOf(result.object), to: result.object.web_url }
  } catch (error) {
    // the rejection is reported even without these details
    if (!(error instanceof ApiError)) throw error
  }
  return { more: shortened(code) }
}

/** The current state of the scanned stock item, if it is known. @throws Refusal */
async function scannedStock({ body }: ScanResponse, code: string, station: Station) {
  const cachedObject = station.findCached(code)
  const pk = body.stock_item ?? (cachedObject?.kind === 'stockitem' ? cachedObject.pk : undefined)
  return typeof pk === 'number' ? readStock<Parameters<typeof isInStock>[0]>(pk) : undefined
}

/** Error code for a barcode of another object. */
const NO_STOCK_ITEM = 'barcode_without_stock_item'

function PickPanel({ station }: { station: Station }) {
  const selection = chosenOrder()
  return (
    <>
      <div class="scan-chosen">
        <Orders
          title={t('scan.pick-for')}
          empty={t('scan.choose-order')}
          groups={pickTargets().map(({ name, title, url, open, listQuery, of }) => ({
            name,
            title: t(title),
            url: withQuery(url, { ...open, ...listQuery, limit: 100 }),
            of,
          }))}
        />
      </div>
      {selection && (
        <selection.of.Lines key={`${selection.of.name} ${selection.order}`} order={selection.order} station={station} />
      )}
    </>
  )
}
