import facts from 'facts:/api/order/po/'
import { date } from '../../kit/language/language.ts'
import { OrderList } from '../orders/order-list.tsx'
import { type PurchaseOrder, STATES } from './purchase-order-facts.ts'

/** `/order/purchase-order/`: all purchase orders. */
export const PurchaseOrders = () => (
  <OrderList<PurchaseOrder>
    kind={{
      facts,
      page: '/order/purchase-order/',
      role: 'purchase_order',
      company: 'supplier',
      companyOf: ({ supplier_detail }) => supplier_detail,
      states: STATES,
      linesDone: 'orders.lines-in',
      more: [
        { name: 'supplier_reference', width: '10rem', isExtra: true, cell: ({ supplier_reference }) => supplier_reference },
        { name: 'issue_date', width: '8rem', isExtra: true, cell: ({ issue_date }) => date(issue_date) },
        { name: 'complete_date', width: '8rem', isExtra: true, cell: ({ complete_date }) => date(complete_date) },
      ],
      icon: 'cart',
      words: { title: 'purchase.title', new: 'purchase.new', none: 'purchase.none', noneMore: 'purchase.none-more' },
      names: ['supplier', 'description', 'supplier_reference', 'target_date', 'reference'],
    }}
    filters={['part']}
  />
)
