import { getTableName } from 'drizzle-orm'
import * as f from '../../kit/definition/field.ts'
import { type Resource, type ResourceExample, resource } from '../../kit/definition/resource.ts'
import { roles } from '../../kit/request/caller.ts'
import { constraintErrors } from '../../kit/request/request-errors.ts'
import { valueErrors } from '../../kit/values/value-errors.ts'
import { currencyField } from '../currency/currency-field.ts'
import { rejectNegativePrices } from '../currency/price-rule.ts'
import { defaultCurrency } from '../currency/rates.ts'
import { ONLY_PARTS } from './part-flags.ts'
import type { PartPriceTable } from './price-break.columns.ts'

const NOT_UNIQUE = { non_field_errors: [constraintErrors.not_unique_together({ fields: ['part', 'quantity'] })] }

const uniquenessRule = 'A part has one price for each quantity.'

/** Differences between the types of part prices. `salable`: requires a salable part. */
type PriceBreakDefinition = {
  path: string
  name: string
  model: string
  description: string
  salable?: boolean
  example: ResourceExample
}

/** The fields of part prices. */
export const partPriceFields = (table: PartPriceTable, salable = false): f.Fields => ({
  pk: f.pk(table.pk),
  part: f.ref(table.part, {
    required: true,
    filter: true,
    ...(salable ? { only: ONLY_PARTS.salable, filters: { salable: true } } : {}),
    model: 'part',
    apiUrl: '/api/part/',
    help: salable ? 'The part of the price, which must be salable.' : 'The part of the price.',
  }),
  quantity: f.column(table.quantity, {
    required: true,
    default: '1',
    min: 1,
    order: true,
    api530: { metadata: { required: true } },
    help: 'The minimum quantity for this price, in units of the part. Below the lowest price break, the price of the lowest applies.',
  }),
  price: f.column(table.price, {
    order: true,
    help: 'The price of one unit of the part, zero or more.',
  }),
  price_currency: currencyField(table.price_currency, {
    help: 'The currency of the price. The default is the default currency.',
  }),
})

/** Part prices, each from a minimum quantity. */
export const partPriceResource = (table: PartPriceTable, { salable, ...definition }: PriceBreakDefinition): Resource =>
  resource({
    ...definition,
    remarks: { create: uniquenessRule, update: uniquenessRule },
    table,
    access: roles('part'),
    fields: partPriceFields(table, salable),
    search: ['{part.name}', '{part.IPN}'],
    defaultOrder: ['quantity'],
    constraints: { [`${getTableName(table)}_part_quantity_key`]: NOT_UNIQUE },
    suggestValues: async (services) => ({ price_currency: defaultCurrency(services) }),
    async rules({ tx, values, hidden, before, after, errors }) {
      const duplicate = await tx.first(`select from ${getTableName(table)} where part = $1 and quantity = $2 and pk <> $3`, [
        after('part'),
        after('quantity'),
        before?.pk ?? 0,
      ])
      if (duplicate) Object.assign(errors, NOT_UNIQUE)
      else if (before ? values.price === null : values.price == null) errors.price = [valueErrors.null_not_allowed]
      else rejectNegativePrices(values, errors, 'price')
      hidden.updated = new Date().toISOString()
    },
  })
