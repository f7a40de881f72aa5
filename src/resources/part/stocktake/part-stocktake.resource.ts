import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { resource, type Write } from '../../../kit/definition/resource.ts'
import { roles } from '../../../kit/request/caller.ts'
import { compare, type Decimal } from '../../../kit/values/decimal.ts'
import { currencyField } from '../../currency/currency-field.ts'
import { partBrief } from '../part.resource.ts'
import { partErrors } from '../part-errors.ts'
import { partStocktake as table } from './part-stocktake.table.ts'
import { stocktakeUser, stocktakeUserDetail } from './stocktake-fields.ts'

export const partStocktake = resource({
  path: '/api/part/stocktake/',
  name: 'Part stocktake',
  description:
    'The quantity and the value of a part, without its variants, on a day. Entries are created manually, or for many parts at once by `/api/part/stocktake/report/generate/`.',
  remarks: {
    list: 'Sorted by date, newest first.',
    create: 'It gets the date of today, and the caller becomes its `user`. The part stores the day as its `last_stocktake`.',
    update: 'Its date and its `user` cannot be changed.',
  },
  example: {
    pk: 1,
    create: { part: 25, item_count: 2, quantity: 56, cost_min: '19.60', cost_min_currency: 'EUR', note: 'Counted twice' },
    change: { note: 'Counted by two' },
    deletable: 2,
  },
  model: 'partstocktake',
  table,
  access: roles('stocktake'),
  bulkDelete: true,
  fields: {
    pk: f.pk(table.pk),
    date: f.readonly(table.date, { order: true, help: 'The creation date, in UTC.' }),
    part: f.ref(table.part, {
      required: true,
      filter: true,
      model: 'part',
      apiUrl: '/api/part/',
      help: 'The counted part.',
    }),
    part_name: f.extended(f.computed(Type.String(), '{part.name}', { label: 'Part Name', help: 'The name of the part.' })),
    part_ipn: f.extended(
      f.computed(Type.Union([Type.String(), Type.Null()]), '{part.IPN}', {
        label: 'Part IPN',
        type: 'string',
        help: 'The IPN of the part.',
      }),
    ),
    part_description: f.extended(
      f.computed(Type.String(), '{part.description}', { label: 'Part Description', help: 'The description of the part.' }),
    ),
    part_detail: f.nested(table.part, () => partBrief(), { flag: { name: 'part_detail' }, help: 'The part.' }),
    item_count: f.column(table.item_count, {
      min: 0,
      order: true,
      label: 'Item Count',
      help: 'The number of stock items.',
    }),
    quantity: f.column(table.quantity, {
      required: true,
      min: 0,
      order: true,
      help: 'The quantity in stock, in units of the part.',
    }),
    cost_min: f.column(table.cost_min, {
      min: 0,
      api530: { metadata: { label: 'Minimum Stock Cost' } },
      label: 'Cost min',
      help: 'The minimum value of the stock; empty if unknown.',
    }),
    cost_min_currency: currencyField(table.cost_min_currency, {
      help: 'The currency of the minimum value.',
    }),
    cost_max: f.column(table.cost_max, {
      min: 0,
      api530: { metadata: { label: 'Maximum Stock Cost' } },
      label: 'Cost max',
      help: 'The maximum value of the stock; empty if unknown.',
    }),
    cost_max_currency: currencyField(table.cost_max_currency, {
      help: 'The currency of the maximum value.',
    }),
    note: f.column(table.note, { label: 'Notes', help: 'A note; empty for none.' }),
    user: stocktakeUser(table.user, 'The account that created it; null for none, or a deleted one.'),
    user_detail: stocktakeUserDetail(table.user),
  },
  order: { pk: ['{pk}'], part: ['{part.name}'] },
  defaultOrder: ['-pk'],
  rules(write) {
    if (!write.before) write.hidden.user = write.caller.pk
    checkCosts(write)
  },
  afterCreate: ({ tx }, pk) =>
    tx.query(
      'update part set last_stocktake = entry.date from part_stocktake entry where entry.pk = $1 and part.pk = entry.part',
      [pk],
    ),
})

/**
 * Checks that the minimum is not above the maximum, if both are written together and in the same currency. Existing clients write one, then
 * the other.
 */
function checkCosts({ values, after, errors }: Write): void {
  const [minimum, maximum] = [values.cost_min, values.cost_max] as (Decimal | null | undefined)[]
  if (minimum == null || maximum == null || after('cost_min_currency') !== after('cost_max_currency')) return
  if (compare(minimum, maximum) > 0) errors.cost_max = [partErrors.maximum_below_minimum]
}
