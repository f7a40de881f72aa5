import { STOCK_STATUS } from '../resources/stock/stock-status.ts'
import type { DemoOrder, DemoOrderEvent, DemoReceipt } from './data/order.ts'
import { pastOrders } from './data/past-orders.ts'
import { recentOrders } from './data/recent-orders.ts'
import type { DemoContext, DemoEvent } from './past-event.ts'
import { getCurrency } from './set-up.ts'

const BUYER = 'buyer'
const STOREKEEPER = 'storekeeper'

/** Events of all purchase orders. */
export function listPurchaseOrderEvents(context: DemoContext): DemoEvent[] {
  return [...pastOrders, ...recentOrders].flatMap((order) => [
    { day: order.created, run: () => createOrder(context, order) },
    ...order.events.map((event) => ({ day: event.day, run: () => replayEvent(context, order, event) })),
  ])
}

async function createOrder({ client, keys, calendar }: DemoContext, order: DemoOrder): Promise<void> {
  const { reference, supplier, supplier_reference, description, notes, createdBy = BUYER } = order
  const created = await client.post(createdBy, '/api/order/po/', {
    reference,
    supplier: keys.get('company', supplier),
    supplier_reference,
    description,
    notes,
    creation_date: calendar.formatDay(order.created),
    target_date: calendar.formatDay(order.target),
    order_currency: getCurrency(supplier),
    address: keys.get('address', supplier),
    contact: keys.find('contact', order.contact),
    project_code: keys.find('project', order.project),
    responsible: keys.find('owner', order.responsible),
  })
  keys.set('order', reference, created)
  for (const [index, { SKU, packs, destination, target, ...fields }] of order.lines.entries()) {
    const line = await client.post(createdBy, '/api/order/po-line/', {
      ...fields,
      order: created.pk,
      part: keys.get('supplier part', SKU),
      quantity: packs,
      purchase_price_currency: getCurrency(supplier),
      destination: keys.find('location', destination),
      target_date: calendar.formatDay(target),
    })
    keys.set('line', getLineName(order, index + 1), line)
  }
  for (const { currency, ...fields } of order.extraLines ?? [])
    await client.post(createdBy, '/api/order/po-extra-line/', {
      ...fields,
      order: created.pk,
      quantity: 1,
      price_currency: currency,
    })
}

const getLineName = (order: DemoOrder, line: number) => `${line} of ${order.reference}`

function replayEvent(context: DemoContext, order: DemoOrder, event: DemoOrderEvent): Promise<unknown> {
  const { client, keys } = context
  const orderPath = `/api/order/po/${keys.get('order', order.reference)}/`
  const buyer = order.createdBy ?? BUYER
  switch (event.act) {
    case 'issue':
      return client.post(buyer, `${orderPath}issue/`)
    case 'cancel':
      return client.post(buyer, `${orderPath}cancel/`)
    case 'close':
      return client.post(buyer, `${orderPath}complete/`, { accept_incomplete: true })
    case 'receive': {
      const items = event.lines.map((receipt) => toReceiptItem(context, order, receipt))
      const location = keys.find('location', event.location) ?? null
      return client.post(STOREKEEPER, `${orderPath}receive/`, { items, location })
    }
    case 'put away':
      return storeReceivedItems(context, order)
  }
}

function toReceiptItem({ keys }: DemoContext, order: DemoOrder, { line, packs, batch, serials, status }: DemoReceipt) {
  return {
    line_item: keys.get('line', getLineName(order, line)),
    quantity: packs,
    batch_code: batch,
    serial_numbers: serials,
    status,
  }
}

async function storeReceivedItems({ client, keys }: DemoContext, order: DemoOrder): Promise<void> {
  const items = await client.list(STOREKEEPER, '/api/stock/', {
    purchase_order: keys.get('order', order.reference),
    location: keys.get('location', 'Goods in'),
    part_detail: true,
    ordering: 'pk',
  })
  const itemsByLocation = Map.groupBy(items, ({ status, part_detail: part }): number =>
    status === STOCK_STATUS.OK.key ? part.category_default_location : keys.get('location', 'Quarantine'),
  )
  for (const [location, locationItems] of itemsByLocation) {
    const notes = `Put away, ${order.reference}`
    await client.post(STOREKEEPER, '/api/stock/transfer/', {
      location,
      notes,
      items: locationItems.map(({ pk, quantity }) => ({ pk, quantity })),
    })
  }
}
