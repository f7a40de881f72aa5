import { signal } from '@preact/signals'
import { quantity, t } from '../../../kit/language/language.ts'
import { get, type Page, Refusal, withQuery } from '../../../kit/service/api.ts'
import { may } from '../../../kit/service/session.ts'
import { minus } from '../../../kit/values/exact.ts'
import { nameOf, readStock, stockName } from '../../../scanner/describe.ts'
import { isRefusedFor, refusalText, type Station, shortened } from '../../../scanner/station.ts'
import { isDone, type ScanAnswer, type ScanEntry } from '../../../scanner/waiting-scans.ts'
import { isInStock } from '../../stock/stock-details.tsx'
import { Orders } from '../locations.tsx'
import { choose, chooseScanned, chosen, type Mode } from '../mode.ts'
import { question } from '../question.tsx'
import { NO_MATCH } from './look-up.tsx'
import type { PickFor, SaidBesides } from './pick-for.ts'
import { pickForBuilds } from './pick-for-builds.tsx'
import { pickForSales } from './pick-for-sales.tsx'

/** The kinds of orders that the account may allocate stock to. */
const kinds = (): readonly PickFor[] => [pickForSales, pickForBuilds].filter(({ role }) => may('add', role))

/** The selected order, and its kind. */
function chosenOrder(): { order: number; of: PickFor } | undefined {
  for (const of of kinds()) {
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
  isFor: () => kinds().length > 0,
  async take(code, station) {
    const found = station.knownAs(code)
    const named = kinds().find(({ kind }) => kind === found?.kind)
    if (named) return chooseScanned(named.name, code, station)
    const mine = chosenOrder()
    if (mine) return putBy(mine.of, mine.order, code, station)
    if (found || !(await choosesByReference(code, station)))
      station.say({ tone: 'refused', text: t('scan.order-first'), more: shortened(code) })
  },
  Panel: PickPanel,
}

/** Selects the open order with the scanned or typed reference, such as `SO-0006`. @returns whether there is one */
async function choosesByReference(code: string, station: Station): Promise<boolean> {
  try {
    for (const reference of new Set([code.trim(), code.trim().toUpperCase()]))
      for (const { name, url, open } of kinds()) {
        // scanning does not wait for a network that hangs
        const asked = withQuery(url, { reference, ...open, limit: 1 })
        const { body } = await get<Page<{ pk: number; reference: string }>>(asked, AbortSignal.timeout(5_000))
        const [order] = body.results
        if (!order) continue
        choose(name, order)
        station.say({ tone: 'found', text: t('scan.order-is', { what: order.reference }) })
        return true
      }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
  return false
}

/** Allocates scanned stock to an order, and asks for the line if it fits several. */
async function putBy(of: PickFor, order: number, code: string, station: Station, more: SaidBesides = {}): Promise<void> {
  const answer = await station.work(of.action, code, { [of.field]: order, ...more })
  if (!answer || isDone(answer)) return
  const again = (said: SaidBesides) => putBy(of, order, code, station, { ...more, ...said })
  if (await asksWhichOne(of, order, answer, code, station, again)) return
  const isUnknown = isRefusedFor(answer, ...NO_MATCH)
  if (!isUnknown || !(await choosesByReference(code, station))) await refuse(answer, code, station)
}

/**
 * Asks for the line, shipment or output of a scan, if the response requires one.
 * @param again allocates it with the selected fields
 */
async function asksWhichOne(
  of: PickFor,
  order: number,
  answer: ScanAnswer,
  code: string,
  station: Station,
  again: (said: SaidBesides) => Promise<void>,
): Promise<boolean> {
  if (!Array.isArray(answer.body.candidates)) return false
  /** Codes scanned while the question is open, which are processed after it. */
  const waiting = signal<readonly string[]>([])
  const said = (why: string) => station.say({ tone: 'refused', text: why, more: shortened(code) })
  const [{ title, choices, saidBy }, item] = await Promise.all([
    of.whichOne(answer, order, said),
    scannedStock(answer, code, station),
  ])
  station.say({ tone: 'waits', text: title, more: item ? stockName(item) : shortened(code) })
  async function go(besides: SaidBesides | undefined): Promise<void> {
    if (besides) await again(besides)
    await takeAll(waiting.value, station)
  }
  question.value = {
    kind: 'choice',
    title,
    choices: choices.map(({ text, choose }) => ({ text, choose: async () => go(await choose()) })),
    chosenBy(code) {
      const named = station.knownAs(code)
      const besides = named && saidBy?.(named)
      return besides && (() => go(besides))
    },
    waiting,
  }
  return true
}

/**
 * The same for a pending scan that was sent later, with its fields.
 * @param again retries it with the selected fields
 */
export async function asksWhatPickingLacks(
  { action, barcode, ...fields }: ScanEntry,
  answer: ScanAnswer,
  station: Station,
  again: (said: SaidBesides) => Promise<void>,
): Promise<boolean> {
  const of = kinds().find((one) => one.action === action)
  return of !== undefined && asksWhichOne(of, Number(fields[of.field]), answer, barcode, station, again)
}

/** Processes codes one after the other, until one of them opens a question: the others wait for its answer. */
async function takeAll(codes: readonly string[], station: Station): Promise<void> {
  for (const [at, code] of codes.entries()) {
    const asked = question.value
    if (asked?.kind === 'choice' && asked.waiting) {
      asked.waiting.value = codes.slice(at)
      return
    }
    await pick.take(code, station)
  }
}

/** Reports why stock was not allocated, what it is, and its available quantity, so that the user can look for another box. */
async function refuse(answer: ScanAnswer, code: string, station: Station): Promise<void> {
  station.say({ tone: 'refused', text: refusalText(answer), ...(await aboutOf(answer, code, station)) })
}

async function aboutOf(answer: ScanAnswer, code: string, station: Station): Promise<{ more: string; to?: string }> {
  try {
    const item = await scannedStock(answer, code, station)
    if (item) {
      const { quantity: there, allocated, part_detail: part } = item
      const free = t('scan.free', { many: quantity(Math.max(0, Number(minus(there, allocated))), part?.units) })
      const more = isInStock(item) ? `${stockName(item)} · ${free}` : stockName(item)
      return { more, to: `/stock/item/${item.pk}/` }
    }
    const found = isRefusedFor(answer, NO_STOCK_ITEM) ? await station.lookUp(code) : undefined
    if (found && 'object' in found) return { more: nameOf(found.object), to: found.object.web_url }
  } catch (error) {
    // the rejection is reported even without these details
    if (!(error instanceof Refusal)) throw error
  }
  return { more: shortened(code) }
}

/** The current state of the scanned stock item, if it is known. @throws Refusal */
async function scannedStock({ body }: ScanAnswer, code: string, station: Station) {
  const known = station.knownAs(code)
  const pk = body.stock_item ?? (known?.kind === 'stockitem' ? known.pk : undefined)
  return typeof pk === 'number' ? readStock<Parameters<typeof isInStock>[0]>(pk) : undefined
}

/** Error code for a barcode of another object. */
const NO_STOCK_ITEM = 'barcode_without_stock_item'

function PickPanel({ station }: { station: Station }) {
  const mine = chosenOrder()
  return (
    <>
      <div class="scan-chosen">
        <Orders
          title={t('scan.pick-for')}
          empty={t('scan.choose-order')}
          groups={kinds().map(({ name, title, url, open, shown, of }) => ({
            name,
            title: t(title),
            url: withQuery(url, { ...open, ...shown, limit: 100 }),
            of,
          }))}
        />
      </div>
      {mine && <mine.of.Lines key={`${mine.of.name} ${mine.order}`} order={mine.order} station={station} />}
    </>
  )
}
