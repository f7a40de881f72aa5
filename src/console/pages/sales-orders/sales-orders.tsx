import metadata from 'metadata:/api/order/so/'
import { formatDate } from '../../kit/language/language.ts'
import { OrderList } from '../orders/order-list.tsx'
import { SALES_ORDERS, type SalesOrder } from './sales-order-details.ts'

/** `/order/sales-order/`: all sales orders. */
export const SalesOrdersPage = () => (
  <OrderList<SalesOrder>
    kind={SALES_ORDERS}
    metadata={metadata}
    icon="truck"
    progressLabel="sales.lines-shipped"
    extraColumns={[
      { name: 'shipment_date', width: '8rem', isExtra: true, cell: ({ shipment_date }) => formatDate(shipment_date) },
    ]}
    filters={['part', 'imported']}
  />
)
