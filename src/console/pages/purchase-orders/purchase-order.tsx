import metadata from 'metadata:/api/order/po/'
import extraMetadata from 'metadata:/api/order/po-extra-line/'
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { Confirm } from '../../kit/form/confirm.tsx'
import { count, formatDateTime, t } from '../../kit/language/language.ts'
import { useRead } from '../../kit/page/data.ts'
import type { PageProperties } from '../../kit/page/page.tsx'
import type { TimelineEntry } from '../../kit/page/timeline.tsx'
import { showToast } from '../../kit/page/toast.tsx'
import type { Page as ListPage } from '../../kit/service/api.ts'
import { hasPermission } from '../../kit/service/session.ts'
import { createImportAction } from '../import/import-menu.tsx'
import { getOrderUrls, isOpen, OrderPage, type OrderPageData } from '../orders/order-page.tsx'
import { OrderLines } from './order-lines.tsx'
import {
  getOutstanding,
  ISSUED_STATUS,
  PURCHASE_ORDERS,
  type PurchaseLine,
  type PurchaseOrder,
} from './purchase-order-details.ts'
import { findLastReceipt, undoReceipt } from './receipts.ts'

/** Accounts that may view stock also read `stock`. */
type PageData = OrderPageData<PurchaseOrder, PurchaseLine> & { stock?: ListPage<{ pk: number }> }

/** `/order/purchase-order/:pk/`: one purchase order. */
export function PurchaseOrderPage({ params }: PageProperties) {
  const pk = Number(params.pk)
  const pageData = useRead<PageData>({
    ...getOrderUrls(PURCHASE_ORDERS, params.pk),
    ...(hasPermission('view', 'stock') ? { stock: `/api/stock/?purchase_order=${params.pk}&limit=1` } : {}),
  })
  const { data, reload } = pageData
  const isUndoing = useSignal(false)
  // loaded with the order: a receipt undone elsewhere in this window disappears
  const receipt = useMemo(() => findLastReceipt(pk), [pk, data])
  const order = data?.order.body
  const outstandingCount = (data?.lines.body.results ?? []).filter((line) => getOutstanding(line) > 0).length
  const reference = order?.reference ?? ''
  const isReceivable = hasPermission('add', PURCHASE_ORDERS.role) && order?.status === ISSUED_STATUS
  return (
    <OrderPage<PurchaseOrder, PurchaseLine>
      kind={PURCHASE_ORDERS}
      metadata={metadata}
      extraMetadata={extraMetadata}
      pk={pk}
      read={pageData}
      actions={[
        isReceivable && {
          title: t('purchase.receive'),
          keys: 'r',
          icon: 'box',
          to: `${PURCHASE_ORDERS.page}${pk}/receive/`,
        },
      ]}
      lastActions={[
        isOpen(PURCHASE_ORDERS, order?.status) && createImportAction('purchaseorderlineitem', { order: pk }),
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
      history={order ? createHistory(order, data?.stock?.body.count ?? 0) : []}
      questions={{
        issue: { children: <p>{t(order?.line_items === 0 ? 'purchase.issue-empty' : 'purchase.issue-more')}</p> },
        complete: {
          children: outstandingCount > 0 && <p>{count('purchase.missing', outstandingCount)}</p>,
          body: { accept_incomplete: outstandingCount > 0 || order?.line_items === 0 },
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
          <p>{t('purchase.undo-receipt-more', { time: formatDateTime(new Date(receipt.at).toISOString()) })}</p>
        </Confirm>
      )}
    </OrderPage>
  )
}

function createHistory({ pk, issue_date, complete_date }: PurchaseOrder, stock: number): TimelineEntry[] {
  const history: TimelineEntry[] = []
  if (issue_date) history.push({ key: 'issued', time: issue_date, text: t('purchase.was-issued') })
  if (complete_date) history.push({ key: 'complete', time: complete_date, text: t('purchase.was-completed') })
  if (stock > 0)
    history.push({
      key: 'stock',
      time: '',
      text: <a href={`/stock/?purchase_order=${pk}`}>{count('purchase.received-items', stock)}</a>,
    })
  return history
}
