import { formatNumber, t } from '../../../kit/language/language.ts'
import { ApiError, get } from '../../../kit/service/api.ts'
import type { PartBrief } from '../../../scanner/describe.ts'
import type { Station } from '../../../scanner/station.ts'
import { createShipment } from '../../sales-orders/new-shipment.ts'
import { useOrderLines } from '../order-lines.ts'
import { Progress } from '../progress.tsx'
import type { ChoiceQuestion, PickTarget, ScanDetails } from './pick-for.ts'

type Line = {
  pk: number
  quantity: number
  /** Shipped quantities count as well. */
  allocated: number
  reference: string
  part_detail: PartBrief | null
}

/** Picks stock for sales orders. */
export const pickForSales: PickTarget = {
  name: 'order',
  kind: 'salesorder',
  title: 'scan.sales-orders',
  role: 'sales_order',
  url: '/api/order/so/',
  openFilter: { outstanding: true },
  listQuery: { customer_detail: true, ordering: 'target_date' },
  getDescription: ({ customer_detail }) => customer_detail?.name,
  action: 'allocate',
  field: 'sales_order',
  async buildQuestion({ body }, order, reportError) {
    const candidates = body.candidates as number[]
    if (candidates.length > 0) return { title: t('scan.which-one'), choices: await readChoices(candidates, body.line_item) }
    return {
      title: t('scan.no-shipment'),
      choices: [{ text: t('scan.create-shipment'), choose: () => createShipmentDetails(order, reportError) }],
    }
  },
  Lines,
}

/** Creates a shipment of the order, which allocations require. Reports a rejected request. */
async function createShipmentDetails(order: number, reportError: (reason: string) => void): Promise<ScanDetails | undefined> {
  try {
    return { shipment: await createShipment(order) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    reportError(error.message)
    return undefined
  }
}

/** The lines to select from, or the shipments of the line. */
async function readChoices(candidates: readonly number[], line: unknown): Promise<ChoiceQuestion['choices']> {
  if (line === undefined) {
    const lines = await Promise.all(candidates.map((pk) => get<Line>(`/api/order/so-line/${pk}/?part_detail=true`)))
    return lines.map(({ body: { pk, part_detail, reference, quantity } }) => ({
      text: [part_detail?.full_name, reference, formatNumber(quantity)].filter(Boolean).join(' · '),
      choose: async () => ({ line: pk }),
    }))
  }
  const shipments = await Promise.all(
    candidates.map((pk) => get<{ pk: number; reference: string }>(`/api/order/so/shipment/${pk}/`)),
  )
  return shipments.map(({ body: { pk, reference } }) => ({
    text: t('scan.shipment', { reference }),
    choose: async () => ({ shipment: pk, line: line as number }),
  }))
}

function Lines({ order, station }: { order: number; station: Station }) {
  const lines = useOrderLines<Line>('/api/order/so-line/', { order }, station)
  if (!lines) return null
  return (
    <Progress
      title={t('scan.lines')}
      rows={lines.map(({ pk, part_detail: part, reference, quantity: total, allocated }) => ({
        pk,
        text: part?.full_name ?? '',
        detail: reference,
        done: allocated,
        of: total,
        progressText: t('scan.of', { done: formatNumber(allocated), of: formatNumber(total) }),
        unit: part?.units ?? '',
      }))}
    />
  )
}
