import facts from 'facts:/api/order/ro/'
import extraFacts from 'facts:/api/order/ro-extra-line/'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type Page as ListPage, post } from '../../kit/api.ts'
import { useAsked } from '../../kit/asked.ts'
import { Confirm } from '../../kit/confirm.tsx'
import { useRead } from '../../kit/data.ts'
import { Icon } from '../../kit/icon.tsx'
import { useCommands } from '../../kit/keys.ts'
import { count, t } from '../../kit/language.ts'
import { Menu } from '../../kit/menu.tsx'
import { Page, type PageProperties } from '../../kit/page.tsx'
import { PrintReports } from '../../kit/print-reports.tsx'
import { Refused } from '../../kit/refused.tsx'
import type { Happening } from '../../kit/timeline.tsx'
import { tell } from '../../kit/toast.tsx'
import { EditOrder } from '../orders/edit-order.tsx'
import { ExtraLines } from '../orders/extra-lines.tsx'
import { rightsIn, useAddedLine } from '../orders/lines.tsx'
import { type ExtraLine, keepingDetails } from '../orders/order.ts'
import { OrderFoot, OrderStrip } from '../orders/order-parts.tsx'
import { StateBadge } from '../orders/order-shown.tsx'
import { FIRST_CELL, LINES, ReturnLines } from './return-lines.tsx'
import {
  ELSEWHERE,
  FIELDS,
  IN_PROGRESS,
  outstanding,
  PENDING,
  type ReturnLine,
  type ReturnOrder,
  STATES,
} from './return-order-facts.ts'
import { useFoundScans } from './scanned-item.ts'
import { TakeBack } from './take-back.tsx'

/** The most lines that are shown of an order. */
const MOST = 1_000

type Shown = { order: ReturnOrder; lines: ListPage<ReturnLine>; extra: ListPage<ExtraLine> }

/** What is being done: items are taken back, those of these lines at first. */
type Doing = 'edit' | 'issue' | 'complete' | 'cancel' | { back: readonly number[] }

/** `/order/return-order/:pk/`: one return order, and what came back of it. */
export function ReturnOrderPage({ at }: PageProperties) {
  const url = `/api/order/ro/${at.pk}/`
  const { data, refusal, again } = useRead<Shown>({
    order: `${url}?customer_detail=true`,
    lines: `${LINES}?order=${at.pk}&part_detail=true&item_detail=true&etag=true&limit=${MOST}`,
    extra: `/api/order/ro-extra-line/?order=${at.pk}&etag=true&limit=${MOST}`,
  })
  const doing = useSignal<Doing | undefined>(undefined)
  const lines = useSignal<readonly ReturnLine[]>([])
  const extra = useSignal<readonly ExtraLine[]>([])
  useEffect(() => {
    if (!data) return
    lines.value = data.lines.body.results
    extra.value = data.extra.body.results
  }, [data])
  const rights = rightsIn('return_order')
  const status = data?.order.body.status
  const isOpen = status === PENDING || status === IN_PROGRESS
  const coming = outstanding(lines.value)
  const mayTakeBack = rights.add && status === IN_PROGRESS && coming.length > 0
  const show = (what: Doing | undefined) => () => {
    doing.value = what
  }
  const takeBack = () => show({ back: coming.map(({ pk }) => pk) })()
  const order = data?.order.body
  const currency = order?.order_currency || order?.customer_detail?.currency || 'USD'
  const { begin, add } = useAddedLine(LINES, FIRST_CELL, again)
  const addItem = (item: number) => add({ order: Number(at.pk), item, price_currency: currency })
  useFoundScans({
    async item(pk) {
      // what is being filled in is not disturbed
      if (document.querySelector('dialog[open]')) return false
      const line = lines.value.find(({ item }) => item === pk)
      if (!rights.add || !isOpen || (line && line.received_date !== null)) return false
      if (!line) await addItem(pk)
      else if (status === IN_PROGRESS) doing.value = { back: [line.pk] }
      else tell(t('returns.is-here'))
      return true
    },
  })
  useAsked('receive', mayTakeBack, takeBack)
  useAsked('issue', rights.add && status === PENDING, show('issue'))
  useCommands(
    () => [
      ...(rights.change ? [{ keys: 'e', label: () => t('returns.edit'), run: show('edit') }] : []),
      ...(rights.add && status === PENDING ? [{ keys: 'i', label: () => t('returns.issue'), run: show('issue') }] : []),
      ...(mayTakeBack ? [{ keys: 'r', label: () => t('returns.take-back'), run: takeBack }] : []),
      ...(rights.add && status === IN_PROGRESS ? [{ keys: 'c', label: () => t('returns.complete'), run: show('complete') }] : []),
      ...(rights.add && isOpen ? [{ label: () => t('returns.cancel'), run: show('cancel') }] : []),
    ],
    [status, mayTakeBack, lines.value, rights.add, rights.change],
  )
  const crumbs = [{ text: t('returns.title'), to: '/order/return-order/' }]
  if (refusal) return <Refused refusal={refusal} crumbs={crumbs} />
  if (!data || !order) return null
  const close = show(undefined)
  const act = (action: string) => async (key: string) => {
    await post(`${url}${action}/`, {}, key)
    again()
  }
  const what = doing.value
  const actions = (
    <>
      {rights.add && status === PENDING && (
        <button type="button" class="primary" onClick={show('issue')}>
          {t('returns.issue')}
        </button>
      )}
      {mayTakeBack && (
        <button type="button" class="primary" onClick={takeBack}>
          <Icon name="receive" />
          {t('returns.take-back')}
        </button>
      )}
      {rights.add && status === IN_PROGRESS && (
        <button type="button" class={mayTakeBack ? '' : 'primary'} onClick={show('complete')}>
          {t('returns.complete')}
        </button>
      )}
      {rights.change && (
        <button type="button" onClick={show('edit')}>
          <Icon name="edit" />
          {t('edit')}
        </button>
      )}
      <Menu label={t('more')} icon="menu">
        <strong>{t('print.title')}</strong>
        <PrintReports kind="ro" pks={[order.pk]} />
        {rights.add && isOpen && (
          <button type="button" class="quiet" onClick={show('cancel')}>
            {t('returns.cancel')}
          </button>
        )}
      </Menu>
    </>
  )
  return (
    <Page title={order.reference} crumbs={crumbs} state={<StateBadge order={order} states={STATES} />} actions={actions}>
      <div class="order-page">
        <OrderStrip
          order={order}
          company={{ name: 'customer', of: order.customer_detail }}
          reference={order.customer_reference}
          currency={currency}
        />
        <ReturnLines
          customer={order.customer}
          rows={lines.value}
          total={data.lines.body.count}
          rights={rights}
          begin={begin}
          add={addItem}
          onRow={({ body, etag }) => {
            lines.value = keepingDetails(lines.value, body, etag)
            again()
          }}
          onChanged={again}
        />
        <ExtraLines
          facts={extraFacts}
          order={order.pk}
          currency={currency}
          rows={extra.value}
          rights={rights}
          onRow={({ body, etag }) => {
            extra.value = keepingDetails(extra.value, body, etag)
            again()
          }}
          onChanged={again}
        />
        <OrderFoot order={order} files="/api/order/ro/attachment/" rights={rights} happened={happened(order, lines.value)} />
      </div>
      {what === 'edit' && (
        <EditOrder<ReturnOrder>
          title={t('returns.edit')}
          facts={facts}
          pk={order.pk}
          names={FIELDS}
          without={ELSEWHERE}
          onDone={() => {
            close()
            again()
          }}
          onClose={close}
        />
      )}
      {typeof what === 'object' && (
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
      {what === 'issue' && (
        <Confirm
          title={t('returns.issue-ask', { reference: order.reference })}
          button={t('returns.issue')}
          isHarmless
          onConfirm={act('issue')}
          onClose={close}
        >
          <p>{t('returns.issue-more')}</p>
        </Confirm>
      )}
      {what === 'complete' && (
        <Confirm
          title={t('returns.complete-ask', { reference: order.reference })}
          button={t('returns.complete')}
          isHarmless
          onConfirm={act('complete')}
          onClose={close}
        >
          {coming.length > 0 && <p>{count('returns.missing', coming.length)}</p>}
        </Confirm>
      )}
      {what === 'cancel' && (
        <Confirm
          title={t('returns.cancel-ask', { reference: order.reference })}
          button={t('returns.cancel')}
          onConfirm={act('cancel')}
          onClose={close}
        >
          <p>{t('returns.cancel-more')}</p>
        </Confirm>
      )}
    </Page>
  )
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
