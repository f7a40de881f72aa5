import { Type } from 'typebox'
import * as f from '../../kit/definition/field.ts'
import { type Resource, resource } from '../../kit/definition/resource.ts'
import { compare, type Decimal } from '../../kit/values/decimal.ts'
import { valueErrors } from '../../kit/values/value-errors.ts'
import { currencyField } from '../currency/currency-field.ts'
import { lineDiscount, lineFields, lineOrder, lineRules, lineTargetDate } from './line-fields.ts'
import { capitalize, type OrderKind, showExtended } from './order-kind.ts'
import { lineAmount } from './total.ts'

/**
 * Defines the extra lines of a type of order.
 *
 * @param order shape of the order inside a line
 */
export function extraLineResource(
  kind: OrderKind,
  order: () => f.ReadShape,
  { path, example, formerFile }: Pick<Resource, 'path' | 'example' | 'formerFile'>,
): Resource {
  const table = kind.extraLines
  return resource({
    path,
    name: `${capitalize(kind.name)} extra line`,
    description: `A line of a ${kind.name} without a part, such as freight or a discount. It counts in the total of the order, but not towards its completion. Extra lines can be edited in every state of the order.`,
    example,
    model: `${kind.model}extraline`,
    table,
    formerFile,
    access: kind.access,
    bulkDelete: true,
    fields: {
      ...lineFields(kind, table, order),
      description: f.column(table.description, { search: true, help: 'A description of the charge or discount; may be empty.' }),
      quantity: f.column(table.quantity, {
        required: true,
        search: true,
        order: true,
        help: 'The quantity; a negative quantity reduces the total.',
      }),
      reference: f.column(table.reference, {
        search: true,
        order: true,
        help: 'An external reference, such as a waybill number; may be empty.',
      }),
      notes: f.column(table.notes, { search: true, order: true, help: 'A note on the line, as plain text; may be empty.' }),
      context: f.column(table.context, { help: 'For other programs; empty for none.' }),
      price: f.column(table.price, {
        help: 'The unit price, negative for a discount; empty if unknown, which adds nothing to the total.',
      }),
      price_currency: currencyField(table.price_currency, {
        help: 'The currency of the price. The total of the order is converted from it. The default is the default currency.',
      }),
      discount: lineDiscount(kind, table.discount),
      target_date: showExtended(kind, { ...lineTargetDate(table), order: undefined }),
      total_price: f.extended(
        f.computed(Type.Union([Type.Number(), Type.Null()]), `trim_scale(${lineAmount('{price}', '{quantity}', '{discount}')})`, {
          type: 'float',
          api530: { metadata: { type: 'decimal', label: 'Total price' } },
          label: 'Total Price',
          help: 'Quantity times price, less the discount, in the currency of the price.',
        }),
      ),
    },
    order: { note: ['{notes}'], ...lineOrder },
    ...lineRules(kind, table),
    rules({ config, values, errors }) {
      const quantity = values.quantity as Decimal | undefined
      // for existing clients (docs/configuration.md#wire-form); the specification sets no minimum
      if (config.wire.strictLines && quantity !== undefined && compare(quantity, '0') < 0)
        errors.quantity = [valueErrors.min_value({ min_value: 0 })]
    },
  })
}
