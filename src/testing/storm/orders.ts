import type { Client, Operation } from './client.ts'
import { createName, isHeads, isOneInFour, nextNumber, pickKey, pickOne, pickRows, randomInteger } from './pick.ts'

const OPEN = 'status in (10, 15, 25)'

/** Returns an unshipped shipment of an order, and creates one if there is none. */
async function ensureShipment(client: Client, order: number): Promise<number | undefined> {
  const existing = await pickKey(client, 'sales_order_shipment', `"order" = ${order} and shipment_date is null`)
  if (existing && Math.random() < 0.8) return existing
  return (await client.send('POST', '/api/order/so/shipment/', { order, reference: createName('box') })).body?.pk
}

/** Operations on sales orders and return orders. */
export const orders: Record<string, Operation> = {
  async create_sale(client) {
    const body = { reference: `SO-${nextNumber()}`, customer: await pickKey(client, 'company', 'is_customer') }
    const copied = { duplicate_order: await pickKey(client, 'sales_order'), duplicate_line_items: true }
    const created = await client.send('POST', '/api/order/so/', isHeads() ? { ...body, ...copied } : body)
    if (created.status === 201 && isHeads()) await client.send('POST', `/api/order/so/${created.body.pk}/issue/`, {})
    return created
  },

  async change_sale(client) {
    const pk = await pickKey(client, 'sales_order')
    return pk && client.send('PATCH', `/api/order/so/${pk}/`, isHeads() ? { reference: `SO-${nextNumber()}` } : { notes: 'n' })
  },

  async add_sales_line(client) {
    const order = await pickKey(client, 'sales_order')
    const part = await pickKey(client, 'part', 'salable and not virtual')
    return (
      order &&
      client.send('POST', '/api/order/so-line/', { order, part, quantity: randomInteger(9), sale_price: randomInteger(9) })
    )
  },

  async change_sales_line(client) {
    const pk = await pickKey(client, 'sales_order_line')
    const changes = [
      { quantity: randomInteger(20) },
      { order: await pickKey(client, 'sales_order') },
      { part: await pickKey(client, 'part') },
    ]
    return pk && client.send('PATCH', `/api/order/so-line/${pk}/`, pickOne(changes))
  },

  async delete_sales_line(client) {
    const pk = await pickKey(client, 'sales_order_line', 'pk > 44')
    return pk && client.send('DELETE', `/api/order/so-line/${pk}/`)
  },

  async allocate(client) {
    const order = await pickKey(client, 'sales_order', `${OPEN} and line_items > 0`)
    if (!order) return
    const lines = await pickRows(client, 'sales_order_line', `"order" = ${order} and part is not null`, randomInteger(3))
    const items: object[] = []
    for (const line of lines) {
      const part = `part in (select pk from part where path @> array[${line.part}])`
      const [item] = await pickRows(client, 'stock_item', `in_stock and ${part}`)
      if (item) items.push({ line_item: line.pk, stock_item: item.pk, quantity: item.serial ? 1 : randomInteger(2) })
    }
    const body = { items, shipment: await ensureShipment(client, order), allow_over_allocation: true }
    return client.send('POST', `/api/order/so/${order}/allocate/`, body)
  },

  async allocate_serials(client) {
    const [line] = await pickRows(client, 'sales_order_line', `part in (select pk from part where trackable) and "order" <= 4`)
    if (!line) return
    const [item] = await pickRows(client, 'stock_item', `serial is not null and in_stock and part = ${line.part}`)
    if (!item) return
    const shipment = await ensureShipment(client, line.order)
    const body = { line_item: line.pk, quantity: 1, serial_numbers: item.serial, shipment, allow_over_allocation: true }
    return client.send('POST', `/api/order/so/${line.order}/allocate-serials/`, body)
  },

  async auto_allocate_order(client) {
    const order = await pickKey(client, 'sales_order', `${OPEN} and line_items > 0`)
    const body = { stock_sort_by: isHeads() ? 'updated' : '-quantity' }
    return order && client.send('POST', `/api/order/so/${order}/auto-allocate/`, body)
  },

  async change_allocation(client) {
    const [allocation] = await pickRows(client, 'sales_order_allocation', 'is_open')
    if (!allocation) return
    const item = await pickKey(client, 'stock_item', 'in_stock')
    return client.send(
      'PATCH',
      `/api/order/so-allocation/${allocation.pk}/`,
      isHeads() ? { quantity: randomInteger(3) } : { item },
    )
  },

  async delete_allocation(client) {
    const pk = await pickKey(client, 'sales_order_allocation')
    return pk && client.send('DELETE', `/api/order/so-allocation/${pk}/`)
  },

  async ship(client) {
    const readyToShip = 'shipment_date is null and exists (select from sales_order_allocation where shipment = t.pk)'
    const pk = await pickKey(client, 'sales_order_shipment', readyToShip)
    return pk && client.send('POST', `/api/order/so/shipment/${pk}/ship/`, {})
  },

  async change_shipment(client) {
    const pk = await pickKey(client, 'sales_order_shipment')
    const changes = isHeads() ? { reference: createName('box') } : { tracking_number: createName('T') }
    return pk && client.send(Math.random() < 0.2 ? 'DELETE' : 'PATCH', `/api/order/so/shipment/${pk}/`, changes)
  },

  async close_sale(client) {
    const pk = await pickKey(client, 'sales_order', `${OPEN} and line_items > 0 and pk > 4`)
    if (!pk) return
    return isHeads()
      ? client.send('POST', `/api/order/so/${pk}/complete/`, { accept_incomplete: true })
      : client.send('POST', `/api/order/so/${pk}/cancel/`, {})
  },

  async hold_sale(client) {
    const pk = await pickKey(client, 'sales_order', OPEN)
    return pk && client.send('POST', `/api/order/so/${pk}/${isOneInFour() ? 'hold' : 'issue'}/`, {})
  },

  async delete_sale(client) {
    const pk = await pickKey(client, 'sales_order', 'pk > 4')
    return pk && client.send('DELETE', `/api/order/so/${pk}/`)
  },

  async create_return(client) {
    const body = { reference: `RMA-${nextNumber()}`, customer: await pickKey(client, 'company', 'is_customer') }
    const created = await client.send('POST', '/api/order/ro/', body)
    if (created.status === 201) await client.send('POST', `/api/order/ro/${created.body.pk}/issue/`, {})
    return created
  },

  async add_return_line(client) {
    const order = await pickKey(client, 'return_order', 'status in (10, 20)')
    const item = await pickKey(client, 'stock_item', 'serial is not null')
    return order && client.send('POST', '/api/order/ro-line/', { order, item, price: randomInteger(9) })
  },

  async change_return_line(client) {
    const pk = await pickKey(client, 'return_order_line')
    return pk && client.send(isHeads() ? 'PATCH' : 'DELETE', `/api/order/ro-line/${pk}/`, { outcome: pickOne([10, 20, 30]) })
  },

  async receive_return(client) {
    const hasOpenLine = 'exists (select from return_order_line where "order" = t.pk and received_date is null)'
    const order = await pickKey(client, 'return_order', `status = 20 and ${hasOpenLine}`)
    if (!order) return
    const lines = await pickRows(client, 'return_order_line', `"order" = ${order} and received_date is null`, randomInteger(3))
    const body = {
      items: lines.map(({ pk }) => ({ item: pk })),
      location: await pickKey(client, 'stock_location', 'not structural'),
    }
    return client.send('POST', `/api/order/ro/${order}/receive/`, body)
  },

  async close_return(client) {
    const pk = isOneInFour() && (await pickKey(client, 'return_order', 'status in (10, 20)'))
    return pk ? client.send('POST', `/api/order/ro/${pk}/${isHeads() ? 'complete' : 'cancel'}/`, {}) : undefined
  },

  async hold_return(client) {
    const pk = await pickKey(client, 'return_order', 'status in (10, 20, 25)')
    return pk && client.send('POST', `/api/order/ro/${pk}/${isOneInFour() ? 'hold' : 'issue'}/`, {})
  },

  async delete_return(client) {
    const pk = await pickKey(client, 'return_order', 'status not in (10, 20, 25)')
    return pk && client.send('DELETE', `/api/order/ro/${pk}/`)
  },
}
