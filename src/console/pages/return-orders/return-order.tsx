import metadata from 'metadata:/api/order/ro/'
import extraMetadata from 'metadata:/api/order/ro-extra-line/'
import { useSignal } from '@preact/signals'
import { Confirm } from '../../kit/form/confirm.tsx'
import { useAddedRow } from '../../kit/grid/rows.tsx'
import { count, t } from '../../kit/language/language.ts'
import { useRequestedAction } from '../../kit/navigation/requested-action.ts'
import { useRead } from '../../kit/page/data.ts'
import type { PageProperties } from '../../kit/page/page.tsx'
import type { TimelineEntry } from '../../kit/page/timeline.tsx'
import { showToast } from '../../kit/page/toast.tsx'
import { ApiError, get } from '../../kit/service/api.ts'
import { getRights } from '../orders/lines.tsx'
import { getCurrency, getOrderUrls, isOpen, OrderPage, type OrderPageData } from '../orders/order-page.tsx'
import { ReceiveItems } from './receive-items.tsx'
import { FIRST_EDITED_FIELD, LINES_PATH, ReturnLines } from './return-lines.tsx'
import {
  IN_PROGRESS,
  listOutstanding,
  listUndecided,
  RETURN_ORDERS,
  type ReturnLine,
  type ReturnOrder,
} from './return-order-details.ts'
import { useObjectScans } from './scanned-item.ts'

/** The open dialog: the lines it selects at first, or an item that was never sold. */
type OpenDialog = { back: readonly number[] } | { here: StockItem }

/** A stock item, with the fields checked after a scan. */
type StockItem = {
  pk: number
  customer: number | null
  sales_order: number | null
  belongs_to: number | null
  consumed_by: number | null
  serial: string | null
  part_detail: { full_name: string }
  location_detail: { pathstring: string } | null
}

/** `/order/return-order/:pk/`: one return order, with the items it receives. */
export function ReturnOrderPage({ params }: PageProperties) {
  const read = useRead<OrderPageData<ReturnOrder, ReturnLine>>(
    getOrderUrls(RETURN_ORDERS, params.pk, { lines: { item_detail: true } }),
  )
  const { data, reload } = read
  const dialog = useSignal<OpenDialog | undefined>(undefined)
  const order = data?.order.body
  const lines = data?.lines.body.results ?? []
  const rights = getRights(RETURN_ORDERS.role)
  const isInProgress = order?.status === IN_PROGRESS
  const outstandingLines = listOutstanding(lines)
  const canReceive = rights.add && isInProgress && outstandingLines.length > 0
  const receive = () => {
    dialog.value = { back: outstandingLines.map(({ pk }) => pk) }
  }
  const close = () => {
    dialog.value = undefined
  }
  const { editRequest, add } = useAddedRow(LINES_PATH, FIRST_EDITED_FIELD, reload)
  const addItem = (item: number) => add({ order: Number(params.pk), item, price_currency: getCurrency(order) })
  useObjectScans({
    async item(pk) {
      // the next scan dismisses the question
      if (dialog.value && 'here' in dialog.value) close()
      // a scan does not interrupt a form
      else if (document.querySelector('dialog[open]')) return false
      const line = lines.find(({ item }) => item === pk)
      if (!rights.add || !isOpen(RETURN_ORDERS, order?.status) || (line && line.received_date !== null)) return false
      const itemInStock = line ? undefined : await readIfInStock(pk)
      if (itemInStock) dialog.value = { here: itemInStock }
      else if (!line) await addItem(pk)
      else if (isInProgress) dialog.value = { back: [line.pk] }
      else showToast(t('returns.already-in-order'))
      return true
    },
  })
  useRequestedAction('receive', canReceive, receive)
  const openDialog = dialog.value
  return (
    <OrderPage<ReturnOrder, ReturnLine>
      kind={RETURN_ORDERS}
      metadata={metadata}
      extraMetadata={extraMetadata}
      pk={Number(params.pk)}
      read={read}
      actions={[canReceive && { title: t('returns.receive'), keys: 'r', icon: 'receive', run: receive }]}
      lines={(properties) => (
        // items can be scanned one after the other, even while the remark of the last is edited
        <div data-scans="page">
          <ReturnLines {...properties} editRequest={editRequest} add={addItem} />
        </div>
      )}
      history={createHistory(lines)}
      questions={{
        issue: { children: <p>{t('returns.issue-more')}</p> },
        complete: { children: getCompletionWarning(lines) && <p>{getCompletionWarning(lines)}</p> },
      }}
    >
      {openDialog && 'here' in openDialog && (
        <Confirm
          key={openDialog.here.pk}
          title={t('returns.in-stock', { item: formatItemName(openDialog.here) })}
          button={t('returns.add-anyway')}
          onConfirm={() => addItem(openDialog.here.pk)}
          onClose={close}
        >
          <p>
            {openDialog.here.location_detail
              ? t('returns.in-stock-at', { place: openDialog.here.location_detail.pathstring })
              : t('returns.in-stock-more')}
          </p>
        </Confirm>
      )}
      {openDialog && 'back' in openDialog && (
        <ReceiveItems
          order={Number(params.pk)}
          lines={outstandingLines}
          initialKeys={openDialog.back}
          onRejected={reload}
          onDone={() => {
            close()
            reload()
          }}
          onClose={close}
        />
      )}
    </OrderPage>
  )
}

/** A warning about the lines that completing an order leaves unfinished; empty if there are none. */
function getCompletionWarning(lines: readonly ReturnLine[]): string {
  const [outstandingCount, undecidedCount] = [listOutstanding(lines).length, listUndecided(lines).length]
  const texts = [
    outstandingCount > 0 && count('returns.missing', outstandingCount),
    undecidedCount > 0 && count('returns.undecided', undecidedCount),
  ]
  return texts.filter(Boolean).join(' ')
}

const formatItemName = ({ part_detail, serial, pk }: StockItem): string => `${part_detail.full_name} #${serial ?? pk}`

/** A stock item that was never sold, installed or consumed, so that it cannot be returned; undefined for any other, or if that is unknown. */
async function readIfInStock(item: number): Promise<StockItem | undefined> {
  try {
    const { body } = await get<StockItem>(`/api/stock/${item}/?part_detail=true&location_detail=true`)
    return [body.customer, body.sales_order, body.belongs_to, body.consumed_by].every((one) => one === null) ? body : undefined
  } catch (error) {
    // an account that may not view stock may still receive it; other errors appear when its line is created
    if (error instanceof ApiError) return undefined
    throw error
  }
}

function createHistory(lines: readonly ReturnLine[]): TimelineEntry[] {
  const days = Map.groupBy(
    lines.filter(({ received_date }) => received_date !== null),
    ({ received_date }) => received_date as string,
  )
  return [...days].map(([day, receivedLines]) => ({
    key: day,
    time: day,
    text: count('returns.received-items', receivedLines.length),
    detail: receivedLines
      .map(({ part_detail, item_detail }) => `${part_detail?.name ?? ''} #${item_detail?.serial ?? ''}`)
      .join(', '),
  }))
}
