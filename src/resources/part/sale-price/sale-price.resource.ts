import { partPriceResource } from '../price-break.ts'
import { salePrice as table } from './sale-price.table.ts'

export const salePrice = partPriceResource(table, {
  path: '/api/part/sale-price/',
  name: 'Sale price break',
  model: 'partsellpricebreak',
  description: 'The sale price of one unit of a part, from a minimum quantity.',
  salable: true,
  example: {
    pk: 1,
    create: { part: 42, quantity: 50, price: '205', price_currency: 'EUR' },
    replace: { part: 42, quantity: 1, price: '255', price_currency: 'EUR' },
    change: { price: '249' },
    deletable: 4,
  },
})
