import { signal } from '@preact/signals'
import { get, type Page, Refusal, withQuery } from '../../../kit/api.ts'
import { number, t } from '../../../kit/language.ts'
import { may } from '../../../kit/session.ts'
import type { PartBrief } from '../../../scanner/describe.ts'
import { refusalTexts, type Station, shortened } from '../../../scanner/station.ts'
import { isDone, type ScanAnswer } from '../../../scanner/waiting-scans.ts'
import { newShipment } from '../../sales-orders/new-shipment.ts'
import { useLinesOf } from '../lines-of.ts'
import { choose, chooseScanned, chosen, type Mode } from '../mode.ts'
import { Orders } from '../places.tsx'
import { Progress } from '../progress.tsx'
import { question } from '../question.tsx'
import { NO_MATCH } from './look-up.tsx'

type Line = {
  pk: number
  quantity: number
  /** What left counts as well. */
  allocated: number
  reference: string
  part_detail: PartBrief | null
}

export const pick: Mode = {
  name: 'pick',
  title: 'scan.mode.pick',
  icon: 'send',
  help: 'scan.help.pick',
  isFor: () => may('add', 'sales_order'),
  async take(code, station) {
    const found = station.knownAs(code)
    if (found?.kind === 'salesorder') return chooseScanned('order', code, station)
    if (chosen('order') !== null) return putBy(code, station)
    if (found || !(await choosesByReference(code, station)))
      station.say({ tone: 'refused', text: t('scan.order-first'), more: shortened(code) })
  },
  Panel: PickPanel,
}

/** Chooses the open order that is called what was scanned or typed, as `SO-0006`. @returns whether there is one */
async function choosesByReference(code: string, station: Station): Promise<boolean> {
  try {
    for (const reference of new Set([code.trim(), code.trim().toUpperCase()])) {
      const url = withQuery('/api/order/so/', { reference, outstanding: true, limit: 1 })
      // who scans does not wait for a network that hangs
      const { body } = await get<Page<{ pk: number; reference: string }>>(url, AbortSignal.timeout(5_000))
      const [order] = body.results
      if (!order) continue
      choose('order', order)
      station.say({ tone: 'found', text: t('scan.order-is', { what: order.reference }) })
      return true
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
  return false
}

/** Puts what was scanned by for the order, and asks for which line or shipment where it could be several. */
async function putBy(code: string, station: Station, more: Record<string, unknown> = {}): Promise<void> {
  const answer = await station.work('allocate', code, { sales_order: chosen('order'), ...more })
  if (!answer || isDone(answer)) return
  if (!Array.isArray(answer.body.candidates)) {
    const isUnknown = NO_MATCH.test(refusalTexts(answer)[0] ?? '')
    if (!isUnknown || !(await choosesByReference(code, station))) station.refuse(answer, code)
    return
  }
  /** What is scanned while this is asked is put by after it. */
  const waiting = signal<readonly string[]>([])
  async function go(said: Record<string, number>): Promise<void> {
    await putBy(code, station, { ...more, ...said })
    await takeAll(waiting.value, station)
  }
  const title = answer.body.candidates.length > 0 ? t('scan.which-one') : t('scan.no-shipment')
  const choices =
    answer.body.candidates.length > 0
      ? (await choicesOf(answer)).map(({ text, said }) => ({ text, choose: () => go(said) }))
      : [
          {
            text: t('scan.make-shipment'),
            choose: async () => {
              const made = await makeShipment(code, station)
              await (made ? go(made) : takeAll(waiting.value, station))
            },
          },
        ]
  station.say({ tone: 'waits', text: title, more: shortened(code) })
  question.value = { kind: 'choice', title, choices, waiting }
}

/** Takes one after the other, until one of them asks: the others wait for that answer. */
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

/** Makes a shipment of the order, without which nothing is put by. Where that is refused, it is said. */
async function makeShipment(code: string, station: Station): Promise<{ shipment: number } | undefined> {
  try {
    return { shipment: await newShipment(chosen('order') as number) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    station.say({ tone: 'refused', text: error.message, more: shortened(code) })
    return undefined
  }
}

async function choicesOf({ body }: ScanAnswer): Promise<{ text: string; said: Record<string, number> }[]> {
  const candidates = body.candidates as number[]
  if (body.line_item === undefined) {
    const lines = await Promise.all(candidates.map((pk) => get<Line>(`/api/order/so-line/${pk}/?part_detail=true`)))
    return lines.map(({ body: line }) => ({
      text: [line.part_detail?.full_name, line.reference, number(line.quantity)].filter(Boolean).join(' · '),
      said: { line: line.pk },
    }))
  }
  const shipments = await Promise.all(
    candidates.map((pk) => get<{ pk: number; reference: string }>(`/api/order/so/shipment/${pk}/`)),
  )
  return shipments.map(({ body: { pk, reference } }) => ({
    text: t('scan.shipment', { reference }),
    said: { shipment: pk, line: body.line_item as number },
  }))
}

function PickPanel({ station }: { station: Station }) {
  const order = chosen('order')
  return (
    <>
      <div class="scan-chosen">
        <Orders
          title={t('scan.sales-order')}
          empty={t('scan.choose-order')}
          url="/api/order/so/?outstanding=true&customer_detail=true&ordering=target_date&limit=100"
          of={({ customer_detail }) => customer_detail?.name}
          value={order}
          onChoose={(pk) => choose('order', { pk })}
        />
      </div>
      {order !== null && <Lines order={order} station={station} />}
    </>
  )
}

function Lines({ order, station }: { order: number; station: Station }) {
  const lines = useLinesOf<Line>('/api/order/so-line/', order, station)
  if (!lines) return null
  return (
    <Progress
      title={t('scan.lines')}
      rows={lines.map(({ pk, part_detail: part, reference, quantity: of, allocated }) => ({
        pk,
        text: part?.full_name ?? '',
        more: reference,
        done: allocated,
        of,
        said: t('scan.of', { done: number(allocated), of: number(of) }),
        unit: part?.units ?? '',
      }))}
    />
  )
}
