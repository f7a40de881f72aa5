import { partPriceResource } from '../price-break.ts'
import { internalPrice as table } from './internal-price.table.ts'

export const internalPrice = partPriceResource(table, {
  path: '/api/part/internal-price/',
  name: 'Internal price break',
  model: 'partinternalpricebreak',
  description: 'The internal price of one unit of a part, from a minimum quantity.',
  example: {
    pk: 1,
    create: { part: 23, quantity: 100, price: '33.50', price_currency: 'EUR' },
    replace: { part: 23, quantity: 1, price: '37.50', price_currency: 'EUR' },
    change: { price: '38.50' },
    deletable: 3,
  },
})
