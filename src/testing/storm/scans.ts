import type { Client, Operation } from './client.ts'
import { isHeads, pickKey, pickOne, pickRows, randomInteger } from './pick.ts'

/** Sends one scan as a batch, and records how to undo it. */
async function scan(client: Client, action: string, fields: object) {
  const entry = { id: crypto.randomUUID(), time: new Date().toISOString(), action, ...fields }
  const response = await client.send('POST', '/api/barcode/batch/', { items: [entry] })
  const [outcome] = response.body?.items ?? []
  if (!outcome) return response
  if (outcome.status === 201 && outcome.history) client.undoable.push({ path: `/api/barcode/history/${outcome.history}/undo/` })
  return { ...response, status: outcome.status }
}

const pickBarcode = async (client: Client, where = 'true') => {
  const pk = await pickKey(client, 'stock_item', where)
  return pk && `{"stockitem": ${pk}}`
}

/** Scans, and operations that link codes. */
export const scans: Record<string, Operation> = {
  async scan_move(client) {
    const fields = {
      barcode: await pickBarcode(client, 'in_stock'),
      location: await pickKey(client, 'stock_location', 'not structural'),
    }
    return fields.barcode ? scan(client, 'move', isHeads() ? { ...fields, quantity: 1 } : fields) : undefined
  },

  async scan_count(client) {
    const barcode = await pickBarcode(client, 'serial is null')
    return barcode ? scan(client, 'count', { barcode, quantity: randomInteger(9) }) : undefined
  },

  async scan_remove(client) {
    const [chosen] = await pickRows(client, 'stock_item', 'serial is null')
    const quantity = isHeads() ? chosen?.quantity : 1
    return chosen && scan(client, 'remove', { barcode: `{"stockitem": ${chosen.pk}}`, quantity })
  },

  async scan_allocate(client) {
    const open = '"order" in (select pk from sales_order where status in (10, 15))'
    const [line] = await pickRows(client, 'sales_order_line', `part is not null and shipped < quantity and ${open}`)
    const barcode = line && (await pickBarcode(client, `in_stock and part = ${line.part}`))
    const shipment = line && (await pickKey(client, 'sales_order_shipment', `"order" = ${line.order} and shipment_date is null`))
    return barcode && scan(client, 'allocate', { barcode, sales_order: line.order, line: line.pk, shipment, quantity: 1 })
  },

  async scan_build_allocate(client) {
    const [line] = await pickRows(client, 'build_line', 'build in (select pk from build_order where status in (10, 20))')
    const barcode = line && (await pickBarcode(client, `in_stock and part = ${line.part}`))
    return barcode && scan(client, 'build-allocate', { barcode, build: line.build, quantity: 1 })
  },

  async scan_receive(client) {
    const [order] = await pickRows(client, 'purchase_order', 'status = 20')
    if (!order) return
    const [line] = await pickRows(client, 'purchase_order_line', `"order" = ${order.pk} and part is not null`)
    const [supplierPart] = line ? await client.rows('select "SKU" from supplier_part where pk = $1', [line.part]) : []
    if (!supplierPart) return
    const barcode = `[)>\u001e06\u001d1P${supplierPart.SKU}\u001dK${order.reference}\u001dQ1\u001d1T${randomInteger(1_000_000)}\u001e\u0004`
    const location = await pickKey(client, 'stock_location', 'not structural')
    return scan(client, 'receive', { barcode, purchase_order: order.pk, location })
  },

  async link_code(client) {
    const [kind, table] = pickOne([
      ['stockitem', 'stock_item'],
      ['part', 'part'],
      ['stocklocation', 'stock_location'],
      ['supplierpart', 'supplier_part'],
    ] as const)
    const pk = await pickKey(client, table)
    return isHeads()
      ? client.send('POST', '/api/barcode/link/', { barcode: `CODE-${randomInteger(30)}`, [kind]: pk })
      : client.send('POST', '/api/barcode/unlink/', { [kind]: pk })
  },
}
