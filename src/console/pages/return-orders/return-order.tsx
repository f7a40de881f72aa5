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
import { rightsIn } from '../orders/lines.tsx'
import { currencyOf, isOpen, OrderPage, type OrderRead, orderUrls } from '../orders/order-page.tsx'
import { ReceiveItems } from './receive-items.tsx'
import { FIRST_CELL, LINES, ReturnLines } from './return-lines.tsx'
import { IN_PROGRESS, outstanding, RETURN_ORDERS, type ReturnLine, type ReturnOrder, undecided } from './return-order-details.ts'
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
export function ReturnOrderPage({ at }: PageProperties) {
  const read = useRead<OrderRead<ReturnOrder, ReturnLine>>(orderUrls(RETURN_ORDERS, at.pk, { item_detail: true }))
  const { data, reload } = read
  const dialog = useSignal<OpenDialog | undefined>(undefined)
  const order = data?.order.body
  const lines = data?.lines.body.results ?? []
  const rights = rightsIn(RETURN_ORDERS.role)
  const isInProgress = order?.status === IN_PROGRESS
  const coming = outstanding(lines)
  const mayReceive = rights.add && isInProgress && coming.length > 0
  const receive = () => {
    dialog.value = { back: coming.map(({ pk }) => pk) }
  }
  const close = () => {
    dialog.value = undefined
  }
  const { editRequest: begin, add } = useAddedRow(LINES, FIRST_CELL, reload)
  const addItem = (item: number) => add({ order: Number(at.pk), item, price_currency: currencyOf(order) })
  useObjectScans({
    async item(pk) {
      // the next scan dismisses the question
      if (dialog.value && 'here' in dialog.value) close()
      // a scan does not interrupt a form
      else if (document.querySelector('dialog[open]')) return false
      const line = lines.find(({ item }) => item === pk)
      if (!rights.add || !isOpen(RETURN_ORDERS, order?.status) || (line && line.received_date !== null)) return false
      const here = line ? undefined : await readIfInStock(pk)
      if (here) dialog.value = { here }
      else if (!line) await addItem(pk)
      else if (isInProgress) dialog.value = { back: [line.pk] }
      else showToast(t('returns.is-here'))
      return true
    },
  })
  useRequestedAction('receive', mayReceive, receive)
  const openDialog = dialog.value
  return (
    <OrderPage<ReturnOrder, ReturnLine>
      kind={RETURN_ORDERS}
      metadata={metadata}
      extraMetadata={extraMetadata}
      pk={Number(at.pk)}
      read={read}
      actions={[mayReceive && { title: t('returns.take-back'), keys: 'r', icon: 'receive', run: receive }]}
      lines={(properties) => (
        // items can be scanned one after the other, even while the remark of the last is edited
        <div data-scans="page">
          <ReturnLines {...properties} begin={begin} add={addItem} />
        </div>
      )}
      history={historyOf(lines)}
      questions={{
        issue: { children: <p>{t('returns.issue-more')}</p> },
        complete: { children: missingOf(lines) && <p>{missingOf(lines)}</p> },
      }}
    >
      {openDialog && 'here' in openDialog && (
        <Confirm
          key={openDialog.here.pk}
          title={t('returns.still-here', { item: nameOf(openDialog.here) })}
          button={t('returns.add-anyway')}
          onConfirm={() => addItem(openDialog.here.pk)}
          onClose={close}
        >
          <p>
            {openDialog.here.location_detail
              ? t('returns.still-here-at', { place: openDialog.here.location_detail.pathstring })
              : t('returns.still-here-more')}
          </p>
        </Confirm>
      )}
      {openDialog && 'back' in openDialog && (
        <ReceiveItems
          order={Number(at.pk)}
          lines={coming}
          chosen={openDialog.back}
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
function missingOf(lines: readonly ReturnLine[]): string {
  const [coming, open] = [outstanding(lines).length, undecided(lines).length]
  const texts = [coming > 0 && count('returns.missing', coming), open > 0 && count('returns.undecided', open)]
  return texts.filter(Boolean).join(' ')
}

const nameOf = ({ part_detail, serial, pk }: StockItem): string => `${part_detail.full_name} #${serial ?? pk}`

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

function historyOf(lines: readonly ReturnLine[]): TimelineEntry[] {
  const days = Map.groupBy(
    lines.filter(({ received_date }) => received_date !== null),
    ({ received_date }) => received_date as string,
  )
  return [...days].map(([day, back]) => ({
    key: day,
    at: day,
    text: count('returns.came-back', back.length),
    more: back.map(({ part_detail, item_detail }) => `${part_detail?.name ?? ''} #${item_detail?.serial ?? ''}`).join(', '),
  }))
}
