import type { Operation } from './client.ts'
import { createName, isHeads, isOneInFour, nextNumber, pickKey, pickOne, pickRows, randomInteger } from './pick.ts'

const OPEN = 'status in (10, 20, 25)'

/** Operations on purchase orders. */
export const purchasing: Record<string, Operation> = {
  async create_purchase(client) {
    const body = { reference: `PO-${nextNumber()}`, supplier: await pickKey(client, 'company', 'is_supplier') }
    const duplicate_order = await pickKey(client, 'purchase_order')
    const copied = { duplicate_order, duplicate_line_items: true, duplicate_extra_lines: true }
    const created = await client.send('POST', '/api/order/po/', isHeads() ? { ...body, ...copied } : body)
    if (created.status === 201 && isHeads()) await client.send('POST', `/api/order/po/${created.body.pk}/issue/`, {})
    return created
  },

  async change_purchase(client) {
    const pk = await pickKey(client, 'purchase_order')
    const changes = [
      { reference: `PO-${nextNumber()}` },
      { description: createName('order') },
      { address: await pickKey(client, 'address') },
    ]
    return pk && client.send('PATCH', `/api/order/po/${pk}/`, pickOne(changes))
  },

  async add_line(client) {
    const [order] = await pickRows(client, 'purchase_order', OPEN)
    if (!order) return
    const part = await pickKey(client, 'supplier_part', order.supplier ? `supplier = ${order.supplier}` : 'true')
    const body = { order: order.pk, part, quantity: randomInteger(20), merge_items: isHeads() }
    return client.send('POST', '/api/order/po-line/', body)
  },

  async change_line(client) {
    const [line] = await pickRows(client, 'purchase_order_line')
    if (!line) return
    const changes = [
      { quantity: randomInteger(30) },
      { order: await pickKey(client, 'purchase_order'), part: null },
      { purchase_price: randomInteger(9), destination: await pickKey(client, 'stock_location') },
    ]
    return client.send('PATCH', `/api/order/po-line/${line.pk}/`, pickOne(changes))
  },

  async delete_lines(client) {
    const lines = await pickRows(client, 'purchase_order_line', 'received = 0 and pk > 16', randomInteger(2))
    return client.send('DELETE', '/api/order/po-line/', { items: lines.map(({ pk }) => pk) })
  },

  async add_extra_line(client) {
    const [kind, table] = pickOne([
      ['po', 'purchase_order'],
      ['so', 'sales_order'],
      ['ro', 'return_order'],
    ])
    const order = await pickKey(client, table as string)
    return order && client.send('POST', `/api/order/${kind}-extra-line/`, { order, quantity: 1, price: randomInteger(9) })
  },

  async receive(client) {
    const hasPartLine = 'exists (select from purchase_order_line where "order" = t.pk and part is not null)'
    const pk = await pickKey(client, 'purchase_order', `status = 20 and ${hasPartLine}`)
    if (!pk) return
    const lines = await pickRows(client, 'purchase_order_line', `"order" = ${pk} and part is not null`, randomInteger(4))
    const tracked = await client.rows(
      `select line.pk from purchase_order_line line join supplier_part on supplier_part.pk = line.part join part on part.pk = supplier_part.part
       where line."order" = $1 and part.trackable and supplier_part.pack_quantity_native = 1`,
      [pk],
    )
    const trackedLines = new Set(tracked.map((line) => line.pk))
    const items = lines.map((line) => ({
      line_item: line.pk,
      quantity: 2,
      ...(trackedLines.has(line.pk) && isHeads() ? { serial_numbers: '~+' } : {}),
    }))
    const body = { items, location: await pickKey(client, 'stock_location', 'not structural'), allow_over_receipt: true }
    const response = await client.send('POST', `/api/order/po/${pk}/receive/`, { ...body, undoable: true })
    const { delivery } = response.body ?? {}
    if (delivery) client.undoable.push({ path: `/api/order/po/${pk}/delivery/${delivery}/undo/` })
    return response
  },

  async issue_purchase(client) {
    const pk = await pickKey(client, 'purchase_order', 'status in (10, 25)')
    return pk && client.send('POST', `/api/order/po/${pk}/issue/`, {})
  },

  async hold_purchase(client) {
    const pk = isOneInFour() && (await pickKey(client, 'purchase_order', 'status in (10, 20)'))
    return pk ? client.send('POST', `/api/order/po/${pk}/hold/`, {}) : undefined
  },

  async close_purchase(client) {
    const pk = await pickKey(client, 'purchase_order', `${OPEN} and pk > 4`)
    if (!pk) return
    return isHeads()
      ? client.send('POST', `/api/order/po/${pk}/complete/`, { accept_incomplete: true })
      : client.send('POST', `/api/order/po/${pk}/cancel/`, {})
  },

  async delete_purchase(client) {
    const pk = await pickKey(client, 'purchase_order', `not ${OPEN} and pk > 4`)
    return pk && client.send('DELETE', `/api/order/po/${pk}/`)
  },

  async order_low_stock(client) {
    return client.send('POST', '/api/order/po/low-stock/', {})
  },

  async change_pack(client) {
    const pk = await pickKey(client, 'supplier_part')
    const changes = [
      { pack_quantity: String(randomInteger(4)) },
      { SKU: createName('SKU') },
      { SKU: createName('SKU'), pack_quantity: String(randomInteger(4)) },
      { description: createName('sold') },
    ]
    return pk && client.send('PATCH', `/api/company/part/${pk}/`, pickOne(changes))
  },

  async sell(client) {
    const body = {
      part: await pickKey(client, 'part', 'purchaseable'),
      supplier: await pickKey(client, 'company', 'is_supplier'),
    }
    return client.send('POST', '/api/company/part/', { ...body, SKU: createName('SKU') })
  },

  async delete_supplier_part(client) {
    const pk = await pickKey(client, 'supplier_part', 'pk > 6')
    return pk && client.send('DELETE', `/api/company/part/${pk}/`)
  },

  async price_break(client) {
    const part = await pickKey(client, 'supplier_part')
    return client.send('POST', '/api/company/price-break/', { part, quantity: randomInteger(100), price: randomInteger(9) })
  },
}
