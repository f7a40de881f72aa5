import { extraLineResource } from '../extra-line.ts'
import { returnOrderBrief } from '../ro/ro.resource.ts'
import { RETURN_ORDER } from '../ro/ro-kind.ts'

export const returnOrderExtraLine = extraLineResource(RETURN_ORDER, () => returnOrderBrief(), {
  path: '/api/order/ro-extra-line/',
  example: {
    pk: 1,
    create: { order: 2, description: 'Sent back by courier', quantity: 1, price: '9.50', price_currency: 'EUR' },
    replace: { order: 1, description: 'Postage refund', quantity: 1, price: '-6.90', price_currency: 'EUR' },
    change: { notes: 'By transfer' },
    deletable: 2,
  },
})
