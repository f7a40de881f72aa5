import facts from 'facts:/api/order/po/'
import extraFacts from 'facts:/api/order/po-extra-line/'
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { PrintReports } from '../../kit/files/print-reports.tsx'
import { Confirm } from '../../kit/form/confirm.tsx'
import { count, moment, t } from '../../kit/language/language.ts'
import { useAsked } from '../../kit/navigation/asked.ts'
import { useActions } from '../../kit/page/actions.tsx'
import { useRead } from '../../kit/page/data.ts'
import { Page, type PageProperties } from '../../kit/page/page.tsx'
import { Refused } from '../../kit/page/refused.tsx'
import type { Happening } from '../../kit/page/timeline.tsx'
import { tell } from '../../kit/page/toast.tsx'
import type { Page as ListPage } from '../../kit/service/api.ts'
import { may } from '../../kit/service/session.ts'
import { ExtraLines } from '../orders/extra-lines.tsx'
import { type EditSettings, NO_RIGHTS, rightsIn } from '../orders/lines.tsx'
import type { ExtraLine } from '../orders/order.ts'
import { BUTTONS, type OrderDeed, OrderWindow, orderActions } from '../orders/order-deeds.tsx'
import { OrderFoot, OrderStrip } from '../orders/order-parts.tsx'
import { StateBadge } from '../orders/order-shown.tsx'
import { OrderLines } from './order-lines.tsx'
import { outstanding, PENDING, PLACED, type PurchaseLine, type PurchaseOrder, STATES } from './purchase-order-facts.ts'
import { lastReceipt, undoReceipt } from './receipts.ts'

/** The most lines that are shown of an order. */
const LINES = 1_000

type Shown = {
  order: PurchaseOrder
  lines: ListPage<PurchaseLine>
  extra: ListPage<ExtraLine>
  settings: EditSettings
  /** Of whoever may see stock. */
  stock?: ListPage<{ pk: number }>
}

/** `/order/purchase-order/:pk/`: one purchase order. */
export function PurchaseOrderPage({ at }: PageProperties) {
  const url = `/api/order/po/${at.pk}/`
  const page = `/order/purchase-order/${at.pk}/`
  const { data, refusal, again } = useRead<Shown>({
    order: `${url}?supplier_detail=true`,
    lines: `/api/order/po-line/?order=${at.pk}&part_detail=true&etag=true&limit=${LINES}`,
    extra: `/api/order/po-extra-line/?order=${at.pk}&etag=true&limit=${LINES}`,
    settings: '/api/web/settings/',
    ...(may('view', 'stock') ? { stock: `/api/stock/?purchase_order=${at.pk}&limit=1` } : {}),
  })
  const open = useSignal<OrderDeed | 'undo-receipt' | undefined>(undefined)
  // read with the order: what was undone elsewhere in this window is gone
  const receipt = useMemo(() => lastReceipt(Number(at.pk)), [at.pk, data])
  const lines = data?.lines.body.results ?? []
  const rights = rightsIn('purchase_order')
  const status = data?.order.body.status
  const isOpen = status === PENDING || status === PLACED
  const show = (what: typeof open.value) => () => {
    open.value = what
  }
  useAsked('issue', rights.add && status === PENDING, show('issue'))
  const actions = useActions(
    [
      ...orderActions(
        {
          kind: 'purchase',
          rights,
          may: { issue: status === PENDING, complete: status === PLACED, cancel: isOpen },
          start: show,
        },
        [rights.add && status === PLACED && { title: t('purchase.receive'), keys: 'r', icon: 'box', to: `${page}receive/` }],
      ),
      receipt !== undefined && { title: t('purchase.undo-receipt'), icon: 'undo', run: show('undo-receipt') },
    ],
    BUTTONS,
    <PrintReports key="print" kind="po" pks={[Number(at.pk)]} />,
  )
  const crumbs = [{ text: t('purchase.title'), to: '/order/purchase-order/?outstanding=true' }]
  if (refusal) return <Refused refusal={refusal} crumbs={crumbs} />
  if (!data) return null
  const { PURCHASEORDER_EDIT_COMPLETED_ORDERS: isEdited } = data.settings.body
  const lineRights = isOpen || isEdited ? rights : NO_RIGHTS
  const { body: order } = data.order
  const currency = order.order_currency || order.supplier_detail?.currency || 'USD'
  const close = show(undefined)
  const missing = lines.filter((line) => outstanding(line) > 0).length
  return (
    <Page title={order.reference} crumbs={crumbs} state={<StateBadge order={order} states={STATES} />} actions={actions}>
      <div class="order-page">
        <OrderStrip
          order={order}
          company={{ name: 'supplier', of: order.supplier_detail }}
          reference={order.supplier_reference}
          currency={currency}
          unpriced={lines.filter(({ purchase_price }) => purchase_price === null).length}
        />
        <OrderLines
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
        <OrderFoot
          order={order}
          files="/api/order/po/attachment/"
          rights={rights}
          happened={happened(order, data.stock?.body.count ?? 0)}
        />
      </div>
      {open.value === 'undo-receipt' && receipt && (
        <Confirm
          title={t('purchase.undo-receipt-ask', { reference: order.reference })}
          button={t('purchase.undo-receipt')}
          onConfirm={async (key) => {
            await undoReceipt(order.pk, receipt.delivery, key)
            tell(t('purchase.receipt-undone', { reference: order.reference }))
            again()
          }}
          onClose={close}
        >
          <p>{t('purchase.undo-receipt-more', { time: moment(new Date(receipt.at).toISOString()) })}</p>
        </Confirm>
      )}
      {open.value && open.value !== 'undo-receipt' && (
        <OrderWindow
          kind="purchase"
          facts={facts}
          order={data.order}
          deed={open.value}
          issueText={order.line_items === 0 ? 'purchase.issue-empty' : 'purchase.issue-more'}
          missing={missing > 0 && count('purchase.missing', missing)}
          completion={{ accept_incomplete: missing > 0 || order.line_items === 0 }}
          again={again}
          onClose={close}
        />
      )}
    </Page>
  )
}

/** What happened to an order, the latest first. */
function happened(order: PurchaseOrder, stock: number): Happening[] {
  const all: Happening[] = []
  if (order.creation_date) all.push({ key: 'made', at: order.creation_date, text: t('orders.was-made') })
  if (order.issue_date) all.push({ key: 'issued', at: order.issue_date, text: t('purchase.was-issued') })
  if (order.complete_date) all.push({ key: 'complete', at: order.complete_date, text: t('purchase.was-completed') })
  all.sort((one, other) => (one.at < other.at ? 1 : -1))
  if (stock > 0)
    all.unshift({
      key: 'stock',
      at: '',
      text: <a href={`/stock/?purchase_order=${order.pk}`}>{count('purchase.came', stock)}</a>,
    })
  return all
}
