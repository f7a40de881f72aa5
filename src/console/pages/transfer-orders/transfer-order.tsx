import metadata from 'metadata:/api/order/transfer-order/'
import { useSignal } from '@preact/signals'
import { count, label, t } from '../../kit/language/language.ts'
import { useRequestedAction } from '../../kit/navigation/requested-action.ts'
import { useRead } from '../../kit/page/data.ts'
import type { PageProperties } from '../../kit/page/page.tsx'
import type { TimelineEntry } from '../../kit/page/timeline.tsx'
import { type Page as ListPage, withQuery } from '../../kit/service/api.ts'
import { createImportAction } from '../import/import-menu.tsx'
import type { ActionQuestion } from '../orders/action-dialog.tsx'
import { getRights } from '../orders/lines.tsx'
import { getOrderUrls, isOpen, OrderPage, type OrderPageData } from '../orders/order-page.tsx'
import { AllocationDialog } from './allocation-dialog.tsx'
import { Allocations } from './allocations.tsx'
import { TransferLines } from './transfer-lines.tsx'
import {
  COMPLETE_STATUS,
  getShortage,
  ISSUED_STATUS,
  TRANSFER_ORDERS,
  type TransferAllocation,
  type TransferLine,
  type TransferOrder,
} from './transfer-order-details.ts'

/** Maximum number of allocations shown on the page of an order. */
const MAX_ALLOCATIONS = 1_000

type PageData = OrderPageData<TransferOrder, TransferLine> & { allocations: ListPage<TransferAllocation> }

/** `/order/transfer-order/:pk/`: one transfer order, with the stock allocated to it. */
export function TransferOrderPage({ params }: PageProperties) {
  const pageData = useRead<PageData>({
    ...getOrderUrls(TRANSFER_ORDERS, params.pk, { order: { take_from_detail: true, destination_detail: true } }),
    allocations: withQuery('/api/order/transfer-order-allocation/', {
      ...{ order: params.pk, part_detail: true, location_detail: true },
      limit: MAX_ALLOCATIONS,
    }),
  })
  const { data, reload } = pageData
  const isAllocating = useSignal(false)
  const order = data?.order.body
  const lines = data?.lines.body.results ?? []
  const allocations = data?.allocations.body.results ?? []
  const rights = getRights(TRANSFER_ORDERS.role)
  const canAllocate = rights.add && order?.status === ISSUED_STATUS && lines.some((line) => getShortage(line) > 0)
  const show = (isShown: boolean) => () => {
    isAllocating.value = isShown
  }
  useRequestedAction('allocate', canAllocate, show(true))
  return (
    <OrderPage<TransferOrder, TransferLine>
      kind={TRANSFER_ORDERS}
      metadata={metadata}
      pk={Number(params.pk)}
      read={pageData}
      actions={[canAllocate && { title: t('sales.allocate'), keys: 'b', icon: 'box', run: show(true) }]}
      lastActions={[
        isOpen(TRANSFER_ORDERS, order?.status) && createImportAction('transferorderlineitem', { order: params.pk ?? '' }),
      ]}
      summary={order ? summarize(order) : []}
      lines={(properties) => <TransferLines {...properties} />}
      panels={
        <Allocations
          allocations={allocations}
          isComplete={order?.status === COMPLETE_STATUS}
          canRelease={rights.delete && isOpen(TRANSFER_ORDERS, order?.status)}
          onChanged={reload}
        />
      }
      history={order ? createHistory(order) : []}
      questions={{
        issue: { children: <p>{t('transfers.issue-more')}</p> },
        complete: order ? createCompleteQuestion(order, lines, data?.allocations.body.count ?? 0) : {},
      }}
    >
      {isAllocating.value && order && (
        <AllocationDialog
          order={order}
          lines={lines}
          onDone={() => {
            show(false)()
            reload()
          }}
          onClose={show(false)}
        />
      )}
    </OrderPage>
  )
}

/** Where the stock comes from, and where it goes. */
function summarize({ take_from_detail: source, destination_detail: destination, consume }: TransferOrder) {
  const link = (location: TransferOrder['destination_detail']) =>
    location && <a href={`/stock/location/${location.pk}/`}>{location.pathstring}</a>
  return [
    [label('take_from'), link(source) ?? t('transfers.anywhere')],
    [label('destination'), consume ? t('transfers.consumed') : (link(destination) ?? t('transfers.no-destination'))],
  ] as const
}

/** The confirmation for completing an order, or a message if it has no destination. */
function createCompleteQuestion(order: TransferOrder, lines: readonly TransferLine[], allocationCount: number): ActionQuestion {
  const { reference, consume, destination_detail: destination } = order
  if (!consume && !destination)
    return { blocked: t('transfers.not-yet', { reference }), children: <p>{t('transfers.destination-required')}</p> }
  const items = count('transfers.items', allocationCount)
  const shortCount = lines.filter((line) => getShortage(line) > 0).length
  return {
    children: (
      <>
        <p>
          {consume ? t('transfers.consumes', { items }) : t('transfers.moves', { items, place: destination?.pathstring ?? '' })}
        </p>
        {shortCount > 0 && <p>{count('transfers.missing', shortCount)}</p>}
      </>
    ),
    body: { accept_incomplete_allocation: shortCount > 0 },
  }
}

const createHistory = ({ issue_date: issueDate, complete_date: completionDate, consume }: TransferOrder): TimelineEntry[] => [
  ...(issueDate ? [{ key: 'issued', time: issueDate, text: t('transfers.was-issued') }] : []),
  ...(completionDate
    ? [{ key: 'complete', time: completionDate, text: t(consume ? 'transfers.was-consumed' : 'transfers.was-transferred') }]
    : []),
]
