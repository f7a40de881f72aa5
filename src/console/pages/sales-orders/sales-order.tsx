import metadata from 'metadata:/api/order/so/'
import extraMetadata from 'metadata:/api/order/so-extra-line/'
import { useSignal } from '@preact/signals'
import type { Values } from '../../kit/form/form.tsx'
import { count, t } from '../../kit/language/language.ts'
import { useRequestedAction } from '../../kit/navigation/requested-action.ts'
import { useRead } from '../../kit/page/data.ts'
import type { PageProperties } from '../../kit/page/page.tsx'
import type { TimelineEntry } from '../../kit/page/timeline.tsx'
import type { Page as ListPage } from '../../kit/service/api.ts'
import { may } from '../../kit/service/session.ts'
import { NewBuild } from '../builds/new-build.tsx'
import type { ActionQuestion } from '../orders/action-dialog.tsx'
import { rightsIn } from '../orders/lines.tsx'
import { tidy } from '../orders/order.ts'
import { isOpen, OrderPage, type OrderRead, orderUrls } from '../orders/order-page.tsx'
import { type Released, releasedEntries, releasedOf } from '../stock/released.tsx'
import { AllocationDialog } from './allocation-dialog.tsx'
import { SalesLines } from './sales-lines.tsx'
import { SALES_ORDERS, type SalesLine, type SalesOrder, type Shipment, shortageOf, toShip } from './sales-order-details.ts'
import { Shipments } from './shipments.tsx'

type Read = OrderRead<SalesOrder, SalesLine> & { shipments: ListPage<Shipment>; released?: ListPage<Released> }

/** `/order/sales-order/:pk/`: one sales order, with what is allocated to it and its shipments. */
export function SalesOrderPage({ at }: PageProperties) {
  const read = useRead<Read>({
    ...orderUrls(SALES_ORDERS, at.pk, { flawed_stock: true }),
    shipments: `/api/order/so/shipment/?order=${at.pk}&etag=true&limit=100`,
    ...releasedOf({ sales_order: at.pk as string }),
  })
  const { data, reload } = read
  const dialog = useSignal<'allocate' | 'build' | undefined>(undefined)
  const order = data?.order.body
  const lines = data?.lines.body.results ?? []
  const shipments = data?.shipments.body.results ?? []
  const rights = rightsIn(SALES_ORDERS.role)
  const isActive = isOpen(SALES_ORDERS, order?.status)
  const isShort = lines.some((line) => line.part !== null && shortageOf(line) > 0)
  const mayAllocate = rights.add && isActive && isShort
  const show = (next: typeof dialog.value) => () => {
    dialog.value = next
  }
  const close = show(undefined)
  useRequestedAction('pack', mayAllocate, show('allocate'))
  return (
    <OrderPage<SalesOrder, SalesLine>
      kind={SALES_ORDERS}
      metadata={metadata}
      extraMetadata={extraMetadata}
      pk={Number(at.pk)}
      read={read}
      canComplete={isActive && (data?.lines.body.count ?? 0) > 0}
      actions={[mayAllocate && { title: t('sales.put-by-do'), keys: 'b', icon: 'box', run: show('allocate') }]}
      lastActions={[
        mayAllocate && { title: t('scan.pick-by-scanning'), keys: 'p', icon: 'scan', to: `/scan/pick/?order=${at.pk}` },
        isActive && may('add', 'build') && { title: t('builds.new-below'), keys: 'n', icon: 'wrench', run: show('build') },
      ]}
      isUnpriced={({ sale_price }) => sale_price === null}
      lines={(properties) => <SalesLines {...properties} />}
      panels={
        <Shipments
          shipments={shipments}
          mayShip={rights.add && isActive}
          hasShortage={isShort}
          mayDelete={rights.delete && isActive}
          onChanged={reload}
        />
      }
      history={order ? historyOf(order, shipments, data?.released?.body) : []}
      questions={{
        issue: { children: <p>{t('sales.issue-more')}</p> },
        complete: completeQuestion(order?.reference ?? '', lines, shipments),
      }}
    >
      {dialog.value === 'allocate' && order && (
        <AllocationDialog
          order={order}
          lines={lines}
          shipments={shipments}
          onDone={() => {
            close()
            reload()
          }}
          onClose={close}
        />
      )}
      {dialog.value === 'build' && order && (
        <NewBuild initialValues={{ sales_order: order.pk, ...toMake(lines, order) }} onClose={close} />
      )}
    </OrderPage>
  )
}

/** The confirmation for completing an order, which all of its shipments must be shipped for. */
function completeQuestion(reference: string, lines: readonly SalesLine[], shipments: readonly Shipment[]): ActionQuestion {
  const unsent = shipments.filter(({ shipment_date }) => shipment_date === null)
  if (unsent.length > 0)
    return {
      blocked: t('sales.not-yet', { reference }),
      children: (
        <p>
          {count('sales.still-open', unsent.length)} {unsent.map((one) => t('sales.shipment', one)).join(', ')}
        </p>
      ),
    }
  const missing = lines.filter((line) => toShip(line) > 0).length
  return { children: missing > 0 && <p>{count('sales.missing', missing)}</p>, body: { accept_incomplete: missing > 0 } }
}

function historyOf(
  { shipment_date: completed }: SalesOrder,
  shipments: readonly Shipment[],
  released: ListPage<Released> | undefined,
): TimelineEntry[] {
  const history = releasedEntries(released)
  for (const { pk, reference, shipment_date, tracking_number } of shipments)
    if (shipment_date)
      history.push({ key: pk, at: shipment_date, text: t('sales.shipment-left', { reference }), more: tracking_number })
  if (completed) history.push({ key: 'complete', at: completed, text: t('sales.was-completed') })
  return history
}

/** The initial values of a build order for a sales order: the first assembly that is short of usable stock, and the missing quantity. */
function toMake(lines: readonly SalesLine[], { target_date }: SalesOrder): Values {
  const short = lines
    .filter(({ part_detail }) => part_detail?.assembly)
    .map((line) => ({ line, missing: tidy(shortageOf(line) - usableStock(line)) }))
    .find(({ missing }) => missing > 0)
  return { target_date, ...(short ? { part: short.line.part, quantity: String(short.missing) } : {}) }
}

/** The available quantity for a line that can go to a customer: stock that is damaged or needs attention is never allocated by default. */
const usableStock = ({ available_stock, available_variant_stock, flawed_stock = [] }: SalesLine): number =>
  Math.max(0, available_stock + available_variant_stock - flawed_stock.reduce((all, { quantity }) => all + quantity, 0))
