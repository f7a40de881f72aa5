import metadata from 'metadata:/api/order/ro/'
import { OrderList } from '../orders/order-list.tsx'
import { RETURN_ORDERS, type ReturnOrder } from './return-order-details.ts'

/** `/order/return-order/`: all return orders. */
export const ReturnOrdersPage = () => (
  <OrderList<ReturnOrder> kind={RETURN_ORDERS} metadata={metadata} icon="undo" progressLabel="returns.lines-decided" />
)
