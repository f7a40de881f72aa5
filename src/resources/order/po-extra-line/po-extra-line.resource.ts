import { FORMER_FILES } from '../../former-files.ts'
import { extraLineResource } from '../extra-line.ts'
import { purchaseOrderBrief } from '../po/po.resource.ts'
import { PURCHASE_ORDER } from '../po/po-kind.ts'

export const purchaseOrderExtraLine = extraLineResource(PURCHASE_ORDER, () => purchaseOrderBrief(), {
  path: '/api/order/po-extra-line/',
  formerFile: FORMER_FILES.purchaseOrderExtraLines,
  example: {
    pk: 8,
    create: { order: 15, description: 'Discount for the year', quantity: 1, price: '-12.50', price_currency: 'GBP' },
    replace: { order: 15, description: 'Delivery before ten', quantity: 1, price: '12.00', price_currency: 'GBP' },
    change: { notes: 'Ring at the green door' },
    deletable: 6,
  },
})
