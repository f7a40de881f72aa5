import facts from 'facts:/api/order/ro/'
import { OrderList } from '../orders/order-list.tsx'
import { type ReturnOrder, STATES } from './return-order-facts.ts'

/** `/order/return-order/`: all return orders. */
export const ReturnOrders = () => (
  <OrderList<ReturnOrder>
    kind={{
      facts,
      page: '/order/return-order/',
      role: 'return_order',
      company: 'customer',
      companyOf: ({ customer_detail }) => customer_detail,
      states: STATES,
      linesDone: 'returns.lines-decided',
      more: [{ name: 'customer_reference', width: '10rem', isExtra: true, cell: ({ customer_reference }) => customer_reference }],
      icon: 'undo',
      words: { title: 'returns.title', new: 'returns.new', none: 'returns.none', noneMore: 'returns.none-more' },
      names: ['customer', 'description', 'customer_reference', 'target_date', 'reference'],
    }}
  />
)
