import { type Resource, resource } from '../../../kit/definition/resource.ts'
import { FORMER_FILES } from '../../former-files.ts'
import { customerFields, customerLists, requiringCustomer } from '../customer.ts'
import { orderBrief, orderFields } from '../order-fields.ts'
import { inDateRange, orderFilters } from '../order-filters.ts'
import { orderRules } from '../order-rules.ts'
import { returnOrder as table } from './ro.table.ts'
import { RETURN_ORDER } from './ro-kind.ts'

const header = 'The reference must fit the pattern that the settings ask for, and a contact must be one of the customer.'

const rules = orderRules(RETURN_ORDER, () => returnOrder)

/** See the reference description of orders and stock, sections 4 to 8. */
export const returnOrder: Resource = resource({
  path: RETURN_ORDER.path,
  name: 'Return order',
  description:
    'What a customer sends back: pending while it is being agreed on, in progress while it is on its way and looked at, then complete; or cancelled on the way. Its lines name the stock items that come back, each with what becomes of it.',
  remarks: {
    list: 'The highest reference comes first, unless `ordering` says otherwise.',
    create: `${header} With \`duplicate_order\` it gets lines of another order, of which nothing has come back yet.`,
    update: `${header} The state is not changed here, but by issuing, completing and cancelling.`,
    delete: 'Its lines and extra lines go with it. Stock that came back with it stays where it is.',
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
    replace: { reference: 'RMA-0001', customer: 12, description: 'A Wren that drifts out of tune', target_date: '2031-02-28' },
    change: { notes: 'They wait for a **new key**.' },
    deletable: 3,
  },
  model: RETURN_ORDER.model,
  table,
  formerFile: FORMER_FILES.returnOrders,
  access: RETURN_ORDER.access,
  fields: {
    ...orderFields(RETURN_ORDER),
    ...customerFields(table, 'sends it back'),
  },
  filters: { ...orderFilters(RETURN_ORDER), date_range: inDateRange(RETURN_ORDER) },
  ...customerLists,
  ...rules,
  ...requiringCustomer(rules),
})

/** An order inside another object: without what is counted over its lines. */
export const returnOrderBrief = orderBrief(() => returnOrder, ['customer', 'customer_reference'])
