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
import { hasPermission } from '../../kit/service/session.ts'
import { NewBuild } from '../builds/new-build.tsx'
import { createImportAction } from '../import/import-menu.tsx'
import type { ActionQuestion } from '../orders/action-dialog.tsx'
import { getRights } from '../orders/lines.tsx'
import { ON_HOLD_STATUS, roundQuantity } from '../orders/order.ts'
import { getOrderUrls, isOpen, OrderPage, type OrderPageData } from '../orders/order-page.tsx'
import { createReleasedEntries, getReleasedUrl, type ReleasedStock } from '../stock/released.tsx'
import { AllocationDialog } from './allocation-dialog.tsx'
import { SalesLines } from './sales-lines.tsx'
import { getShortage, getUnshipped, SALES_ORDERS, type SalesLine, type SalesOrder, type Shipment } from './sales-order-details.ts'
import { Shipments } from './shipments.tsx'

type PageData = OrderPageData<SalesOrder, SalesLine> & { shipments: ListPage<Shipment>; released?: ListPage<ReleasedStock> }

/** `/order/sales-order/:pk/`: one sales order, with what is allocated to it and its shipments. */
export function SalesOrderPage({ params }: PageProperties) {
  const pageData = useRead<PageData>({
    ...getOrderUrls(SALES_ORDERS, params.pk, { lines: { flawed_stock: true } }),
    shipments: `/api/order/so/shipment/?order=${params.pk}&tags=true&etag=true&limit=100`,
    ...getReleasedUrl({ sales_order: params.pk as string }),
  })
  const { data, reload } = pageData
  const dialog = useSignal<'allocate' | 'build' | undefined>(undefined)
  const order = data?.order.body
  const lines = data?.lines.body.results ?? []
  const shipments = data?.shipments.body.results ?? []
  const rights = getRights(SALES_ORDERS.role)
  const isActive = isOpen(SALES_ORDERS, order?.status)
  const canProceed = isActive && order?.status !== ON_HOLD_STATUS
  const isShort = lines.some((line) => line.part !== null && getShortage(line) > 0)
  const canAllocate = rights.add && isActive && isShort
  const show = (next: typeof dialog.value) => () => {
    dialog.value = next
  }
  const close = show(undefined)
  useRequestedAction('pack', canAllocate, show('allocate'))
  return (
    <OrderPage<SalesOrder, SalesLine>
      kind={SALES_ORDERS}
      metadata={metadata}
      extraMetadata={extraMetadata}
      pk={Number(params.pk)}
      read={pageData}
      canComplete={canProceed && (data?.lines.body.count ?? 0) > 0}
      actions={[canAllocate && { title: t('sales.allocate'), keys: 'b', icon: 'box', run: show('allocate') }]}
      lastActions={[
        isOpen(SALES_ORDERS, order?.status) && createImportAction('salesorderlineitem', { order: params.pk ?? '' }),
        canAllocate && { title: t('scan.pick-by-scanning'), keys: 'p', icon: 'scan', to: `/scan/pick/?order=${params.pk}` },
        isActive &&
          hasPermission('add', 'build') && { title: t('builds.new-child'), keys: 'n', icon: 'wrench', run: show('build') },
      ]}
      isUnpriced={({ sale_price }) => sale_price === null}
      lines={(properties) => <SalesLines {...properties} />}
      panels={
        <Shipments
          shipments={shipments}
          canShip={rights.add && canProceed}
          hasShortage={isShort}
          canDelete={rights.delete && isActive}
          onChanged={reload}
        />
      }
      history={order ? createHistory(order, shipments, data?.released?.body) : []}
      questions={{
        issue: { children: <p>{t('sales.issue-more')}</p> },
        complete: createCompleteQuestion(order?.reference ?? '', lines, shipments),
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
        <NewBuild initialValues={{ sales_order: order.pk, ...suggestBuild(lines, order) }} onClose={close} />
      )}
    </OrderPage>
  )
}

/** The confirmation for completing an order, or a message if some of its shipments are not shipped yet. */
function createCompleteQuestion(reference: string, lines: readonly SalesLine[], shipments: readonly Shipment[]): ActionQuestion {
  const openShipments = shipments.filter(({ shipment_date }) => shipment_date === null)
  if (openShipments.length > 0)
    return {
      blocked: t('sales.not-yet', { reference }),
      children: (
        <p>
          {count('sales.unshipped', openShipments.length)} {openShipments.map((one) => t('sales.shipment', one)).join(', ')}
        </p>
      ),
    }
  const missing = lines.filter((line) => getUnshipped(line) > 0).length
  return { children: missing > 0 && <p>{count('sales.missing', missing)}</p>, body: { accept_incomplete: missing > 0 } }
}

function createHistory(
  { shipment_date: completionDate }: SalesOrder,
  shipments: readonly Shipment[],
  released: ListPage<ReleasedStock> | undefined,
): TimelineEntry[] {
  const history = createReleasedEntries(released)
  for (const { pk, reference, shipment_date, tracking_number } of shipments)
    if (shipment_date)
      history.push({ key: pk, time: shipment_date, text: t('sales.shipment-shipped', { reference }), detail: tracking_number })
  if (completionDate) history.push({ key: 'complete', time: completionDate, text: t('sales.was-completed') })
  return history
}

/** The initial values of a build order for a sales order: the first assembly that is short of usable stock, and the missing quantity. */
function suggestBuild(lines: readonly SalesLine[], { target_date }: SalesOrder): Values {
  const shortLine = lines
    .filter(({ part_detail }) => part_detail?.assembly)
    .map((line) => ({ line, missing: roundQuantity(getShortage(line) - getUsableStock(line)) }))
    .find(({ missing }) => missing > 0)
  return { target_date, ...(shortLine ? { part: shortLine.line.part, quantity: String(shortLine.missing) } : {}) }
}

/** The available quantity for a line that can go to a customer: stock that is damaged or needs attention is never allocated by default. */
const getUsableStock = ({ available_stock, available_variant_stock, flawed_stock = [] }: SalesLine): number =>
  Math.max(0, available_stock + available_variant_stock - flawed_stock.reduce((all, { quantity }) => all + quantity, 0))
