import { OWNER } from '../resources/web/demo/demo-accounts.ts'
import { type DemoSalesOrder, type DemoShipment, salesOrders } from './data/sales-orders.ts'
import type { DemoContext, DemoEvent } from './past-event.ts'
import { currencyOf } from './set-up.ts'

/** Events of all sales orders. */
export function salesHistory(scene: DemoContext): DemoEvent[] {
  return salesOrders.flatMap((order) => {
    const { reference, created, issued, cancelled, shipments = [] } = order
    const act = (action: string) =>
      scene.client.post(OWNER, `/api/order/so/${scene.keys.get('sales order', reference)}/${action}/`)
    return [
      { day: created, run: () => write(scene, order) },
      ...(issued === undefined ? [] : [{ day: issued, run: () => act('issue') }]),
      ...(cancelled === undefined ? [] : [{ day: cancelled, run: () => act('cancel') }]),
      ...shipments.flatMap((shipment) =>
        shipment.sent === undefined ? [] : [{ day: shipment.sent, run: () => send(scene, order, shipment) }],
      ),
    ]
  })
}

const shipmentName = (order: DemoSalesOrder, { reference }: DemoShipment) => `${reference} of ${order.reference}`

async function write({ client, keys, calendar }: DemoContext, order: DemoSalesOrder): Promise<void> {
  const { reference, customer, customer_reference, description, extraLines = [], shipments = [] } = order
  const created = await client.post(OWNER, '/api/order/so/', {
    reference,
    customer: keys.get('company', customer),
    customer_reference,
    description,
    creation_date: calendar.date(order.created),
    target_date: calendar.date(order.target),
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
      sale_price_currency: currencyOf(customer),
    })
    lines.push(line.pk)
  }
  for (const fields of extraLines)
    await client.post(OWNER, '/api/order/so-extra-line/', {
      ...fields,
      order: created.pk,
      quantity: 1,
      price_currency: currencyOf(customer),
    })
  for (const shipment of shipments) {
    const { pk } = await client.post(OWNER, '/api/order/so/shipment/', { order: created.pk, reference: shipment.reference })
    keys.set('shipment', shipmentName(order, shipment), { pk })
    for (const [line, serial_numbers] of Object.entries(shipment.serials ?? {}))
      await client.post(OWNER, `/api/order/so/${created.pk}/allocate-serials/`, {
        line_item: lines[Number(line) - 1],
        quantity: serial_numbers.split(',').length,
        serial_numbers,
        shipment: pk,
      })
  }
}

const send = ({ client, keys }: DemoContext, order: DemoSalesOrder, shipment: DemoShipment): Promise<unknown> =>
  client.post(OWNER, `/api/order/so/shipment/${keys.get('shipment', shipmentName(order, shipment))}/ship/`, {
    tracking_number: shipment.tracking_number,
  })
