import type { Client, Operation } from './client.ts'
import { any, isHeads, key, name, one, some } from './pick.ts'

/** Returns items of very different kinds, some of which are soon depleted. */
const items = (client: Client, count = any(4), where = 'true') => some(client, 'stock_item', where, count)
const pickLocation = (client: Client) => key(client, 'stock_location', 'not structural')

/** Sends an operation that can be undone, and records how. */
async function undoably(client: Client, path: string, body: object) {
  const response = await client.send('POST', path, { ...body, undoable: true })
  const { adjustment } = response.body ?? {}
  if (adjustment) client.undoable.push({ path: `/api/stock/adjustment/${adjustment}/undo/` })
  return response
}

const adjusting = (action: 'add' | 'remove' | 'count'): Operation => {
  return async (client) => {
    const chosen = await items(client)
    const quantityOf = (quantity: string) => (action === 'remove' && isHeads() ? quantity : String(any(5)))
    const release = action === 'count' && isHeads() ? { release_allocations: true } : {}
    const entries = chosen.map(({ pk, quantity }) => ({ pk, quantity: quantityOf(quantity), ...release }))
    return entries.length ? undoably(client, `/api/stock/${action}/`, { items: entries }) : undefined
  }
}

/** Operations on stock itself. */
export const stock: Record<string, Operation> = {
  add: adjusting('add'),
  remove: adjusting('remove'),
  count: adjusting('count'),

  async transfer(client) {
    const chosen = await items(client, any(5), 'in_stock')
    const entries = chosen.map(({ pk, quantity }) => ({ pk, quantity: isHeads() ? '1' : quantity }))
    return undoably(client, '/api/stock/transfer/', { items: entries, location: await pickLocation(client) })
  },

  async change_status(client) {
    const chosen = await items(client)
    return undoably(client, '/api/stock/change_status/', { items: chosen.map(({ pk }) => pk), status: one([10, 50, 65]) })
  },

  async undo_adjustment(client) {
    const at = isHeads() ? client.undoable.length - 1 : any(client.undoable.length) - 1
    const undoableAction = client.undoable[at]
    if (!undoableAction) return
    const before = client.undoable[at - 1]
    const also =
      /adjustment/.test(undoableAction.path) && before && /adjustment/.test(before.path) ? [before.path.split('/')[4]] : undefined
    return client.send('POST', undoableAction.path, also ? { also } : {})
  },

  async merge(client) {
    const [first] = await items(client, 1, 'serial is null and in_stock')
    if (!first) return
    const others = await items(client, 3, `part = ${first.part} and pk <> ${first.pk} and serial is null and in_stock`)
    const body = { allow_mismatched_status: true, allow_mismatched_suppliers: true, location: await pickLocation(client) }
    return client.send('POST', '/api/stock/merge/', { ...body, items: [first, ...others].map(({ pk }) => ({ item: pk })) })
  },

  async assign(client) {
    const chosen = await items(client, 2, 'in_stock and quantity < 20')
    const customer = await key(client, 'company', 'is_customer')
    return client.send('POST', '/api/stock/assign/', { items: chosen.map(({ pk }) => ({ item: pk })), customer })
  },

  async return(client) {
    const pk = await key(client, 'stock_item', 'customer is not null or sales_order is not null or belongs_to is not null')
    return pk && client.send('POST', `/api/stock/${pk}/return/`, { location: await pickLocation(client) })
  },

  async serialize(client) {
    const trackable = 'serial is null and in_stock and quantity >= 2 and part in (select pk from part where trackable)'
    const pk = await key(client, 'stock_item', trackable)
    const body = { quantity: 2, serial_numbers: '~+', destination: await pickLocation(client) }
    return pk && client.send('POST', `/api/stock/${pk}/serialize/`, body)
  },

  async convert(client) {
    const pk = await key(
      client,
      'stock_item',
      'supplier_part is null and part in (select pk from part where variant_of is not null)',
    )
    const part = await key(client, 'part', 'variant_of is not null')
    return pk && client.send('POST', `/api/stock/${pk}/convert/`, { part })
  },

  async install(client) {
    const [host, inside] = await items(client, 2, 'in_stock')
    return inside && client.send('POST', `/api/stock/${host.pk}/install/`, { stock_item: inside.pk, quantity: 1 })
  },

  async uninstall(client) {
    const pk = await key(client, 'stock_item', 'belongs_to is not null')
    return pk && client.send('POST', `/api/stock/${pk}/uninstall/`, { location: await pickLocation(client) })
  },

  async create_stock(client) {
    const part = await key(client, 'part', 'not virtual')
    const is_tracked = (await client.rows('select trackable from part where pk = $1', [part]))[0]?.trackable
    const body = { part, quantity: any(5), location: await pickLocation(client), purchase_price: any(9) }
    return client.send(
      'POST',
      '/api/stock/',
      is_tracked && isHeads() ? { ...body, serial_numbers: body.quantity > 1 ? '~+' : '~' } : body,
    )
  },

  async change_item(client) {
    const [item, other] = await items(client, 2)
    const owner = await key(client, 'owner')
    const part = await key(client, 'part', 'variant_of is not null')
    const changes: object[] = [
      { quantity: any(9) },
      { location: await pickLocation(client) },
      { serial: String(any(60)), quantity: 1 },
      { belongs_to: other?.pk ?? null },
      { part },
      { owner, notes: name('note') },
      { delete_on_deplete: isHeads() },
    ]
    return item && client.send('PATCH', `/api/stock/${item.pk}/`, one(changes))
  },

  async delete_item(client) {
    const pk = await key(client, 'stock_item', 'quantity < 20')
    return pk && client.send('DELETE', `/api/stock/${pk}/`)
  },

  async add_test_result(client) {
    const [template] = await client.rows('select pk, part from part_test_template limit 1')
    const pk = template && (await key(client, 'stock_item', `part = ${template.part}`))
    return pk && client.send('POST', '/api/stock/test/', { stock_item: pk, template: template.pk, result: true, value: '1' })
  },

  async metadata(client) {
    const [table, path] = one([
      ['stock_item', '/api/stock/'],
      ['part', '/api/part/'],
      ['purchase_order', '/api/order/po/'],
    ] as const)
    const pk = await key(client, table)
    return pk && client.send('PATCH', `${path}${pk}/metadata/`, { metadata: { [name('key')]: any(9) } })
  },
}
