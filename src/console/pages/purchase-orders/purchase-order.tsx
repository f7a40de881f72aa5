import metadata from 'metadata:/api/order/po/'
import extraMetadata from 'metadata:/api/order/po-extra-line/'
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { Confirm } from '../../kit/form/confirm.tsx'
import { count, dateTime, t } from '../../kit/language/language.ts'
import { useRead } from '../../kit/page/data.ts'
import type { PageProperties } from '../../kit/page/page.tsx'
import type { TimelineEntry } from '../../kit/page/timeline.tsx'
import { showToast } from '../../kit/page/toast.tsx'
import type { Page as ListPage } from '../../kit/service/api.ts'
import { may } from '../../kit/service/session.ts'
import { OrderPage, type OrderRead, orderUrls } from '../orders/order-page.tsx'
import { OrderLines } from './order-lines.tsx'
import { ISSUED_STATUS, outstanding, PURCHASE_ORDERS, type PurchaseLine, type PurchaseOrder } from './purchase-order-details.ts'
import { lastReceipt, undoReceipt } from './receipts.ts'

/** Accounts that may view stock also read `stock`. */
type Read = OrderRead<PurchaseOrder, PurchaseLine> & { stock?: ListPage<{ pk: number }> }

/** `/order/purchase-order/:pk/`: one purchase order. */
export function PurchaseOrderPage({ at }: PageProperties) {
  const pk = Number(at.pk)
  const read = useRead<Read>({
    ...orderUrls(PURCHASE_ORDERS, at.pk),
    ...(may('view', 'stock') ? { stock: `/api/stock/?purchase_order=${at.pk}&limit=1` } : {}),
  })
  const { data, reload } = read
  const isUndoing = useSignal(false)
  // loaded with the order: a receipt undone elsewhere in this window disappears
  const receipt = useMemo(() => lastReceipt(pk), [pk, data])
  const order = data?.order.body
  const missing = (data?.lines.body.results ?? []).filter((line) => outstanding(line) > 0).length
  const reference = order?.reference ?? ''
  const isReceivable = may('add', PURCHASE_ORDERS.role) && order?.status === ISSUED_STATUS
  return (
    <OrderPage<PurchaseOrder, PurchaseLine>
      kind={PURCHASE_ORDERS}
      metadata={metadata}
      extraMetadata={extraMetadata}
      pk={pk}
      read={read}
      actions={[
        isReceivable && {
          title: t('purchase.receive'),
          keys: 'r',
          icon: 'box',
          to: `${PURCHASE_ORDERS.page}${pk}/receive/`,
        },
      ]}
      lastActions={[
        receipt !== undefined && {
          title: t('purchase.undo-receipt'),
          icon: 'undo',
          run: () => {
            isUndoing.value = true
          },
        },
      ]}
      isUnpriced={({ purchase_price }) => purchase_price === null}
      lines={(lines) => <OrderLines {...lines} />}
      history={order ? historyOf(order, data?.stock?.body.count ?? 0) : []}
      questions={{
        issue: { children: <p>{t(order?.line_items === 0 ? 'purchase.issue-empty' : 'purchase.issue-more')}</p> },
        complete: {
          children: missing > 0 && <p>{count('purchase.missing', missing)}</p>,
          body: { accept_incomplete: missing > 0 || order?.line_items === 0 },
        },
      }}
    >
      {isUndoing.value && receipt && (
        <Confirm
          title={t('purchase.undo-receipt-ask', { reference })}
          button={t('purchase.undo-receipt')}
          onConfirm={async (key) => {
            await undoReceipt(pk, receipt.delivery, key)
            showToast(t('purchase.receipt-undone', { reference }))
            reload()
          }}
          onClose={() => {
            isUndoing.value = false
          }}
        >
          <p>{t('purchase.undo-receipt-more', { time: dateTime(new Date(receipt.at).toISOString()) })}</p>
        </Confirm>
      )}
    </OrderPage>
  )
}

function historyOf({ pk, issue_date, complete_date }: PurchaseOrder, stock: number): TimelineEntry[] {
  const history: TimelineEntry[] = []
  if (issue_date) history.push({ key: 'issued', at: issue_date, text: t('purchase.was-issued') })
  if (complete_date) history.push({ key: 'complete', at: complete_date, text: t('purchase.was-completed') })
  if (stock > 0)
    history.push({ key: 'stock', at: '', text: <a href={`/stock/?purchase_order=${pk}`}>{count('purchase.came', stock)}</a> })
  return history
}
