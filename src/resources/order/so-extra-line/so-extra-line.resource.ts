import { FORMER_FILES } from '../../former-files.ts'
import { extraLineResource } from '../extra-line.ts'
import { salesOrderBrief } from '../so/so.resource.ts'
import { SALES_ORDER } from '../so/so-kind.ts'

export const salesOrderExtraLine = extraLineResource(SALES_ORDER, () => salesOrderBrief(), {
  path: '/api/order/so-extra-line/',
  formerFile: FORMER_FILES.salesOrderExtraLines,
  example: {
    pk: 1,
    create: { order: 1, description: 'Gift wrapping', quantity: 2, price: '1.50', price_currency: 'EUR' },
    replace: { order: 1, description: 'Delivery before ten', quantity: 1, price: '12.00', price_currency: 'EUR' },
    change: { notes: 'Ring at the green door' },
    deletable: 2,
  },
})
