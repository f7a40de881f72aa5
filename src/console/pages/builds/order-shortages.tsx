import { useSignal } from '@preact/signals'
import { Confirm } from '../../kit/form/confirm.tsx'
import { count, formatNumber, formatWithUnit, t } from '../../kit/language/language.ts'
import { useRead } from '../../kit/page/data.ts'
import { post, withQuery } from '../../kit/service/api.ts'
import { Dialog, MessageDialog } from '../../kit/window/dialog.tsx'
import type { Build } from './build-details.ts'

/** A component with a shortage. Quantities are in units of the part. */
type MissingPart = { part: number; name: string; units: string | null; lacks: number; coming: number }
type ShortageLine = MissingPart & { SKU: string; pack_quantity: number; quantity: number }
type Proposal = { supplier: number; supplier_name: string; lines: ShortageLine[] }
type Shortage = {
  orders: Proposal[]
  without_supplier: (MissingPart & { reason: 'inactive' | 'not_purchaseable' | 'no_supplier' })[]
  enough: number[]
}
type CreatedOrders = { orders: { pk: number; reference: string; supplier_name: string }[] }

const LOW_STOCK_URL = '/api/order/po/low-stock/'

/** Shows the parts to order for the shortages of a build order, with their suppliers; Enter creates the orders. */
export function OrderShortages({ build, onDone, onClose }: { build: Build; onDone: () => void; onClose: () => void }) {
  const { data, error } = useRead<{ shortage: Shortage }>({ shortage: withQuery(LOW_STOCK_URL, { build: build.pk }) })
  const createdOrders = useSignal<CreatedOrders['orders'] | undefined>(undefined)
  const title = t('builds.order-shortages')
  if (error)
    return (
      <Dialog title={title} onClose={onClose}>
        <p class="problem">{error.message}</p>
      </Dialog>
    )
  if (!data) return null
  const { orders, without_supplier, enough } = data.shortage.body
  if (createdOrders.value)
    return (
      <MessageDialog title={count('builds.ordered', createdOrders.value.length)} onClose={onClose}>
        <ul class="shortage">
          {createdOrders.value.map(({ pk, reference, supplier_name }) => (
            <li key={pk}>
              <a href={`/order/purchase-order/${pk}/`}>{reference}</a> {supplier_name}
            </li>
          ))}
        </ul>
      </MessageDialog>
    )
  const content = (
    <>
      {orders.map(({ supplier, supplier_name, lines }) => (
        <section key={supplier}>
          <h3>{supplier_name}</h3>
          <ul class="shortage">
            {lines.map(({ part, name, units, SKU, quantity: packs, pack_quantity, lacks }) => (
              <li key={part}>
                <a href={`/part/${part}/`}>{name}</a>{' '}
                <small>{t('builds.short-of', { count: formatWithUnit(lacks, units), number: SKU })}</small>
                <b>
                  {pack_quantity === 1
                    ? formatWithUnit(packs, units)
                    : `${formatNumber(packs)} × ${formatWithUnit(pack_quantity, units)}`}
                </b>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {without_supplier.length > 0 && (
        <section>
          <h3>{t('builds.no-supplier')}</h3>
          <ul class="shortage">
            {without_supplier.map(({ part, name, units, lacks, reason }) => (
              <li key={part}>
                <a href={`/part/${part}/`}>{name}</a> <small>{t(`builds.${reason}`)}</small>
                <b>{formatWithUnit(lacks, units)}</b>
              </li>
            ))}
          </ul>
        </section>
      )}
      {enough.length > 0 && <p class="quiet-text">{count('builds.on-order', enough.length)}</p>}
    </>
  )
  if (orders.length === 0)
    return (
      <MessageDialog title={title} onClose={onClose}>
        {content}
        {without_supplier.length + enough.length === 0 && <p>{t('builds.no-shortages')}</p>}
      </MessageDialog>
    )
  return (
    <Confirm
      title={title}
      button={count('builds.order', orders.length)}
      isHarmless
      onConfirm={async (key) => {
        const { body } = await post<CreatedOrders>(LOW_STOCK_URL, { build: build.pk, description: build.reference }, key)
        createdOrders.value = body.orders
        onDone()
      }}
      // the created orders are shown before it closes
      onClose={() => {
        if (!createdOrders.value) onClose()
      }}
    >
      {content}
    </Confirm>
  )
}
