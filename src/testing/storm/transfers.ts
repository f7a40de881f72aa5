import type { Operation } from './client.ts'
import { isHeads, isOneInFour, nextNumber, pickKey, pickOne, pickRows, randomInteger } from './pick.ts'

const PATH = '/api/order/transfer-order/'
const LINE_PATH = '/api/order/transfer-order-line/'
const ALLOCATION_PATH = '/api/order/transfer-order-allocation/'

/** Operations on transfer orders. */
export const transfers: Record<string, Operation> = {
  async create_transfer(client) {
    const body = {
      reference: `TO-${nextNumber()}`,
      destination: await pickKey(client, 'stock_location', 'not structural'),
      consume: isOneInFour(),
    }
    const copied = { duplicate_order: await pickKey(client, 'transfer_order'), duplicate_line_items: true }
    const created = await client.send('POST', PATH, isHeads() ? { ...body, ...copied } : body)
    if (created.status === 201 && !isOneInFour()) await client.send('POST', `${PATH}${created.body.pk}/issue/`, {})
    return created
  },

  async change_transfer(client) {
    const pk = await pickKey(client, 'transfer_order')
    const changes = [
      { reference: `TO-${nextNumber()}` },
      { destination: await pickKey(client, 'stock_location', 'not structural') },
      { notes: 'n' },
    ]
    return pk && client.send('PATCH', `${PATH}${pk}/`, pickOne(changes))
  },

  async delete_transfer(client) {
    const pk = isOneInFour() && (await pickKey(client, 'transfer_order'))
    return pk ? client.send('DELETE', `${PATH}${pk}/`) : undefined
  },

  async add_transfer_line(client) {
    const order = await pickKey(client, 'transfer_order', 'status <> 30')
    const part = await pickKey(client, 'part', 'not virtual')
    return order && client.send('POST', LINE_PATH, { order, part, quantity: randomInteger(9) })
  },

  async change_transfer_line(client) {
    const pk = await pickKey(client, 'transfer_order_line')
    const changes = [{ quantity: randomInteger(20) }, { order: await pickKey(client, 'transfer_order') }]
    return pk && client.send('PATCH', `${LINE_PATH}${pk}/`, pickOne(changes))
  },

  async delete_transfer_line(client) {
    const pk = isOneInFour() && (await pickKey(client, 'transfer_order_line'))
    return pk ? client.send('DELETE', `${LINE_PATH}${pk}/`) : undefined
  },

  async allocate_transfer(client) {
    const order = await pickKey(client, 'transfer_order', 'status = 20 and line_items > 0')
    if (!order) return
    const lines = await pickRows(client, 'transfer_order_line', `"order" = ${order} and part is not null`, randomInteger(3))
    const items: object[] = []
    for (const line of lines) {
      const part = `part in (select pk from part where path @> array[${line.part}])`
      const [item] = await pickRows(client, 'stock_item', `in_stock and ${part}`)
      if (item) items.push({ line_item: line.pk, stock_item: item.pk, quantity: item.serial ? 1 : randomInteger(2) })
    }
    return client.send('POST', `${PATH}${order}/allocate/`, { items, allow_over_allocation: true })
  },

  async change_transfer_allocation(client) {
    const pk = await pickKey(client, 'transfer_order_allocation', 'is_open')
    return pk && client.send('PATCH', `${ALLOCATION_PATH}${pk}/`, { quantity: randomInteger(3) })
  },

  async delete_transfer_allocation(client) {
    const pk = await pickKey(client, 'transfer_order_allocation')
    return pk && client.send('DELETE', `${ALLOCATION_PATH}${pk}/`)
  },

  async act_on_transfer(client) {
    const pk = await pickKey(client, 'transfer_order', 'status in (10, 20, 25)')
    const action = pickOne(['issue', 'hold', 'cancel', 'complete', 'complete', 'issue'])
    return (
      pk && client.send('POST', `${PATH}${pk}/${action}/`, action === 'complete' ? { accept_incomplete_allocation: true } : {})
    )
  },
}
