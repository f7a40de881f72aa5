import { OWNER } from '../resources/web/demo/demo-accounts.ts'
import { type DemoReturnOrder, returnOrders } from './data/return-orders.ts'
import type { DemoContext, DemoEvent } from './past-event.ts'
import { getCurrency } from './set-up.ts'

/** Events of all return orders. */
export function listReturnOrderEvents(context: DemoContext): DemoEvent[] {
  return returnOrders.flatMap((order) => {
    const { reference, created, issued } = order
    const issue = () => context.client.post(OWNER, `/api/order/ro/${context.keys.get('return order', reference)}/issue/`)
    return [
      { day: created, run: () => createOrder(context, order) },
      ...(issued === undefined ? [] : [{ day: issued, run: issue }]),
    ]
  })
}

async function createOrder({ client, keys, calendar }: DemoContext, order: DemoReturnOrder): Promise<void> {
  const { reference, customer, customer_reference, description, lines, extraLines = [] } = order
  const created = await client.post(OWNER, '/api/order/ro/', {
    reference,
    customer: keys.get('company', customer),
    customer_reference,
    description,
    creation_date: calendar.formatDay(order.created),
    target_date: calendar.formatDay(order.target),
    contact: keys.find('contact', order.contact),
    responsible: keys.get('owner', OWNER),
  })
  keys.set('return order', reference, created)
  for (const { part, serial, notes } of lines) {
    const [item] = await client.list(OWNER, '/api/stock/', { part: keys.get('part', part), serial })
    await client.post(OWNER, '/api/order/ro-line/', { order: created.pk, item: item.pk, notes })
  }
  for (const fields of extraLines)
    await client.post(OWNER, '/api/order/ro-extra-line/', {
      ...fields,
      order: created.pk,
      quantity: 1,
      price_currency: getCurrency(customer),
    })
}
