import { OWNER } from '../resources/web/demo/demo-accounts.ts'
import { type DemoTransferOrder, transferOrders } from './data/transfer-orders.ts'
import type { DemoContext, DemoEvent } from './past-event.ts'

/** Events of all transfer orders. */
export const listTransferOrderEvents = (context: DemoContext): DemoEvent[] =>
  transferOrders.map((order) => ({ day: order.created, run: () => createOrder(context, order) }))

async function createOrder({ client, keys, calendar }: DemoContext, order: DemoTransferOrder): Promise<void> {
  const { reference, description, created, from, to, consume, lines, issued } = order
  const path = '/api/order/transfer-order/'
  const { pk } = await client.post(OWNER, path, {
    reference,
    description,
    creation_date: calendar.formatDay(created),
    take_from: keys.find('location', from),
    destination: keys.find('location', to),
    consume,
    responsible: keys.get('owner', OWNER),
  })
  const items: { line_item: number; stock_item: number; quantity: number }[] = []
  for (const { part, quantity, allocated = [] } of lines) {
    const line = await client.post(OWNER, '/api/order/transfer-order-line/', {
      order: pk,
      part: keys.get('part', part),
      quantity,
    })
    if (allocated.length === 0) continue
    const [item] = await client.list(OWNER, '/api/stock/', { part: keys.get('part', part), in_stock: true })
    items.push(...allocated.map((one) => ({ line_item: line.pk, stock_item: item.pk as number, quantity: one })))
  }
  if (issued !== undefined) await client.post(OWNER, `${path}${pk}/issue/`)
  if (items.length > 0) await client.post(OWNER, `${path}${pk}/allocate/`, { items })
}
