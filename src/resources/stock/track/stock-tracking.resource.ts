import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { roles } from '../../../kit/request/caller.ts'
import { buildBrief } from '../../build/build.resource.ts'
import { companyBrief } from '../../company/company.resource.ts'
import { purchaseOrderBrief } from '../../order/po/po.resource.ts'
import { returnOrderBrief } from '../../order/ro/ro.resource.ts'
import { salesOrderBrief } from '../../order/so/so.resource.ts'
import { partBrief } from '../../part/part.resource.ts'
import { user } from '../../user/user.resource.ts'
import { locationDetail, locationParameters } from '../location/stock-location.resource.ts'
import { HISTORY_CHOICES } from '../movement/stock-history.ts'
import { stockItemBrief } from '../stock-item.resource.ts'
import { stockTracking as table } from './stock-tracking.table.ts'

/** Builds the SQL of a key in the deltas, by its name; null for any other value, as imported deltas may contain anything. */
const deltaKeySql = (name: string) =>
  `(case when json_typeof({deltas}) = 'object' and {deltas}->>'${name}' ~ '^[0-9]{1,9}$' then ({deltas}->>'${name}')::integer end)`

export const stockTracking = resource({
  path: '/api/stock/track/',
  name: 'Stock tracking entry',
  description:
    'An entry in the history of a stock item: the change, its time, its account and the values after it. Entries are created by changes, never edited, and deleted with their item.',
  example: { pk: 100 },
  model: 'stockitemtracking',
  table,
  access: roles('stock'),
  without: ['create', 'update', 'delete'],
  fields: {
    pk: f.pk(table.pk),
    item: f.ref(table.item, {
      readonly: true,
      filter: true,
      model: 'stockitem',
      address: '/api/stock/',
      help: 'The stock item that changed.',
    }),
    item_detail: f.nested(table.item, () => stockItemBrief(), { flag: { name: 'item_detail' }, help: 'The stock item.' }),
    date: f.readonly(table.date, { order: true, help: 'When it happened.' }),
    deltas: {
      ...f.computed(Type.Any(), `case when json_typeof({deltas}) = 'object' then {deltas} else '{}'::json end`, {
        help: 'The changes, by name: `quantity` is the new quantity, `added` and `removed` are the differences, in units of the part; the key of an object comes with the object; `scanned` is the time of a scan that was sent later.',
      }),
      inside: {
        part_detail: { getShape: () => partBrief(), on: deltaKeySql('part') },
        location_detail: { getShape: () => locationDetail(), on: deltaKeySql('location') },
        stockitem_detail: { getShape: () => stockItemBrief(), on: deltaKeySql('stockitem') },
        customer_detail: { getShape: () => companyBrief(), on: deltaKeySql('customer') },
        purchaseorder_detail: { getShape: () => purchaseOrderBrief(), on: deltaKeySql('purchaseorder') },
        returnorder_detail: { getShape: () => returnOrderBrief(), on: deltaKeySql('returnorder') },
        salesorder_detail: { getShape: () => salesOrderBrief(), on: deltaKeySql('salesorder') },
        buildorder_detail: { getShape: () => buildBrief(), on: deltaKeySql('buildorder') },
      },
    },
    label: f.label(table.tracking_type, HISTORY_CHOICES, { help: 'The text of `tracking_type`.' }),
    notes: f.readonly(table.notes, { search: true, help: 'A note; empty or null for none.' }),
    tracking_type: f.readonly(table.tracking_type, { help: 'The type of the entry, by its key in `/api/stock/track/status/`.' }),
    user: f.ref(table.user, {
      readonly: true,
      filter: true,
      model: 'user',
      address: '/api/user/',
      help: 'The account that made the change; null if it was deleted.',
    }),
    user_detail: f.nested(table.user, () => user, { flag: { name: 'user_detail' }, help: 'The account.' }),
  },
  parameters: locationParameters,
  defaultOrder: ['-date'],
})
