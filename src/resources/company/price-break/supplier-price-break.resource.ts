import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { roles } from '../../../kit/request/caller.ts'
import { constraintErrors } from '../../../kit/request/request-errors.ts'
import { valueErrors } from '../../../kit/values/value-errors.ts'
import { currencyField } from '../../currency/currency-field.ts'
import { rejectNegativePrices } from '../../currency/price-rule.ts'
import { defaultCurrency } from '../../currency/rates.ts'
import { part } from '../../part/part.table.ts'
import { companyBrief } from '../company.resource.ts'
import { company } from '../company.table.ts'
import { supplierPartDetail } from '../part/supplier-part.resource.ts'
import { supplierPriceBreak as table } from './supplier-price-break.table.ts'

const unique = { non_field_errors: [constraintErrors.not_unique_together({ fields: ['part', 'quantity'] })] }

const uniqueQuantityRule = 'A supplier part has one price for each number of packs.'

export const supplierPriceBreak = resource({
  path: '/api/company/price-break/',
  name: 'Supplier price break',
  description: "The supplier's price of one pack from a minimum number of packs. New order lines take their prices from here.",
  remarks: { create: uniqueQuantityRule, update: `${uniqueQuantityRule} Existing order lines retain their prices.` },
  example: {
    pk: 26,
    create: { part: 14, quantity: 200, price: '0.49', price_currency: 'GBP' },
    replace: { part: 13, quantity: 1, price: '6.95', price_currency: 'GBP' },
    change: { price: '6.75' },
    deletable: 43,
  },
  model: 'supplierpricebreak',
  table,
  access: roles('purchase_order'),
  fields: {
    pk: f.pk(table.pk),
    part: f.ref(table.part, {
      required: true,
      filter: true,
      model: 'supplierpart',
      apiUrl: '/api/company/part/',
      help: 'The supplier part of the price.',
    }),
    part_detail: f.nested(table.part, () => supplierPartDetail(), { flag: { name: 'part_detail' } }),
    quantity: f.column(table.quantity, {
      min: 1,
      filter: true,
      order: true,
      api530: { metadata: { required: true } },
      help: 'The minimum number of packs for this price. Below the lowest price break, the price of the lowest applies.',
    }),
    price: f.column(table.price, {
      required: true,
      order: true,
      help: 'The price of one pack, zero or more.',
    }),
    price_currency: currencyField(table.price_currency, {
      help: 'The currency of the price. The price is converted to the currency of the order line. The default is the default currency.',
    }),
    supplier: f.computed(Type.Integer(), '{part.supplier}', { type: 'field', help: 'The supplier of the supplier part.' }),
    supplier_detail: f.nested('{part.supplier}', () => companyBrief(), { flag: { name: 'supplier_detail' } }),
    updated: f.readonly(table.updated, { help: 'When it was last changed; null if not since its import.' }),
  },
  filters: {
    base_part: {
      kind: 'reference',
      table: () => part,
      sql: '{part.part} = {@value}',
      help: 'Price breaks of all supplier parts of the part with this key.',
    },
    supplier: {
      kind: 'reference',
      table: () => company,
      sql: '{part.supplier} = {@value}',
      help: 'Price breaks of all supplier parts of the supplier with this key.',
    },
  },
  search: ['{part.SKU}', '{part.supplier.name}'],
  order: { supplier: ['{part.supplier.name}'], SKU: ['{part.SKU}'] },
  defaultOrder: ['quantity'],
  constraints: { supplier_price_break_part_quantity_key: unique },
  suggestValues: async (services) => ({ price_currency: defaultCurrency(services) }),
  async rules({ tx, values, hidden, before, after, errors }) {
    const quantity = after('quantity') ?? '1'
    const duplicate = await tx.first('select from supplier_price_break where part = $1 and quantity = $2 and pk <> $3', [
      after('part'),
      quantity,
      before?.pk ?? 0,
    ])
    if (duplicate) Object.assign(errors, unique)
    else if (values.price === null) errors.price = [valueErrors.null_not_allowed]
    else rejectNegativePrices(values, errors, 'price')
    hidden.updated = new Date().toISOString()
  },
})
