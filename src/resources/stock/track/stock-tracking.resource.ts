import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { roles } from '../../../kit/request/caller.ts'
import { buildBrief } from '../../build/build.resource.ts'
import { companyBrief } from '../../company/company.resource.ts'
import { createPartFilter } from '../../order/order-filters.ts'
import { purchaseOrderBrief } from '../../order/po/po.resource.ts'
import { returnOrderBrief } from '../../order/ro/ro.resource.ts'
import { salesOrderBrief } from '../../order/so/so.resource.ts'
import { transferOrderBrief } from '../../order/transfer-order/transfer-order.resource.ts'
import { partBrief } from '../../part/part.resource.ts'
import { part } from '../../part/part.table.ts'
import { user } from '../../user/user.resource.ts'
import { locationDetail, locationParameters } from '../location/stock-location.resource.ts'
import { HISTORY_CHOICES } from '../movement/stock-history.ts'
import { stockItemBrief, stockItemWithPart } from '../stock-item.resource.ts'
import { stockTracking as table } from './stock-tracking.table.ts'

/** Builds the SQL of a key in the deltas, by its name; null for any other value, as imported deltas may contain anything. */
const deltaKeySql = (name: string) =>
  `(case when json_typeof({deltas}) = 'object' and {deltas}->>'${name}' ~ '^[0-9]{1,9}$' then ({deltas}->>'${name}')::integer end)`

export const stockTracking = resource({
  path: '/api/stock/track/',
  name: 'Stock tracking entry',
  description:
    'An entry in the history of a stock item: the change, its time, its account and the values after it. Entries are created by changes and never edited. Those of an item that was deleted remain with its part, and are deleted with it.',
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
      apiUrl: '/api/stock/',
      api530: { metadata: { read_only: false, required: false } },
      help: 'The stock item that changed; null once it is deleted.',
    }),
    item_detail: f.nested(table.item, () => stockItemWithPart(), { flag: { name: 'item_detail' }, help: 'The stock item.' }),
    part: f.computed(Type.Union([Type.Integer(), Type.Null()]), 'coalesce({part}, {item.part})', {
      type: 'field',
      help: 'The part of the stock item, also once that is deleted.',
    }),
    part_detail: f.nested('coalesce({part}, {item.part})', () => partBrief(), {
      flag: { name: 'part_detail' },
      help: 'The part of the stock item.',
    }),
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
        transferorder_detail: { getShape: () => transferOrderBrief(), on: deltaKeySql('transferorder') },
        buildorder_detail: { getShape: () => buildBrief(), on: deltaKeySql('buildorder') },
      },
    },
    label: f.label(table.tracking_type, HISTORY_CHOICES, { help: 'The text of `tracking_type`.' }),
    notes: f.readonly(table.notes, {
      search: true,
      api530: { metadata: { read_only: false, required: false } },
      help: 'A note; empty or null for none.',
    }),
    tracking_type: f.readonly(table.tracking_type, { help: 'The type of the entry, by its key in `/api/stock/track/status/`.' }),
    user: f.ref(table.user, {
      readonly: true,
      filter: true,
      model: 'user',
      apiUrl: '/api/user/',
      api530: { metadata: { type: 'field' } },
      help: 'The account that made the change; null if it was deleted.',
    }),
    user_detail: f.nested(table.user, () => user, { flag: { name: 'user_detail' }, help: 'The account.' }),
  },
  parameters: locationParameters,
  filters: {
    part: createPartFilter(
      part,
      `{pk} in (
        select entry.pk {from stock_tracking} entry where entry.part {parts}
        union all
        select entry.pk {from stock_item} item {join stock_tracking} entry on entry.item = item.pk where item.part {parts}
      )`,
      'The history of the part with this key: of its stock items, also of those that were deleted.',
    ),
    min_date: { kind: 'date', sql: '{date} >= {@value}', help: 'Entries of this day and later.' },
    max_date: { kind: 'date', sql: '{date} <= {@value}', help: 'Entries before the start of this day.' },
  },
  defaultOrder: ['-date'],
})
