import facts from 'facts:/api/order/so/'
import extraFacts from 'facts:/api/order/so-extra-line/'
import { useSignal } from '@preact/signals'
import { PrintReports } from '../../kit/files/print-reports.tsx'
import type { Values } from '../../kit/form/form.tsx'
import { count, t } from '../../kit/language/language.ts'
import { useAsked } from '../../kit/navigation/asked.ts'
import { useActions } from '../../kit/page/actions.tsx'
import { useRead } from '../../kit/page/data.ts'
import { Page, type PageProperties } from '../../kit/page/page.tsx'
import { Refused } from '../../kit/page/refused.tsx'
import type { Happening } from '../../kit/page/timeline.tsx'
import type { Page as ListPage } from '../../kit/service/api.ts'
import { may } from '../../kit/service/session.ts'
import { Notice } from '../../kit/window/dialog.tsx'
import { NewBuild } from '../builds/new-build.tsx'
import { ExtraLines } from '../orders/extra-lines.tsx'
import { type EditSettings, NO_RIGHTS, rightsIn } from '../orders/lines.tsx'
import { type ExtraLine, tidy } from '../orders/order.ts'
import { BUTTONS, type OrderDeed, OrderWindow, orderActions } from '../orders/order-deeds.tsx'
import { OrderFoot, OrderStrip } from '../orders/order-parts.tsx'
import { StateBadge } from '../orders/order-shown.tsx'
import { type Released, releasedEntries, releasedOf } from '../stock/released.tsx'
import { PutBy } from './put-by.tsx'
import { SalesLines } from './sales-lines.tsx'
import {
  IN_PROGRESS,
  lacks,
  PENDING,
  type SalesLine,
  type SalesOrder,
  type Shipment,
  STATES,
  toShip,
} from './sales-order-facts.ts'
import { Shipments } from './shipments.tsx'

/** The most lines that are shown of an order. */
const LINES = 1_000

type Shown = {
  order: SalesOrder
  lines: ListPage<SalesLine>
  extra: ListPage<ExtraLine>
  settings: EditSettings
  shipments: ListPage<Shipment>
  released?: ListPage<Released>
}

/** `/order/sales-order/:pk/`: one sales order, and what is put by and has left for it. */
export function SalesOrderPage({ at }: PageProperties) {
  const url = `/api/order/so/${at.pk}/`
  const { data, refusal, again } = useRead<Shown>({
    order: `${url}?customer_detail=true`,
    lines: `/api/order/so-line/?order=${at.pk}&part_detail=true&flawed_stock=true&etag=true&limit=${LINES}`,
    extra: `/api/order/so-extra-line/?order=${at.pk}&etag=true&limit=${LINES}`,
    settings: '/api/web/settings/',
    shipments: `/api/order/so/shipment/?order=${at.pk}&etag=true&limit=100`,
    ...releasedOf({ sales_order: at.pk as string }),
  })
  const open = useSignal<OrderDeed | 'put-by' | 'build' | undefined>(undefined)
  const lines = data?.lines.body.results ?? []
  const rights = rightsIn('sales_order')
  const status = data?.order.body.status
  const isOpen = status === PENDING || status === IN_PROGRESS
  const isWanting = lines.some((line) => line.part !== null && lacks(line) > 0)
  const hasLines = (data?.lines.body.count ?? 0) > 0
  const mayPutBy = rights.add && isOpen && isWanting
  const show = (what: typeof open.value) => () => {
    open.value = what
  }
  useAsked('pack', mayPutBy, show('put-by'))
  const actions = useActions(
    [
      ...orderActions(
        { kind: 'sales', rights, may: { issue: status === PENDING, complete: isOpen && hasLines, cancel: isOpen }, start: show },
        [mayPutBy && { title: t('sales.put-by-do'), keys: 'b', icon: 'box', run: show('put-by') }],
      ),
      mayPutBy && { title: t('scan.pick-by-scanning'), keys: 'p', icon: 'scan', to: `/scan/pick/?order=${at.pk}` },
      isOpen && may('add', 'build') && { title: t('builds.new-below'), keys: 'n', icon: 'wrench', run: show('build') },
    ],
    BUTTONS,
    <PrintReports key="print" kind="so" pks={[Number(at.pk)]} />,
  )
  const crumbs = [{ text: t('sales.title'), to: '/order/sales-order/?outstanding=true' }]
  if (refusal) return <Refused refusal={refusal} crumbs={crumbs} />
  if (!data) return null
  const { SALESORDER_EDIT_COMPLETED_ORDERS: isEdited } = data.settings.body
  const lineRights = isOpen || isEdited ? rights : NO_RIGHTS
  const { body: order } = data.order
  const shipments = data.shipments.body.results
  const currency = order.order_currency || order.customer_detail?.currency || 'USD'
  const close = show(undefined)
  const missing = lines.filter((line) => toShip(line) > 0).length
  const unsent = shipments.filter(({ shipment_date }) => shipment_date === null)
  return (
    <Page title={order.reference} crumbs={crumbs} state={<StateBadge order={order} states={STATES} />} actions={actions}>
      <div class="order-page">
        <OrderStrip
          order={order}
          company={{ name: 'customer', of: order.customer_detail }}
          reference={order.customer_reference}
          currency={currency}
          unpriced={lines.filter(({ sale_price }) => sale_price === null).length}
        />
        <SalesLines
          order={order}
          currency={currency}
          rows={lines}
          total={data.lines.body.count}
          rights={lineRights}
          onChanged={again}
        />
        <ExtraLines
          facts={extraFacts}
          order={order.pk}
          currency={currency}
          rows={data.extra.body.results}
          rights={lineRights}
          onChanged={again}
        />
        <Shipments
          shipments={shipments}
          mayShip={rights.add && isOpen}
          isWanting={isWanting}
          mayDelete={rights.delete && isOpen}
          onChanged={again}
        />
        <OrderFoot
          order={order}
          files="/api/order/so/attachment/"
          rights={rights}
          happened={happened(order, shipments, data.released?.body)}
        />
      </div>
      {open.value === 'put-by' && (
        <PutBy
          order={order}
          lines={lines}
          shipments={shipments}
          onDone={() => {
            close()
            again()
          }}
          onClose={close}
        />
      )}
      {open.value === 'build' && <NewBuild known={{ sales_order: order.pk, ...toMake(lines, order) }} onClose={close} />}
      {open.value === 'complete' && unsent.length > 0 ? (
        <Notice title={t('sales.not-yet', { reference: order.reference })} onClose={close}>
          <p>
            {count('sales.still-open', unsent.length)}{' '}
            {unsent.map(({ reference }) => t('sales.shipment', { reference })).join(', ')}
          </p>
        </Notice>
      ) : (
        open.value &&
        open.value !== 'put-by' &&
        open.value !== 'build' && (
          <OrderWindow
            kind="sales"
            facts={facts}
            order={data.order}
            deed={open.value}
            issueText="sales.issue-more"
            missing={missing > 0 && count('sales.missing', missing)}
            completion={{ accept_incomplete: missing > 0 }}
            again={again}
            onClose={close}
          />
        )
      )}
    </Page>
  )
}

/** What happened to an order, the latest first. */
function happened(order: SalesOrder, shipments: readonly Shipment[], released: ListPage<Released> | undefined): Happening[] {
  const all: Happening[] = releasedEntries(released)
  if (order.creation_date) all.push({ key: 'made', at: order.creation_date, text: t('orders.was-made') })
  for (const { pk, reference, shipment_date, tracking_number } of shipments)
    if (shipment_date)
      all.push({ key: pk, at: shipment_date, text: t('sales.shipment-left', { reference }), more: tracking_number })
  if (order.shipment_date) all.push({ key: 'complete', at: order.shipment_date, text: t('sales.was-completed') })
  return all.toSorted((one, other) => (one.at < other.at ? 1 : -1))
}

/**
 * What a build order for a sales order begins with: the first assembly of which too little is free and as it should be, and how much of it.
 */
function toMake(lines: readonly SalesLine[], { target_date }: SalesOrder): Values {
  const short = lines
    .filter(({ part_detail }) => part_detail?.assembly)
    .map((line) => ({ line, missing: tidy(lacks(line) - goodStock(line)) }))
    .find(({ missing }) => missing > 0)
  return { target_date, ...(short ? { part: short.line.part, quantity: String(short.missing) } : {}) }
}

/** How much of what is free for a line can go to a customer: what is damaged, or to be looked at, is never put by unasked. */
const goodStock = ({ available_stock, available_variant_stock, flawed_stock = [] }: SalesLine): number =>
  Math.max(0, available_stock + available_variant_stock - flawed_stock.reduce((all, { quantity }) => all + quantity, 0))
