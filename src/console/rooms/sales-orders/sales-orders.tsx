import facts from 'facts:/api/order/so/'
import { date } from '../../kit/language/language.ts'
import { OrderList } from '../orders/order-list.tsx'
import { type SalesOrder, STATES } from './sales-order-facts.ts'

/** `/order/sales-order/`: all sales orders. */
export const SalesOrders = () => (
  <OrderList<SalesOrder>
    kind={{
      facts,
      page: '/order/sales-order/',
      role: 'sales_order',
      company: 'customer',
      companyOf: ({ customer_detail }) => customer_detail,
      states: STATES,
      linesDone: 'sales.lines-out',
      more: [
        { name: 'customer_reference', width: '10rem', isExtra: true, cell: ({ customer_reference }) => customer_reference },
        { name: 'shipment_date', width: '8rem', isExtra: true, cell: ({ shipment_date }) => date(shipment_date) },
      ],
      icon: 'truck',
      words: { title: 'sales.title', new: 'sales.new', none: 'sales.none', noneMore: 'sales.none-more' },
      names: ['customer', 'description', 'customer_reference', 'target_date', 'reference'],
    }}
    filters={['part']}
  />
)
