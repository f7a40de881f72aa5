import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { supplierPriceBreak as table } from './supplier-price-break.table.ts'

/** A price break inside its supplier part. */
export const priceBreakBrief = (): f.ReadShape => ({
  table,
  fields: {
    pk: f.pk(table.pk),
    part: f.readonly(table.part),
    quantity: f.readonly(table.quantity),
    price: f.readonly(table.price),
    price_currency: f.readonly(table.price_currency),
    supplier: f.computed(Type.Integer(), '{part.supplier}', { type: 'field' }),
    updated: f.readonly(table.updated),
  },
})
