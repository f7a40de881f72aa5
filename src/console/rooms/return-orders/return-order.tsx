import facts from 'facts:/api/order/ro/'
import extraFacts from 'facts:/api/order/ro-extra-line/'
import { useSignal } from '@preact/signals'
import { PrintReports } from '../../kit/files/print-reports.tsx'
import { Confirm } from '../../kit/form/confirm.tsx'
import { count, t } from '../../kit/language/language.ts'
import { useAsked } from '../../kit/navigation/asked.ts'
import { useActions } from '../../kit/page/actions.tsx'
import { useRead } from '../../kit/page/data.ts'
import { Page, type PageProperties } from '../../kit/page/page.tsx'
import { Refused } from '../../kit/page/refused.tsx'
import type { Happening } from '../../kit/page/timeline.tsx'
import { tell } from '../../kit/page/toast.tsx'
import { get, type Page as ListPage, Refusal } from '../../kit/service/api.ts'
import { useAddedRow } from '../../kit/sheet/rows.tsx'
import { ExtraLines } from '../orders/extra-lines.tsx'
import { type EditSettings, NO_RIGHTS, rightsIn } from '../orders/lines.tsx'
import type { ExtraLine } from '../orders/order.ts'
import { BUTTONS, type OrderDeed, OrderWindow, orderActions } from '../orders/order-deeds.tsx'
import { OrderFoot, OrderStrip } from '../orders/order-parts.tsx'
import { StateBadge } from '../orders/order-shown.tsx'
import { FIRST_CELL, LINES, ReturnLines } from './return-lines.tsx'
import { IN_PROGRESS, outstanding, PENDING, type ReturnLine, type ReturnOrder, STATES, undecided } from './return-order-facts.ts'
import { useFoundScans } from './scanned-item.ts'
import { TakeBack } from './take-back.tsx'

/** The most lines that are shown of an order. */
const MOST = 1_000

type Shown = { order: ReturnOrder; lines: ListPage<ReturnLine>; extra: ListPage<ExtraLine>; settings: EditSettings }

/** What is being done: items are taken back, those of these lines at first. */
type Doing = OrderDeed | { back: readonly number[] } | { here: StockItem }

/** A stock item, as far as what is scanned is looked at. */
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

/** `/order/return-order/:pk/`: one return order, and what came back of it. */
export function ReturnOrderPage({ at }: PageProperties) {
  const url = `/api/order/ro/${at.pk}/`
  const { data, refusal, again } = useRead<Shown>({
    order: `${url}?customer_detail=true`,
    lines: `${LINES}?order=${at.pk}&part_detail=true&item_detail=true&etag=true&limit=${MOST}`,
    extra: `/api/order/ro-extra-line/?order=${at.pk}&etag=true&limit=${MOST}`,
    settings: '/api/web/settings/',
  })
  const doing = useSignal<Doing | undefined>(undefined)
  const lines = data?.lines.body.results ?? []
  const rights = rightsIn('return_order')
  const status = data?.order.body.status
  const isOpen = status === PENDING || status === IN_PROGRESS
  const coming = outstanding(lines)
  const mayTakeBack = rights.add && status === IN_PROGRESS && coming.length > 0
  const show = (what: Doing | undefined) => () => {
    doing.value = what
  }
  const takeBack = () => show({ back: coming.map(({ pk }) => pk) })()
  const order = data?.order.body
  const currency = order?.order_currency || order?.customer_detail?.currency || 'USD'
  const { begin, add } = useAddedRow(LINES, FIRST_CELL, again)
  const addItem = (item: number) => add({ order: Number(at.pk), item, price_currency: currency })
  useFoundScans({
    async item(pk) {
      // who scans on does not insist
      if (typeof doing.value === 'object' && 'here' in doing.value) doing.value = undefined
      // what is being filled in is not disturbed
      else if (document.querySelector('dialog[open]')) return false
      const line = lines.find(({ item }) => item === pk)
      if (!rights.add || !isOpen || (line && line.received_date !== null)) return false
      const here = line ? undefined : await stillHere(pk)
      if (here) doing.value = { here }
      else if (!line) await addItem(pk)
      else if (status === IN_PROGRESS) doing.value = { back: [line.pk] }
      else tell(t('returns.is-here'))
      return true
    },
  })
  useAsked('receive', mayTakeBack, takeBack)
  useAsked('issue', rights.add && status === PENDING, show('issue'))
  const actions = useActions(
    orderActions(
      {
        kind: 'returns',
        rights,
        may: { issue: status === PENDING, complete: status === IN_PROGRESS, cancel: isOpen },
        start: show,
      },
      [mayTakeBack && { title: t('returns.take-back'), keys: 'r', icon: 'receive', run: takeBack }],
    ),
    BUTTONS,
    <PrintReports key="print" kind="ro" pks={[Number(at.pk)]} />,
  )
  const crumbs = [{ text: t('returns.title'), to: '/order/return-order/?outstanding=true' }]
  if (refusal) return <Refused refusal={refusal} crumbs={crumbs} />
  if (!data || !order) return null
  const { RETURNORDER_EDIT_COMPLETED_ORDERS: isEdited } = data.settings.body
  const lineRights = isOpen || isEdited ? rights : NO_RIGHTS
  const close = show(undefined)
  const what = doing.value
  return (
    <Page title={order.reference} crumbs={crumbs} state={<StateBadge order={order} states={STATES} />} actions={actions}>
      <div class="order-page">
        <OrderStrip
          order={order}
          company={{ name: 'customer', of: order.customer_detail }}
          reference={order.customer_reference}
          currency={currency}
        />
        {/* one item is scanned after the other, also while the remark of the last is edited */}
        <div data-scans="page">
          <ReturnLines
            customer={order.customer}
            rows={lines}
            total={data.lines.body.count}
            rights={lineRights}
            begin={begin}
            add={addItem}
            onChanged={again}
          />
        </div>
        <ExtraLines
          facts={extraFacts}
          order={order.pk}
          currency={currency}
          rows={data.extra.body.results}
          rights={lineRights}
          onChanged={again}
        />
        <OrderFoot order={order} files="/api/order/ro/attachment/" rights={rights} happened={happened(order, lines)} />
      </div>
      {typeof what === 'object' && 'here' in what && (
        <Confirm
          key={what.here.pk}
          title={t('returns.still-here', { item: nameOf(what.here) })}
          button={t('returns.add-anyway')}
          onConfirm={() => addItem(what.here.pk)}
          onClose={close}
        >
          <p>
            {what.here.location_detail
              ? t('returns.still-here-at', { place: what.here.location_detail.pathstring })
              : t('returns.still-here-more')}
          </p>
        </Confirm>
      )}
      {typeof what === 'object' && 'back' in what && (
        <TakeBack
          order={order.pk}
          lines={coming}
          chosen={what.back}
          onRefused={again}
          onDone={() => {
            close()
            again()
          }}
          onClose={close}
        />
      )}
      {typeof what === 'string' && (
        <OrderWindow
          kind="returns"
          facts={facts}
          order={data.order}
          deed={what}
          issueText="returns.issue-more"
          missing={missingOf(lines)}
          again={again}
          onClose={close}
        />
      )}
    </Page>
  )
}

/** What is said before an order is completed: its lines are closed then. */
function missingOf(lines: readonly ReturnLine[]): string | false {
  const [coming, open] = [outstanding(lines).length, undecided(lines).length]
  const said = [coming > 0 && count('returns.missing', coming), open > 0 && count('returns.undecided', open)]
  return said.filter(Boolean).join(' ') || false
}

const nameOf = ({ part_detail, serial, pk }: StockItem): string => `${part_detail.full_name} #${serial ?? pk}`

/** A stock item that never left the house, so that it cannot come back; undefined where it did, or that cannot be known. */
async function stillHere(item: number): Promise<StockItem | undefined> {
  try {
    const { body } = await get<StockItem>(`/api/stock/${item}/?part_detail=true&location_detail=true`)
    return [body.customer, body.sales_order, body.belongs_to, body.consumed_by].every((one) => one === null) ? body : undefined
  } catch (error) {
    // who may not see stock may take it back all the same; what else is wrong is said when its line is made
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** What happened to an order, the latest first. */
function happened(order: ReturnOrder, lines: readonly ReturnLine[]): Happening[] {
  const all: Happening[] = []
  if (order.creation_date) all.push({ key: 'made', at: order.creation_date, text: t('orders.was-made') })
  const days = Map.groupBy(
    lines.filter(({ received_date }) => received_date !== null),
    ({ received_date }) => received_date as string,
  )
  for (const [day, back] of days)
    all.push({
      key: day,
      at: day,
      text: count('returns.came-back', back.length),
      more: back.map(({ part_detail, item_detail }) => `${part_detail?.name ?? ''} #${item_detail?.serial ?? ''}`).join(', '),
    })
  return all.toSorted((one, other) => (one.at < other.at ? 1 : -1))
}
