import facts from 'facts:/api/order/so/'
import extraFacts from 'facts:/api/order/so-extra-line/'
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
import { EditOrder } from '../orders/edit-order.tsx'
import { ExtraLines } from '../orders/extra-lines.tsx'
import { rightsIn } from '../orders/lines.tsx'
import { type ExtraLine, keepingDetails } from '../orders/order.ts'
import { OrderFoot, OrderStrip } from '../orders/order-parts.tsx'
import { StateBadge } from '../orders/order-shown.tsx'
import { PutBy } from './put-by.tsx'
import { SalesLines } from './sales-lines.tsx'
import {
  ELSEWHERE,
  FIELDS,
  IN_PROGRESS,
  lacks,
  PENDING,
  type SalesLine,
  type SalesOrder,
  type Shipment,
  STATES,
} from './sales-order-facts.ts'
import { Shipments } from './shipments.tsx'

/** The most lines that are shown of an order. */
const LINES = 1_000

type Shown = {
  order: SalesOrder
  lines: ListPage<SalesLine>
  extra: ListPage<ExtraLine>
  shipments: ListPage<Shipment>
}

/** `/order/sales-order/:pk/`: one sales order, and what is put by and has left for it. */
export function SalesOrderPage({ at }: PageProperties) {
  const url = `/api/order/so/${at.pk}/`
  const { data, refusal, again } = useRead<Shown>({
    order: `${url}?customer_detail=true`,
    lines: `/api/order/so-line/?order=${at.pk}&part_detail=true&etag=true&limit=${LINES}`,
    extra: `/api/order/so-extra-line/?order=${at.pk}&etag=true&limit=${LINES}`,
    shipments: `/api/order/so/shipment/?order=${at.pk}&limit=100`,
  })
  const open = useSignal<'edit' | 'issue' | 'complete' | 'cancel' | 'put-by' | undefined>(undefined)
  const lines = useSignal<readonly SalesLine[]>([])
  const extra = useSignal<readonly ExtraLine[]>([])
  useEffect(() => {
    if (!data) return
    lines.value = data.lines.body.results
    extra.value = data.extra.body.results
  }, [data])
  const rights = rightsIn('sales_order')
  const status = data?.order.body.status
  const isOpen = status === PENDING || status === IN_PROGRESS
  const isWanting = (data?.lines.body.results ?? []).some((line) => line.part !== null && lacks(line) > 0)
  const mayPutBy = rights.add && isOpen && isWanting
  const show = (what: typeof open.value) => () => {
    open.value = what
  }
  useAsked('pack', mayPutBy, show('put-by'))
  useCommands(
    () => [
      ...(rights.change ? [{ keys: 'e', label: () => t('sales.edit'), run: show('edit') }] : []),
      ...(rights.add && status === PENDING ? [{ keys: 'i', label: () => t('sales.issue'), run: show('issue') }] : []),
      ...(mayPutBy ? [{ keys: 'b', label: () => t('sales.put-by-do'), run: show('put-by') }] : []),
      ...(rights.add && isOpen
        ? [
            { keys: 'c', label: () => t('sales.complete'), run: show('complete') },
            { label: () => t('sales.cancel'), run: show('cancel') },
          ]
        : []),
    ],
    [status, mayPutBy, rights.add, rights.change],
  )
  const crumbs = [{ text: t('sales.title'), to: '/order/sales-order/' }]
  if (refusal) return <Refused refusal={refusal} crumbs={crumbs} />
  if (!data) return null
  const { body: order } = data.order
  const shipments = data.shipments.body.results
  const currency = order.order_currency || order.customer_detail?.currency || 'USD'
  const close = show(undefined)
  const act =
    (action: string, body = {}) =>
    async (key: string) => {
      await post(`${url}${action}/`, body, key)
      again()
    }
  const missing = lines.value.filter(({ part, shipped, quantity }) => part !== null && shipped < quantity).length
  const actions = (
    <>
      {rights.add && status === PENDING && (
        <button type="button" class={isWanting ? '' : 'primary'} onClick={show('issue')}>
          {t('sales.issue')}
        </button>
      )}
      {mayPutBy && (
        <button type="button" class="primary" onClick={show('put-by')}>
          <Icon name="box" />
          {t('sales.put-by-do')}
        </button>
      )}
      {rights.add && isOpen && (
        <button type="button" onClick={show('complete')}>
          {t('sales.complete')}
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
        <PrintReports kind="so" pks={[order.pk]} />
        {rights.add && isOpen && (
          <button type="button" class="quiet" onClick={show('cancel')}>
            {t('sales.cancel')}
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
        <SalesLines
          order={order}
          currency={currency}
          rows={lines.value}
          total={data.lines.body.count}
          rights={rights}
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
        <Shipments
          shipments={shipments}
          mayShip={rights.add && isOpen}
          isWanting={isWanting}
          mayFree={rights.delete && isOpen}
          onChanged={again}
        />
        <OrderFoot order={order} files="/api/order/so/attachment/" rights={rights} happened={happened(order, shipments)} />
      </div>
      {open.value === 'edit' && (
        <EditOrder<SalesOrder>
          title={t('sales.edit')}
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
      {open.value === 'put-by' && (
        <PutBy
          order={order}
          lines={lines.value}
          shipments={shipments}
          onDone={() => {
            close()
            again()
          }}
          onClose={close}
        />
      )}
      {open.value === 'issue' && (
        <Confirm
          title={t('sales.issue-ask', { reference: order.reference })}
          button={t('sales.issue')}
          isHarmless
          onConfirm={act('issue')}
          onClose={close}
        >
          <p>{t('sales.issue-more')}</p>
        </Confirm>
      )}
      {open.value === 'complete' && (
        <Confirm
          title={t('sales.complete-ask', { reference: order.reference })}
          button={t('sales.complete')}
          isHarmless
          onConfirm={act('complete', { accept_incomplete: missing > 0 })}
          onClose={close}
        >
          {missing > 0 && <p>{count('sales.missing', missing)}</p>}
        </Confirm>
      )}
      {open.value === 'cancel' && (
        <Confirm
          title={t('sales.cancel-ask', { reference: order.reference })}
          button={t('sales.cancel')}
          onConfirm={act('cancel')}
          onClose={close}
        >
          <p>{t('sales.cancel-more')}</p>
        </Confirm>
      )}
    </Page>
  )
}

/** What happened to an order, the latest first. */
function happened(order: SalesOrder, shipments: readonly Shipment[]): Happening[] {
  const all: Happening[] = []
  if (order.creation_date) all.push({ key: 'made', at: order.creation_date, text: t('orders.was-made') })
  for (const { pk, reference, shipment_date, tracking_number } of shipments)
    if (shipment_date)
      all.push({ key: pk, at: shipment_date, text: t('sales.shipment-left', { reference }), more: tracking_number })
  if (order.shipment_date) all.push({ key: 'complete', at: order.shipment_date, text: t('sales.was-completed') })
  return all.toSorted((one, other) => (one.at < other.at ? 1 : -1))
}
