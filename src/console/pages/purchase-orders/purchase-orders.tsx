import metadata from 'metadata:/api/order/po/'
import { formatDate } from '../../kit/language/language.ts'
import { OrderList } from '../orders/order-list.tsx'
import { PURCHASE_ORDERS, type PurchaseOrder } from './purchase-order-details.ts'

/** `/order/purchase-order/`: all purchase orders. */
export const PurchaseOrdersPage = () => (
  <OrderList<PurchaseOrder>
    kind={PURCHASE_ORDERS}
    metadata={metadata}
    icon="cart"
    progressLabel="orders.lines-received"
    extraColumns={[
      { name: 'issue_date', width: '8rem', isExtra: true, cell: ({ issue_date }) => formatDate(issue_date) },
      { name: 'complete_date', width: '8rem', isExtra: true, cell: ({ complete_date }) => formatDate(complete_date) },
    ]}
    filters={['part', 'imported']}
  />
)
