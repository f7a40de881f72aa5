import { type Resource, resource } from '../../../kit/definition/resource.ts'
import { FORMER_FILES } from '../../former-files.ts'
import { parameterFilters, parameterOrders, parametersField } from '../../parameter/parameter-list.ts'
import { part } from '../../part/part.table.ts'
import { customerFields, customerLists, requireCustomer } from '../customer.ts'
import { actionDate, orderBrief, orderFields } from '../order-fields.ts'
import { createDateRangeFilter, createPartFilter, orderFilters } from '../order-filters.ts'
import { orderRules } from '../order-rules.ts'
import { returnOrder as table } from './ro.table.ts'
import { RETURN_ORDER } from './ro-kind.ts'

const header = 'The reference must match the pattern in the settings, and the contact must belong to the customer.'

const rules = orderRules(RETURN_ORDER, () => returnOrder)

/** See docs/interface/orders.md. */
export const returnOrder: Resource = resource({
  path: RETURN_ORDER.path,
  name: 'Return order',
  description:
    'Goods that a customer returns: pending until it is agreed, in progress during shipping and inspection, then complete; or cancelled. Its lines name the returned stock items, each with its outcome.',
  remarks: {
    list: 'Sorted by descending reference, unless `ordering` says otherwise.',
    create: `${header} With \`duplicate_order\` it gets copies of the lines of another order, with nothing received.`,
    update: `${header} The status cannot be changed here: issue, complete or cancel the order instead.`,
    delete: 'Deletes its lines and extra lines as well. Received stock does not change.',
  },
  example: {
    pk: 1,
    create: {
      reference: 'RMA-0005',
      customer: 12,
      description: 'A Wren with a rattle',
      customer_reference: 'KO-311-R',
      target_date: '2031-03-14',
    },
    replace: { reference: 'RMA-0001', customer: 12, description: 'Wren drifts out of tune', target_date: '2031-02-28' },
    change: { notes: 'They wait for a **new key**.' },
    deletable: 3,
  },
  model: RETURN_ORDER.model,
  table,
  formerFile: FORMER_FILES.returnOrders,
  access: RETURN_ORDER.access,
  bulkUpdate: true,
  fields: {
    ...orderFields(RETURN_ORDER),
    ...customerFields(table, 'returns the goods'),
    issue_date: actionDate(table.issue_date, 'Issue Date', 'The day on which it was issued; empty before.'),
    complete_date: actionDate(table.complete_date, 'Completion Date', 'The day on which it was completed; empty before.', {
      order: true,
    }),
    parameters: parametersField('return_order'),
  },
  orderFamily: parameterOrders('return_order'),
  filters: {
    ...parameterFilters('return_order'),
    ...orderFilters(RETURN_ORDER),
    part: createPartFilter(
      part,
      '{pk} in (select l."order" {from return_order_line} l {join stock_item} item on item.pk = l.item where item.part {parts})',
      'Orders with a line for an item of the part with this key. An unknown key has no effect.',
      true,
    ),
    date_range: createDateRangeFilter(RETURN_ORDER),
  },
  ...customerLists,
  ...rules,
  ...requireCustomer(rules),
})

/** An order inside another object, without the counts over its lines. */
export const returnOrderBrief = orderBrief(() => returnOrder, ['customer', 'customer_reference', 'issue_date', 'complete_date'])
