import { OWNER } from '../resources/web/demo/demo-accounts.ts'
import { type DemoSalesOrder, type DemoShipment, salesOrders } from './data/sales-orders.ts'
import type { DemoContext, DemoEvent } from './past-event.ts'
import { getCurrency } from './set-up.ts'

/** Events of all sales orders. */
export function listSalesOrderEvents(context: DemoContext): DemoEvent[] {
  return salesOrders.flatMap((order) => {
    const { reference, created, issued, cancelled, shipments = [] } = order
    const postAction = (action: string) =>
      context.client.post(OWNER, `/api/order/so/${context.keys.get('sales order', reference)}/${action}/`)
    return [
      { day: created, run: () => createOrder(context, order) },
      ...(issued === undefined ? [] : [{ day: issued, run: () => postAction('issue') }]),
      ...(cancelled === undefined ? [] : [{ day: cancelled, run: () => postAction('cancel') }]),
      ...shipments.flatMap((shipment) =>
        shipment.sent === undefined ? [] : [{ day: shipment.sent, run: () => ship(context, order, shipment) }],
      ),
    ]
  })
}

const getShipmentName = (order: DemoSalesOrder, { reference }: DemoShipment) => `${reference} of ${order.reference}`

async function createOrder({ client, keys, calendar }: DemoContext, order: DemoSalesOrder): Promise<void> {
  const { reference, customer, customer_reference, description, extraLines = [], shipments = [] } = order
  const created = await client.post(OWNER, '/api/order/so/', {
    reference,
    customer: keys.get('company', customer),
    customer_reference,
    description,
    creation_date: calendar.formatDay(order.created),
    target_date: calendar.formatDay(order.target),
    contact: keys.find('contact', order.contact),
    address: keys.get('address', customer),
    project_code: keys.find('project', order.project),
    responsible: keys.get('owner', OWNER),
  })
  keys.set('sales order', reference, created)
  const lines: number[] = []
  for (const { part, price, ...fields } of order.lines) {
    const line = await client.post(OWNER, '/api/order/so-line/', {
      ...fields,
      order: created.pk,
      part: keys.get('part', part),
      sale_price: price,
      sale_price_currency: getCurrency(customer),
    })
    lines.push(line.pk)
  }
  for (const fields of extraLines)
    await client.post(OWNER, '/api/order/so-extra-line/', {
      ...fields,
      order: created.pk,
      quantity: 1,
      price_currency: getCurrency(customer),
    })
  for (const shipment of shipments) {
    const { pk } = await client.post(OWNER, '/api/order/so/shipment/', { order: created.pk, reference: shipment.reference })
    keys.set('shipment', getShipmentName(order, shipment), { pk })
    for (const [line, serial_numbers] of Object.entries(shipment.serials ?? {}))
      await client.post(OWNER, `/api/order/so/${created.pk}/allocate-serials/`, {
        line_item: lines[Number(line) - 1],
        quantity: serial_numbers.split(',').length,
        serial_numbers,
        shipment: pk,
      })
  }
}

const ship = ({ client, keys }: DemoContext, order: DemoSalesOrder, shipment: DemoShipment): Promise<unknown> =>
  client.post(OWNER, `/api/order/so/shipment/${keys.get('shipment', getShipmentName(order, shipment))}/ship/`, {
    tracking_number: shipment.tracking_number,
  })
